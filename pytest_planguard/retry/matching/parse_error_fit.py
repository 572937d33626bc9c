"""Whether a parse error in feedback is that of this answer: its line and column, its offset, or its kind of error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ..reading.error_category import unreadable

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.span import Span

_COLUMNS_APART = 2
"""Parsers point at the sign, in front of it or behind it."""
_START = (1, 1)
_WRAPPERS = frozenset({FailureKind.PROSE, FailureKind.FENCE, FailureKind.THINKING})
"""Kinds of what stands around a document."""
# "line 3 column 5", "line 3, col 5", "3:5", "(line 3)", "Zeile 3, Spalte 5".
_LINE = re.compile(
    r"(?:\b(?:line|row|zeile|l[ií]nea|ligne)\s*:?\s*(\d{1,7})|第\s?(\d{1,7})\s?行)"
    r"(?:\s*[,:]?\s*(?:and )?(?:col\w*|char\w*|position|spalte|第)\.?\s*:?\s*(\d{1,7}))?",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
# "(char 57)", "at position 57", "offset 57".
_OFFSET = re.compile(r"\b(?:char|pos(?:ition)?|offset)\s*:?\s*(\d{1,9})\b", re.IGNORECASE)
# The kinds of error that parsers tell apart, in the words of several. "Expecting value" is said of nearly all of them.
_KINDS = {
    "end": r"\beof\b|unexpected end|unterminated|truncated|cut off|ends? inside|end of (?:file|input|data)",
    "key": r"property name|key must|object key|key without quotes|expected (?:a )?key",
    "delimiter": r"delimiter|expected [`'\"]?,|missing comma|closing bra",
    "behind": r"extra data|trailing characters|non-whitespace (?:character )?after|more than one (?:json )?document",
    "sign": r"control character|line break inside|invalid escape|bad escape",
    "comma": r"trailing comma",
}
_ANY = re.compile(r"expect(?:ing|ed) value|unexpected (?:token|character|identifier)", re.IGNORECASE)


def names_another(finding: Finding, words: str) -> str | None:
    """Return what a parse error in the words names that is not this answer's: a place or a kind; None where it fits.

    A finding of anything but the form of the answer fits any words.
    """
    if not unreadable(finding) or finding.span is None:
        return None
    begins, placed = (finding.span.line, finding.span.column), _places(finding.validator_message or "")
    if not placed and (begins == _START or finding.code == "prose"):
        return None  # prose is no document, so each parser stops elsewhere, or at an error in front of it
    known = [begins, *placed]
    if len({line for line, _ in known}) > 1 or _behind_a_wrapper(finding):
        return None  # a wrapper stands around the document, or its error begins on another line than it is noticed on
    told = _places(words)
    if finding.kind in _WRAPPERS and any(_near(one, _START) for one in told):
        return None  # who parses the whole answer stops at its first sign, whatever wraps the document
    near = set(told) & set(known) if _is_same_parser(finding, words) else any(_near(a, b) for a in told for b in known)
    if told and not near:
        return None if _both_end(finding, words) else _apart(told[0], finding.span)
    offsets, own = _offsets(words), _offsets(finding.validator_message or "")
    if not told and offsets and own and min(abs(a - b) for a in offsets for b in own) > _COLUMNS_APART:
        return None if _both_end(finding, words) else f"character {min(offsets)}, not character {min(own)}"
    exact = set(told) & set(known) or set(offsets) & set(own)
    return None if exact else _another_kind(finding, words)


def _is_same_parser(finding: Finding, words: str) -> bool:
    """Return whether the words are those of the finding's own parser, numbers aside: then its numbers are exact."""
    own = _NUMBER.sub("", finding.validator_message or "").strip()
    return bool(own) and own in _NUMBER.sub("", words)


def _apart(told: tuple[int, int | None], span: Span) -> str:
    if told[0] != span.line or told[1] is None:
        return f"line {told[0]}, not line {span.line}"
    return f"line {told[0]} column {told[1]}, not column {span.column}"


def is_parse_error(words: str) -> bool:
    """Return whether the words name a kind of parse error and where it is."""
    return bool((_places(words) or _offsets(words)) and (_kinds(words) or _ANY.search(words)))


def _behind_a_wrapper(finding: Finding) -> bool:
    """Return whether text stands on the line in front of the document, so that each parser stops elsewhere.

    The finding counts from the start of the answer, our parser from that of the document: `Here: {"a" 1}` is wrong at
    column 12, and at column 6 of the document. In a text that ends too early the open sign is before the end anyway.
    """
    own = _places(finding.validator_message or "")
    ahead = finding.span is not None and any(column is not None and finding.span.column > column for _, column in own)
    return ahead and finding.kind is FailureKind.INVALID_JSON


def _another_kind(finding: Finding, words: str) -> str | None:
    said = _kinds(words)
    own = _kinds(f"{finding.kind.value} {finding.message} {finding.validator_message or ''}")
    if said and own and not said & own and not _ANY.search(words):
        return f"{sorted(said)[0]}, not {sorted(own)[0]}"
    return None


def _kinds(words: str) -> set[str]:
    return {name for name, told in _KINDS.items() if re.search(told, words, re.IGNORECASE)}


def _both_end(finding: Finding, words: str) -> bool:
    """Return whether both say that the text ends too early: the end is where the parser stopped, or the open sign."""
    return "end" in _kinds(words) and "end" in _kinds(f"{finding.kind.value} {finding.message}")


def _places(words: str) -> list[tuple[int, int | None]]:
    return [(int(m[1] or m[2]), int(m[3]) if m[3] else None) for m in _LINE.finditer(words)]


def _offsets(words: str) -> list[int]:
    return [int(found[1]) for found in _OFFSET.finditer(words)]


def _near(one: tuple[int, int | None], other: tuple[int, int | None]) -> bool:
    if one[1] is None or other[1] is None:
        return one[0] == other[0]
    begins = one[0] - other[0] == 1 and one[1] <= 1  # a line break is counted to the line behind it by some
    return begins or (one[0] == other[0] and abs(one[1] - other[1]) <= _COLUMNS_APART)
