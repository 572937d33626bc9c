"""amelia's state after validation and the order of its steps, from the rows of recorded traffic."""

import json
from typing import Any

from pydantic import BaseModel

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.feedback.feedback import build_feedback
from pytest_planguard.plans.judging.contract_rules import plan_rules
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.runs.judge_cases import conversation_row
from pytest_planguard.runs.model.codec import row_data

from ...support.conversations import Spoken, conversation
from ...support.plans import text_of
from .amelia import EXTRACTION_PROMPT
from .amelia_rows import plan_state, step_trace

GOOD = text_of("superpowers")[1]
BAD = GOOD.replace("### Task 2", "### Task 1", 1)


class MarkdownPlanOutput(BaseModel):
    """What the validator's model extracts."""

    goal: str
    plan_markdown: str
    key_files: list[str]


ARCHITECT = Contract(None, name="architect", format="markdown", rules=plan_rules("superpowers"))
VALIDATOR = Contract(MarkdownPlanOutput, name="validator", extract="whole")


def _rows(*plans: str) -> list[dict[str, Any]]:
    """The conversations of a row: an architect and a validator, asked in turn."""
    turns = [("user", "Plan the token refresh.")]
    spoken = []
    for plan in plans:
        spoken.append(Spoken(tuple(turns), plan))
        extracted = json.dumps({"goal": "Renew it", "plan_markdown": plan, "key_files": ["a.py"]})
        spoken.append(Spoken([("user", EXTRACTION_PROMPT.replace("{plan_content}", plan))], extracted))
        feedback = build_feedback(ARCHITECT.check(plan), attempt=1, max_attempts=3).text
        turns += [("assistant", plan), ("user", feedback)]
    traffic = conversation(*spoken)
    judged = (*judge(traffic[::2], [ARCHITECT]).conversations, *judge(traffic[1::2], [VALIDATOR]).conversations)
    return [row_data(conversation_row(one, {})) for one in judged]


def _architect(rows: list[dict[str, Any]]) -> dict[str, Any]:
    (row,) = [row for row in rows if row["contract"] == "architect"]
    return row


def test_a_row_has_the_state_after_validation() -> None:
    """Source row 20: the two fields of the state as JSON, of a valid plan after one revision and of one never valid."""
    valid = plan_state(_architect(_rows(BAD, GOOD)))
    assert valid["plan_revision_count"] == 1
    assert valid["plan_validation_result"]["valid"]
    invalid = plan_state(_architect(_rows(BAD, BAD)))
    assert json.loads(json.dumps(invalid))["plan_revision_count"] == 2
    result = invalid["plan_validation_result"]
    assert (result["valid"], result["severity"]) == (False, "major")
    assert result["issues"][0].startswith("line ")
    assert "the id 1 is used 2 times" in result["issues"][0]


def test_the_order_of_steps_is_read_from_recorded_traffic() -> None:
    """Source row 29: architect, validator, and both again after a revision, by the order of their exchanges."""
    assert step_trace(_rows(GOOD)) == ("architect", "validator")
    assert step_trace(reversed(_rows(BAD, GOOD))) == ("architect", "validator", "architect", "validator")
