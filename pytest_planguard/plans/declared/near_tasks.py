"""Headings that look like tasks of a described format and that its pattern does not take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model.elements import Defect
from ..model.place import Place
from ..reading.left_out import CODE
from ..reading.task_forms import headed_task

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ..reading.outline import Block
    from .settings import TaskSettings

_LEAD = re.compile(r"[*_`~\W]*([^\W\d_]+)")
"""The word that a pattern begins with: "Step" of "Step {id}: {title}"."""
_AROUND = " \t*_`~:.,;()[]—–-"
"""What may stand around an id: "[R-05]", "R-05:"."""


def near_tasks(blocks: Sequence[Block], tasks: TaskSettings, read: Collection[int]) -> Iterator[Defect]:
    """Yield a defect for each heading that begins like a task, or with an id, and was read as neither task nor section.

    Args:
        blocks: the outline.
        tasks: how tasks look; only headings of their level are looked at.
        read: lines of the headings that were read.
    """
    for block in blocks:
        wanted = block.kind == "heading" and tasks.level in (None, block.level) and block.line not in read
        if wanted and headed_task(block.text) is None and _looks_like_one(block.text, tasks):
            yield _defect(
                block, tasks, f"the heading {block.text[:60]!r} looks like a {tasks.noun} and was not read as one"
            )


def misplaced_tasks(candidates: Sequence[Block], tasks: TaskSettings) -> Iterator[Defect]:
    """Yield a defect for the first of the headings that look like tasks and do not stand below `tasks.under`."""
    for block in candidates[:1]:
        message = f"the {tasks.noun} {block.text[:60]!r} does not stand below a heading {tasks.under!r}"
        yield _defect(block, tasks, message)


def _looks_like_one(text: str, tasks: TaskSettings) -> bool:
    """Return whether a heading begins with the pattern's own word, or has an id among its first two words.

    "Step (owner: ops)" and "Stp R-05 Restart" where a task is "Step R-05 …"; not "Notes on R-05".
    """
    words = [word.strip(_AROUND) for word in text.split(maxsplit=2)[:2]]
    lead = _LEAD.match(tasks.pattern.partition("{")[0])
    if lead is not None and words and words[0].casefold() == lead[1].casefold():
        return True
    return "{id}" in tasks.pattern and any(re.fullmatch(tasks.id, word, re.IGNORECASE) for word in words)


def _defect(block: Block, tasks: TaskSettings, message: str) -> Defect:
    return Defect(CODE, message, Place(("unread", block.line), block.at()), f"{'#' * block.level} {tasks.pattern}")
