"""Fields of autospec's tasks that hold several names."""

from __future__ import annotations

from pytest_planguard.plans.judging.policy import policy_of

SPEC = """\
feature: {branch: b, created: "2026-01-01", status: Draft, input: i}
user_stories:
  - {id: US-001, title: One, priority: P1}
  - {id: US-002, title: Two, priority: P1}
  - {id: US-003, title: Three, priority: P1}
requirements: {functional: []}
"""
TASKS = """\
tasks: {branch: b, created: "2026-01-01"}
summary: {total_tasks: 2, total_phases: 1}
phases:
  - number: 1
    title: All
    story_reference: "US-001, US-002"
    tasks:
      - {id: T001, title: Do one, status: Pending, file_path: "a/x.go, a/y.go, b/"}
      - {id: T002, title: Do two, status: Pending, story_id: "US-003"}
"""


def test_stories_and_files_in_one_field_are_split() -> None:
    """A phase's stories are those of its tasks that name none; a folder is no file."""
    reports = policy_of().judge({"s/spec.yaml": SPEC, "s/tasks.yaml": TASKS})
    plan = reports["s/tasks.yaml"].plan
    assert plan is not None
    assert [[ref.name for ref in task.cites] for task in plan.tasks] == [["US-001", "US-002"], ["US-003"]]
    assert [file.name for file in plan.tasks[0].files] == ["a/x.go", "a/y.go"]
    assert not [f for report in reports.values() for f in report.findings if f.code.startswith("trace")]
