"""Paths in a document, their spellings and the values that they lead to, and places in the text of the document."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Interval

MOST = 2**53
"""The largest index or count to accept: every integer up to it is exact as a float."""
Count = Annotated[int, Interval(ge=0, le=MOST)]
"""A whole number from 0 to `MOST`; pydantic enforces the bounds when it reads data."""

Path = tuple[str | Count, ...]
"""Keys and 0-based list indices from the root; () is the root. The key "0" and the index 0 are different steps.

As data (in run files, lists of known failures, JSON output) a path is a list of strings and whole numbers: a spelling
such as the pointer "/years/0" does not distinguish key and index.
"""

WildcardPath = tuple[str | None, ...]
"""A path with None, any item of a list, in place of every index; null in JSON, so that "*" remains an ordinary key."""

WHOLE_ANSWER = "(whole answer)"
"""The root, as `to_dotted` spells it."""

# "title", "due_date", "a-b"; other keys are quoted: `years["2024"]`, `a["b c"]`.
_PLAIN_KEY = re.compile(r"[^\W\d][\w-]*", re.UNICODE)


def to_pointer(path: Path) -> str:
    """Return the JSON pointer (RFC 6901): `("tasks", 0, "id")` is "/tasks/0/id"; the root is ""."""
    return "".join(["/" + str(part).replace("~", "~0").replace("/", "~1") for part in path])


def wildcard(path: Path) -> WildcardPath:
    """Return the path of a field in any item: ("tasks", 0, "id") becomes ("tasks", None, "id"). Keys stay, even "0"."""
    return tuple([None if isinstance(part, int) else part for part in path])


def to_dotted(path: Path | WildcardPath) -> str:
    """Return the spelling for people: "tasks[0].id", "tasks[*].id" for any item.

    A key that is not a plain word is quoted: `a["b c"]`, `years["2024"]`. Different paths have different spellings.
    """
    return _join(path, "") if path else WHOLE_ANSWER


def value_at(value: Any, path: Path) -> Any:
    """Return the value at `path`. Raises LookupError if the path leads nowhere."""
    for part in path:
        fits = isinstance(value, list) if isinstance(part, int) else isinstance(value, dict)
        if not fits:
            raise LookupError(to_dotted(path))
        value = value[part]
    return value


def get_at(value: object, path: Path, otherwise: object = None) -> Any:
    """Return the value at `path`; `otherwise` if the path leads nowhere."""
    try:
        return value_at(value, path)
    except LookupError:
        return otherwise


def leading(value: object, path: Path) -> Path:
    """Return the longest part of `path` that exists: ("steps",) of ("steps", 4) if there are three steps."""
    for depth, part in enumerate(path):
        try:
            value = value_at(value, (part,))
        except LookupError:
            return path[:depth]
    return path


def put_at(value: Any, path: Path, new: Any) -> None:
    """Replace the value at `path`, which must exist and not be the root."""
    *parents, last = path
    for part in parents:
        value = value[part]
    value[last] = new


def _join(path: Path | WildcardPath, start: str) -> str:
    out = start
    for part in path:
        if part is None:
            out += "[*]"
        elif isinstance(part, int):
            out += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            out += f".{part}" if out else part
        else:
            out += f"[{json.dumps(part, ensure_ascii=False)}]"
    return out


# Places in the model's text: lines and columns, counted from 1.


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a text. Lines and columns count from 1; a column counts characters (code points), not bytes.

    Only LF, CRLF and a lone CR end a line. U+2028, U+0085 and form feeds are characters of a line.
    """

    line: int
    column: int
    end_line: int | None = None
    """Last line of the place; None if only its start is known."""
    end_column: int | None = None
    """Column after the last character; None if only the start is known."""

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


# CRLF ends one line; so does LF or a lone CR.
_LINE_END = re.compile(r"\r\n?|\n")
_LF = re.compile("\n")  # several times faster, and enough for most texts


class LineIndex:
    """The start offsets of a text's lines. Only LF, CRLF and a lone CR end a line."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        ends = (_LINE_END if "\r" in text else _LF).finditer(text)
        self._starts = [0, *(end.end() for end in ends)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of a 0-based character offset; the end of the text is a valid offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the 0-based character offset of a line and column, both from 1; beyond the last line, its start."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the place from `start` up to, but excluding, `end`."""
        line, column = self.position(start)
        return Span(line, column) if end is None else Span(line, column, *self.position(end))
