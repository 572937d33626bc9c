"""Whether a parse error in feedback is that of this answer: its line and column, its offset, or its kind of error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ..reading.error_category import unreadable

if TYPE_CHECKING:
    from ...contract.finding import Finding

Position = tuple[int, int | None]
"""Line and column, where one is said, both from 1; an offset in characters is a column of line 0."""

_COLUMNS_APART = 2
"""Parsers point at the sign, in front of it or behind it."""
_START: Position = (1, 1)
_WRAPPERS = frozenset({FailureKind.PROSE, FailureKind.FENCE, FailureKind.THINKING})
"""Kinds of what is around a document."""
# "line 3 column 5", "line 3, col 5", "(line 3)", "Zeile 3, Spalte 5", "第3行"; "(char 57)", "at position 57".
_POSITION = re.compile(
    r"(?:\b(?:line|row|zeile|l[ií]nea|ligne)\s*:?\s*|第\s?)(?P<line>\d{1,7})(?:\s?行)?"
    r"(?:\s*[,:]?\s*(?:and )?(?:col\w*|char\w*|position|spalte|第)\.?\s*:?\s*(?P<column>\d{1,7}))?"
    r"|\b(?:char|pos(?:ition)?|offset)\s*:?\s*(?P<offset>\d{1,9})\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
# The kinds of error that parsers tell apart, in the words of several. "Expecting value" is said of nearly all of them.
_KINDS = {
    "end": r"\beof\b|unexpected end|unterminated|truncated|cut off|ends? inside|end of (?:file|input|data)",
    "key": r"property name|key must|object key|key without quotes|expected (?:a )?key",
    "delimiter": r"delimiter|expected [`'\"]?,|missing comma|closing bra",
    "behind": r"extra data|trailing characters|non-whitespace (?:character )?after",
    "sign": r"control character|line break inside|invalid escape|bad escape",
    "comma": r"trailing comma",
}
_ANY = re.compile(r"expect(?:ing|ed) value|unexpected (?:token|character|identifier)", re.IGNORECASE)


def is_parse_error(words: str) -> bool:
    """Return whether the words name a kind of parse error and where it is."""
    return bool(_positions(words) and (_kinds(words) or _ANY.search(words)))


def names_another(finding: Finding, words: str) -> str | None:
    """Return what a parse error in the words names that is not this answer's: a place or a kind; None where it fits.

    A finding of anything but the form of the answer fits any words.
    """
    own = _positions(finding.validator_message or "")
    if not unreadable(finding) or finding.span is None or _is_open(finding, own):
        return None
    known = [(finding.span.line, finding.span.column), *own]
    said = _positions(words)
    said = [one for one in said if one[0]] or said
    named = [one for one in said if any(bool(one[0]) == bool(other[0]) for other in known)]
    if _START in named and finding.kind in _WRAPPERS:
        return None  # who parses the whole answer stops at its first sign, whatever wraps the document
    kinds, own_kinds = _kinds(words), _kinds(f"{finding.kind.value} {finding.message} {finding.validator_message}")
    exact = set(named) & set(known)
    near = exact if _is_same_parser(finding, words) else [a for a in named for b in known if _near(a, b)]
    if named and not near:
        alike = next(one for one in known if bool(one[0]) == bool(named[0][0]))
        both_end = "end" in kinds & own_kinds  # of a text that ends too early some name the open sign
        return None if both_end else f"{_spelled(named[0])}, not {_spelled(alike)}"
    apart = kinds and own_kinds and not exact and not kinds & own_kinds and not _ANY.search(words)
    return f"{min(kinds)}, not {min(own_kinds)}" if apart else None


def _is_open(finding: Finding, own: list[Position]) -> bool:
    """Return whether parsers may stop anywhere: in prose, and where text is in front of the document on its line.

    The finding counts from the start of the answer, our parser from that of the document: `Here: {"a" 1}` is wrong at
    column 12, and at column 6 of the document.
    """
    if finding.span is None:
        return True
    begins: Position = (finding.span.line, finding.span.column)
    lines = {line for line, _ in (begins, *own) if line}
    ahead = any(line and finding.span.column > (column or finding.span.column) for line, column in own)
    nowhere = not own and (begins == _START or finding.code == "prose")
    return nowhere or len(lines) > 1 or (ahead and finding.kind is FailureKind.INVALID_JSON)


def _is_same_parser(finding: Finding, words: str) -> bool:
    """Return whether the words are those of the finding's own parser, numbers aside: then its numbers are exact."""
    own = _NUMBER.sub("", finding.validator_message or "").strip()
    return bool(own) and own in _NUMBER.sub("", words)


def _kinds(words: str) -> set[str]:
    return {name for name, pattern in _KINDS.items() if re.search(pattern, words, re.IGNORECASE)}


def _positions(words: str) -> list[Position]:
    return [
        (int(m["line"] or 0), int(m["column"] or m["offset"]) if m["column"] or m["offset"] else None)
        for m in _POSITION.finditer(words)
    ]


def _near(one: Position, other: Position) -> bool:
    if one[1] is None or other[1] is None:
        return one[0] == other[0]
    begins = one[0] - other[0] == 1 and one[1] <= 1  # a line break is counted to the line behind it by some
    return begins or (one[0] == other[0] and abs(one[1] - other[1]) <= _COLUMNS_APART)


def _spelled(position: Position) -> str:
    line, column = position
    return f"line {line}" + (f" column {column}" if column else "") if line else f"character {column}"
