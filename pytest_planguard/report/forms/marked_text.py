"""Mark each finding's place in an answer and the request after it, with the same number in both."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...document.path import LineIndex
from ...printable import visible
from ..media.escaping import block

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...contract.finding import Finding
    from ...document.path import Span

LONGEST = 400
"""Maximum characters of one mark. A finding about a whole document would otherwise mark all of it."""
_WHERE = re.compile(r"request \d+, message \d+: ")
"""The prefix that says where the evidence was found: "request 2, message 4: "."""
_TOKEN = re.compile(r"""[^\s,\]}"]+|\S""")
"""The value at the place of a finding that has no value: `true` in "true, false". Brackets and quotes count alone."""


class Mark(NamedTuple):
    """A place in a text that belongs to a finding."""

    start: int
    end: int
    """Offset after its last character; equal to `start` if only a point is known."""
    number: int
    """Number of the finding in its answer, starting at 1."""


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """Consecutive characters that are safe to show."""

    text: str
    numbers: tuple[int, ...] = ()
    """The findings that it belongs to; () for unmarked text."""
    begins: tuple[int, ...] = ()
    """The findings whose mark begins here."""


def marked(text: str, marks: Iterable[Mark], limit: int) -> tuple[MarkedPiece, ...]:
    """Return the first `limit` characters in pieces. Marks may overlap. A note at the end says what was cut."""
    inside = sorted({mark for mark in marks if mark.start <= min(len(text), limit)})
    end = min(len(text), limit)
    bounds = sorted({0, end, *(min(at, end) for mark in inside for at in (mark.start, mark.end))})
    points = [mark for mark in inside if mark.start == mark.end]
    spans = [mark for mark in inside if mark.start < mark.end]
    pieces: list[MarkedPiece] = []
    for start, stop in pairwise(bounds):
        pieces += [_point(mark) for mark in points if mark.start == start]
        numbers = tuple(mark.number for mark in spans if mark.start <= start and stop <= mark.end)
        begins = tuple(mark.number for mark in spans if mark.start == start)
        pieces.append(MarkedPiece(visible(text[start:stop]), numbers, begins))
    pieces += [_point(mark) for mark in points if mark.start >= end]
    note = block(text, limit)[len(visible(text[:limit])) :] if len(text) > limit else ""
    return (*pieces, *([MarkedPiece(note)] if note else ()))


def _point(mark: Mark) -> MarkedPiece:
    return MarkedPiece("", (mark.number,), (mark.number,))


def answer_marks(text: str, findings: Sequence[Finding]) -> list[Mark]:
    """Return the places of the findings in the model's own text, numbered from 1.

    A finding without a place, or with a place in a field's text, has no mark.
    """
    own = [(number, found) for number, found in enumerate(findings, 1) if not found.inside]
    placed = [(number, found, found.span) for number, found in own if found.span is not None]
    if not placed:
        return []
    index = LineIndex(text)
    return [_answer_mark(text, index, finding, span, number) for number, finding, span in placed]


def _answer_mark(text: str, index: LineIndex, finding: Finding, span: Span, number: int) -> Mark:
    start = min(index.offset(span.line, span.column), len(text))
    return Mark(start, min(_end(text, start, finding), start + LONGEST), number)


def _end(text: str, start: int, finding: Finding) -> int:
    """Return the end of the offending value. A span may lack its end, and `actual` is clipped."""
    for spelled in _spellings(finding.actual):
        if text.startswith(spelled, start):
            return start + len(spelled)
    token = _TOKEN.match(text, start)
    return token.end() if token else start


def _spellings(actual: str | None) -> Iterator[str]:
    r"""Yield a value as JSON and as plain text: `"urgent"`, then `urgent` as YAML writes it."""
    if not actual:
        return
    yield actual
    try:
        plain = json.loads(actual)
    except ValueError:  # clipped
        return
    if isinstance(plain, str) and plain:
        yield plain


def evidence_marks(texts: Sequence[str], evidence: Iterable[tuple[int, str]]) -> list[list[Mark]]:
    """Return the marks of each message: the words that feed back a finding. `evidence` has pairs of a number and words.

    Evidence consists of the request's words on one line, so white space is not compared. Clipped evidence marks the
    kept words. Evidence that is not a quotation of a message marks nothing.
    """
    marks: list[list[Mark]] = [[] for _ in texts]
    for number, words in evidence:
        for place, text in enumerate(texts):
            hit = _found_words(text, words)
            if hit is not None:
                marks[place].append(Mark(hit.start(), hit.end(), number))
                break
    return marks


def _found_words(text: str, evidence: str) -> re.Match[str] | None:
    words = _WHERE.sub("", evidence, count=1).removesuffix("…").split()
    return re.search(r"\s+".join(map(re.escape, words)), text) if words else None
