"""What a heading means, and what a text names, states and ticks off: one decider for each file of inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_planguard.plans.judging.judge_files import read_document
from pytest_planguard.plans.profiles.profile_table import PROFILES
from pytest_planguard.plans.reading.boxes import box_of
from pytest_planguard.plans.reading.dependency_text import ids_after, stated_dependencies
from pytest_planguard.plans.reading.id_lists import ids_in, listed_ids
from pytest_planguard.plans.reading.named_files import files_in
from pytest_planguard.plans.reading.section_names import SYNONYMS, names_section
from pytest_planguard.plans.reading.source import Source
from pytest_planguard.plans.reading.task_forms import T_ID, headed_task

from ...support.pins import Decide
from . import descriptions, pieces, sentences, settings

MEANINGS = (*sorted(SYNONYMS), "Notes")


def meanings(heading: str) -> str:
    """Return what a heading names; with a mark, what it names alone."""
    named = [meaning for meaning in MEANINGS if names_section(heading, meaning)]
    return ", ".join(f"{one}{'!' * names_section(heading, one, whole=True)}" for one in named)


def files(text: str) -> str:
    """Return the files that a text names."""
    return " ".join(f"{name}@{at}" for name, at in files_in(text))


_PATTERNS = (T_ID, r"\d+(?:\.\d+)*")
"""Expressions of ids: those of spec-kit, and numbers."""


def boxes(text: str) -> str:
    """Return the checkbox that an item begins with: its mark, a star, its length, and how it deviates."""
    box = box_of(text)
    return "none" if box is None else f"{box.mark!r}{'*' * box.starred} {box.length} {box.deviation}"


def headed(text: str) -> str:
    """Return the task that a heading names, with its place."""
    task = headed_task(text)
    return "none" if task is None else f"{task.id}@{task.offset}-{task.end} {task.word!r}{' done' * task.done}"


def stated(text: str) -> str:
    """Return what waits for what, in ids of each form."""
    pairs = [pair for pattern in _PATTERNS for pair in stated_dependencies(text, pattern)]
    return ", ".join(f"{one.waiting.id}@{one.waiting.offset} after {one.first.id}@{one.first.offset}" for one in pairs)


def ids(text: str) -> str:
    """Return the ids of each form in a text; those of the list that it begins with; and those behind its third word."""
    start = len(text) - len(text.split(" ", 2)[-1])
    ways = (
        [_shown(ids_in(text, re.compile(pattern))) for pattern in _PATTERNS],
        [_shown(listed_ids(text, 0, pattern)) for pattern in _PATTERNS],
        [_shown(ids_after(text, start, len(text), pattern)) for pattern in _PATTERNS],
    )
    return "; ".join(" ".join(filter(None, way)) or "-" for way in ways)


def _shown(named: Iterable[tuple[str, int]]) -> str:
    few = [f"{name}@{at}" for name, at in named]
    return " ".join(few if len(few) < 20 else [*few[:2], f"({len(few)})", few[-1]])


def signs_of(text: str) -> str:
    """Return how surely each Markdown format takes a text for its own, by its signs alone."""
    source = Source(read_document(text, "a.md"), "a.md")
    scores = {one.name: one.score(source) for one in PROFILES if one.medium == "markdown"}
    return ", ".join(f"{name} {score}" for name, score in scores.items() if score) or "-"


DECIDERS: dict[str, Decide] = {
    "headings": meanings,
    "files": files,
    "boxes": boxes,
    "headed": headed,
    "stated": stated,
    "ids": ids,
    "signs_of": signs_of,
    "comments": settings.comments,
    **sentences.DECIDERS,
    **pieces.DECIDERS,
    **descriptions.DECIDERS,
}
