"""Decide for each finding whether the next request carries it: only what the request adds is searched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..reading.entry import ErrorEntry, same_place
from ..reading.envelope import opened
from ..reading.error_category import category_of
from ..reading.recognise import recognise
from ..reading.wordings.error_maps import without_schemas
from ..results import Carried, Grade
from .keyword_match import Mention, adjacent, spoken_of
from .location_only_match import by_location_only
from .match_finding import about_a_field, accepted, below_another, category_agrees, concerns, entry_categories, verbatim
from .path_in_text import path_mentioned
from .standalone_message import standalone_message

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...contract.finding import Finding
    from ..linking.delta import Delta, Piece

EVIDENCE_LIMIT = 200
"""Characters of the request that are kept as evidence."""
MAX_ERRORS = 1_000
"""Errors that are read out of the feedback on one attempt: each is held against each finding."""


@dataclass(frozen=True, slots=True)
class NamedError:
    """One error that a delta names, with the piece it stands in."""

    entry: ErrorEntry
    piece: Piece
    request: int

    @property
    def evidence(self) -> str:
        """Where it stands and its words, clipped."""
        return f"{_where(self.request, self.piece)}: {clip(self.piece.text[self.entry.start : self.entry.end])}"


@dataclass(frozen=True, slots=True)
class FeedbackReading:
    """Everything that the requests between two attempts add, read once."""

    deltas: tuple[Delta, ...]
    said: tuple[NamedError, ...]

    @property
    def pieces(self) -> Iterable[tuple[int, Piece]]:
        """(request, piece) of all new words."""
        return ((d.request, p) for d in self.deltas for p in d.pieces)

    @property
    def empty(self) -> bool:
        """Whether nothing new was said at all."""
        return not any(d.pieces for d in self.deltas)


def read(deltas: Sequence[Delta], *, known_wordings: bool = True) -> FeedbackReading:
    """Read the errors out of the deltas between two attempts. A schema that is sent again says nothing about them."""
    deltas = tuple(replace(d, pieces=tuple(_without_schemas(p) for p in d.pieces)) for d in deltas)
    said = (
        NamedError(entry, piece, delta.request)
        for delta in deltas
        for piece in delta.pieces
        for entry in recognise(piece.text, known_wordings=known_wordings)
    )
    return FeedbackReading(deltas, tuple(islice(said, MAX_ERRORS)))


def _without_schemas(piece: Piece) -> Piece:
    text = without_schemas(opened(piece.text))
    return piece if text is piece.text else replace(piece, text=text)


def carried(
    findings: Sequence[Finding], reading: FeedbackReading, *, attempt: int, data: Any = None
) -> tuple[Carried, ...]:
    """The fate of each finding of one attempt; `data` is the attempt's parsed answer, used for union tags in paths."""
    taken: set[tuple[int, int]] = set()
    found = [_fate(f, reading, data, taken) for f in findings]
    if found and all(fate.grade is Grade.LOST for fate in found) and not reading.empty:
        found = _by_place(findings, found, reading, data)
    return tuple(replace(fate, attempt=attempt) for fate in found)


def _by_place(findings: Sequence[Finding], lost: list[Carried], reading: FeedbackReading, data: Any) -> list[Carried]:
    for request, piece in reading.pieces:
        entries = by_location_only(findings, piece.text, [s.entry for s in reading.said if s.piece is piece], data)
        for number, entry in entries.items():
            evidence = _evidence(request, piece, Mention(entry.start, entry.end))
            lost[number] = Carried(findings[number], 0, Grade.WEAK, evidence)
    return lost


def stale(
    reading: FeedbackReading, findings: Sequence[Finding], earlier: Sequence[Finding], data: Any = None
) -> list[str]:
    """Evidence of what the delta says about an earlier attempt and what does not hold for this one."""
    old = [f for f in earlier if f.identity not in {g.identity for g in findings}]
    found = {
        said.evidence: None
        for said in reading.said
        if any(concerns(said.entry, f, data) for f in old) and not any(concerns(said.entry, f, data) for f in findings)
    }
    return list(found)


