"""Rules about the tools that are called on the way to an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard import Contract, UsageError, called, in_order, not_called, only_calls
from pytest_planguard.contract.calls import CallRule, MadeCall, broken_call_rules, call_rules, is_tool

from ..support.one_item import in_one_item

TOOLS = st.sampled_from(["search", "book", "pay", "refund"])
CALLS = st.lists(TOOLS, max_size=8).map(lambda names: made(*names))


class BookArgs(BaseModel):
    """What a booking needs."""

    hotel: str
    nights: int


def made(*names: str, arguments: str = "{}") -> list[MadeCall]:
    """One call a turn."""
    return [MadeCall(name, arguments, step) for step, name in enumerate(names, 1)]


def broken(calls: list[MadeCall], *rules: CallRule) -> list[tuple[str, str]]:
    """Code and message of what the calls break."""
    return [(finding.code, finding.message) for finding in broken_call_rules(rules, calls)]


GOOD = made("search", "search", "book")


@in_one_item
@pytest.mark.parametrize(
    ("calls", "rule", "expected"),
    [
        (GOOD, called("book"), None),
        (GOOD, called("pay"), ("call_not_made", "expected a call of pay; got calls of search, book")),
        ([], called("pay"), ("call_not_made", "expected a call of pay; got no call")),
        (GOOD, called("search", times=2), None),
        (GOOD, called("search", times=1), ("call_count", "expected 1 call of search; got 2 (in step 1, 2)")),
        (GOOD, called("search", at_most=2), None),
        (GOOD, called("search", at_most=1), ("call_count", "expected 1 call of search; got 2 (in step 1, 2)")),
        (
            GOOD,
            called("search", at_least=3),
            ("call_count", "expected at least 3 calls of search; got 2 (in step 1, 2)"),
        ),
        (
            GOOD[:1],
            called("search", at_least=2, at_most=3),
            ("call_count", "expected 2 to 3 calls of search; got 1 (in step 1)"),
        ),
        ([], called("search", at_least=0, at_most=1), None),
        ([], called("search", at_most=1), ("call_not_made", "expected a call of search; got no call")),
        (made("a"), called("a", "rome"), ("call_not_made", 'expected a call of a with "rome"; got calls of a')),
        (GOOD, not_called("pay"), None),
        (GOOD, not_called("search"), ("call_forbidden", "expected no call of search; got 2, the first in step 1")),
        (GOOD, not_called("search", "rome"), None),
        (GOOD, in_order("search", "book"), None),
        (
            made("book", "search"),
            in_order("search", "book"),
            ("call_order", "expected calls in the order search, book: no book after search; got book → search"),
        ),
        (
            made("pay"),
            in_order("search", "book"),
            ("call_order", "expected calls in the order search, book: no search; got none of them"),
        ),
        (made("search", "pay", "book"), in_order("search", "book"), None),
        ([MadeCall("search", "", 1), MadeCall("book", "", 1)], in_order("search", "book"), None),
        (GOOD, only_calls("search", "book"), None),
        (GOOD, only_calls("search"), ("call_unexpected", "expected only calls of search; got book in step 3")),
        (GOOD[:1], only_calls(), ("call_unexpected", "expected no calls; got search in step 1")),
        ([MadeCall(None, "")], only_calls(), ("call_unexpected", "expected no calls; got (no name) in step 1")),
    ],
)
def test_rules(calls: list[MadeCall], rule: CallRule, expected: tuple[str, str] | None) -> None:
    """What each rule says, and that it is silent when it is kept."""
    assert broken(calls, rule) == ([] if expected is None else [expected])


def test_arguments_are_held_against_a_contract() -> None:
    """Of every call of the tool, with the step and the place."""
    rule = called("book", args=Contract(BookArgs))
    good = MadeCall("book", '{"hotel": "Roma", "nights": 2}', 1)
    bad = MadeCall("mcp__x__book", '{"hotel": "Roma", "nights": "two"}', 3)
    assert broken([good], rule) == []
    assert broken([good, bad, MadeCall("pay", "{}", 4)], rule) == [
        ("call_arguments", 'step 3, arguments of book: nights: expected an integer; got "two"')
    ]
    assert broken([MadeCall("book", "{", 1)], rule)[0][1].startswith("step 1, arguments of book: ")


@given(CALLS, TOOLS, TOOLS)
def test_an_order_holds_if_the_tools_can_be_picked_out_in_it(calls: list[MadeCall], one: str, other: str) -> None:
    """Whatever stands between and around them."""
    names = [call.tool for call in calls]
    kept = one in names and other in names[names.index(one) + 1 :]
    assert (not broken(calls, in_order(one, other))) is kept


@given(CALLS, TOOLS, st.integers(1, 4))
def test_counts_agree(calls: list[MadeCall], tool: str, number: int) -> None:
    """Exactly n is at most n, and at most n but no fewer."""
    count = [call.tool for call in calls].count(tool)
    assert (not broken(calls, called(tool, times=number))) is (count == number)
    assert (not broken(calls, called(tool, at_most=number))) is (1 <= count <= number)
    assert (not broken(calls, not_called(tool))) is (count == 0)
    assert (not broken(calls, only_calls(tool))) is (count == len(calls))


@given(CALLS, CALLS.filter(bool))
def test_rules_can_say_what_trajectory_matchers_say(calls: list[MadeCall], wanted: list[MadeCall]) -> None:
    """The same calls, no others, or all of them: each tool as often as in a reference trajectory."""
    made_, asked = (Counter(call.tool or "" for call in each) for each in (calls, wanted))
    some = [called(tool, at_least=number) for tool, number in asked.items()]
    no_more = [called(tool, at_least=0, at_most=number) for tool, number in asked.items()]
    assert (not broken(calls, *some)) is (made_ >= asked)
    assert (not broken(calls, only_calls(*asked), *no_more)) is (made_ <= asked)
    assert (not broken(calls, only_calls(*asked), *no_more, *some)) is (made_ == asked)


@pytest.mark.parametrize(
    ("tools", "listed"),
    [
        ("", "no call"),
        ("AA", "calls of A"),
        ("AABCDE", "calls of A, B, C, D, E"),
        ("AABCDEF", "calls of A, B, C, D, E and 1 more"),
        ("AABCDEFG", "calls of A, B, C, D, E and 2 more"),
    ],
)
def test_what_a_finding_lists(tools: str, listed: str) -> None:
    """Each tool once, the first five by name."""
    assert broken(made(*tools), called("Read")) == [("call_not_made", f"expected a call of Read; got {listed}")]


@pytest.mark.parametrize(("calls", "steps"), [(5, "1, 2, 3, 4, 5"), (6, "1, 2, 3, 4, 5, …")])
def test_the_steps_of_too_many_calls(calls: int, steps: str) -> None:
    """The first five."""
    assert broken(made(*"A" * calls), called("A", at_most=1)) == [
        ("call_count", f"expected 1 call of A; got {calls} (in step {steps})")
    ]


def test_a_name_that_only_ends_alike_is_another_tool() -> None:
    """Servers' tools are known by their prefix."""
    names = ("file", "mcp__fs__file", "write_file", "x__file", None)
    assert [is_tool(name, "file") for name in names] == [True, True, False, False, False]


