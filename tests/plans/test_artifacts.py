"""Artifacts are checked against their schemas: validity, path and line of the original, and more in strict mode."""

import itertools
import json
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_planguard.contract.feedback.command_style import bullet
from pytest_planguard.contract.finding import Severity
from pytest_planguard.document.path import to_dotted
from pytest_planguard.errors import UsageError
from pytest_planguard.plans.judging.artifact_schema import schema_of
from pytest_planguard.plans.judging.policy import policy_of

from ..support.artifacts import ArtifactReport, validate_artifact
from ..support.nightly import drawn
from ..support.one_item import in_one_item
from ..support.paths import ROOT
from ..support.plans import fix_artifact, text_of
from .compat.autospec_words import EMPTY, design_lines, error_strings, validate

KINDS = ("spec", "plan", "tasks", "analysis", "checklist", "constitution")


def text(kind: str) -> str:
    """The valid artifact of a kind."""
    return text_of(f"autospec-{kind}")[1]


def places(report: ArtifactReport) -> list[tuple[str, str, int]]:
    """Code, path and line of the errors."""
    return [(e.code, to_dotted(e.path), e.span.line if e.span else 0) for e in report.errors]


@pytest.mark.parametrize("kind", KINDS)
def test_valid_artifacts_are_valid_in_both_modes(kind: str) -> None:
    """Source row 59: the schema is checked, not that a file exists; the kind is told from the content."""
    for strict in (False, True):
        report = validate_artifact(text(kind), strict=strict)
        assert report.kind == kind
        assert report.errors == ()


REQUIRED = [
    ("spec", "  branch: 004-token-refresh\n", "feature.branch", 2),
    ("spec", "    as_a: client\n", "user_stories[0].as_a", 6),
    ("plan", "  spec_path: specs/004-token-refresh/spec.yaml\n", "plan.spec_path", 2),
    ("plan", "summary: Keep a second token and trade it for a new session.\n", "summary", 1),
    ("plan", "    likelihood: low\n", "risks[0].likelihood", 18),
    ("tasks", "        title: Write the table\n", "phases[0].tasks[0].title", 12),
    ("tasks", "    title: Store\n", "phases[0].title", 9),
    ("analysis", "    location: spec.yaml\n", "findings[0].location", 5),
    ("checklist", "        status: pending\n", "categories[0].items[0].status", 8),
    ("constitution", '  version: "1.0.0"\n', "constitution.version", 2),
]


@pytest.mark.parametrize(("kind", "line", "path", "at"), REQUIRED)
def test_a_missing_field_is_named_with_its_full_path_on_its_parents_line(
    kind: str, line: str, path: str, at: int
) -> None:
    """Source rows 60 and 66: full dotted path, and the line on which the parent starts."""
    assert line in text(kind)
    assert places(validate_artifact(text(kind).replace(line, "", 1), kind)) == [("missing", path, at)]


ENUMS = [
    ("spec", "priority: P1", "priority: high", "user_stories[0].priority", 8),
    ("spec", "status: Draft", "status: done", "feature.status", 4),
    ("plan", "impact: high", "impact: severe", "risks[0].impact", 21),
    ("tasks", "status: Completed", "status: Done", "phases[0].tasks[0].status", 14),
    ("tasks", "type: setup", "type: coding", "phases[0].tasks[0].type", 15),
    ("analysis", "severity: LOW", "severity: small", "findings[0].severity", 7),
    ("analysis", "overall_status: PASS", "overall_status: good", "summary.overall_status", 12),
    ("checklist", "status: pending", "status: maybe", "categories[0].items[0].status", 10),
    ("constitution", "priority: MUST", "priority: CAN", "principles[0].priority", 9),
]


@pytest.mark.parametrize(("kind", "old", "new", "path", "at"), ENUMS)
def test_a_word_outside_its_list_is_found(kind: str, old: str, new: str, path: str, at: int) -> None:
    """Source row 61: what was expected and what was got, on the line of the value."""
    report = validate_artifact(text(kind).replace(old, new, 1), kind)
    assert places(report) == [("enum", path, at)]
    assert report.errors[0].expected
    assert report.errors[0].actual == json.dumps(new.partition(": ")[2])


