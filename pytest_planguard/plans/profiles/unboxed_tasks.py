"""Tasks of plans in which no task has the form that the format asks for: headings, and items of a numbered list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..model.plan import Defect
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
    return block.section >= 0 and names_section(collector.blocks[block.section].text, "tasks")


def _other_form(draft: Draft, what: str, block: Block) -> Defect:
    collected = draft.id or block.number
    expected = f"- [ ] {collected} {draft.title}"[:80]
    return Defect("task-form", f"task {collected} {what}", draft.place, expected, block.text.split("\n", 1)[0][:60])
