"""JSON and YAML by description: paths, fields that no record has, and the formats that come as descriptions."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_planguard import Contract, UsageError, plan_rules
from pytest_planguard.plans.declared.described import described_format, read_plan_format
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.profiles.formats import PROFILES

from ...support.commands import run
from ...support.one_item import in_one_item
from ...support.plans import text_of

JIRA = """
format: jira
data:
  tasks: issues
  id: key
  title: fields.summary
  depends: fields.issuelinks.*.inwardIssue.key
  noun: issue
  status: {label: fields.status.name, words: {To Do: todo, Done: done}}
"""


def issue(key: str, status: str, *blockers: str) -> dict[str, object]:
    """An issue as Jira exports it."""
    links = [{"type": "blocks", "inwardIssue": {"key": name}} for name in blockers]
    return {"key": key, "fields": {"summary": f"Do {key}", "status": {"name": status}, "issuelinks": links}}


EXPORT = [
    issue("A-1", "To Do", "A-2"),
    issue("A-2", "To Do", "A-1"),
    issue("A-3", "Done", "A-1"),
    issue("A-4", "To Do", "A-99"),
    issue("A-5", "To Do"),
]


def found(description: str, issues: list[dict[str, object]], tmp_path: Path) -> list[tuple[str, str, str]]:
    """Code, severity and message of every finding, by the entry that users have."""
    file = tmp_path / "format.yaml"
    file.write_text(description, encoding="utf-8")
    contract = Contract(None, rules=plan_rules(file))
    findings = contract.check(json.dumps({"issues": issues})).findings
    return [(one.code, str(one.severity), one.message) for one in findings]


def test_a_field_of_a_record_may_be_a_path(tmp_path: Path) -> None:
    """Title, status and what an issue waits for, which Jira writes three levels deep."""
    assert found(JIRA, EXPORT, tmp_path) == [
        ("dep-cycle", "retry", "dependency cycle A-1 -> A-2 -> A-1 (lines 1, 1)"),
        ("status-consistent", "warn", "A-3 is done, but A-1, which it needs, is not"),
        ("dep-exists", "retry", 'A-4 depends on "A-99", which does not exist'),
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "code", "severity"),
    [
        ("fields.issuelinks.*.inwardIssue.key", "fields.links.*.key", "root-shape", "retry"),
        ("fields.summary", "fields.title", "root-shape", "retry"),
        ("fields.status.name", "state", "unread-field", "warn"),
        ("fields.issuelinks.*.inwardIssue.key", "needs", "unread-field", "warn"),
    ],
)
def test_a_field_that_no_record_has_is_a_finding(
    right: str, wrong: str, code: str, severity: str, tmp_path: Path
) -> None:
    """A plain field of statuses or dependencies may be left out where there are none, so that this only warns."""
    first = found(JIRA.replace(right, wrong), EXPORT, tmp_path)[0]
    message = f'no issue has the field "{wrong}" that the format names, so nothing was read from it'
    assert first == (code, severity, message)


@pytest.mark.parametrize("field", ["depends_on", "dependsOn", "blockedBy", "blocked-by", "needs", "predecessors"])
@pytest.mark.parametrize("written", [lambda name: [name], lambda name: name, lambda name: f"T9, {name}"])
def test_dependencies_under_another_name_make_no_plan_without_dependencies(
    field: str, written: Callable[[str], object]
) -> None:
    """The cycle was not read, and the plan was valid. A field of that name that holds other things is no dependency."""
    cycle = [{"id": f"T{n}", "title": "x", field: written(f"T{3 - n}")} for n in (1, 2)]
    assert check_text(json.dumps({"tasks": cycle}), path="tasks.json").plan is None
    named = check_text(json.dumps({"tasks": cycle}), format="task-master")
    assert [finding.message for finding in named.findings if finding.code == "unread-field"] == [
        f'the format has no field "{field}", so these dependencies were not read'
    ]
    other = [{"id": f"T{n}", "title": "x", field: "a network"} for n in (1, 2)]
    assert check_text(json.dumps({"tasks": other}), path="tasks.json").plan is not None


@pytest.mark.parametrize("path", ["needs", "needs.*"])
def test_dependencies_at_a_path_are_read(path: str, tmp_path: Path) -> None:
    """The items of the field are the dependencies, so the format has the field."""
    description = f"format: a\ndata: {{tasks: steps, depends: '{path}'}}\n"
    (tmp_path / "format.yaml").write_text(description, encoding="utf-8")
    steps = [{"id": name, "title": "x", "needs": [other]} for name, other in ("ab", "ba")]
    found = Contract(None, rules=plan_rules(tmp_path / "format.yaml")).check({"steps": steps}).findings
    assert [finding.code for finding in found] == ["dep-cycle"]


def test_lists_without_items_are_no_fields_that_are_missing(tmp_path: Path) -> None:
    """An export in which nothing blocks anything, and a single issue, say nothing about the description."""
    assert found(JIRA, [issue("A-1", "Done"), issue("A-2", "Done")], tmp_path) == []
    assert found(JIRA.replace("fields.issuelinks.*.inwardIssue.key", "needs"), EXPORT[4:], tmp_path) == []


def test_what_names_another_task_has_a_group_for_its_id() -> None:
    """Else nothing would say which part of the match is the id."""
    described = "format: a\ndata: {tasks: a, refers: '#[0-9]+'}\n"
    with pytest.raises(UsageError, match=r"no group for the id: got '#\[0-9\]\+'; write \(#\[0-9\]\+\)$"):
        described_format(described, "a.yaml", str)
    with pytest.raises(UsageError, match="`data` has no path to its tasks"):
        described_format("format: a\ndata: {}\n", "a.yaml", str)


def test_a_numbered_format_never_fails_on_an_object(tmp_path: Path) -> None:
    """Its members are numbered as the items of a list are."""
    description = "format: a\ndata: {tasks: issues, numbered: true}\n"
    file = tmp_path / "format.yaml"
    file.write_text(description, encoding="utf-8")
    contract = Contract(None, rules=plan_rules(file))
    assert contract.check('{"issues": {"x": {"title": "A"}, "y": 5}}').errors[0].code == "root-shape"


def test_names_in_one_field_are_split(tmp_path: Path) -> None:
    """Whether the field is a text or a list of texts; and it may be a path."""
    description = "format: a\ndata: {tasks: steps, depends: needs, files: touches.files}\n"
    file = tmp_path / "format.yaml"
    file.write_text(description, encoding="utf-8")
    steps = [
        {"id": "a", "title": "A"},
        {"id": "b", "title": "B", "needs": "a, z", "touches": {"files": "x.py, y.py"}},
        {"id": "c", "title": "C", "needs": ["a, b"], "touches": {"files": ["x.py,y.py", "z.py"]}},
    ]
    plan = check_text(json.dumps({"steps": steps}), profiles=[read_plan_format(file)], format="a").plan
    assert plan is not None
    assert [[edge.text for edge in task.edges] for task in plan.tasks] == [[], ["a", "z"], ["a", "b"]]
    assert [[ref.name for ref in task.files] for task in plan.tasks] == [[], ["x.py", "y.py"], ["x.py", "y.py", "z.py"]]


NAMES = sorted(
    file.stem for file in (Path(described_format.__code__.co_filename).parents[1] / "formats").rglob("*.yaml")
)


@in_one_item
@pytest.mark.parametrize("name", NAMES)
def test_a_built_in_description_is_one_that_users_can_copy_and_change(name: str) -> None:
    """It passes the check of users' files, and gives the same reader."""
    result = run("plan", "rules", "copy", name)
    assert result.exit_code == 0
    own, ours = described_format(result.stdout, f"{name}.yaml", str), next(one for one in PROFILES if one.name == name)
    assert replace(own, score=ours.score, read=ours.read, looks_alike=True) == ours
    assert own.read.args[:3] == ours.read.args[:3]  # type: ignore[attr-defined] # what the format's reader is given
    assert name in {profile.name for profile in PROFILES}