def test_names_stand_for_calls_that_must_be_made() -> None:
    """One, or several, beside rules."""
    assert call_rules("a") == (called("a"),)
    assert call_rules(["a", not_called("b")]) == (called("a"), not_called("b"))
    assert call_rules(only_calls()) == (only_calls(),)


def test_the_digest_knows_rules_about_calls() -> None:
    """Each is another contract; one without any has the digest that it always had."""
    rules = [
        called("a"),
        called("a", "x"),
        called("a", times=2),
        called("a", at_most=2),
        called("a", at_least=2),
        called("a", args=Contract(BookArgs)),
        not_called("a"),
        in_order("a", "b"),
        only_calls("a"),
    ]
    digests = [Contract(None, calls=[rule]).digest for rule in rules]
    assert len({Contract(None).digest, *digests}) == len(rules) + 1
    assert Contract(None, calls=[]).digest == Contract(None).digest


def test_a_rule_keeps_its_name() -> None:
    """It is part of the contract's digest: with another name, the rows of older runs would seem to be of another."""
    rules = (called("a", "x"), called("a", times=2), not_called("a", "x"), in_order("a", "b"), only_calls("a", "b"))
    assert [str(rule) for rule in rules] == ['a with "x"', "a 2 times", 'no a with "x"', "in order a, b", "only a, b"]
    assert [str(rule) for rule in (called("a", at_least=2), called("a", at_most=2), not_called("a"))] == [
        *("a at least 2 times", "a at most 2 times", "no a")
    ]


@in_one_item
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: called(" "), 'called needs the name of a tool: got \' \'; write called("Bash", "make check")'),
        (lambda: called("Bash", ""), 'called needs the name of a tool: got \'\'; write called("Bash", "make check")'),
        (lambda: called("a", times=0), "called('a'): times is a whole number from 1: got 0"),
        (lambda: called("a", at_least=-1), "called('a'): at_least is a whole number from 0: got -1"),
        (lambda: called("a", at_least=3, at_most=2), "called('a'): at_most is a whole number from 3: got 2"),
        (lambda: called("a", at_most=True), "called('a'): at_most is a whole number from 1: got True"),
        (lambda: called("a", times=1, at_most=2), "called('a'): give times, or at_least and at_most"),
        (lambda: called("a", args=BookArgs), "called('a'): args must be a Contract: got "),  # type: ignore[arg-type]
        (lambda: not_called(""), "not_called needs the name of a tool: got ''; write not_called(\"search\")"),
        (lambda: in_order("a", ""), 'in_order needs the name of a tool: got \'\'; write in_order("search", "book")'),
        (lambda: in_order("a"), "in_order needs two tools or more: got ['a']; write in_order('search', 'book')"),
        (lambda: only_calls("a", 3), 'only_calls needs the name of a tool: got 3; write only_calls("search")'),  # type: ignore[arg-type]
        (
            lambda: Contract(None, calls=["a", 3]),  # type: ignore[list-item]
            "calls must be rules about calls: got 3; write calls=[called('search')]",
        ),
    ],
)
def test_wrong_uses(make: Callable[[], Any], message: str) -> None:
    """Each says what was given and what to write."""
    with pytest.raises(UsageError) as refused:
        make()
    assert str(refused.value).startswith(message)
