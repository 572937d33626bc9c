"""A change's tasks.md (`## 1. Group`, `- [ ] 1.1 text`)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.plan import Defect, Traits
from ...reading.dependency_text import WAITS_FOR, ids_after
from ...reading.named_files import files_in
from ..task_drafts import Collector, Draft
from ..unboxed_tasks import unboxed_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...model.plan import Plan
    from ...reading.outline import Block
    from ...reading.source import Source

_GROUP = re.compile(r"(?P<number>\d+)[.)][ \t]*")
_TASK = re.compile(
    r"(?:\*\*)?(?:Task[ \t]+(?=\d))?(?P<id>\d+[a-z]?(?:\.\d+)+[a-z]?|\d{1,3}(?=[.)][ \t])|T\d{3,}[a-z]?|"
    r"[A-Z]{1,4}-\d+(?=[ \t:：.)])|[A-Z]{1,2}\d+(?=[:：]))"
    r"(?:\*\*)?[ \t]*[.:：)]?(?:[ \t]+|$)"
)
"""The id of a task: "1.2", "T003", and those of teams of their own: "T-4: Improve it"."""
_HEADED = re.compile(r"(?P<id>TASK-(?:[A-Z]+\d*-)?\d+)\b[ \t]*[:：.—–-]?[ \t]*", re.IGNORECASE)
"""A task that is a heading with its boxes below: "#### TASK-M1-010: Login"."""
_NUMBERED = re.compile(r"(?:\*\*)?(?P<group>\d+)\.\d+(?:\.\d+)*(?:\*\*)?[.:)]?[ \t]+\S")
_NUMBER = r"\d+(?:\.\d+)+"
_DEPENDS = re.compile(rf"\b(?:{WAITS_FOR}|after)[ \t]+(?=(?:tasks?[ \t]+)?\d+\.\d)", re.IGNORECASE)
"""What introduces the tasks that a task waits for: "(depends on 1.2)", "after 1.1"."""

TRAITS = Traits(
    id_pattern=r"\d+[a-z]?(\.\d+)*[a-z]?|T\d{3,}[a-z]?|[A-Z]{1,4}-?\d+|TASK-[\w-]+", id_example="1.1", ids_optional=True
)


def read(source: Source) -> Plan:
    """Read a task list in numbered groups."""
    collector = Collector(source)
    defects: list[Defect] = []
    headed: Draft | None = None
    for block in collector.blocks:
        if block.kind == "heading" and (named := _HEADED.match(block.text)) is not None:
            headed = collector.task(block, named["id"], block.text[named.end() :].strip(), named.start("id"))
        elif block.kind == "heading" and block.level > 1:
            headed = None if headed is None or block.level <= headed.level else headed
            found = _GROUP.match(block.text)
            title = block.text[found.end() :] if found else block.text
            collector.section(block, title, number=found["number"] if found else None)
        elif block.kind == "item" and (block.mark is not None or _lists_a_task(collector, block)):
            _task(collector, block, defects, headed)
    if not any(block.mark is not None for block in collector.blocks):
        defects += [*_numbered_headings(collector), *unboxed_tasks(collector)]
    plan = collector.plan("openspec-tasks", TRAITS)
    return replace(plan, defects=(*defects, *plan.defects))


def _numbered_headings(collector: Collector) -> Iterator[Defect]:
    """Read "### 2.1 Add the signature" as a task, in a list that has no box at all and yields one defect for all."""
    if collector.tasks:
        return
    for block in collector.blocks:
        found = _TASK.match(block.text) if block.kind == "heading" and block.level > 2 else None
        if found is not None and "." in found["id"] and not block.text.startswith("Task"):  # each of those is said
            collector.task(block, found["id"], block.text[found.end() :].strip(), found.start("id"))
    if collector.tasks:
        first = collector.tasks[0]
        message = f"the {len(collector.tasks)} tasks are headings"
        yield Defect("task-form", message, first.place, f"- [ ] {first.id} {first.title}"[:80], is_habit=True)


def _lists_a_task(collector: Collector, block: Block) -> bool:
    """Return whether an item without a box is a task: it has a number of the group that it stands in."""
    found = _NUMBERED.match(block.text)
    number = collector.sections[-1].number if collector.sections else None
    return found is not None and block.owner < 0 and number is not None and found["group"] == number


def _task(collector: Collector, block: Block, defects: list[Defect], headed: Draft | None) -> None:
    """A box is a task; a box inside another, or below a headed task, is its subtask."""
    found = _TASK.match(block.text)
    start = found.end() if found else 0
    title = block.text[start:].split("\n", 1)[0].strip()
    draft = collector.task(block, found["id"] if found else None, title, found.start("id") if found else 0)
    draft.parent = _parent(collector, block) or (headed.key if headed is not None else None)
    if block.mark is None:
        seen = f"- {title}"[:60]
        defects.append(
            Defect("task-form", f"task {draft.id} has no checkbox", draft.place, f"- [ ] {draft.id} …", seen)
        )
    for depends in _DEPENDS.finditer(block.text):
        for name, offset in collector.counted(ids_after(block.text, depends.end(), len(block.text), _NUMBER)):
            collector.edge(draft, name, block, offset)
    draft.files += [collector.ref(draft, "files", name, block, at) for name, at in files_in(block.text)]


def _parent(collector: Collector, block: Block) -> str | None:
    """Key of the task whose item this item stands in."""
    if block.owner < 0 or not collector.tasks:
        return None
    item = collector.blocks[block.owner]
    line = item.text_line if item.columns else -1
    owner: Draft | None = next((task for task in reversed(collector.tasks) if task.place.line == line), None)
    return owner.key if owner else None


def render(plan: Plan) -> str:
    """Return the plan as a task list in numbered groups. Every task needs a section."""
    lines = [f"# {plan.title}"] if plan.title else []
    for number, section in enumerate(plan.sections):
        lines += ["", f"## {section.number}. {section.title}" if section.number else f"## {section.title}", ""]
        for task in plan.tasks:
            if task.section == number:
                mark = "x" if task.status is not None and not task.status.open else " "
                lines.append(f"- [{mark}] {task.id + ' ' if task.id else ''}{task.title}")
    return "\n".join(lines).lstrip("\n") + "\n"