def test_a_format_that_is_code_is_not_copied() -> None:
    """The message lists those that are."""
    result = run("plan", "rules", "copy", "task-mister")
    assert "no file describes plan format 'task-mister'. Did you mean 'task-master'?" in result.stderr
    assert "write copy task-master" in run("plan", "rules", "copy").stderr


def test_data_in_front_matter_are_judged_in_their_places() -> None:
    """Cursor's to-dos: lines count in the whole document."""
    text = text_of("cursor-plan")[1].replace("[store]", "[stoer]").replace("id: endpoint", "id: endpoint # 2")
    report = check_text(text)
    assert report.plan is not None
    assert report.plan.format == "cursor-plan"
    assert [(f.code, f.span.line if f.span else None) for f in report.findings] == [("dep-exists", 11)]
    assert text.split("\n")[10].strip() == "dependencies: [stoer]"


def test_front_matter_without_to_dos_is_no_plan() -> None:
    """Nor is a page with none, one that never closes, or one that is no object."""
    fronts = ("---\ntitle: x\n---\n", "", "---\ntodos: []\n", "---\n- todos\n---\n", "---\n[\n---\n")
    for text in (f"{front}# Hi\n" for front in fronts):
        assert check_text(text, path="page.md").plan is None


def test_data_in_a_code_block_are_judged_in_their_places() -> None:
    """The first block of YAML or JSON of a described Markdown format."""
    described = "format: blueprint\nrecognise: [steps]\ndata: {within: code, tasks: steps, depends: needs}\n"
    profile = described_format(described, "blueprint.yaml", str)
    text = "# Page\n\n```sh\nls\n```\n\n~~~yaml\nsteps:\n  - {id: a, title: x, needs: [b]}\n~~~\n"
    report = check_text(text, path="page.md", profiles=[profile])
    assert [(f.code, f.path, f.span.line if f.span else None) for f in report.findings] == [
        ("dep-exists", ("steps", 0, "needs", 0), 9)
    ]


