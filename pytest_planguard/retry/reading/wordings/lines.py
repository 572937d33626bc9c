"""Errors one a line: `- path: message`, `1. path (line 4): message`, `path -> 0: message`, with or without bullets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise

from ..entry import LISTED, PATH_LIMIT, ErrorEntry, parse_place

_BULLET = re.compile(r"\s*(?:>\s?)?(?:[-*•–—]\s|\d{1,3}[.)]\s|\(\d{1,3}\)\s)?\s*(?:[✖❌✗✘×⚠]\ufe0f?\s*)?(?://\s*)?")
_LINE_NUMBER = re.compile(r"(?:at )?line \d{1,7}(?:, col(?:umn)? \d{1,7})?:?\s+", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:(?:(?:validation |schema )?(?:error|problem|issue)s?\s+)?(?:at|in|for|with)\s+)?"
    r"(?:the\s+)?(?:(?:field|path|key|property|location|parameter)\s+)?",
    re.IGNORECASE,
)
_NOTE = re.compile(r"\s*(?:\((?:line|at line|type)[^()]{0,60}\)|\[([\w.-]{1,60})\]|\(([a-z_]{3,40})\))\s*$")
_CODE = re.compile(r"\s*\[type=([\w.-]{1,80})[,\]]")
_TRAILING_CODE = re.compile(r"\s*[\[(](?:type=|code=)?([a-z]{2,}(?:_[a-z]+)+)[\])]\s*$")
_BARE = re.compile(r"[\w$./#\[\]'\"~@*-]+")
_SEPARATORS = (": ", "：", " — ", " – ", " - ", " => ")
LABELS = frozenset(
    {
        "error",
        "errors",
        "problem",
        "problems",
        "reason",
        "details",
        "message",
        "note",
        "issue",
        "validation",
        "path",
        "field",
        "at",
        "where",
    }
)
"""Words before a colon that announce an error rather than name a field; a field may be called so all the same."""
_NAMED_LAST = re.compile(r"\b(?:field|property|path|key|parameter|at)\s+[`'\"]([\w$.\[\]/-]{1,200})[`'\"]\Z")
_BETWEEN = re.compile(r"(; |, (?=[\w$./\[\]-]{1,200}: ))")
_HEAD_LIMIT = PATH_LIMIT + 120
_INTRODUCTIONS = 2


_FAULTY = re.compile(
    r"\s+(?:is|has|failed)\s+(?:invalid|wrong|not valid|an? error|validation)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text and where it starts."""

    text: str
    start: int

    @property
    def indent(self) -> int:
        """Leading white space in characters."""
        return len(self.text) - len(self.text.lstrip())


def lines_of(text: str) -> Iterator[Line]:
    r"""Yield the lines of a text at LF, CR LF, CR or a printed `\n`, with their places in the text.

    Whoever keeps them all pays some forty bytes for each character of a text of short lines.
    """
    start = 0
    for piece in text.replace("\r\n", " \n").replace("\r", "\n").replace("\\n", " \n").split("\n"):
        yield Line(piece, start)
        start += len(piece) + 1


def bullet_end(text: str) -> int:
    """Where the words of a line begin, behind a bullet or a number."""
    found = _BULLET.match(text)
    return found.end() if found else 0


def line_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each line, or part of a line between semicolons, that is a path, a separator and a message."""
    for line, below in pairwise(chain(lines_of(text), (None,))):
        if line is None:
            return
        start = line.start
        for part in _parts(line.text):
            yield from _entries(part, start, below)
            start += len(part) + 2


def _parts(text: str) -> list[str]:
    """The errors of one line: a semicolon or a comma parts two where a path and a message follow it."""
    first, *rest = _BETWEEN.split(text)
    parts = [first]
    for between, part in zip(rest[::2], rest[1::2], strict=True):
        if _is_error(part) and (between == "; " or _is_error(parts[-1])):
            parts.append(part)
        else:
            parts[-1] += between + part
    return parts


def _is_error(part: str) -> bool:
    head, message = _split(_BULLET.sub("", part, count=1))
    return bool(head and message and _path(head)[0] is not None)


def _entries(part: str, start: int, below: Line | None) -> Iterator[ErrorEntry]:
    bullet = _BULLET.match(part)
    rest = part[bullet.end() if bullet else 0 :]
    number = _LINE_NUMBER.match(rest)
    rest = rest[number.end() if number else 0 :]
    head, message = _named(rest)
    end = start + len(part)
    if head is not None and not message and below:
        message, end = _BULLET.sub("", below.text, count=1).strip(), below.start + len(below.text)
    if head is None or not message:
        return
    path, code = _path(head)
    if path is None:
        return
    words, inner = _message(message)
    yield ErrorEntry(path, code or inner, words, start, end)
    if len(path) == 1 and path[0].lower() in LABELS:
        yield ErrorEntry(None, code or inner, words, start, end)


def _named(rest: str) -> tuple[str | None, str]:
    """Head and message; words of introduction in front of the head ("Please fix: …") are skipped."""
    head, message = _split(rest)
    for _ in range(_INTRODUCTIONS):
        if head is None or not message or _path(head)[0] is not None:
            break
        head, message = _split(message)
    return head, message


def _split(rest: str) -> tuple[str | None, str]:
    """Head and message at the first separator; (head, "") for a line that ends with a colon."""
    window = rest[:_HEAD_LIMIT]
    places = [(found, len(sep)) for sep in _SEPARATORS if (found := window.find(sep)) > 0]
    if not places:
        stripped = rest.rstrip()
        return (stripped[:-1], "") if 1 < len(stripped) <= _HEAD_LIMIT and stripped.endswith(":") else (None, "")
    at, width = min(places)
    return rest[:at], rest[at + width :].strip()


def _path(head: str) -> tuple[tuple[str, ...] | None, str | None]:
    """The place that the head of a line spells, and a code that stands behind it in brackets."""
    code = None
    note = _NOTE.search(head)
    if note and not head[: note.start()].endswith(("[", ".")) and not (note[1] or "").isdecimal():
        head, code = head[: note.start()], note[1] or note[2]
    head = _FAULTY.sub("", head)
    label = _LABEL.match(head)
    spelled = head[label.end() if label else 0 :].strip().strip("*_").strip() or head.strip()
    quoted = len(spelled) > 2 and spelled[0] == spelled[-1] and spelled[0] in "`'\""
    if (
        quoted
        or LISTED.fullmatch(spelled)
        or spelled.lower() in ("(whole answer)", "(root)", "<root>", "(whole document)", "$")
    ):
        return parse_place(spelled), code
    arrows = spelled.replace("->", " ").replace("→", " ").replace(" > ", " ")
    many = arrows != spelled
    if all(_BARE.fullmatch(word) for word in (arrows.split() if many else [spelled])) and spelled.strip("-*./#"):
        return parse_place(spelled), code
    last = _NAMED_LAST.search(spelled)
    return (parse_place(last[1]), code) if last else (None, None)


def _message(message: str) -> tuple[str, str | None]:
    found = _CODE.search(message) or _TRAILING_CODE.search(message)
    return (message[: found.start()].strip() or message, found[1]) if found else (message, None)
