"""Another error in the place of a finding: exactly that, and what a request then leaves out."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard import Contract, distinct, excludes, min_length
from pytest_planguard.document.edit import Edit
from pytest_planguard.retry.proving.quoted_part import PartEdit
from pytest_planguard.retry.proving.repair import Repaired, repair
from pytest_planguard.retry.proving.request_diff import Difference, Quotations, left_out
from pytest_planguard.retry.proving.swap import MOST, Swapped, swaps

from .test_quoted_part import ANSWERS, EDITS
from .test_repair import GOOD, PLAN, broken, layouts, wrappers

PLAN_SCHEMA = Contract(PLAN.json_schema)
TICKET = {"title": "Printer", "hours": 2, "steps": []}


class Ticket(BaseModel):
    """Three fields, in this order."""

    title: str
    hours: int
    steps: list[str]


def swapped(text: str, contract: Contract, at: int = 0, donors: tuple[str, ...] = ()) -> tuple[Swapped, ...]:
    """What there is to give the app in the place of one finding of a text."""
    verdict = contract.check(text)
    finding = verdict.errors[at]
    repaired = repair(finding, verdict, contract)
    sound = repaired if isinstance(repaired, Repaired) else None
    return tuple(swaps(finding, verdict, contract, repaired=sound, donors=donors))


@pytest.mark.slow
@given(broken, layouts, wrappers, st.sampled_from([PLAN, PLAN_SCHEMA]))
def test_one_error_takes_the_place_of_another(
    data: Any, layout: dict[str, Any], wrapper: str, contract: Contract
) -> None:
    """Law: the finding is gone, one other error has come, and all the rest is wrong as before."""
    text = wrapper.replace("{}", json.dumps(data, **layout))
    before = Counter(f.identity for f in contract.check(text).errors)
    for at, finding in enumerate(contract.check(text).errors[:2]):
        found = swapped(text, contract, at)
        assert len(found) <= MOST
        for change in found:
            after = Counter(f.identity for f in contract.check(change.text).errors)
            assert after == before - Counter([finding.identity]) + Counter([change.other.identity])
            assert change.other.identity != finding.identity
            assert change.elsewhere == (change.other.path != finding.path)
            assert change.unlike == (change.other.code != finding.code)


@pytest.mark.slow
@given(st.text(max_size=40), st.sampled_from(["", json.dumps(GOOD)]))
def test_no_answer_makes_it_raise(text: str, donor: str) -> None:
    """Law: whatever a model wrote, another error can be put in its place, or not."""
    verdict = PLAN.check(text)
    for finding in verdict.errors:
        for change in swaps(finding, verdict, PLAN, donors=(donor,) if donor else ()):
            assert [f.identity for f in PLAN.check(change.text).errors] == [change.other.identity]


@pytest.mark.parametrize("field", ["title", "hours", "steps"])
def test_the_first_a_middle_and_the_last_field_are_swapped_alike(field: str) -> None:
    """Wherever the only finding stands, the first swap is at another place and of another kind."""
    wrong = {**TICKET, field: {"?": 1}}
    first, *rest = swapped(json.dumps(wrong), Contract(Ticket))
    assert (first.elsewhere, first.unlike) == (True, True)
    assert first.words.startswith("another error in its place (")
    assert len({change.other.identity for change in (first, *rest)}) == 1 + len(rest)


RULED = Contract(dict[str, Any], constraints=[min_length("title", 3), distinct("steps")])


@pytest.mark.parametrize(
    ("contract", "text", "place"),
    [
        (RULED, '{"title": "x", "steps": ["a"]}', ("steps",)),
        (RULED, '{"title": "Printer", "steps": ["a", "a"]}', ("title",)),
        (Contract(list[Ticket]), json.dumps([{**TICKET, "title": 7}]), (0, "hours")),
        (Contract(Ticket), json.dumps(TICKET).replace("2", "two"), ("title",)),
        (Contract(Ticket, format="yaml"), "title: Printer\nhours: two\nsteps: []\n", ("title",)),
    ],
    ids=["length rule", "distinct", "item", "no JSON", "yaml"],
)
def test_any_contract_can_be_broken_elsewhere(contract: Contract, text: str, place: tuple[str | int, ...]) -> None:
    """Schemas, content rules, items of lists, YAML, and a broken document, of which a later answer is the base."""
    donors = (json.dumps(TICKET),) if "two," in text else ()
    assert place in {change.other.path[: len(place)] for change in swapped(text, contract, donors=donors)}


def test_where_nothing_else_can_be_wrong_nothing_is_swapped() -> None:
    """The only rule forbids a word: any other value keeps it."""
    contract = Contract(dict[str, Any], constraints=[excludes("title", "secret", language="en")])
    assert swapped('{"title": "a secret", "free": 1}', contract) == ()


def test_a_document_is_made_from_a_schema_for_json_alone() -> None:
    """Where no answer of the conversation is sound; without a schema there is nothing to make it from."""
    assert swapped("[1]", Contract(Ticket))
    assert swapped("[1]", Contract(Ticket, format="json"))
    assert swapped("- 1\n", Contract(Ticket, format="yaml")) == ()
    assert swapped("nonsense", Contract(None)) == ()


def test_the_other_error_is_seen_as_the_finding_is() -> None:
    """By the app's own validator, or by the contract alone; for the whole answer, by either."""
    contract = Contract(Ticket, constraints=[min_length("title", 3), distinct("steps")])
    by_validator = swapped(json.dumps({**TICKET, "hours": "two"}), contract)
    by_contract = swapped(json.dumps({**TICKET, "title": "x", "steps": ["a"]}), contract)
    assert {bool(change.other.validator_code) for change in by_validator} == {True}
    assert {change.other.code for change in by_contract} == {"distinct"}
    assert swapped(json.dumps([1]), contract, donors=(json.dumps(TICKET),))


