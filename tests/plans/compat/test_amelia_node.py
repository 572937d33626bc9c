"""amelia's validator node: files, errors, the optional model step."""

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.contract.verdict import SchemaValidationError
from pytest_planguard.errors import TransientError, UsageError

from ...support.plans import text_of
from .amelia import (
    EXTRACTION_PROMPT,
    PATH_PATTERN,
    extract_with_model,
    resolve_plan_path,
    revision_feedback,
    route_after_plan_validation,
    validate_plan_file,
)

PLAN = text_of("superpowers")[1]


def test_revisions_count_invalid_plans_only() -> None:
    """Source rows 13 and 20: 1, 2, 3 while the plan is bad, and a good plan leaves the count alone."""
    count, counts = 0, []
    for text in ("bad", "bad", "bad", PLAN):
        node = validate_plan_file("p.md", lambda _, text=text: text, revisions=count)  # type: ignore[misc]
        count = node.plan_revision_count
        counts.append(count)
    assert counts == [1, 2, 3, 3]
    assert node.plan_validation_result.valid


def test_a_missing_plan_file_names_its_path(tmp_path: Path) -> None:
    """Source row 22: test_validator_fails_when_plan_file_missing."""
    path = str(tmp_path / "plan.md")
    with pytest.raises(ValueError, match=r"Plan file not found at .*plan\.md") as caught:
        validate_plan_file(path, lambda name: Path(name).read_text(encoding="utf-8"))
    assert isinstance(caught.value.__cause__, FileNotFoundError)


@pytest.mark.parametrize("text", ["", " \n\t\r\n"])
def test_an_empty_plan_file_names_its_path(text: str) -> None:
    """Source row 23: test_validator_fails_when_plan_file_empty; white space is empty."""
    with pytest.raises(ValueError, match=r"Plan file is empty at docs/p\.md"):
        validate_plan_file("docs/p.md", lambda _: text)


def test_the_node_hands_on_the_plan_byte_for_byte() -> None:
    """Source rows 24 and 28: test_validator_extracts_goal_from_plan; the exact fields, the text unchanged."""
    text = PLAN.replace("\n", "\r\n")
    node = validate_plan_file("p.md", lambda _: text, tool_calls=["write"], tool_results=["ok"])
    assert node.plan_markdown == text
    assert node.goal == "Let a client renew its session without asking for the password again."
    assert node.key_files == ("src/auth/store.py", "tests/auth/test_store.py", "src/auth/api.py")
    assert (node.tool_calls, node.tool_results) == (("write",), ("ok",))
    assert {field.name for field in dataclasses.fields(node)} == {
        "goal",
        "plan_markdown",
        "plan_path",
        "key_files",
        "total_tasks",
        "plan_validation_result",
        "plan_revision_count",
        "tool_calls",
        "tool_results",
    }


@pytest.mark.parametrize(("validator", "used"), [("small", "small"), (None, "large")])
def test_the_model_step_uses_the_validator_model_or_the_profiles(validator: str | None, used: str) -> None:
    """Source rows 25 and 30: test_validator_uses_validator_model_when_set and _falls_back_to_profile_model."""
    asked: list[tuple[str, str | None]] = []

    async def ask(prompt: str, model: str | None) -> dict[str, Any]:
        asked.append((prompt, model))
        return {"goal": "short", "plan_markdown": "changed", "key_files": ["a.py"]}

    node = validate_plan_file("p.md", lambda _: PLAN)
    told = asyncio.run(extract_with_model(node, ask, validator_model=validator, model="large"))
    assert (told.goal, told.key_files, told.plan_markdown) == ("short", ("a.py",), PLAN)
    assert asked == [(EXTRACTION_PROMPT.replace("{plan_content}", PLAN), used)]
    assert f"<plan>\n{PLAN}\n</plan>" in asked[0][0]


def test_errors_of_the_model_come_through_unchanged() -> None:
    """Source row 26: the very exception, not another one around it; a content error is never transient (row 2)."""
    error = SchemaValidationError("bad", "codex", "x" * 900)

    async def ask(_: str, __: str | None) -> dict[str, Any]:
        raise error

    node = validate_plan_file("p.md", lambda _: PLAN)
    with pytest.raises(SchemaValidationError) as caught:
        asyncio.run(extract_with_model(node, ask))
    assert caught.value is error
    assert not isinstance(error, TransientError)
    assert error.original_message == "x" * 500 + "… (400 more characters)"


def test_the_path_pattern_takes_date_and_issue() -> None:
    """Source row 27: `docs/plans/{date}-{issue_key}.md`; a key cannot leave the folder."""
    assert resolve_plan_path(PATH_PATTERN, date="2026-01-04", issue_key="ABC-1") == "docs/plans/2026-01-04-ABC-1.md"
    hostile = resolve_plan_path(PATH_PATTERN, date="d", issue_key="../../etc/x")
    assert hostile == "docs/plans/d-----etc-x.md"
    with pytest.raises(UsageError, match="date"):
        resolve_plan_path("{user}.md", date="d", issue_key="k")


def test_architect_then_validator_then_person() -> None:
    """Source rows 29 and 31: test_architect_to_validator_flow and test_graph_routes_through_validator as a trace."""
    plans = iter(["no plan at all", PLAN])
    trace: list[str] = []
    count, feedback = 0, ""
    while trace[-1:] != ["human"]:
        trace.append("architect" + " (with feedback)" * bool(feedback))
        text = next(plans)
        node = validate_plan_file("p.md", lambda _, text=text: text, revisions=count)  # type: ignore[misc]
        trace.append("validator")
        count, feedback = node.plan_revision_count, revision_feedback(node.plan_validation_result)
        if route_after_plan_validation(node.plan_validation_result, count) != "revise":
            trace.append("human")
    assert trace == ["architect", "validator", "architect (with feedback)", "validator", "human"]


def test_the_extraction_prompt_is_this_text() -> None:
    """Source row 30: the plan stands between its marks, and what is asked for follows."""
    asked: list[str] = []

    async def ask(prompt: str, _: str | None) -> dict[str, object]:
        asked.append(prompt)
        return {}

    plan = validate_plan_file("p.md", lambda _: "# A plan\n")
    asyncio.run(extract_with_model(plan, ask))
    [prompt] = asked
    assert prompt == (
        "Extract the implementation plan structure from the following markdown plan.\n\n<plan>\n# A plan\n\n</plan>\n\n"
        "Return:\n- goal: 1-2 sentence summary of what this plan accomplishes\n"
        "- plan_markdown: The full plan content (preserve as-is)\n"
        "- key_files: List of files that will be created or modified\n"
    )