def test_a_path_takes_the_items_of_which_a_field_has_a_value() -> None:
    """Jira's links that block, and not those that only relate."""
    report = check_text(text_of("jira-issues")[1])
    assert report.plan is not None
    assert [[edge.target for edge in task.edges] for task in report.plan.tasks] == [[], ["AUTH-1"]]
    assert report.findings == ()


def test_steps_of_a_plan_under_one_of_several_headings_name_each_other() -> None:
    """Claude Code's plan mode."""
    text = text_of("claude-plan")[1].replace("## Approach", "## Implementation steps").replace("1 and 2", "1 and 7")
    report = check_text(text)
    assert [finding.code for finding in report.findings] == ["dep-exists"]
    assert report.findings[0].span is not None
    assert report.findings[0].span.line == 12


def test_a_reference_by_a_word_decides_no_format() -> None:
    """A user's pattern may match any word, or a group that takes no part: only a number counts as one of a list."""
    described = "format: notes\ndata: {tasks: steps, texts_only: true, numbered: true, refers: 'step (\\w+)?'}\n"
    profile = described_format(described, "f.yaml", lambda _: "")
    for text, known in (("after step one", False), ("after step ", False), ("after step 1", True)):
        report = check_text(json.dumps({"title": "x", "steps": ["begin", text]}), profiles=[profile])
        assert (report.plan is not None) == known


def test_a_subtask_of_a_task_without_an_id_has_its_own() -> None:
    """Its name was "None.1", and so was that of every other."""
    described = "format: x\ndata: {tasks: steps, children: parts, own_ids: true, depends: needs}\n"
    profile = described_format(described, "f.yaml", lambda _: "")
    steps = [
        {"title": "a", "parts": [{"id": 1, "title": "b"}, {"id": 2, "title": "c", "needs": [1]}]} for _ in range(2)
    ]
    report = check_text(json.dumps({"steps": steps}), format="x", profiles=[profile])
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == [None, "1", "2", None, "1", "2"]
    assert [edge.target for task in report.plan.tasks for edge in task.edges] == ["steps[0].1", "steps[1].1"]
    assert not [finding for finding in report.findings if finding.severity.bad]
