"""Tasks of plans in which no task has the form that the format asks for: headings, and items of a numbered list."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..model.plan import Defect
from ..reading.left_out import is_checklist
from ..reading.section_names import names_section
from ..reading.task_forms import headed_task

if TYPE_CHECKING:
    from ..reading.outline import Block
    from .task_drafts import Collector, Draft


def unboxed_tasks(collector: Collector) -> Iterator[Defect]:
    """Read headings such as "Task 3: Parser", else the numbered items below a heading that names tasks.

    Yields a defect for each, since tools that look for the format's own form see no task at all.
    """
    if collector.tasks:
        return
    for block in collector.blocks:
        task = headed_task(block.text) if block.kind == "heading" and block.level > 1 else None
        if task is not None:
            title = block.text[task.end :].strip()
            yield _other_form(collector.task(block, task.id, title, task.offset), "is a heading", block)
    if not collector.tasks:
        for block in collector.blocks:
            if block.number is not None and block.owner < 0 and _below_tasks(collector, block):
                title = block.text.split("\n", 1)[0].strip(" *")
                yield _other_form(collector.task(block, block.number, title), "has no checkbox", block)


def _below_tasks(collector: Collector, block: Block) -> bool:
    if block.section < 0:
        return False
    heading = collector.blocks[block.section].text
    return names_section(heading, "tasks") or names_section(heading, "steps", whole=True)


_BOX_ID = re.compile(r"(?:\*\*|`)?(?P<id>\d{1,3}(?:\.\d+)*[a-z]?)[.:)]?(?:\*\*|`)?[.:]?[ \t]+(?=\S)")
"""The id of a box: "1a. Read it", "**2.1** Write it"."""


def unheaded_tasks(collector: Collector) -> Iterator[Defect]:
    """Read the boxes of a plan that heads no task, but for its checklists, each as a task. Yield one defect for all."""
    if collector.tasks:
        return
    for block in collector.blocks:
        if block.kind != "item" or block.mark is None or is_checklist(collector.blocks, block.section):
            continue
        if block.owner >= 0 and collector.blocks[block.owner].line in collector.read:
            collector.read.add(block.line)  # a box inside a task's box is a part of it
            continue
        found = _BOX_ID.match(block.text)
        title = block.text[found.end() if found else 0 :].split("\n", 1)[0].strip(" *")
        scope = collector.blocks[block.section].text if block.section >= 0 and found else ""
        collector.task(block, found["id"] if found else None, title, found.start("id") if found else 0, scope=scope)
    if collector.tasks:
        first, many = collector.tasks[0], len(collector.tasks)
        message = f"no task has a header; {many} checkbox{'es are' if many > 1 else ' is'} read as tasks"
        yield Defect("header-format", message, first.place, f"### Task 1: {first.title}"[:80], is_habit=True)


def _other_form(draft: Draft, what: str, block: Block) -> Defect:
    collected = draft.id or block.number
    expected = f"- [ ] {collected} {draft.title}"[:80]
    return Defect("task-form", f"task {collected} {what}", draft.place, expected, block.text.split("\n", 1)[0][:60])