def test_both_vocabularies_of_a_feature_are_known() -> None:
    """Source row 62: Implemented and Completed, by schema version."""
    for version, word in (("completed", "Completed"), ("implemented", "Implemented")):
        for asked in ("completed", "implemented"):
            report = validate_artifact(text("spec").replace("Draft", word), "spec", version=asked)
            assert report.valid == (asked == version)


def test_cross_references_are_found_once_each() -> None:
    """Source row 63: dangling, self, circle and duplicate id."""
    both = (
        text("tasks").replace("dependencies: []", "dependencies: [T001, T404, T004]", 1).replace("id: T003", "id: T002")
    )
    assert places(validate_artifact(both)) == [
        ("dep-self", "phases[0].tasks[0].dependencies[0]", 18),
        ("dep-exists", "phases[0].tasks[0].dependencies[1]", 18),
        ("id-unique", "phases[1].tasks[1]", 32),
        ("dep-exists", "phases[1].tasks[2].dependencies[1]", 47),
    ]
    circle = text("tasks").replace("dependencies: []", "dependencies: [T004]", 1)
    assert places(validate_artifact(circle)) == [("dep-cycle", "phases[0].tasks[0].dependencies[0]", 18)]


@pytest.mark.parametrize(
    ("kind", "old", "new", "path", "at"),
    [
        ("tasks", "dependencies: [T001]", "dependencies: T001", "phases[1].tasks[0].dependencies", 30),
        ("tasks", "    tasks:\n      - id: T001", "    tasks: none\n    x:\n      - id: T001", "phases[0].tasks", 11),
        ("spec", "user_stories:\n", "user_stories: none\nx:\n", "user_stories", 5),
        ("plan", "risks:\n", "risks: {}\nx:\n", "risks", 17),
        ("plan", "technical_context:\n", "technical_context: []\nx:\n", "technical_context", 5),
    ],
)
def test_arrays_objects_and_scalars_are_told_apart(kind: str, old: str, new: str, path: str, at: int) -> None:
    """Source row 64: expected and got."""
    report = validate_artifact(text(kind).replace(old, new, 1), kind)
    assert ("type", path, at) in places(report)
    found = next(error for error in report.errors if error.code == "type")
    assert found.message == f"expected {found.expected}, got {found.actual}"


STRICT = [
    ("spec", "id: US-001", "id: US1", "format"),
    ("spec", "title: Renew a session", "title: [a, b]", "type"),
    ("spec", "title: Renew a session", "title: null", "type"),
    ("spec", "    acceptance_scenarios:\n", "    scenarios:\n", "missing"),
    ("plan", "  - phase: 1", "  - phase: one", "type"),
    ("plan", "[Phase 1]", "[Phase 7]", "dep-exists"),
    ("tasks", "number: 1", "number: abc", "type"),
    ("tasks", "parallel: true", "parallel: maybe", "type"),
    ("tasks", "total_tasks: 4", "total_tasks: many", "type"),
    ("tasks", "id: T001", "id: TASK1", "format"),
    ("tasks", "tasks: [T002, T003]", "tasks: [T002, T004]", "parallel-independent"),
]


@pytest.mark.parametrize(("kind", "old", "new", "code"), STRICT)
def test_strict_mode_checks_what_the_schema_only_declares(kind: str, old: str, new: str, code: str) -> None:
    """Source row 65: scalar types, id patterns, required scenarios, and the structural rules."""
    broken = text(kind).replace(old, new, 1)
    assert code in {error.code for error in validate_artifact(broken, kind, strict=True).errors}
    assert code not in {error.code for error in validate_artifact(broken, kind).errors}


def test_strict_mode_reports_a_self_dependency_once() -> None:
    """Source row 63: the original says it twice, as a self-dependency and as a circle of one."""
    own = text("tasks").replace("dependencies: []", "dependencies: [T001]", 1)
    assert [error.code for error in validate(own, "tasks").errors] == ["dep-self", "dep-cycle"]
    assert [error.code for error in validate_artifact(own, "tasks", strict=True).errors] == ["dep-self"]