def _fate(finding: Finding, reading: FeedbackReading, data: Any, taken: set[tuple[int, int]]) -> Carried:
    """`taken` are the places, by piece, of messages that stand by themselves and were read as another finding's."""
    if reading.empty:
        return Carried(finding, 0, Grade.LOST, reason="the next request says nothing new")
    below = [s for s in reading.said if below_another(s.entry, finding, data)]
    hits = [s for s in reading.said if concerns(s.entry, finding, data) and not _overlaps(s, below)]
    if hits:
        exact = next((s for s in hits if verbatim(s.entry.message, finding)), None)
        return Carried(finding, 0, Grade.VERBATIM if exact else Grade.LOCATED, (exact or hits[0]).evidence)
    mention = _by_itself(finding, reading, taken) or _mentioned(finding, reading, below, data)
    if mention:
        return mention
    return Carried(finding, 0, Grade.LOST, reason=_why_lost(finding, reading, data))


def _overlaps(said: NamedError, others: Sequence[NamedError]) -> bool:
    return any(
        o.piece is said.piece and o.entry.start < said.entry.end and said.entry.start < o.entry.end for o in others
    )


def _by_itself(finding: Finding, reading: FeedbackReading, taken: set[tuple[int, int]]) -> Carried | None:
    for at, (request, piece) in enumerate(reading.pieces):
        placed = [
            s.entry for s in reading.said if s.piece is piece and s.entry.path and verbatim(s.entry.message, finding)
        ]
        found = standalone_message(finding, piece.text, {start for where, start in taken if where == at}, placed)
        if found:
            taken.add((at, found.start))
            return Carried(finding, 0, Grade.VERBATIM, _evidence(request, piece, found))
    return None


def _mentioned(finding: Finding, reading: FeedbackReading, below: Sequence[NamedError], data: Any) -> Carried | None:
    """Outside the entries: the message beside its path, or (for what has no entries) words that speak of it."""
    telling = any(s.entry.path and entry_categories(s.entry) for s in reading.said)
    for request, piece in reading.pieces:
        text = _without_entries(piece.text, [s.entry for s in below if s.piece is piece])
        near = adjacent(finding, text)
        if near:
            return Carried(finding, 0, Grade.VERBATIM, _evidence(request, piece, near))
        beside = path_mentioned(finding, text, accepted(finding), data)
        if beside:
            return Carried(finding, 0, Grade.LOCATED, _evidence(request, piece, beside))
        others = [(s.entry.start, s.entry.end) for s in reading.said if s.piece is piece and about_a_field(s.entry)]
        spoken = None if finding.path and telling else spoken_of(finding, text, category_of(finding), others, data)
        if spoken:
            return Carried(finding, 0, Grade.WEAK, _evidence(request, piece, spoken))
    return None


def _without_entries(text: str, entries: Sequence[ErrorEntry]) -> str:
    """Return the text with blanks in the place of entries, which are sorted by their start and may overlap."""
    out, at = [], 0
    for entry in entries:
        start, end = max(entry.start, at), max(entry.end, at)
        out += [text[at:start], " " * (end - start)]
        at = end
    return "".join([*out, text[at:]])


def _why_lost(finding: Finding, reading: FeedbackReading, data: Any) -> str:
    placed = [s for s in reading.said if s.entry.path]
    here = next((s for s in placed if same_place(s.entry.path or (), finding.path, data)), None)
    if here:
        return f"its place is named with another problem ({here.evidence})"
    elsewhere = next((s for s in placed if category_agrees(s.entry, finding)), None)
    if elsewhere:
        return f"its problem is named at another place ({elsewhere.evidence})"
    return "the new words of the next request name neither its place nor its problem"


def _evidence(request: int, piece: Piece, mention: Mention) -> str:
    return f"{_where(request, piece)}: {clip(piece.text[mention.start : mention.end])}"


def _where(request: int, piece: Piece) -> str:
    return f"request {request}, message {piece.item}"


def clip(text: str, limit: int = EVIDENCE_LIMIT) -> str:
    """Return the text on one line, cut to `limit` characters."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
