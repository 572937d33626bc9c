"""One error as feedback words it: a place, a code, a message; and when its place is that of a finding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...document.path import Path

Place = tuple[str, ...]
"""A path with every segment as text, since feedback does not tell index 0 from key "0"; () is the root."""

PATH_LIMIT = 300
"""Characters of a path spelling that are read; no real path is longer."""
ROOTS = frozenset(
    {"", "$", "#", "/", ".", "(whole answer)", "(root)", "root", "<root>", "__root__", "(whole document)", "document"}
)
"""Spellings of the whole answer."""
ROOT_NAMES = frozenset(
    {"data", "response", "instance", "input", "value", "body", "payload", "document", "answer", "output", "result"}
    | {"object", "obj", "json", "_"}
)
"""Names that validators give the whole answer in front of a place: `data.tasks[0]`, `instance.goal`."""
_OF_THE_WHOLE = frozenset({"non_field_errors", "nonfielderrors", "_schema", "__all__", "_errors", "_root", "__root__"})
"""Keys behind a place under which stand the errors of the whole value, not of one of its fields."""
_ARROW = re.compile(r"\s*(?:->|→|›|»|\s>\s)\s*")
_SEGMENT = re.compile(r"""\[\s*(?:"([^"\]]*)"|'([^'\]]*)'|([^\]'"]*))\s*\]|([^.\[\]]+)""")
LISTED = re.compile(r"[\[(][\w\s\"'$.-]*,[\w\s\"'$,.-]*[\])]")
"""A path as Python or JSON prints it: `('tasks', 0, 'status')`."""
_TAG = re.compile(r"^(?:[a-z-]+\[.*\]?|\[?key\]?|[A-Z]\w*|int|float|str|bool|bytes|list|dict|tuple|set|none)$")


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """One error that a text names."""

    path: Place | None
    """Where, as written; () for the whole answer, None where the text names no place."""
    code: str | None
    """The validator's code, where the text has one."""
    message: str
    start: int
    """First character of the entry in the text."""
    end: int
    """The character after its last one."""


@lru_cache(maxsize=4096)  # asked of every finding for every error that the feedback names
def place(path: Path) -> Place:
    """A finding's path as feedback may spell it, segment by segment."""
    return tuple(str(segment) for segment in path)


def parse_place(spelling: str) -> Place:
    """`tasks.0.id`, `tasks[0].id`, `/tasks/0/id`, `$.tasks[0].id`, `tasks -> 0 -> id`, `(…, 0, …)` are one place."""
    text = spelling[:PATH_LIMIT].strip().strip("`'\"*").strip()
    if text.lower() in ROOTS:
        return ()
    if text.startswith("deque(["):
        text = text[6:-1]
    if LISTED.fullmatch(text):
        return tuple(part.strip().strip("'\"") for part in text[1:-1].split(",") if part.strip())
    if text.startswith(("/", "#/")):
        parts = text.lstrip("#")[1:].split("/")
        return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)
    first, _, below = text.partition("/")
    if below and first in ROOT_NAMES:
        return (first, *parse_place(f"/{below}"))
    if _ARROW.search(text):
        return tuple(s for part in _ARROW.split(text) if part for s in _dotted(part))
    return tuple(_dotted(text.removeprefix("$")))


def _dotted(text: str) -> Iterator[str]:
    for match in _SEGMENT.finditer(text):
        yield next((group for group in match.groups() if group is not None), "").strip()


def same_place(written: Sequence[str], path: Path, data: Any = None) -> bool:
    """Whether a place in feedback is the finding's path, exactly, but for union tags.

    Pydantic names the member of a union in its locations ("pet", "Cat", "name"). Segments that do not occur in the
    document `data` at their place are such tags; without a document only well-known ones are dropped.
    """
    wanted = place(path)
    if tuple(written) == wanted:
        return True
    if not _names(wanted) <= _names(tuple(written)):  # every other spelling only adds segments to the path's own
        return False
    written = _bare(written, data)
    if tuple(written) == wanted:
        return True
    if any(tuple(reading) == wanted for reading in _untagged(written, data)):
        return True
    return bool(wanted) and not reaches(data, written) and _folded(wanted) in (_folded(written), _inside_type(written))


def _bare(written: Sequence[str], data: Any) -> Sequence[str]:
    """The place without a name for the whole answer in front and one for the whole value behind."""
    if written and written[0] in ROOT_NAMES and not step(data, written[0])[0]:
        written = written[1:]
    if written and written[-1].lower() in _OF_THE_WHOLE and not reaches(data, written):
        written = written[:-1]
    return _without_repeated(written, data)


def _without_repeated(written: Sequence[str], data: Any) -> Sequence[str]:
    """The place of an item without its list's name behind it: revalidator writes `extras.0.extras`."""
    repeated = len(written) > 2 and written[-2].isdecimal() and written[-1] == written[-3]
    return written[:-1] if repeated and not reaches(data, written) else written


@lru_cache(maxsize=4096)  # every finding asks about every place that the feedback names
def _names(segments: Place) -> frozenset[str]:
    return frozenset(_folded(segments))


def _folded(segments: Sequence[str]) -> Place:
    """Names as other languages spell them: `invoiceNo` and `InvoiceNo` are `invoice_no`."""
    return tuple(segment.replace("_", "").replace("-", "").casefold() for segment in segments)


def _inside_type(written: Sequence[str]) -> Place:
    """The place behind the name of the whole answer's type, as Go names it: `Invoice.InvoiceNo`."""
    return _folded(written[1:]) if written and written[0][:1].isupper() else ()


def _untagged(written: Sequence[str], data: Any) -> Iterator[list[str]]:
    kept: list[str] = []
    here, last = data, len(written) - 1
    for at, segment in enumerate(written):
        found, below = step(here, segment)
        tag = bool(_TAG.match(segment))
        if not found and at == last and tag:
            yield list(kept)  # a tag behind the value that it speaks of
        if found or at == last or segment.isdecimal() or not (tag or _may_be_tag(here, at)):
            kept.append(segment)
            here = below
    yield kept


def _may_be_tag(here: Any, at: int) -> bool:
    """Whether a plain word may be a tag: a discriminator's values may be any, but not in front of a whole object."""
    return here is not None and not (at == 0 and isinstance(here, dict))


def reaches(data: Any, written: Sequence[str]) -> bool:
    """Whether a place stands in the document."""
    for segment in written:
        found, data = step(data, segment)
        if not found:
            return False
    return True


def step(here: Any, segment: str) -> tuple[bool, Any]:
    """Whether an object or a list has the segment, and what stands there."""
    if isinstance(here, dict):
        return (segment in here, here.get(segment))
    if isinstance(here, list) and segment.isdecimal() and segment.isascii() and len(segment) < 10:
        inside = int(segment) < len(here)
        return (inside, here[int(segment)] if inside else None)
    return (False, None)
