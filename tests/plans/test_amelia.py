"""amelia's check, verdict for verdict; strict mode and what it judges otherwise; routing; the validator node."""

import asyncio
import dataclasses
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.document.answer import read
from pytest_planguard.errors import PlanguardWarning, SchemaValidationError, TransientError, UsageError
from pytest_planguard.plans.compat.amelia import (
    NO_GOAL,
    NO_HEADERS,
    TOO_SHORT,
    PlanSeverity,
    PlanValidationResult,
    extract_goal,
    extract_key_files,
    extract_task_count,
    looks_like_plan,
    route_after_plan_validation,
    validate_plan_structure,
)
from pytest_planguard.plans.compat.amelia_node import (
    EXTRACTION_PROMPT,
    PATH_PATTERN,
    extract_with_model,
    max_iterations_from,
    resolve_plan_path,
    revision_feedback,
    validate_plan_file,
)
from pytest_planguard.plans.files import check_text
from pytest_planguard.plans.profiles.superpowers_write import read_sidecar, render
from pytest_planguard.plans.source import Source

from .fixture_plans import text_of

PLAN = text_of("superpowers")[1]
FILLER = "x " * 120
BAD = PlanValidationResult(False, (NO_HEADERS, NO_GOAL), PlanSeverity.CRITICAL)


def codes(text: str) -> set[str]:
    """Codes of the strict mode's findings."""
    return {finding.code for finding in validate_plan_structure(None, text, mode="strict").findings}


def test_a_good_plan_is_valid_in_both_modes() -> None:
    """The fixture has headers, a goal and length."""
    assert validate_plan_structure(extract_goal(PLAN), PLAN) == PlanValidationResult(True)
    assert validate_plan_structure(None, PLAN, mode="strict") == PlanValidationResult(True)


def test_the_result_is_frozen_and_valid_means_no_issues() -> None:
    """Source row 4: mutation raises, and `valid` agrees with `issues`."""
    result = validate_plan_structure("", "short")
    assert result.valid == (not result.issues)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.valid = True  # type: ignore[misc]


@pytest.mark.parametrize(
    ("goal", "text", "issues", "severity"),
    [
        ("g", f"### Task 1: A\n{FILLER}", (), "none"),
        ("g", f"### Task 1.2: A\n{FILLER}", (), "none"),
        ("g", f"## Task 1: A\n{FILLER}", (NO_HEADERS,), "major"),
        ("", f"### Task 1: A\n{FILLER}", (NO_GOAL,), "major"),
        ("Implementation plan", f"### Task 1: A\n{FILLER}", (NO_GOAL,), "major"),
        (None, "### Task 1: A", (NO_GOAL, TOO_SHORT), "critical"),
        ("", "", (NO_HEADERS, NO_GOAL, TOO_SHORT), "critical"),
    ],
)
def test_compat_has_three_checks_and_three_severities(
    goal: str | None, text: str, issues: tuple[str, ...], severity: str
) -> None:
    """Source rows 5 to 8: 0 issues none, 1 major, 2 or more critical; the stand-in goal counts as none."""
    result = validate_plan_structure(goal, text)
    assert result.issues == issues
    assert str(result.severity) == severity


@pytest.mark.parametrize(("length", "valid"), [(199, False), (200, True)])
def test_a_plan_has_at_least_200_characters(length: int, valid: bool) -> None:
    """Source row 9: counted without white space at both ends, in both modes."""
    head = "**Goal:** g\n\n### Task 1: A\n\n"
    text = f"  \n{head}{'x' * (length - len(head))}\n\n"
    assert validate_plan_structure("g", text).valid is valid
    assert validate_plan_structure(None, text, mode="strict").valid is valid


