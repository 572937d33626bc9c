"""The outcome of a conversation follows from its attempts: which of several that fit comes first."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.outcome import NOT_COPIED, outcome_of
from pytest_planguard.retry.outcomes import StopReason
from pytest_planguard.retry.results import Attempt, Check
from pytest_planguard.wire.exchange import Exchange

from ...support.one_item import in_one_item
from ..decisions.hearing import Found
from ..decisions.spoken import exchanges_of
from ..decisions.turns import BOTH, BROKEN, GOOD, SHORT, SOON, TICKET, URGENT, Shape, cut, talk

_KIND = FailureKind
TITLE = Finding("missing", ("title",), "is missing", _KIND.MISSING)
DATE = Finding("missing", ("date",), "is missing", _KIND.MISSING)
SYNTAX, CLOSED = (Finding("compiles", (), words, _KIND.RULE) for words in ("invalid syntax", "'(' was never closed"))
LONG = Finding("max_words", ("title",), "is too long", _KIND.CONTENT)
NO_DATA = Finding("invalid_json", (), "is no JSON", _KIND.INVALID_JSON)
CUT = Finding("truncated", (), "ends early", _KIND.TRUNCATED)
EMPTY = Finding("empty", (), "is empty", _KIND.EMPTY)
REFUSED = Finding("refusal", (), "declined", _KIND.REFUSAL)
COPIED = Finding(NOT_COPIED, ("title",), "copied", _KIND.CONTENT)
FATAL = Finding("regex", ("title",), "is forbidden", _KIND.CONTENT, Severity.FAIL)


def attempts(*errors: tuple[Finding, ...], repeats: int | None = None) -> list[Attempt]:
    """Return attempts with these findings; the last one repeats an earlier answer if `repeats` is given."""
    made = [
        Attempt(n, Exchange(n, "openai.chat"), Found(some).check("{}") if some else TICKET.check(GOOD))
        for n, some in enumerate(errors, 1)
    ]
    last = made[-1]
    return [*made[:-1], Attempt(last.number, last.exchange, last.verdict, repeats=repeats)]


OUTCOMES: dict[str, tuple[list[Attempt], dict[str, Any], str]] = {
    "valid": (attempts((TITLE,), ()), {}, "converged"),
    "valid, repeated": (attempts((TITLE,), (), repeats=1), {}, "converged"),
    "valid, handed over": (attempts(()), {"handed": True}, "converged"),
    "valid, copied": (attempts(()), {"copies": True}, "false_convergence"),
    "valid, ambiguous": (attempts(()), {"ambiguous": True}, "ambiguous"),
    "handed over": (attempts((FATAL,)), {"handed": True}, "escalated"),
    "handed over, ambiguous": (attempts((FATAL,)), {"handed": True, "ambiguous": True}, "ambiguous"),
    "forbidden": (attempts((TITLE, FATAL)), {}, "rejected"),
    "forbidden, repeated": (attempts((FATAL,), (FATAL,), repeats=1), {}, "rejected"),
    "only copied": (attempts((COPIED,)), {}, "false_convergence"),
    "copied, and more": (attempts((COPIED, TITLE)), {}, "stopped"),
    "repeated": (attempts((TITLE,), (DATE,), (TITLE,), repeats=1), {}, "stuck"),
    "in turn": (attempts((TITLE,), (DATE,), (TITLE,)), {}, "oscillating"),
    "in turn, at the end": (attempts((LONG,), (TITLE,), (DATE,), (TITLE,)), {"max_attempts": 9}, "oscillating"),
    "three times": (attempts((TITLE,), (TITLE,), (TITLE,)), {}, "no_progress"),
    "twice": (attempts((TITLE,), (TITLE,)), {}, "no_progress"),
    "twice in another order": (attempts((TITLE, DATE), (DATE, TITLE)), {}, "no_progress"),
    "twice, then another": (attempts((TITLE,), (TITLE,), (DATE,)), {"max_attempts": 9}, "regressed"),
    "another message at a place": (attempts((LONG,), (LONG,)), {}, "no_progress"),
    "another message of a rule": (attempts((SYNTAX,), (CLOSED,)), {}, "stopped"),
    "the same message of a rule": (attempts((SYNTAX,), (SYNTAX,)), {}, "no_progress"),
    "cut off twice": (attempts((CUT,), (CUT,)), {}, "stopped"),
    "refused twice": (attempts((REFUSED,), (REFUSED,)), {}, "stopped"),
    "empty twice": (attempts((EMPTY,), (EMPTY,)), {}, "stopped"),
    "an earlier phase": (attempts((LONG,), (TITLE,)), {}, "regressed"),
    "a later phase": (attempts((TITLE,), (LONG,)), {}, "stopped"),
    "a valid answer before": (attempts((), (LONG,)), {}, "regressed"),
    "one more": (attempts((TITLE,), (TITLE, DATE)), {}, "regressed"),
    "one less": (attempts((TITLE, DATE), (DATE,)), {}, "stopped"),
    "cut off after an answer": (attempts((TITLE,), (CUT,)), {}, "stopped"),
    "refused after an answer": (attempts((TITLE,), (REFUSED,)), {}, "stopped"),
    "no JSON after an answer": (attempts((TITLE,), (NO_DATA,)), {}, "regressed"),
    "one of one": (attempts((TITLE,)), {"max_attempts": 1}, "exhausted"),
    "one of two": (attempts((TITLE,)), {"max_attempts": 2}, "stopped"),
    "more than allowed": (attempts((TITLE, DATE), (DATE,)), {"max_attempts": 1}, "exhausted"),
    "without money": (attempts((TITLE,)), {"stop_reason": StopReason.BUDGET_SPENT}, "exhausted"),
    "stopped by its loop": (attempts((TITLE,)), {"stop_reason": StopReason.CANNOT_HELP}, "stopped"),
}


@in_one_item
@pytest.mark.parametrize("name", OUTCOMES)
def test_the_first_outcome_that_fits_is_given(name: str) -> None:
    """The last answer, then what the attempts have in common, then how many there were."""
    made, known, outcome = OUTCOMES[name]
    assert outcome_of(made, **{"max_attempts": 3, **known}).value == outcome


def check(name: str, spoken: tuple[dict[str, Any], ...], **options: Any) -> Check:
    """Return a check of a conversation."""
    shape = Shape(spoken, options=options)
    (found,) = judge(exchanges_of(shape), [TICKET], options=JudgeOptions(**options)).conversations
    return found.check(name)


@pytest.mark.parametrize(
    ("allowed", "evidence"),
    [
        (1, ("3 attempts were made, 1 is allowed",)),
        (2, ("3 attempts were made, 2 are allowed",)),
        (3, ()),
    ],
)
def test_more_attempts_than_allowed_are_counted(allowed: int, evidence: tuple[str, ...]) -> None:
    """The limit itself is allowed."""
    found = check("stops", talk(URGENT, "no", SHORT, "no", GOOD), max_attempts=allowed)
    assert found.evidence == evidence
    assert found.message == ("the loop did not stop in time" if evidence else "the loop stopped in time")


@pytest.mark.parametrize(
    ("before", "after", "cut_off"),
    [(10, 10, True), (10, 9, True), (10, 11, False), (10, None, False), (None, None, True), (None, 10, True)],
)
def test_a_higher_token_limit_helps_an_answer_that_was_cut_off(
    before: int | None, after: int | None, cut_off: bool
) -> None:
    """So does no limit after one; the same or a lower one does not."""
    said = ("attempt 2 was requested at the same token limit after attempt 1 was cut off",)
    assert check("stops", cut(before, after)).evidence == (said if cut_off else ())


@pytest.mark.parametrize(
    ("answers", "evidence"),
    [
        ((URGENT, SHORT), ('attempt 2, title: expected at least 3 characters; got "x" is new',)),
        ((SHORT, BROKEN), ("attempt 2 fell back from schema to parse findings",)),
        ((URGENT, SOON), ()),
        ((BOTH, SHORT), ()),
        ((BROKEN, URGENT), ()),
        ((URGENT, GOOD), ()),
    ],
)
def test_a_retry_that_makes_it_worse_is_shown(answers: tuple[str, str], evidence: tuple[str, ...]) -> None:
    """An earlier phase, or a new finding in the same phase."""
    found = check("shrinking", talk(answers[0], "Please try again: the answer is not valid.", answers[1]))
    assert found.evidence == evidence
    assert found.message == ("a retry made it worse" if evidence else "no retry made it worse")
