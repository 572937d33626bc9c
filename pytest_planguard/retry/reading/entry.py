"""One error in the words of feedback, and a text that a request adds, with its errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...document.path import Path

Place = tuple[str, ...]
"""A path whose segments are texts, since feedback does not distinguish index 0 from key "0"; () is the root."""

PATH_LIMIT = 300
"""Maximum number of characters of a path spelling to read; no real path is longer."""
ROOTS = frozenset({"#", "/", "(whole answer)", "(root)", "root", "<root>", "__root__", "(whole document)", "document"})
"""Spellings of the whole answer. "$", "." and an empty text also mean it, but have no segment to list."""
ROOT_NAMES = frozenset(
    {"data", "response", "instance", "input", "value", "body", "payload", "document", "answer", "output", "result"}
    | {"object", "obj", "json", "_"}
)
"""Validators' names for the whole answer, as in `data.tasks[0]` and `instance.goal`."""
_OF_THE_WHOLE = frozenset({"non_field_errors", "nonfielderrors", "_schema", "__all__", "_errors", "_root", "__root__"})
"""Keys after a place that show that the error is about the whole value there, not about one of its fields."""
# "tasks -> 0 -> id", "tasks › 0", "tasks > 0": signs between the steps of a path.
_ARROW = re.compile(r"\s*(?:->|[→›»]|\s>\s)\s*")
# One step: "['due date']", "[0]", "name".
_SEGMENT = re.compile(r"""\[\s*(?:"([^"\]]*)"|'([^'\]]*)'|([^\]'"]*))\s*\]|([^.\[\]]+)""")
# A path as Python or JSON prints it: "('tasks', 0, 'status')", "deque(['tasks', 0, 'status'])".
_LISTED = re.compile(r"(?:deque\()?[\[(]([\w\s\"'$.-]*,[\w\s\"'$,.-]*)[\])]\)?")
# Pydantic's additions to a place for a member of a union or a key: "Cat", "function-after[check(), Cat]", "[key]",
# "int".
_TAG = re.compile(r"(?:[a-z-]+\[.*|\[?key\]?|[A-Z]\w*|int|float|str|bool|none)\Z")


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """One error that a text reports."""

    path: Place | None
    """The place as written; () for the whole answer, None if the text names no place."""
    code: str | None
    """The validator's code; None if the text has none."""
    message: str
    start: int
    """Position of the first character of the entry in the text."""
    end: int
    """Position after its last character."""

    @classmethod
    def at(cls, place: str, message: str, start: int, end: int, *, code: str | None = None) -> ErrorEntry:
        """Return the entry for a place in any spelling, such as `tasks.0.id`, `tasks[0].id` or `/tasks/0/id`."""
        return cls(parse_place(place), code, message, start, end)


@lru_cache(maxsize=4096)  # called for every finding and every error in the feedback
def place(path: Path) -> Place:
    """Return a finding's path as feedback may spell it, segment by segment."""
    return tuple(str(segment) for segment in path)


def parse_place(spelling: str) -> Place:
    """Return one place for all of `tasks.0.id`, `tasks[0].id`, `/tasks/0/id`, `tasks -> 0 -> id`, `(…, 0, …)`."""
    text = spelling[:PATH_LIMIT].strip().strip("`'\"*").strip()
    if text.lower() in ROOTS:
        return ()
    if listed := _LISTED.fullmatch(text):
        return tuple(part.strip("'\" ") for part in listed[1].split(",") if part.strip())
    if text.startswith(("/", "#/")) or text.partition("/")[0] in ROOT_NAMES:
        steps = text.removeprefix("#").removeprefix("/").split("/")
        return tuple(step.replace("~1", "/").replace("~0", "~") for step in steps)
    steps = _SEGMENT.findall(_ARROW.sub(".", text).removeprefix("$"))
    return tuple("".join(groups).strip() for groups in steps)