@pytest.mark.parametrize(("finish", "found"), [(None, True), ("stop", True), ("content_filter", False)])
def test_each_try_is_judged_as_the_answer_was(finish: str | None, found: bool) -> None:
    """Whoever declined has no other error in the place of that."""
    for contract, text in (
        (Contract(Ticket), json.dumps({**TICKET, "hours": "two"})),
        (EDITS, ANSWERS["one block"][0]),
    ):
        verdict = contract.check(text)
        (finding,) = verdict.errors
        repaired = repair(finding, verdict, contract)
        sound = repaired if isinstance(repaired, Repaired) else None
        assert bool([*swaps(finding, verdict, contract, repaired=sound, finish=finish)]) is found


def test_what_a_swap_changed_is_said_in_words() -> None:
    """What was planted, what was removed, and which part became another."""
    said = {change.words for change in swapped(json.dumps({**TICKET, "hours": "two"}), Contract(Ticket))}
    assert "another error in its place (title was removed)" in said
    part, value = PartEdit("alpha\n", "nycun\n"), Edit("put", ("rows", 0, "n"), [None])
    assert replace(CHANGE, edit=part).words == 'another error in its place ("alpha" became "nycun")'
    assert replace(CHANGE, edit=value).words == "another error in its place (rows[0].n became [null])"


words = st.lists(st.sampled_from(["pick", "a", "level", "優", "先", "stufe", "steps", "low"]), max_size=8)


def request(*parts: list[str]) -> dict[str, Any]:
    """A request whose last message has these words."""
    return {"messages": [{"role": "user", "content": " ".join(word for part in parts for word in part)}]}


CHANGE = swapped(json.dumps({**TICKET, "hours": "two"}), Contract(Ticket))[0]


def difference(one: dict[str, Any], other: dict[str, Any]) -> Difference:
    """What the first request says that the second leaves out."""
    return left_out(one, other, Quotations.of(CHANGE, json.dumps({**TICKET, "hours": "two"})), lambda text: text)


@given(words, words, words)
def test_what_is_only_added_was_not_said_before(template: list[str], other: list[str], end: list[str]) -> None:
    """Law: an app that dropped the finding says its template alone, and only adds the other error's words to it."""
    assert difference(request(template, end), request(template, other, end)) is Difference.NONE


@given(words, words, words)
def test_a_word_of_its_own_is_left_out(template: list[str], other: list[str], end: list[str]) -> None:
    """Law: a word that the second request has nowhere is about the finding."""
    assert difference(request(template, ["dauer"], end), request(template, other, end)) is Difference.WORDS


@given(st.integers(10, 99), st.integers(10, 99))
def test_numbers_alone_are_no_words(one: int, other: int) -> None:
    """Law: a code or a position may name the finding, a count does not; nobody can tell which it is."""
    assume(one != other)
    assert difference(request([f"error {one}"]), request([f"error {other}"])) is Difference.NUMBERS


def test_the_bad_value_by_itself_is_no_word_either() -> None:
    """'two' alone is quoted where it was wrong: that may be all that the app says of it, or be part of a quotation."""
    assert difference(request(["'two' is wrong"]), request(["null is wrong"])) is Difference.VALUES
    quoted = json.dumps({**TICKET, "hours": "two"}, indent=1)
    assert difference(request([quoted, "is wrong"]), request([CHANGE.text, "is wrong"])) is Difference.NONE
