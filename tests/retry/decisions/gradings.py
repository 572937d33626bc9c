"""When enough is fed back, and what is not held against an app that reads an answer in its own way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Literal

from pytest_planguard import Contract, FailureKind, Finding, JudgeOptions, judge
from pytest_planguard.retry.outcomes import Firmness

from ...support.decisions import Block, Decided, Messages, inputs
from .fits import PARTY
from .hearing import Found, graded, grades, said_to

COVERAGES: tuple[Literal["all", "first", "any"], ...] = ("all", "first", "any")
_KINDS = (
    *(FailureKind.DUPLICATE_KEY, FailureKind.NON_FINITE, FailureKind.FENCE, FailureKind.TYPE, FailureKind.CONTENT),
)
PHASES = (
    *(Finding(kind.value, ("size",), "x", kind) for kind in _KINDS),
    Finding("type", ("size",), "x", FailureKind.TYPE, validator_code="int_type"),
    Finding("nan", ("size",), "x", FailureKind.NON_FINITE, validator_code="finite_number"),
)
WEAKEST = (Firmness.PROVEN, Firmness.VERBATIM, Firmness.LOCATED, Firmness.WEAK)
FATES = (
    *("", "size is too large", "the title is missing", "title: required\nsize: the size is not right at all"),
    *("size: the size is not right at all", "Das passt nicht.", "title: it is gone, size", "size, and title: missing"),
)
"""Words that feed back none, one or both of two findings, by each grade."""


def enough_is_fed_back(page: Messages) -> Iterator[Block]:
    """Which findings a retry must feed back, and when it feeds back enough of them."""
    decided = []
    for low, high in product(range(len(PHASES)), range(1, len(PHASES) + 1)):
        some = PHASES[low:high]
        if some:
            ways = [grades(page, Found(some), "no", must_feed_back=one) for one in ("app", "contract")]
            names = [one.validator_code or one.code for one in some]
            decided.append(
                Decided(json.dumps(names), f"by the app {ways[0]}; by the contract {ways[1]}", ", ".join(names))
            )
    yield Block("findings of several phases, below words that say nothing", decided)
    two = Found(
        (
            Finding("maximum", ("size",), "the size is not right at all", FailureKind.RANGE, expected="at most 5"),
            Finding("missing", ("title",), "it is gone", FailureKind.MISSING, validator_message="required"),
        ),
        {"size": 9},
    )
    decided = []
    for weakest, how, words in product(WEAKEST, COVERAGES, FATES):
        options = JudgeOptions(weakest=weakest, coverage=how, must_feed_back="contract")
        (one,) = judge(said_to(words), [two], options=options).conversations
        status = next(check.status.value for check in one.checks if check.name == "feedback")
        said = f"{graded(page, one.attempts[0].fed_back)}: {status}"
        case = f"{weakest.value} {how} {json.dumps(words)}"
        decided.append(Decided(f"{weakest.value} {how}", said, case))
    yield Block("the weakest grade that counts, how many are due, and words", decided)


CONVERTED = inputs("retry", "converted_values")


def what_apps_read(page: Messages) -> Iterator[Block]:
    """What is not held against an app that converts values."""
    decided = []
    for expected, actual in product(("true or false", "an integer", "a number", "a text"), CONVERTED):
        wrong = Finding("type", ("n",), "x", FailureKind.TYPE, expected=expected, actual=actual)
        other = Finding("enum", ("kind",), "not allowed", FailureKind.ENUM, allowed=("a", "b"))
        found = grades(page, Found([wrong, other], {}), "kind: use a or b", must_feed_back="app", partial=True)
        decided.append((f"{expected}, {actual}", found))
    yield Block("what was expected, and what was there", decided)


_DOCUMENT = '{"guests": [], "nights": 40}'
READ_WHOLE = (
    *(_DOCUMENT, f"Sorry! {_DOCUMENT}", f"```json\n{_DOCUMENT}\n```", f"<think>well</think>{_DOCUMENT}"),
    *(f"{_DOCUMENT} Bye.", "Sorry!", f"[{_DOCUMENT}", f"\n\nSorry! {_DOCUMENT}", '{"nights": 3, "guests": [1, 2]} ok'),
    *(f"{_DOCUMENT} B".ljust(100_000, "y"), f"{_DOCUMENT} B".ljust(100_001, "y")),
)
_ERRORS = ("line 1 column 1 (char 0)", "line 1 column 29", "line 9 column 9", "char 0")
_SAID = (*("Expecting value: {}", "Extra data: {}", "invalid JSON", "{}", "nights: odd\nUnexpected token: {}"),)


def answers_read_whole(page: Messages) -> Iterator[Block]:
    """What an app that parses the whole answer may not know of: the fields of a document within other words."""
    contract = Contract(PARTY)
    for answer in READ_WHOLE:
        decided = []
        for words in _SAID:
            for error in _ERRORS if "{}" in words else ("",):
                said = words.replace("{}", error)
                (one,) = judge(said_to(said, answer=answer), [contract]).conversations
                decided.append(Decided(f"{answer}: {said}", graded(page, one.attempts[0].fed_back), json.dumps(said)))
        yield Block(f"the answer {json.dumps(answer[:50])} of {len(answer)}", decided)
