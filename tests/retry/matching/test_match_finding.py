"""A finding's own message fed back by itself, without a path or a bullet, is fed back word for word."""

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.plans.judging.contract_rules import plan_rules
from pytest_planguard.retry.judging.judge import judge

from ...support.conversations import PLAN, Spoken, conversation, grades
from ...support.plans import text_of

GOOD = text_of("spec-kit-tasks")[1]
BAD = GOOD.replace("] T002 [P]", "] T001 [P]").replace("(depends on T003-T004)", "(depends on T003, T040)")
TASKS = Contract(None, format="markdown", name="tasks", rules=plan_rules("spec-kit", ignore=["parallel-safe"]))
TWICE = '{"goal": "Ship it", "tasks": [{"id": "two", "status": "Draft"}, {"id": "two", "status": "Draft"}]}'
MESSAGE = PLAN.check(TWICE).errors[0].message


def plan_grades(feedback: str) -> list[str]:
    """What became of the findings of a plan."""
    task = [("user", "Plan the token refresh as tasks.md")]
    retry = Spoken([*task, ("assistant", BAD), ("user", feedback)], GOOD, seed=2)
    found = judge(conversation(Spoken(task, BAD), retry), [TASKS]).conversations[0]
    return [graded.label for graded in found.attempts[0].fed_back]


@pytest.mark.parametrize(
    "frame", ["{}", "Your plan has problems.\n{}\nPlease return all of it.", "Issues:\n\n{}", "Please fix: {}"]
)
def test_messages_of_rules_name_their_place_themselves(frame):
    """Without path, bullet or code; a message left out is missing."""
    first, second = (error.message for error in TASKS.check(BAD).errors)
    assert plan_grades(frame.format(f"{first}\n{second}")) == ["verbatim", "verbatim"]
    assert plan_grades(frame.format(first)) == ["verbatim", "missing"]
    assert plan_grades(frame.format(second)) == ["wrong", "verbatim"]


def test_messages_in_one_paragraph():
    """One sentence behind the other."""
    assert plan_grades(". ".join(error.message for error in TASKS.check(BAD).errors) + ".") == ["verbatim", "verbatim"]


def test_messages_of_a_schema_count_as_well():
    """Our own messages quote the value, so they tell the finding; each is looked for by itself."""
    errors = PLAN.check(TWICE).errors
    assert [e.message for e in errors] == [MESSAGE] * 2
    assert grades(f"{errors[0].message}\n{errors[1].message}", TWICE) == ["verbatim", "verbatim"]
    assert grades(errors[0].message, TWICE) == ["verbatim", "unclear"]


@pytest.mark.parametrize(
    "feedback",
    [
        f"goal: {MESSAGE}",
        f"- tasks[0].status: {MESSAGE}",
        f"tasks[0].status\n{MESSAGE}",
        f"`goal`:\n- {MESSAGE}",
        f"{MESSAGE} at tasks[0].status",
        f"It is wrong to say {MESSAGE}",
        MESSAGE.replace("two", "two hundred"),
        "Field required",
    ],
)
def test_a_message_that_is_placed_elsewhere_is_lost(feedback):
    """Words in front, behind or above that name another place, and validators' common words, do not count."""
    assert "verbatim" not in grades(feedback)
