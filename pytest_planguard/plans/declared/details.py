"""Read the details of tasks in a described format, and find misspelt labels: "Need:" for "Needs:"."""

import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache

from ..plan import Defect, Place
from ..reading.named_in_text import files_in, ids_after
from ..reading.outline import Block
from ..reading.task_drafts import Collector, Draft
from .settings import TaskSettings, is_label, label

_WRITTEN = re.compile(r"^[ \t*_`~]{0,8}([^\W\d_][^\n:：*_`~]{2,30})[ \t*_`~]{0,8}[:：]", re.MULTILINE)
"""Words before a colon at the beginning of a line, in bold or not: "Depend on:", "**Verfy**:"."""
_LIKE = 0.8
"""Similarity of a typo, from 0 to 1: "need" and "needs" have 0.89, "stauts" and "status" 0.83; "test", "text" 0.75."""


@lru_cache(maxsize=1024)  # the same words precede the colons of every task
def _near(written: str, labels: tuple[str, ...]) -> str | None:
    """Return the label that lower-case words misspell; None if they are a label or resemble none."""
    known = {" ".join(label.rstrip(":： ").split()).casefold(): label for label in labels}
    near = [] if written in known else get_close_matches(written, known, n=1, cutoff=_LIKE)
    return known[near[0]] if near else None


_NOTHING = re.compile(r"(?:none|nothing|no\b.*|n/?a|[-–—]+|)[.!]?", re.IGNORECASE)
"""A statement without a dependency: "none", "N/A", "-"."""
_SEPARATOR = re.compile(r"[,;、，]|\band\b|&")  # "S1, S2 and S3"
_CLAUSE = re.compile(r"[^;.\n()]*")  # the clause after a phrase in running text: "after S1 and S2"
_QUOTED = re.compile(r"`([^`\s]+)`")  # "`src/a.py`"
_ASIDE = 200  # characters between a parenthesis and a label in it: "(small, but depends on: S1)"
_MARKS = " \t*_`\"'"  # around a word: "**done**"


