"""Tasks in other forms than the format's own, such as headings, and parts that look like tasks but were left out."""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..plan import Defect, Place
from .outline import DONE, Block
from .section_names import names_section

WORDS = (
    *("task", "tasks", "任务", "任務", "タスク", "작업", "태스크", "tarea", "tarefa", "tâche", "aufgabe", "задача"),
    *("compito", "taak", "zadanie"),
)
"""The word for a task in the languages of plans, in lower case."""
SUFFIX = r"(?:[A-Za-z](?![A-Za-z0-9])|(?:\.\d{1,2}){1,2}|-[A-Za-z](?![A-Za-z0-9]))?"
"""The suffix of a number: "T024a", "T063.1", "T024-A"."""
T_ID = rf"T\d{{3,}}{SUFFIX}"
"""An id of spec-kit: "T001", "T063.1"."""
_LEAD = (
    r"(?:[-*][ \t]+)?"  # "### - [x] T019": a list item's bullet in a heading
    r"(?:(?:Phase|Part|Wave|Chunk|Milestone|Stage)[ \t]+\w{1,4}[ \t]*[:—–-][ \t]*(?=Task\b))?"  # "Phase 1 — Task 1: …"
    r"(?:\[(?P<mark>[ xX~\-✓✔]?)\][ \t]*)?"  # "### [x] Task 2"
    r"(?P<sign>(?:[^\w\s\[\]()#*`\"'<>|-]\ufe0f?[ \t]*){0,2})"  # "### ✅ Task 2"
    r"(?:\*\*|~~)?"
)
# "✅ Task 2: Parser", "[T004] Parser", "TASK-001 — Parser"
_HEADED = re.compile(
    rf"{_LEAD}(?P<bracket>\[?)(?:(?P<word>{'|'.join(WORDS)})[ \t]*[-#]?[ \t]*)?"
    rf"(?P<id>T-?\d{{1,4}}{SUFFIX}|[A-Z]?\d+(?:\.\d+)*[a-z]?)\]?(?:\*\*|~~)?"
    rf"(?P<mark2>[ \t]*(?:[:：.)—–-]|$)|(?=[ \t]))[ \t]*",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?:[-–—~]|[ \t](?:-|–|to|through|~)[ \t])T?\d", re.IGNORECASE)
"""The rest of a range: "T001-T005", "Tasks 1 to 3"; not the dash before a title: "Task A2 — T3 is called"."""


@dataclass(frozen=True, slots=True)
class HeadedTask:
    """A task that a heading names."""

    id: str
    """As written, without brackets: "T004", "2.1", "TASK-001"."""
    offset: int
    """Start of the id in the heading's text."""
    end: int
    """Start of the title."""
    done: bool
    """True if a mark or sign says that it is done: "[x]", "✅"."""


def headed_task(text: str) -> HeadedTask | None:
    """Return the task that a heading names: "T004: Parser", "✅ Task 2: Parser", "任务 3", "TASK-001 Parser".

    A bare number ("3. Parser") does not count, since any section may be numbered. A range ("T001-T005") names a group.
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
    done = not DONE.isdisjoint([(found["mark"] or "").lower(), *found["sign"]])
    return HeadedTask(name, start, found.end(), done)


_LABEL = re.compile(r"\*\*[^*\n]+\*\*[:：]?|[^\n]*[:：](?:\*\*)?")
"""A paragraph that introduces a list: "**Improvements completed**:", "What was done:"."""


def done_notes(blocks: Iterable[Block], has_id: Callable[[Block], bool]) -> Iterator[int]:
    """Yield the lines of boxes that only note what was done: several below a label, all checked, none with an id."""
    labelled = False
    run: list[Block] = []
    for block in [*blocks, None]:  # None ends a list that ends the document
        if block is not None and block.kind == "item" and labelled:
            run += [block] if block.owner < 0 else []
            continue
        if len(run) > 1 and all(one.mark in ("x", "X") and not has_id(one) for one in run):
            yield from (one.line for one in run)
        labelled, run = block is not None and block.kind == "text" and _LABEL.fullmatch(block.text) is not None, []


UNREAD_TASKS = "unread-tasks"
"""The rule that reports it."""
_TABLE_ROW = re.compile(r"^\|[ \t]*\**(?:T\d{3,}|TASK-\d+|Task \d+)\b", re.MULTILINE)
"""A row of a table of tasks: "| T001 | Write the parser |"."""


def left_out(blocks: Sequence[Block], read: Container[int]) -> Iterator[Defect]:
    """Yield a defect for each section with boxes or headings that look like tasks but are not on the lines `read`."""
    boxes: dict[int, list[Block]] = {}
    # headings right above boxes that were read: "#### TASK-000: Setup" names a group of them
    groups = {block.section for block in blocks if block.mark is not None and block.line in read}
    for at, block in enumerate(blocks):
        if block.line in read or at in groups:
            continue
        if block.kind == "item" and block.mark is not None:
            boxes.setdefault(block.section, []).append(block)
        elif block.kind == "heading" and (task := headed_task(block.text)) is not None:
            yield _defect(block, f"the heading {block.text[:60]!r} looks like task {task.id} but was not read as one")
        elif block.kind == "text" and (rows := _TABLE_ROW.findall(block.text)):
            is_log = is_checklist(blocks, block.section)  # "## Debug Log" with a column of tasks
            if not is_log:
                yield _defect(block, f"a table with {len(rows)} row{'s' * (len(rows) > 1)} of tasks was not read")
    for section, items in boxes.items():
        if not is_checklist(blocks, section):
            where = f" under {blocks[section].text[:60]!r}" if section >= 0 and blocks[section].text else ""
            many = f"{len(items)} checkboxes{where} were not read as tasks"
            yield _defect(items[0], many if len(items) > 1 else f"a checkbox{where} was not read as a task", items)


def _defect(block: Block, message: str, boxes: Sequence[Block] = ()) -> Defect:
    place, *more = [Place(("unread", one.line), one.at(0, len(one.text.split("\n", 1)[0]))) for one in (block, *boxes)]
    return Defect(UNREAD_TASKS, message, place, boxes=tuple(more))


def is_checklist(blocks: Sequence[Block], section: int) -> bool:
    """Return True if the boxes of a section are a checklist, by its heading or one above it."""
    while section >= 0:
        heading = blocks[section]
        names = (names_section(heading.text, meaning) for meaning in ("checklist", "dependencies"))
        if "checklist" in heading.text.lower() or any(names):
            return True
        section = heading.section if heading.level > 2 else -1  # the title is about the whole plan, not its boxes
    return False


def wrong_total(what: str, stated: int, actual: int, place: Place) -> list[Defect]:
    """Return the defect of a wrong total that a plan states, of "tasks" for example; [] if it is right."""
    message = f"the plan states {stated} {what} but has {actual}"
    return [Defect("count-matches", message, place, str(actual), str(stated))] if stated != actual else []
