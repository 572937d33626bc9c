"""Tasks in other forms than a format's own: as headings, with ids in brackets, with other words, without a checkbox."""

from __future__ import annotations

import re
from dataclasses import dataclass

WORDS = (
    *("task", "tasks", "任务", "任務", "タスク", "작업", "태스크", "tarea", "tarefa", "tâche", "aufgabe", "задача"),
    *("compito", "taak", "zadanie"),
)
"""The word for a task in the languages that plans are written in, in lower case."""
SUFFIX = r"(?:[A-Za-z](?![A-Za-z0-9])|(?:\.\d{1,2}){1,2}|-[A-Za-z](?![A-Za-z0-9]))?"
"""What may follow a number: "T024a", "T063.1", "T024-A"."""
T_ID = rf"T\d{{3,}}{SUFFIX}"
"""An id of spec-kit: "T001", "T063.1"."""
_DONE = frozenset("✅✔✓☑")
_LEAD = (
    r"(?:[-*][ \t]+)?"  # "### - [x] T019": a list item's bullet in a heading
    r"(?:(?:Phase|Part|Wave|Chunk|Milestone|Stage)[ \t]+\w{1,4}[ \t]*[:—–-][ \t]*(?=Task\b))?"  # "Phase 1 — Task 1: …"
    r"(?:\[(?P<mark>[ xX~\-✓✔]?)\][ \t]*)?"  # "### [x] Task 2"
    r"(?P<sign>(?:[^\w\s\[\]()#*`\"'<>|-]\ufe0f?[ \t]*){0,2})"  # "### ✅ Task 2"
    r"(?:\*\*|~~)?"
)
_HEADED = re.compile(
    rf"{_LEAD}(?P<bracket>\[?)(?:(?P<word>{'|'.join(WORDS)})[ \t]*[-#]?[ \t]*)?"
    rf"(?P<id>T-?\d{{1,4}}{SUFFIX}|[A-Z]?\d+(?:\.\d+)*[a-z]?)\]?(?:\*\*|~~)?"
    rf"(?P<mark2>[ \t]*(?:[:：.)—–-]|$)|(?=[ \t]))[ \t]*",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?:[-–—~]|[ \t](?:-|–|to|through|~)[ \t])T?\d", re.IGNORECASE)
"""What makes a range: "T001-T005", "Tasks 1 to 3"; not the dash before a title: "Task A2 — T3 is called"."""


@dataclass(frozen=True, slots=True)
class HeadedTask:
    """A task that a heading names."""

    id: str
    """As written, without brackets: "T004", "2.1", "TASK-001"."""
    offset: int
    """Where the id begins in the heading's text."""
    end: int
    """Where the title begins."""
    word: str
    """The word before the id, "" where there is none."""
    done: bool
    """True where a mark or a sign says that it is done: "[x]", "✅"."""


def headed_task(text: str) -> HeadedTask | None:
    """Return the task that a heading names: "T004: Parser", "✅ Task 2: Parser", "任务 3", "TASK-001 Parser".

    A bare number ("3. Parser") names none: any section may be numbered. A range ("T001-T005") names a group of tasks.
    """
    found = _HEADED.match(text)
    if found is None:
        return None
    word, number = found["word"] or "", found["id"]
    if not word and not re.fullmatch(rf"T-?\d{{3,4}}{SUFFIX}", number):
        return None
    if _RANGE.match(text, found.end("id")) is not None:
        return None
    joined = text[found.start("word") : found.start("id")] if word else ""
    name = f"{word}-{number}" if joined.endswith("-") and word.isascii() else number
    start = found.start("word") if name != number else found.start("id")
    done = (found["mark"] or "").lower() in {"x", "✓", "✔"} or bool(_DONE & set(found["sign"]))
    return HeadedTask(name, start, found.end(), word, done)