def test_a_duplicate_key_fails_strict_mode_alone() -> None:
    """The original keeps the last of equal keys in silence."""
    twice = text("plan").replace("  language: Python\n", "  language: Python\n  language: Go\n")
    assert validate_artifact(twice, "plan").valid
    assert [error.code for error in validate_artifact(twice, "plan", strict=True).errors] == ["duplicate_key"]


@pytest.mark.parametrize("change", [("\n", "\r\n"), ("", "")], ids=["crlf", "lf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte order mark"])
def test_lines_are_right_for_every_line_end(change: tuple[str, str], mark: str) -> None:
    """Source row 66: CRLF and a byte order mark shift nothing."""
    broken = text("tasks").replace("status: Completed", "status: Done", 1)
    if change[0]:
        broken = broken.replace(*change)
    (error,) = validate_artifact((mark + broken).encode(), "tasks").errors
    assert str(error.span) == "14:17"


def test_the_designs_words_are_byte_stable() -> None:
    """Source row 67: the three shapes of the design's example."""
    spec = text("spec").replace("  branch: 004-token-refresh\n", "").replace("status: Draft", "status: pending")
    spec = spec.replace("user_stories:\n", "user_stories: none\nx:\n")
    report = validate_artifact(spec, "spec", version="implemented")
    assert report.errors[0].message.startswith("missing required field branch")
    assert design_lines(report.errors) == [
        "line 2: missing required field 'feature.branch'",
        "line 3: invalid enum value 'status=pending' (expected: Draft|Review|Approved|Implemented)",
        "line 4: wrong type for 'user_stories' (expected: array, got: string)",
    ]


def test_warnings_do_not_fail() -> None:
    """Source row 68: a blocked task without a reason, a high risk without a mitigation."""
    tasks = validate_artifact(text("tasks").replace("        blocked_reason: waits for a name\n", ""), "tasks")
    plan = validate_artifact(text("plan").replace("    mitigation: store hashes\n", ""), "plan")
    assert tasks.valid
    assert plan.valid
    assert [(to_dotted(w.path), w.span and w.span.line) for w in (*tasks.warnings, *plan.warnings)] == [
        ("phases[1].tasks[2].blocked_reason", 43),
        ("risks[0].mitigation", 18),
    ]


@pytest.mark.parametrize(("length", "valid"), [(1000, True), (1001, False)])
def test_notes_have_at_most_1000_characters(length: int, valid: bool) -> None:
    """Source row 69."""
    tasks = text("tasks").replace("        type: setup\n", f"        type: setup\n        notes: {'x' * length}\n")
    assert validate_artifact(tasks, "tasks").valid is valid


@pytest.mark.parametrize(
    "broken", ["", "# only a comment\n", "- a\n- b\n", "a: [", "just words", "\x00", "a: &a [*a]\n"]
)
def test_no_text_crashes_a_validator(broken: str) -> None:
    """Anything that is no artifact is invalid, with a finding."""
    for kind in KINDS:
        assert validate_artifact(broken, kind).errors


def test_unknown_kinds_and_versions_are_refused() -> None:
    """A typing mistake in an option is an error of use, not a finding."""
    with pytest.raises(UsageError, match=r"^unknown schema version 'v2'"):
        validate_artifact("", "spec", version="v2")


@pytest.mark.slow
def test_the_circle_reads_the_same_under_every_hash_seed() -> None:
    """Source row 37: canonical order, not the order of a hash table; a sample of seeds in fresh interpreters."""
    code = (
        "import sys; from tests.plans.compat.autospec_words import validate, error_strings;"
        "print(error_strings(validate(sys.stdin.read(), 'tasks')))"
    )
    circle = text("tasks").replace("dependencies: []", "dependencies: [T004]", 1)
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=circle,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": str(seed)},
            cwd=ROOT,
        ).stdout
        for seed in drawn((0, 1, 2, 3), 2)
    }
    assert seen == {"['line 12: phases: circular dependency detected: T001 -> T004 -> T002 -> T001']\n"}


