"""What is said of an answer that meets its contract but differs from the expected value."""

from __future__ import annotations

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.contract.comparison.score import Score
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.errors import UsageError
from pytest_planguard.plugin.case import Scored
from pytest_planguard.plugin.outcome.scores import Revealing, is_wrong, wrong_values

from .conftest import SPEC, MakeCase

TICKET = Contract(None, name="Ticket")


def scored(total: float, wrong: int) -> Scored:
    """Return an answer with this score and so many wrong fields."""
    findings = (Finding("value", ("steps", n), f"expected {n};\ngot nothing", FailureKind.RULE) for n in range(wrong))
    return Scored(TICKET, Score(total, findings=tuple(findings)))


ADVICE = (
    "change the prompt or the model, or correct the expected value; "
    "if a field may differ: compare={...} of the contract"
)


def test_each_wrong_answer_is_a_problem(make_case: MakeCase) -> None:
    """With its score, the bound, each wrong field on a line, and three ways out."""
    case = make_case(SPEC._replace(min_score=0.75))
    case.scored += [scored(0.75, 1), scored(0.5, 1), scored(0.2, 2)]
    one, two = wrong_values(case)
    assert one.reason == "Ticket: 1 value is not as expected: score 0.50, at least 0.75 is needed"
    assert one.body == "  steps[0]: expected 0; got nothing"
    assert one.advice == f"{ADVICE}, or min_score below 0.75"
    assert two.reason == "Ticket: 2 values are not as expected: score 0.20, at least 0.75 is needed"
    assert two.body == "  steps[0]: expected 0; got nothing\n  steps[1]: expected 1; got nothing"


def test_twelve_wrong_values_are_listed(make_case: MakeCase) -> None:
    """And the others counted."""
    case = make_case()
    case.scored += [scored(0.5, 12), scored(0.5, 13)]
    twelve, thirteen = (problem.body.split("\n") for problem in wrong_values(case))
    assert (len(twelve), twelve[-1]) == (12, "  steps[11]: expected 11; got nothing")
    assert (len(thirteen), thirteen[-1]) == (13, "  and 1 more")


@pytest.mark.parametrize(
    ("total", "least", "wrong"),
    [(1.0, 1.0, False), (0.999, 1.0, True), (0.1 + 0.2 + 0.6, 0.9, False), (0.9 - 1e-8, 0.9, True), (0.0, 0.0, False)],
)
def test_a_score_at_the_bound_passes(total: float, least: float, wrong: bool) -> None:
    """However floats round it."""
    assert is_wrong(scored(total, 1), least) is wrong


def test_only_a_labelled_case_has_a_value_to_reveal(make_case: MakeCase) -> None:
    """The message says how a test gets one."""
    with pytest.raises(UsageError) as error:
        Revealing(TICKET, make_case())
    assert str(error.value) == (
        "reveal_expected=True needs a labelled case with an expected value: got none; "
        'name a file of them in the marker, cases="cases.jsonl"'
    )
