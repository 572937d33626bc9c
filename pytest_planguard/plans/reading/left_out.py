"""What looks like a task in a document and was not read as one."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from ..model.elements import Defect
from ..model.place import Place
from .section_names import names_section
from .task_forms import headed_task

if TYPE_CHECKING:
    from .outline import Block

CODE = "unread-tasks"
"""The rule that reports it."""
_TABLE_ROW = re.compile(r"^\|[ \t]*\**(?:T\d{3,}|TASK-\d+|Task \d+)\b", re.MULTILINE)
"""A row of a table of tasks: "| T001 | Write the parser |"."""


def left_out(blocks: Sequence[Block], read: Container[int]) -> Iterator[Defect]:
    """Yield a defect for each section whose boxes or headings look like tasks and were left out.

    Args:
        blocks: the outline.
        read: lines of the blocks that were read as tasks or as parts of them.
    """
    boxes: dict[int, list[Block]] = {}
    groups = _groups(blocks, read)
    for at, block in enumerate(blocks):
        if block.line in read or at in groups:
            continue
        if block.kind == "item" and block.mark is not None:
            boxes.setdefault(block.section, []).append(block)
        elif block.kind == "heading" and (task := headed_task(block.text)) is not None:
            yield _defect(block, f"the heading {block.text[:60]!r} looks like task {task.id} and was not read as one")
        elif block.kind == "text" and (rows := _TABLE_ROW.findall(block.text)):
            if is_checklist(blocks, block.section):
                continue  # "## Debug Log" with a column of tasks
            yield _defect(block, f"a table with {len(rows)} row{'s' * (len(rows) > 1)} of tasks was not read")
    for section, items in boxes.items():
        title = blocks[section].text if section >= 0 else ""
        if not is_checklist(blocks, section):
            yield _unread(title, items)


def _groups(blocks: Sequence[Block], read: Container[int]) -> set[int]:
    """Return the headings right below which boxes were read: "#### TASK-000: Setup" names a group of them."""
    return {block.section for block in blocks if block.mark is not None and block.line in read}


def _unread(title: str, items: Sequence[Block]) -> Defect:
    where = f" under {title[:60]!r}" if title else ""
    many = (
        f"{len(items)} checkboxes{where} were not read as tasks"
        if len(items) > 1
        else f"a checkbox{where} was not read as a task"
    )
    return _defect(items[0], many, items)


def _defect(block: Block, message: str, boxes: Sequence[Block] = ()) -> Defect:
    return Defect(CODE, message, _place(block), boxes=tuple(map(_place, boxes)))


def _place(block: Block) -> Place:
    return Place(("unread", block.line), block.at(0, len(block.text.split("\n", 1)[0])))


def is_checklist(blocks: Sequence[Block], section: int) -> bool:
    """Return whether the boxes of a section are a list of checks: its heading says so, or one above it."""
    level = 7
    while section >= 0:
        heading = blocks[section]
        if heading.level < level:
            level = heading.level
            if "checklist" in heading.text.lower() or names_section(heading.text, "checklist"):
                return True
            if names_section(heading.text, "dependencies"):
                return True
        section = heading.section if level > 2 else -1
    return False
