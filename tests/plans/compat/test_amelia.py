"""amelia's check, verdict for verdict; strict mode and what it judges otherwise; routing; the validator node."""

import dataclasses
import json
import warnings
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import Contract, plan_rules
from pytest_planguard.document.answer import Document, read
from pytest_planguard.errors import PlanguardWarning, UsageError
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.profiles.superpowers import NO_GOAL, NO_HEADERS, TOO_SHORT, extract_goal, read_sidecar
from pytest_planguard.plans.reading.outline import Source
from pytest_planguard.testing.answers.plan_writers import WRITERS

from ...support.plans import text_of
from .amelia import (
    PlanSeverity,
    PlanValidationResult,
    extract_key_files,
    extract_task_count,
    looks_like_plan,
    max_iterations_from,
    revision_feedback,
    route_after_plan_validation,
    validate_plan_file,
    validate_plan_structure,
)

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


def test_a_goal_of_several_lines_has_any_line_ends() -> None:
    """It ends at a blank line."""
    lines = ("# Login", "", "**Goal:** Let users", "log in.", "", "More.")
    assert {extract_goal(end.join(lines)) for end in ("\n", "\r\n")} == {"Let users log in."}


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
        ("### Task 1:", "task-text"),
        ("### ✅ Task 1: A", "header-format"),
        ("### 任务 1：A", "header-format"),
        ("### TASK 1: A", "header-format"),
        ("## Step 1: A", "header-format"),
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
        "line 4: the id 1 is used 2 times, first (line 3)",
    )


def test_the_json_sidecar_has_the_same_issues_as_the_markdown() -> None:
    """Source row 10: the same checks on both forms of one plan."""
    sidecar = json.loads(text_of("superpowers-sidecar")[1])
    for broken in (sidecar, {**sidecar, "goal": ""}, {**sidecar, "tasks": []}):
        plan = read_sidecar(Source(read(json.dumps(broken))))
        markdown = WRITERS["superpowers"](plan)
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
    with pytest.raises(UsageError, match=r"at least 1, got 0$"):
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


def test_the_format_amelia_has_the_verdicts_of_the_original_in_a_contract(shared_data: Path) -> None:
    """The way of a user: `plan_rules("amelia")`, and `--rules amelia` for files; a plan without marks is one too."""
    contract = Contract(None, rules=plan_rules("amelia"))
    every = rows(shared_data / "amelia")
    for name, text, row in every:
        if text.strip():  # the original cannot be asked about an empty file
            found = contract._checker.rules[0](text, Document(text, text, 0, "markdown", text))
            assert sorted(one.message for one in found) == sorted(row["issues"]), name
            findings = check_text(text, path="notes.md", format="amelia").findings
            bad = [one.code for one in findings if one.severity.bad]
            assert (not bad) == row["valid"], name


STRICT_DIFFERS = {
    "2025-01-27-architect-rich-plans-design.md": "its only header stands in a fence",
    "2026-01-04-plan-validator-node-tdd.md": "its twelve tasks are headed `## Task N:`",
    "2026-01-12-oracle-consulting-system.md": "the same",
    "2026-01-12-per-agent-driver-config-impl.md": "the same",
    "2026-01-17-pipeline-foundation-impl.md": "the same",
    "2025-12-21-driver-session-id.md": "its tasks are headed `### Step N.M:`, which is read, with a warning",
    "2026-01-10-multiple-workflow-pipelines-design.md": "its tasks are checkboxes, which are read, with a warning",
    "infinite-mode.md": "its tasks are checkboxes, which are read, with a warning",
    "goal_lower": "`**goal:**` is a goal",
    "unicode_goal": "a full-width colon is a colon",
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