class DetailReader:
    """Reads the blocks that belong to tasks, in order."""

    def __init__(self, tasks: TaskSettings, collector: Collector) -> None:
        self.tasks, self.collector = tasks, collector
        self.defects: list[Defect] = []
        status = () if tasks.status is None else (tasks.status.label,)
        self._labels = tuple(filter(is_label, (*tasks.depends, *tasks.files, *tasks.required, *status)))
        self._seen: dict[str, set[str]] = {}
        """The required labels of each task that has them, by its key."""
        self.slips: dict[tuple[str, str], Defect] = {}
        """The first misspelling of each label in a task, by the task's key and the label."""
        self._open: tuple[str, str, int] | None = None
        """The label whose list is being read: key of the task, "depends" or "files", and the label's level."""

    def read(self, task: Draft, block: Block) -> None:
        """Read one block of a task."""
        listing, self._open = self._open, None
        if listing is not None and listing[0] == task.key and block.kind == "item" and block.level > listing[2]:
            self._open = listing  # the list continues
            read = self._file_names if listing[1] == "files" else self._names
            read(task, block, 0, (block.text + "\n").index("\n"))
        for phrase in self.tasks.depends:
            self._depends(task, block, phrase)
        for phrase in self.tasks.files:
            self._files(task, block, phrase)
        self._status(task, block)
        seen = self._seen.setdefault(task.key, set())
        seen |= {one for one in self.tasks.required if label(one).search(block.text)}
        for written in _WRITTEN.finditer(block.text) if self._labels and block.kind != "heading" else ():
            one = _near(" ".join(written[1].split()).casefold(), self._labels)
            if one is None:
                continue
            place = Place((*task.place.path, "labels", written[1]), block.at(written.start(1), written.end()))
            message = f"{written[1]!r} of {self.tasks.noun} {task.id or task.title} is not a label of this format"
            defect = Defect("task-form", message, place, one, f"{written[1]}:", f'did you mean "{one}"?')
            self.slips.setdefault((task.key, one), defect)

    def missing(self) -> Iterator[Defect]:
        """Yield the labels that tasks lack."""
        for task in self.collector.tasks:
            for one in self.tasks.required if task.parent is None else ():
                if one not in self._seen.get(task.key, ()):
                    name = task.id or task.title
                    message = f"{self.tasks.noun} {name} has no {one.rstrip(': ')}"
                    yield Defect("required-sections", message, task.place, f"a line with {one}")

    def _depends(self, task: Draft, block: Block, phrase: str) -> None:
        if not is_label(phrase):
            self.collector.waits(task, block, label(phrase), _CLAUSE, self.tasks.id)
        for found, following in _with_next(label(phrase), block.text) if is_label(phrase) else ():
            end = min(_line_end(block.text, found), following)
            if end == found.end():
                self._open = (task.key, "depends", block.level)
            self._names(task, block, found.end(), end)

    def _names(self, task: Draft, block: Block, start: int, end: int) -> None:
        """Read a list of tasks: ids, or other words that may name a section or be a misspelt id."""
        at = start
        for part in [*_SEPARATOR.finditer(block.text, start, end), None]:
            stop = part.start() if part else end
            self._name(task, block, at, stop)
            at = part.end() if part else end

    def _name(self, task: Draft, block: Block, start: int, end: int) -> None:
        text = block.text[start:end]
        word = re.sub(r"\([^()]*\)", "", text).strip(_MARKS).rstrip(".").strip()  # a blank may be a no-break space
        if _NOTHING.fullmatch(word):
            return
        offset = start + text.index(word) if word in text else start
        named = [*self.collector.counted(ids_after(block.text, start, end, self.tasks.id))]
        target = " ".join(word.split())
        sections = {section.key for section in self.collector.sections}
        words = word.split()  # one or two with a digit in the last may be a wrong id: "Step 9", "S-9b"
        may_be_id = len(words) <= 2 and any(character.isdecimal() for character in words[-1])
        if target in sections or (not named and may_be_id):
            self.collector.edge(task, word, block, offset, target)
        elif named:
            for name, at in named:
                self.collector.edge(task, name, block, at)
        else:
            place = self.collector.ref(task, "dependencies", word, block, offset).place
            message = f"{word[:60]!r} names no {self.tasks.noun}"
            self.defects.append(Defect("dep-unread", message, place, self.tasks.example))

    def _files(self, task: Draft, block: Block, phrase: str) -> None:
        for found, following in _with_next(label(phrase), block.text):
            end = min(_line_end(block.text, found), following) if is_label(phrase) else following
            if end == found.end():
                self._open = (task.key, "files", block.level)
            self._file_names(task, block, found.end(), end)

    def _file_names(self, task: Draft, block: Block, start: int, end: int) -> None:
        named = {found[1]: found.start(1) for found in _QUOTED.finditer(block.text, start, end)}
        named |= {name: start + at for name, at in files_in(block.text[start:end])}
        self.collector.files(task, block, named.items())

    def _status(self, task: Draft, block: Block) -> None:
        settings = self.tasks.status
        found = label(settings.label).search(block.text) if settings is not None else None
        if settings is None or found is None:
            return
        text = block.text[found.end() : _line_end(block.text, found)]
        task.status_text = text.strip(_MARKS)
        offset = found.end() + text.index(task.status_text)
        span = self.collector.ref(task, "status", task.status_text, block, offset).place.span
        task.status_place = replace(task.place.sub("status"), span=span)
        task.status = settings.meaning(task.status_text)


def _with_next(pattern: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], int]]:
    """Yield each label with the offset of the next one: the same label begins another list, and each reads its own."""
    labels = [*pattern.finditer(text)]
    yield from zip(labels, [*(one.start() for one in labels[1:]), len(text)], strict=False)


def _line_end(text: str, found: re.Match[str]) -> int:
    """Return the end of the list after a label: the end of the line, or of the parenthesis around the label."""
    end = text.find("\n", found.end())
    end = len(text) if end < 0 else end
    before = max(0, found.start() - _ASIDE)
    opened = text.rfind("(", before, found.start()) > text.rfind(")", before, found.start())
    closing = text.find(")", found.end(), end) if opened else -1
    return end if closing < 0 else closing