def test_strict_mode_reads_markdown_as_markdown() -> None:
    """Source rows 6 and 7: fenced headers, wrapped plans and shell comments count for nothing; `## Goal` counts."""
    fenced = f"**Goal:** g\n\n```\n### Task 1: A\n```\n{FILLER}"
    wrapped = f"```markdown\n**Goal:** g\n\n### Task 1: A\n{FILLER}\n```\n"
    comment = f"```bash\n# install deps\n```\n\n### Task 1: A\n{FILLER}"
    heading = f"## Goal\n\nDo it\n\n### Task 1: A\n{FILLER}"
    assert validate_plan_structure("g", fenced).valid
    assert codes(fenced) == {"has-tasks"}
    assert validate_plan_structure("g", wrapped).valid
    assert "has-tasks" in codes(wrapped)
    assert extract_goal(comment) == "Implement install deps"
    assert codes(comment) == {"goal-nonempty"}
    assert codes(heading) == set()


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("## Task 1: A", "header-format"),
        ("### Task 1 - A", "header-format"),
        ("#### Task 1: A", "header-format"),
        ("### Task 1：A", "header-format"),
        ("### Task 0: A", "id-format"),
        ("### Task 1:", "header-format"),
    ],
)
def test_strict_mode_warns_of_near_headers_and_reaches_minor(header: str, code: str) -> None:
    """Source row 5: what anyone can work with is a valid plan with minor issues that name their lines."""
    result = validate_plan_structure(None, f"**Goal:** g\n\n{header}\n{FILLER}", mode="strict")
    assert result.valid
    assert result.severity is PlanSeverity.MINOR
    assert [finding.code for finding in result.findings] == [code]
    assert result.issues[0].startswith("line 3: ")


def test_duplicate_numbers_are_an_issue_of_strict_mode() -> None:
    """The original accepts two tasks of one number."""
    text = f"**Goal:** g\n\n### Task 1: A\n### Task 1: B\n{FILLER}"
    assert validate_plan_structure("g", text).valid
    assert validate_plan_structure(None, text, mode="strict").issues == (
        "line 4: the id 1 stands 2 times, first (line 3)",
    )


def test_the_json_sidecar_has_the_same_issues_as_the_markdown() -> None:
    """Source row 10: the same checks on both forms of one plan."""
    sidecar = json.loads(text_of("superpowers-sidecar")[1])
    for broken in (sidecar, {**sidecar, "goal": ""}, {**sidecar, "tasks": []}):
        plan = read_sidecar(Source(read(json.dumps(broken))))
        markdown = render(plan)
        strict = {finding.code for finding in check_text(json.dumps(broken)).findings if finding.severity.bad}
        assert strict == {
            finding.code
            for finding in check_text(markdown, path="x.md", format="superpowers").findings
            if finding.severity.bad
        }


@pytest.mark.parametrize(
    ("result", "revisions", "limit", "route"),
    [
        (None, 0, 3, "approved"),
        (None, 9, 3, "approved"),
        (PlanValidationResult(True), 3, 3, "approved"),
        (BAD, 1, 3, "revise"),
        (BAD, 2, 3, "revise"),
        (BAD, 1, 2, "revise"),
    ],
)
def test_a_plan_is_approved_or_revised(
    result: PlanValidationResult | None, revisions: int, limit: int, route: str
) -> None:
    """Source row 11: no validation and a valid plan approve; an invalid one below the limit is revised."""
    assert route_after_plan_validation(result, revisions, limit) == route


@pytest.mark.parametrize(("revisions", "limit"), [(3, 3), (4, 3), (1, 1)])
def test_escalation_is_an_outcome_with_a_warning(revisions: int, limit: int) -> None:
    """Source rows 11 and 14: at the limit a person decides; nothing is raised, and the issues are in the warning."""
    with pytest.warns(PlanguardWarning, match="goes to a person: No '### Task N:' headers"):
        assert route_after_plan_validation(BAD, revisions, limit) == "escalate"


def test_the_limit_comes_from_the_marker_then_the_ini_then_three() -> None:
    """Source row 12: the nearer setting wins."""
    assert [max_iterations_from(*pair) for pair in ((5, 2), (None, 2), (None, None))] == [5, 2, 3]
    with pytest.raises(UsageError, match="at least 1, got 0"):
        max_iterations_from(0, None)


