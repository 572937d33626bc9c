"""Defects injected into sound plans, and which are found.

A defect is a pattern and its replacement. It is injected at every place of a fixture that the pattern matches, one
place at a time; it counts as found where a new finding stands on its line, or on the line that the defect names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pytest_planguard.plans.judging.policy import policy_of

from ..support.paths import ROOT

PLANS = ROOT / "fixtures" / "plans"
WHOLE = 0
"""The line of a finding that is about the whole document."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One kind of damage to plans of one format."""

    format: str
    name: str
    pattern: str
    replacement: str
    down: int | None = 0
    """Lines from the first changed line to the one on which the finding stands; None for the whole document."""


DEFECTS = (
    Defect("spec-kit-tasks", "box without an id", r"\] T\d{3} ", "] "),
    Defect("spec-kit-tasks", "wrong mark", r"- \[[ x]\] T", "- [?] T"),
    Defect("spec-kit-tasks", "empty box", r"- \[[ x]\] T", "- [] T"),
    Defect("spec-kit-tasks", "item without a box", r"- \[[ x]\] T", "- T"),
    Defect("spec-kit-tasks", "task as a heading", r"- \[[ x]\] T", "### T"),
    Defect("spec-kit-tasks", "id in brackets", r"\] (T\d{3}) ", r"] [\1] "),
    Defect("spec-kit-tasks", "id of another form", r"\] T(\d{3}) ", r"] TASK-\1 "),
    Defect("spec-kit-tasks", "task of one word", r"(- \[ \] T\d{3}) .*", r"\1"),
    Defect("spec-kit-tasks", "id twice", r"\] T00[2-5] ", "] T001 "),
    Defect("spec-kit-tasks", "waits for no task", r"(- \[ \] T\d{3} .*)", r"\1 (depends on T099)"),
    Defect("spec-kit-tasks", "waits for itself", r"(- \[ \] (T\d{3}) .*)", r"\1 (depends on \2)"),
    Defect("spec-kit-tasks", "placeholder", r"(- \[ \] T\d{3} .*)", r"\1 [NEEDS CLARIFICATION: which?]"),
    Defect("spec-kit-tasks", "total", r"Tasks\*\*: 5", "Tasks**: 6"),
    Defect("spec-kit-tasks", "no task in prose", r"- T005 waits", "- T077 waits"),
    Defect("spec-kit-tasks", "dependency section: no task", r"for T003 and", "for T088 and"),
    Defect(
        "spec-kit-tasks",
        "dependency section: circle of phases",
        r"- T005 waits.*",
        "- Phase 1 depends on Phase 2\n- Phase 2 depends on Phase 1",
    ),
    Defect("spec-kit-spec", "requirement twice", r"\*\*FR-002\*\*", "**FR-001**"),
    Defect("spec-kit-spec", "no requirement", r"(?s)- \*\*FR.*?session\.\n", "", None),
    Defect("spec-kit-spec", "requirement without words", r"(\*\*FR-00\d\*\*:).*", r"\1"),
    Defect("spec-kit-spec", "story without scenarios", r" Given .*", "", -2),
    Defect("spec-kit-spec", "story twice", r"(### User Story 1 .*\n\n.*\n)", r"\1\n\1", 4),
    Defect("spec-kit-spec", "section missing", r"## Success Criteria", "## Other", None),
    Defect("openspec-tasks", "wrong mark", r"- \[[ x]\] ", "- [?] "),
    Defect("openspec-tasks", "item without a box", r"- \[[ x]\] ", "- "),
    Defect("openspec-tasks", "task without words", r"(- \[ \] \d\.\d) .*", r"\1"),
    Defect("openspec-tasks", "no id", r"\] \d\.\d ", "] "),
    Defect("openspec-tasks", "id of another group", r"\] \d(\.\d) ", r"] 7\1 "),
    Defect("openspec-tasks", "id twice", r"\] 1\.2 ", "] 1.1 "),
    Defect("openspec-tasks", "waits for no task", r"(- \[.\] \d\.\d .*)", r"\1 (depends on 9.9)"),
    Defect("openspec-tasks", "waits for itself", r"(- \[.\] (\d\.\d) .*)", r"\1 (depends on \2)"),
    Defect("openspec-tasks", "empty group", r"(## 2\. .*\n)\n- .*\n", r"\1"),
    Defect("openspec-delta", "no scenario", r"\n#### Scenario.*\n\n(- .*\n)+", "", None),
    Defect("openspec-delta", "no SHALL", r"SHALL|MUST", "may", None),
    Defect("kiro-tasks", "wrong mark", r"- \[[ x-]\](\*?) \d", r"- [?]\1 3"),
    Defect("kiro-tasks", "box without a number", r"- \[-\] 2\. ", "- [-] "),
    Defect("kiro-tasks", "number before the box", r"- \[-\] 2\. ", "2. [-] "),
    Defect("kiro-tasks", "waits for no task", r"_Dependencies: 1_", "_Dependencies: 9_"),
    Defect("kiro-tasks", "id twice", r"1\.2 Write", "1.1 Write"),
    Defect("kiro-tasks", "done with an open subtask", r"- \[x\] 1\.1", "- [ ] 1.1", -1),
    Defect("kiro-requirements", "requirement twice", r"Requirement 2", "Requirement 1"),
    Defect("kiro-requirements", "no criteria", r"#### Acceptance Criteria\n\n1\. WHEN a valid.*\n", "", -2),
    Defect("kiro-requirements", "no requirement", r"(?s)### Requirement 1:.*", "", None),
    Defect("bmad-story", "section missing", r"## Acceptance Criteria", "## Foo", None),
    Defect("bmad-story", "criterion that is not there", r"\(AC: #?\d\)", "(AC: 9)"),
    Defect("bmad-story", "wrong mark", r"- \[[ x]\] Task", "- [?] Task"),
    Defect("bmad-story", "unknown status", r"Status: in-progress", "Status: nearly"),
    Defect("bmad-story", "done with open boxes", r"Status: in-progress", "Status: done"),
    Defect("superpowers", "header of another level", r"### Task", "## Task"),
    Defect("superpowers", "header in another language", r"### Task", "### 任务"),
    Defect("superpowers", "header with a sign", r"### Task", "### ✅ Task"),
    Defect("superpowers", "header without a title", r"(### Task \d:).*", r"\1"),
    Defect("superpowers", "number twice", r"### Task 2:", "### Task 1:"),
    Defect("superpowers", "waits for no task", r"Depends on:\*\* Task 1", "Depends on:** Task 9"),
    Defect("superpowers", "no goal", r"\*\*Goal:\*\* .*", "", None),
    Defect("superpowers", "list outside the tasks", r"\n---\n", "\n- [ ] Roll out\n- [ ] Watch\n"),
    Defect("task-master", "waits for no task", r'"dependencies": \[(1|"1\.1")?\]', '"dependencies": [9]'),
    Defect("task-master", "subtask id twice", r'"id": 2, ', '"id": 1, '),
    Defect("task-master", "id twice", r'"id": 2,\n', '"id": 1,\n', -1),
    Defect("task-master", "waits for itself", r'"dependencies": \[1\]', '"dependencies": [2]'),
    Defect("task-master", "unknown status", r'"status": "\w[\w-]*"', '"status": "nearly"'),
    Defect(
        "task-master",
        "done with an open subtask",
        r'"id": 2, (.*)"status": "done"',
        r'"id": 2, \1"status": "pending"',
        -10,
    ),
    Defect("task-master", "dependencies of another type", r'"dependencies": \[.*\]', '"dependencies": "2"'),
    Defect("task-master", "circle", r'"dependencies": \[\],\n( +"test)', r'"dependencies": [2],\n\1'),
    Defect("autospec-tasks", "waits for no task", r"dependencies: \[T.*\]", "dependencies: [T099]"),
    Defect("autospec-tasks", "id twice", r"id: T00[2-4]", "id: T001"),
    Defect("autospec-tasks", "waits for itself", r"dependencies: \[T002.*\]", "dependencies: [T004]"),
    Defect(
        "autospec-tasks", "circle", r"dependencies: \[\]\n( +acceptance_criteria: \[the t)", r"dependencies: [T004]\n\1"
    ),
    Defect("autospec-tasks", "total", r"total_tasks: 4", "total_tasks: 5"),
    Defect("autospec-tasks", "total of phases", r"total_phases: 2", "total_phases: 3"),
    Defect("autospec-tasks", "unknown status", r"(?<=  )status: \w+", "status: Nearly"),
    Defect("autospec-tasks", "blocked without a reason", r" +blocked_reason: .*\n", "", -1),
    Defect("autospec-tasks", "group names no task", r"tasks: \[T002, T003\]", "tasks: [T002, T033]"),
    Defect("workflow-jobs", "waits for no job", r"needs: \[test, lint\]", "needs: [test, lind]"),
    Defect("workflow-jobs", "circle", r"  (test|lint):\n", r"  \1:\n    needs: publish\n", None),
    Defect("workflow-jobs", "job twice", r"  lint:\n", "  test:\n"),
    Defect("workflow-jobs", "job of another type", r"  lint:\n(    .*\n)+", "  lint: later\n"),
    Defect("crewai-tasks", "waits for no task", r"\[research_task\]", "[search_task]"),
    Defect("crewai-tasks", "waits for itself", r"\[research_task\]", "[writing_task]"),
    Defect("planexe-dependencies", "lists of two lengths", r'\["The store comes first\."', "[", 0),
    Defect("atomicguard", "waits for no step", r'"dependencies": \["store"\]', '"dependencies": ["stored"]'),
    Defect("atomicguard", "id twice", r'"step_id": "endpoint"', '"step_id": "store"', -1),
    Defect("atomicguard", "token that nothing gives", r'"preconditions": \["\w+"\]', '"preconditions": ["moon"]'),
    Defect("atomicguard", "goal that nothing gives", r'"goal_state": \["served"\]', '"goal_state": ["moon"]'),
    Defect("task-list", "waits for no task", r'"blockedBy": \["1"\]', '"blockedBy": ["7"]'),
    Defect("task-list", "id twice", r'"id": "[23]"', '"id": "1"'),
    *(
        Defect(name, "unknown status", r'"status": "\w+"', '"status": "nearly"')
        for name in ("task-list", "update-plan")
    ),
    Defect("step-list", "names no step", r"\$1", "$9"),
    Defect("update-plan", "two at once", r'"pending"', '"in_progress"'),
    Defect("superpowers-sidecar", "number twice", r'"number": "2"', '"number": "1"', -1),
    Defect("superpowers-sidecar", "no goal", r'"goal": ".*"', '"goal": ""'),
    Defect("planexe-wbs-project", "id twice", r'"id": "b-1"', '"id": "a-1"'),
    Defect("planexe-wbs2", "id twice", r'"id": "a-3"', '"id": "a-2"'),
)