def test_mechanical_faults_are_mended_and_shown_as_a_diff() -> None:
    """Source row 77: spelling of listed words, stated totals and `_meta`; nothing else is touched."""
    before = text("tasks").replace("Completed", "completed  # yes").replace("total_tasks: 4", "total_tasks: 7")
    before = before[: before.index("_meta")]
    fix = fix_artifact(before, "tasks")
    assert fix.changes == ("line 6: 7 -> 4", 'line 14: completed -> "Completed"', "add _meta")
    assert 'status: "Completed"  # yes' in fix.after
    assert validate_artifact(fix.after, "tasks", strict=True).valid
    assert "-  total_tasks: 7\n+  total_tasks: 4\n" in fix.diff()
    assert fix_artifact(fix.after, "tasks").changes == ()


def test_what_needs_thought_is_not_mended() -> None:
    """A word that is not just spelt differently stays, and so does a file that does not parse."""
    before = text("tasks").replace("status: Completed", "status: Done", 1)
    assert fix_artifact(before, "tasks").after == before
    assert fix_artifact("a: [", "tasks").changes == ()


def circle_of(lines: list[str]) -> set[tuple[str, str]]:
    """The edges of the circle that one message names, wherever it starts."""
    (line,) = lines
    names = line.rpartition(": ")[2].split(" -> ")
    assert names[0] == names[-1]
    return set(itertools.pairwise(names))


def test_all_artifacts_agree_with_the_original(shared_data: Path) -> None:
    """Source rows 60 to 69: validity, paths, lines, warnings and the very words of the real validators."""
    folder = shared_data / "autospec"
    rows = [json.loads(line) for line in (folder / "oracle.jsonl").read_text().splitlines()]
    for row in rows:
        report = validate((folder / row["File"]).read_bytes(), row["Type"])
        assert report.valid == row["Valid"], row["File"]
        for found, wanted in ((report.errors, row["Errors"]), (report.warnings, row["Warnings"])):
            ours = [(to_dotted(finding.path), finding.span and finding.span.line) for finding in found]
            assert ours == [(error["Path"], error["Line"]) for error in wanted or []], row["File"]
        assert error_strings(report) == (row["ErrorStrings"] or []), row["File"]
    assert len(rows) == 48


def test_the_originals_verdicts_hold_by_the_word_of_a_user(shared_data: Path) -> None:
    """What autospec accepts is valid by `--rules autospec` and without it."""
    folder = shared_data / "autospec"
    rows = [json.loads(line) for line in (folder / "oracle.jsonl").read_text().splitlines()]
    texts = {row["File"]: (folder / row["File"]).read_bytes() for row in rows}
    for words in ([], ["autospec"]):
        reports = {path: policy_of(words).judge({path: text}, {path})[path] for path, text in texts.items()}
        assert [row["File"] for row in rows if reports[row["File"]].ok != row["Valid"]] == []


def test_what_the_original_does_not_check_is_a_warning() -> None:
    """Phases without tasks, groups whose tasks depend on each other, a field that the schema declares."""
    empty = "tasks:\n  branch: x\nsummary: {}\nphases:\n  - number: 1\n    title: Store\n    tasks: []\n"
    together = text("tasks").replace("tasks: [T002, T003]", "tasks: [T002, T004]")
    undeclared = text("spec").replace("acceptance_scenarios:", "other:", 1)
    for given, code in ((empty, "has-tasks"), (together, "parallel-independent"), (undeclared, "missing")):
        report = policy_of(["autospec"]).judge({"a.yaml": given}, {"a.yaml"})["a.yaml"]
        assert report.ok
        assert (code, Severity.WARN) in {(one.code, one.severity) for one in report.findings}


def test_strict_mode_differs_from_the_original_in_two_artifacts(shared_data: Path) -> None:
    """Listed and argued: a story without its declared scenarios, and phases that hold no task at all."""
    folder = shared_data / "autospec"
    differing = {}
    for line in (folder / "oracle.jsonl").read_text().splitlines():
        row = json.loads(line)
        report = validate_artifact((folder / row["File"]).read_bytes(), row["Type"], strict=True)
        if report.valid != row["Valid"]:
            differing[row["File"].rpartition("__")[2]] = [error.code for error in report.errors]
    assert differing == {"missing_meta.yaml": ["missing"], "tasks.yaml": ["has-tasks"]}


