"""Runs judged by another contract: which outcomes follow from the answers, and which stay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard import Contract
from pytest_planguard.runs.judge_cases import judge_again

from ..support.runs import attempt, case, finding, run

LIST = Contract({"type": "array"}, name="list")
ANSWERS = {"[]": True, "{}": False}
"""Answers, and whether that contract accepts them."""


def outcome(before: str, was_ok: bool, answer: str, *, single: bool = False) -> str:
    """Return the outcome of a case with this answer, which had that outcome."""
    row = case("a", attempt(answer, *([] if was_ok else [finding("enum")])))
    judged = replace(row.judged[0], outcome=before, single=single)
    (again,) = judge_again(run("r", [replace(row, judged=(judged,))]), [LIST]).rows
    return again.judged[0].outcome


@pytest.mark.parametrize("was_ok", [True, False])
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(
    "before",
    [
        *("converged", "exhausted", "valid", "read_in_part", "invalid", "rejected", "stopped", "regressed"),
        *("oscillating", "no_progress"),
    ],
)
def test_an_outcome_that_follows_from_the_answers_is_found_anew(before: str, answer: str, was_ok: bool) -> None:
    """Another contract may accept what the first one rejected."""
    good = ANSWERS[answer]
    assert outcome(before, was_ok, answer) == ("converged" if good else "exhausted")
    assert outcome(before, was_ok, answer, single=True) == ("valid" if good else "invalid")


@pytest.mark.parametrize("was_ok", [True, False])
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("before", ["stuck", "stale", "ambiguous", "escalated", "false_convergence"])
def test_any_other_outcome_stays_while_the_last_answer_is_as_good(before: str, answer: str, was_ok: bool) -> None:
    """A loop that stopped by itself did so by its own contract, which still says so."""
    good = ANSWERS[answer]
    assert outcome(before, was_ok, answer) == (before if good == was_ok else "converged" if good else "exhausted")
