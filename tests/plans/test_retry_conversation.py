"""A conversation about a plan: structural issues feed the same retry loop as any other finding."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.feedback.feedback import build_feedback
from pytest_planguard.plans.judging.contract_rules import plan_rules
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.loop import converge
from pytest_planguard.retry.outcomes import CheckStatus, Outcome

from ..support.conversations import Spoken, conversation
from ..support.plans import EIGHT_ERRORS, text_of

GOOD = text_of("spec-kit-tasks")[1]
BAD = GOOD.replace("] T002 [P]", "] T001 [P]").replace("(depends on T003-T004)", "(depends on T003, T040)")
PLAN = Contract(None, format="markdown", name="tasks", rules=plan_rules("spec-kit", ignore=["parallel-safe"]))
TASK = [("user", "Plan the token refresh as tasks.md")]


def test_a_driven_conversation_converges_and_every_issue_is_fed_back_with_its_line() -> None:
    """The second request names each structural issue and its line; the second answer keeps the contract."""
    answers = iter([BAD, GOOD])
    requests: list[str] = []

    def ask(messages: list[dict[str, object]]) -> str:
        requests.append(str(messages[-1]["content"]))
        return next(answers)

    found = converge(ask, TASK[0][1], PLAN, max_attempts=3)
    assert found.outcome is Outcome.CONVERGED
    assert len(found.attempts) == 2
    errors = PLAN.check(BAD).errors
    assert [(error.code, error.span and error.span.line) for error in errors] == [("id-unique", 10), ("dep-exists", 18)]
    for error in errors:
        assert error.message in requests[1]
        assert error.span is not None
        assert f"line {error.span.line}" in requests[1]


def test_a_driven_retry_carries_every_error_of_a_schema() -> None:
    """The second request names all eight missing fields and wrong words of a spec, each with its line."""
    answers = iter([f"```yaml\n{EIGHT_ERRORS}```\n", text_of("autospec-spec")[1]])
    requests: list[str] = []

    def ask(messages: list[dict[str, object]]) -> str:
        requests.append(str(messages[-1]["content"]))
        return next(answers)

    contract = Contract(None, name="spec", rules=plan_rules("autospec-spec"))
    found = converge(ask, "Write spec.yaml", contract, max_attempts=3)
    assert found.outcome is Outcome.CONVERGED
    errors = contract.check(EIGHT_ERRORS).errors
    assert [(error.code, error.path[-1], error.span and error.span.line) for error in errors] == [
        ("missing", "requirements", 1),
        ("missing", "branch", 2),
        ("missing", "created", 2),
        ("enum", "status", 3),
        ("missing", "as_a", 5),
        ("missing", "i_want", 5),
        ("missing", "so_that", 5),
        ("enum", "priority", 7),
    ]
    for error in errors:
        assert error.message in requests[1]
        assert error.span is not None
        assert f"line {error.span.line + 1}" in requests[1]  # the fence stands above


def test_a_recorded_conversation_converges() -> None:
    """Replayed from text: what the first answer got wrong stands in the second request."""
    feedback = build_feedback(PLAN.check(BAD), attempt=1, max_attempts=3).text
    found = judge(_recorded(feedback), [PLAN]).conversations[0]
    assert found.outcome is Outcome.CONVERGED
    assert found.check("feedback").status is CheckStatus.PASS


@pytest.mark.parametrize("dropped", [0, 1])
def test_a_dropped_issue_fails(dropped: int) -> None:
    """Feedback that leaves out one structural issue is not fed back, and the check names it."""
    errors = [error for number, error in enumerate(PLAN.check(BAD).errors) if number != dropped]
    feedback = build_feedback(errors, attempt=1, max_attempts=3).text
    check = judge(_recorded(feedback), [PLAN]).conversations[0].check("feedback")
    assert check.status is CheckStatus.FAIL
    assert check.message == "attempt 2's request lacks 1 of 2 findings of attempt 1"


def _recorded(feedback: str) -> tuple:  # type: ignore[type-arg]
    first = Spoken(list(TASK), BAD, seed=0)
    second = Spoken([*TASK, ("assistant", BAD), ("user", feedback)], GOOD, seed=1)
    return conversation(first, second)