def test_bullets_of_the_retry_text_are_the_originals(shared_data: Path) -> None:
    """Source row 67: each error string is a bullet of the original's retry text, in the same order.

    The original starts its circle at whatever task its hash table gives first, so that one row turns with every run.
    """
    folder = shared_data / "autospec"
    rows = [json.loads(line) for line in (folder / "retry_oracle.jsonl").read_text().splitlines()]
    turned = []
    for row in rows:
        found = error_strings(validate((folder / row["File"]).read_bytes(), row["Type"]))
        if found != row["Extracted"]:
            turned.append((row["File"].rpartition("__")[2], found))
            assert circle_of(found) == circle_of(row["Extracted"])
    assert len(rows) == 27
    cycle = "line 21: phases: circular dependency detected: T001 -> T003 -> T002 -> T001"
    assert turned == [("invalid_dep_circular.yaml", [cycle])]


def test_feedback_names_the_type_that_stands_there() -> None:
    """A list that is a string is "got: string" in the command styles, not the type that its name begins like."""
    broken = text("spec").replace("user_stories:\n", "user_stories: none\nx:\n")
    (error,) = [one for one in validate_artifact(broken, "spec").errors if one.code == "type"]
    assert bullet(error) == "line 5: wrong type for 'user_stories' (expected: array, got: string)"


@pytest.mark.parametrize("empty", ["", "\n", "# only a comment\n  # another\n"])
def test_an_empty_file_is_told_in_the_originals_words(empty: str) -> None:
    """Comments alone are no document either."""
    assert error_strings(validate(empty, "spec")) == [EMPTY]
    assert EMPTY == "failed to parse YAML: file is empty or contains only comments"


def test_a_checklist_names_its_missing_fields_as_the_original_does() -> None:
    """Without what stands before them."""
    text_ = "checklist:\n  title: x\ncategories:\n  - name: c\n    items: []\n"
    assert error_strings(validate(text_, "checklist")) == [
        "line 2: feature: missing required field: feature",
        "line 2: branch: missing required field: branch",
        "line 2: domain: missing required field: domain",
    ]


def test_the_listed_words_are_these() -> None:
    """Source row 61: priorities, levels, statuses and kinds of tasks, word by word."""
    story, risk = schema_of("spec")["user_stories"][0], schema_of("plan")["risks?"][0]
    task = schema_of("tasks")["phases"][0]["tasks"][0]
    assert story["priority"] == ["P0", "P1", "P2", "P3"]
    assert risk["likelihood"] == risk["impact"] == ["low", "medium", "high"]
    assert task["status"] == ["Pending", "InProgress", "Completed", "Blocked"]
    assert task["type"] == ["setup", "implementation", "test", "documentation", "refactor"]


def test_a_file_that_is_there_and_breaks_its_schema_is_invalid(tmp_path: Path) -> None:
    """Source row 59: that a file exists proves nothing."""
    file = tmp_path / "spec.yaml"
    file.write_text("feature:\n  branch: a\n", encoding="utf-8")
    report = validate_artifact(file.read_text(encoding="utf-8"), "spec")
    assert not report.valid
    assert ("missing", ("user_stories",)) in [(finding.code, finding.path) for finding in report.errors]


@in_one_item
@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("\nphases:", "\nphases: {value}\nother:", [("type", "phases")]),
        ("parallel_execution:", "parallel_execution: {value}\nother:", [("root-shape", "parallel_execution")]),
        ("    status: Completed", "    status: Done", [("enum", "phases[0].tasks[0].status")]),
    ],
)
@pytest.mark.parametrize("value", ["5", "words", "{a: 5}"])
def test_a_fault_of_form_is_reported_once(value: str, old: str, new: str, found: list[tuple[str, str]]) -> None:
    """By the schema if it describes the place, else by the rule: the schema has no word of what runs at once."""
    assert text("tasks").count(old) == 1
    path = "specs/004/tasks.yaml"
    report = policy_of([]).judge({path: text("tasks").replace(old, new.replace("{value}", value))})[path]
    form = ("type", "enum", "root-shape", "status-enum")
    assert [(one.code, to_dotted(one.path)) for one in report.findings if one.code in form] == found