def same_place(written: Sequence[str], path: Path, data: object = None) -> bool:
    """Return True if a place in feedback is exactly the finding's path, except for names that are not keys.

    Such names mean the whole answer ("data.tasks"), the whole value ("tasks._errors"), or a member of a union in
    pydantic ("pet", "Cat", "name"). Without the document `data`, only well-known ones are ignored. Keys that the
    document lacks may have the spelling of another programming language: `invoiceNo` for `invoice_no`.
    """
    wanted = place(path)
    if tuple(written) == wanted:
        return True
    if not _names(wanted) <= _names(tuple(written)):  # every other spelling only adds segments to the path's own
        return False
    here, reached = data, 0
    for at, segment in enumerate(written):
        there, below = step(here, segment)
        following = wanted[reached] if reached < len(wanted) else ""
        if reached < len(wanted) and (segment == following or (not there and _folded(segment) == _folded(following))):
            here, reached = below if there else step(here, following)[1], reached + 1
        elif there or not _is_left_out(written, at, here):
            return False
    return reached == len(wanted)


@lru_cache(maxsize=4096)  # every finding asks about every place that the feedback names
def _names(segments: Place) -> frozenset[str]:
    return frozenset(map(_folded, segments))


def _folded(segment: str) -> str:
    return segment.replace("_", "").replace("-", "").casefold()


def _is_left_out(written: Sequence[str], at: int, here: object) -> bool:
    """Return True if a segment is not a key, although the document has nothing of that name at `here`.

    A capitalised word is a tag ("Cat") or a heading ("Failures"), not a place. But if it is the whole path, it may be a
    field of the answer: `Status` for `status`. In the middle of a path, any word is a tag, since discriminators have
    arbitrary values. The name of a list may follow an item's position: revalidator writes `extras.0.extras`.
    """
    segment = written[at]
    if len(written) == 1 and isinstance(here, dict) and segment[:1].lower() + segment[1:] in here:
        return False
    if (at == 0 and segment in ROOT_NAMES) or _TAG.match(segment):
        return True
    if at == len(written) - 1:
        again = at > 1 and written[at - 1].isdecimal() and segment == written[at - 2]
        return segment.lower() in _OF_THE_WHOLE or again
    return here is not None and not segment.isdecimal() and not (at == 0 and isinstance(here, dict))


def reaches(data: object, written: Sequence[str]) -> bool:
    """Return True if the document has the place."""
    there = True
    for segment in written:
        there, data = step(data, segment)
    return there


def step(here: Any, segment: str) -> tuple[bool, Any]:
    """Return True and the value if an object or a list has the segment, else False and None."""
    if isinstance(here, dict):
        return (segment in here, here.get(segment))
    if isinstance(here, list) and segment.isdecimal() and segment.isascii() and len(segment) < 10:
        inside = int(segment) < len(here)
        return (inside, here[int(segment)] if inside else None)
    return (False, None)


EVIDENCE_LIMIT = 200
"""Maximum number of characters of the request to keep as evidence."""


@dataclass(frozen=True, slots=True)
class NewText:
    """One new text of the next request, with its errors."""

    where: str
    """The place of the text: 'request 2, message 4'."""
    text: str
    entries: tuple[ErrorEntry, ...]
    call_id: str | None = None
    """The id of the call whose result is in the text."""

    def quote(self, start: int, end: int) -> str:
        """Return text[start:end] as evidence: its place and its words, clipped."""
        return f"{self.where}: {clip(self.text[start:end])}"

    def around(self, end: int) -> Iterator[ErrorEntry]:
        """Yield the errors whose words contain the end of text[:end].

        Errors of a JSON value cover the whole value, so they are left out.
        """
        for entry in self.entries:
            if entry.start >= end:
                return  # they are in the order of the text
            if entry.end >= end and self.text[entry.start] not in "[{":
                yield entry


def clip(text: str, limit: int = EVIDENCE_LIMIT) -> str:
    """Return the text on one line, cut to `limit` characters."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