def _file(name: str) -> Path:
    """Return the fixture of a format."""
    return next(path for path in PLANS.iterdir() if path.stem == name)


def injected(defect: Defect) -> Iterator[tuple[str, int]]:
    """Yield the damaged texts of a defect, each with the line on which it should be found; `WHOLE` for none."""
    text = _file(defect.format).read_text(encoding="utf-8")
    code = [(one.start(), one.end()) for one in re.finditer(r"(?ms)^```.*?^```", text)]
    for found in re.finditer(defect.pattern, text):
        if any(start <= found.start() < end for start, end in code):
            continue
        damaged = text[: found.start()] + found.expand(defect.replacement) + text[found.end() :]
        line = text.count("\n", 0, found.start()) + 1
        skipped = len(found[0]) - len(found[0].lstrip("\n"))
        yield damaged, WHOLE if defect.down is None else line + skipped + defect.down


def is_found(defect: Defect, damaged: str, line: int) -> bool:
    """Return whether the damage gives a finding that the sound plan has not, on its line."""
    sound = _findings(defect.format, _file(defect.format).read_text(encoding="utf-8"))
    new = _findings(defect.format, damaged) - sound
    return bool(new) if line == WHOLE else any(at == line for _, at in new)


@cache  # the sound plan is asked for with each damaged one, and all of them once more for the page
def _findings(name: str, text: str) -> frozenset[tuple[str, int]]:
    path = _file(name).name
    report = policy_of([name]).judge({path: text}, forced=[path])[path]
    return frozenset((one.code, one.span.line if one.span else WHOLE) for one in report.findings)
