"""Finding the exchanges whose answer an item of a later request repeats."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.retry.linking.sameness import SAME_ANSWERS, AnswerIndex, Prefixes, common
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item


def answered(*items: Item) -> Exchange:
    """Return an exchange with an answer."""
    return Exchange(1, "openai.chat", answer=items)


def said(text: str, role: Role = Role.ASSISTANT) -> Item:
    """Return a text."""
    return Item(ItemKind.TEXT, role, text)


def call(arguments: Any, call_id: str | None = None, name: str = "f") -> Item:
    """Return a call."""
    return Item(ItemKind.CALL, Role.ASSISTANT, json.dumps(arguments), call_id, name, arguments)


def result(call_id: str | None) -> Item:
    """Return the result of a call."""
    return Item(ItemKind.RESULT, Role.TOOL, "no", call_id)


LONG = "word " * 10 + "more"
HEAD = "0123456789" * 4 + "01234567"
"""48 characters: as many as an answer needs to be found where a client goes on behind it."""
FENCED = 'Here it is:\n```json\n{"b": 1, "a": 2}\n```'
CASES: dict[str, tuple[Exchange, Item, list[tuple[int, bool]]]] = {
    "the text": (answered(said("a b")), said(" a  b"), [(7, True)]),
    "another text": (answered(said("a b")), said("a c"), []),
    "one of two texts": (answered(said("a"), said("b")), said("b"), [(7, True)]),
    "both texts": (answered(said("a"), said("b")), said("a\nb"), [(7, True)]),
    "a user's text": (answered(said("a b")), said("a b", Role.USER), []),
    "nothing": (answered(said(" ")), said(" "), []),
    "a long text that goes on": (answered(said(LONG)), said(f"{LONG} and on"), [(7, False)]),
    "the least that may go on": (answered(said(HEAD)), said(f"{HEAD} and on"), [(7, False)]),
    "less than that": (answered(said(HEAD[1:])), said(f"{HEAD[1:]} and on"), []),
    "the same beginning": (answered(said(f"{HEAD} one")), said(f"{HEAD} two"), []),
    "the document alone": (answered(said(FENCED)), said('{"b": 1, "a": 2}'), [(7, True)]),
    "the document, spelled otherwise": (answered(said(FENCED)), said('{"a":2,"b":1}'), [(7, True)]),
    "a document": (answered(said('{"a": 1}')), said('{"a": 1}'), [(7, True)]),
    "a broken document alone": (answered(said("Here: {a: 1, } Good?")), said("{a: 1, }"), [(7, True)]),
    "another document": (answered(said(FENCED)), said('{"a":3,"b":1}'), []),
    "a call by its id": (answered(call({"a": 1}, "c")), call({"a": 1}, "c"), [(7, True)]),
    "a call by its id, with other arguments": (answered(call({"a": 1}, "c")), call({}, "c"), [(7, False)]),
    "a call with another id": (answered(call({"a": 1}, "c")), call({"a": 1}, "d"), [(7, True)]),
    "a call without ids": (answered(call({"a": 1})), call({"a": 1}), [(7, True)]),
    "another call": (answered(call({"a": 1}, "c")), call({"a": 2}, "d"), []),
    "a call of another tool": (answered(call({"a": 1}, "c")), call({"a": 1}, "d", "g"), []),
    "a result": (answered(call({"a": 1}, "c")), result("c"), [(7, False)]),
    "another result": (answered(call({"a": 1}, "c")), result("d"), []),
    "a result without an id": (answered(call({"a": 1})), result(None), []),
    "the second of two calls": (answered(call({"a": 1}, "c"), call({"a": 2}, "d")), result("d"), [(7, False)]),
    "a text beside a call": (answered(said("Now:"), call({"a": 1}, "c")), said("Now:"), [(7, True)]),
}


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_what_repeats_an_answer(name: str) -> None:
    """The number of the exchange, and whether the answer is there as it was given."""
    answer, item, expected = CASES[name]
    index = AnswerIndex()
    index.add(7, answer)
    assert list(index.matches(item)) == expected


def test_every_exchange_with_the_answer_is_named_up_to_a_bound() -> None:
    """The latest are kept, in order."""
    index = AnswerIndex()
    for number in range(SAME_ANSWERS + 2):
        index.add(number, answered(said("a"), call({}, "c")))
    latest = list(range(2, SAME_ANSWERS + 2))
    assert [number for number, _ in index.matches(said("a"))] == latest
    assert [number for number, _ in index.matches(result("c"))] == latest
    assert SAME_ANSWERS == 64


def test_a_renewed_id_finds_no_call_that_has_one() -> None:
    """Where an id is known, equal arguments under other ids do not count."""
    index = AnswerIndex()
    index.add(1, answered(call({"a": 1}, "c")))
    index.add(2, answered(call({"a": 1}, "d")))
    assert list(index.matches(call({"a": 1}, "c"))) == [(1, True)]
    assert list(index.matches(call({"a": 1}, "e"))) == [(1, True), (2, True)]


TURNS = st.lists(st.sampled_from("abc"), max_size=6)


@given(TURNS, TURNS)
def test_requests_share_the_nodes_of_their_common_beginning(one: list[str], other: list[str]) -> None:
    """One node for each beginning, the empty one first."""
    prefixes = Prefixes()
    requests = [Exchange(1, "openai.chat", request=tuple(map(said, turns))) for turns in (one, other)]
    first, second = map(prefixes.nodes, requests)
    assert (len(first), len(second)) == (len(one) + 1, len(other) + 1)
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    assert common(first, second) == common(second, first) == same
    assert [a == b for a, b in zip(first, second, strict=False)] == [
        n <= same for n in range(min(len(one), len(other)) + 1)
    ]


def test_ids_of_calls_do_not_part_requests() -> None:
    """Clients renew them."""
    prefixes = Prefixes()
    sent = Exchange(1, "openai.chat", request=(call({"a": 1}, "c"), result("c")))
    renewed = replace(sent, request=(call({"a": 1}, "d"), result("d")))
    assert prefixes.nodes(sent) == prefixes.nodes(renewed)