def test_a_plan_without_headers_is_revised_and_never_an_error() -> None:
    """Source row 21: no quick look stands before the loop; the feedback names the issue (source row 15)."""
    text = f"**Goal:** g\n\n**Task 1: A**\n{FILLER}"
    assert not looks_like_plan(text)
    node = validate_plan_file("p.md", lambda _: text)
    assert route_after_plan_validation(node.plan_validation_result, node.plan_revision_count) == "revise"
    assert revision_feedback(node.plan_validation_result) == (
        "\n\n## Plan Revision Required\n\nYour previous plan had these structural issues:\n"
        f"- {NO_HEADERS}\n\nPlease revise the plan file to address all issues above."
    )


def test_there_is_no_feedback_without_an_invalid_plan() -> None:
    """Source row 16: the first request and the one after a valid plan carry none."""
    assert revision_feedback(None) == revision_feedback(PlanValidationResult(True)) == ""


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


def rows(folder: Path) -> list[tuple[str, str, dict[str, Any]]]:
    """Every plan of the collection with the verdict of the real validator."""
    strings = folder / "upstream_test_strings"
    plans = json.loads((folder / "oracle.json").read_text())
    found = [(row["file"], (folder / "plans_md" / row["file"]).read_bytes().decode(), row) for row in plans]
    found += [
        (r["test"], r["text"], r) for r in map(json.loads, (strings / "PLAN_STRINGS.jsonl").read_text().splitlines())
    ]
    return found + [(r["name"], r["text"], r) for r in json.loads((strings / "PROBES.json").read_text())]


def test_compat_equals_the_original_everywhere(shared_data: Path) -> None:
    """Source rows 5 to 9 and 24: 20 plans, 78 strings and 19 probes, each with every field of the oracle."""
    every = rows(shared_data / "amelia")
    for name, text, row in every:
        goal = extract_goal(text)
        result = validate_plan_structure(goal, text)
        files = extract_key_files(text)
        assert goal[:160] == row["goal"][:160], name
        assert (result.valid, str(result.severity), list(result.issues)) == (
            row["valid"],
            row["severity"],
            row["issues"],
        ), name
        assert extract_task_count(text) == row["task_count"], name
        assert looks_like_plan(text) == row["looks_like_plan"], name
        wanted = row.get("key_files", list(files))
        assert (len(files) if isinstance(wanted, int) else list(files)) == wanted, name
    assert len(every) == 117


STRICT_DIFFERS = {
    "2025-01-27-architect-rich-plans-design.md": "its only header stands in a fence",
    "2026-01-04-plan-validator-node-tdd.md": "its twelve tasks are headed `## Task N:`",
    "2026-01-12-oracle-consulting-system.md": "the same",
    "2026-01-12-per-agent-driver-config-impl.md": "the same",
    "2026-01-17-pipeline-foundation-impl.md": "the same",
    "documentation-implementation-prompt.md": "its goal is its title",
    "fenced_only": "its only header stands in a fence",
    "no_colon": "`### Task 1 - A` is read, with a warning",
    "h2": "`## Task 1: A` is read, with a warning",
    "goal_empty_with_h1": "an empty goal is no goal, whatever the title",
    "h1_shell_comment": "a shell comment is no title",
    "dup_numbers": "two tasks of one number",
    "indent": "a header may be indented by two spaces",
    "task_three": "1.2.3 is a number",
    "wrapped_fence": "the whole plan is a code block",
}
"""Where strict mode's verdict differs, and why."""


def test_strict_mode_differs_only_where_it_is_argued(shared_data: Path) -> None:
    """Every plan and probe on which the two modes disagree is listed with its reason."""
    differing = {
        name
        for name, text, row in rows(shared_data / "amelia")
        if "test" not in row and validate_plan_structure(None, text, mode="strict").valid != row["valid"]
    }
    assert differing == set(STRICT_DIFFERS)


def test_approval_does_not_warn() -> None:
    """The warning is for escalation alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert route_after_plan_validation(BAD, 2) == "revise"
