"""Decide for each finding whether the next request carries it: only what the request adds is searched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..reading.entry import ErrorEntry
from ..reading.envelope import opened
from ..reading.error_category import ErrorCategory, category_of, category_of_words, unreadable
from ..reading.recognise import recognise
from ..reading.vocabulary import vocabulary
from ..reading.wordings.error_maps import without_schemas
from ..results import NOTHING_NEW, Carried, Grade
from .keyword_match import Mention, spoken_of
from .loss_evidence import LossEvidence, NewText
from .match_finding import about_a_field, below_another, concerns, verbatim
from .parse_error_fit import is_parse_error, names_another
from .position_base import first_position, from_zero
from .standalone_message import standalone_message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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


@dataclass(frozen=True, slots=True)
class DistinctErrors:
    """Named errors by what they say, wherever they stand: "Field required", named a hundred times, is matched once."""

    said: Sequence[NamedError]
    entries: Sequence[ErrorEntry]
    """One of each."""
    places: Sequence[int]
    """For each error of `said` the place of its like in `entries`."""

    @classmethod
    def of(cls, said: Sequence[NamedError]) -> DistinctErrors:
        """Gather errors that differ in their place in the text alone."""
        first: dict[tuple[object, ...], int] = {}
        entries: list[ErrorEntry] = []
        places: list[int] = []
        for one in said:
            entry = one.entry
            place = first.setdefault((entry.path, entry.code, entry.message), len(entries))
            if place == len(entries):
                entries.append(entry)
            places.append(place)
        return cls(said, entries, places)

    def where(self, fits: Callable[[ErrorEntry], bool]) -> list[NamedError]:
        """Return the errors that fit, in their order. Where they stand in the text must not matter."""
        fitting = [fits(entry) for entry in self.entries]
        return [one for one, place in zip(self.said, self.places, strict=True) if fitting[place]]


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
    findings: Sequence[Finding], reading: FeedbackReading, *, attempt: int, data: Any = None, schema: Any = None
) -> tuple[Carried, ...]:
    """The fate of each finding of one attempt.

    Args:
        findings: of the attempt's answer.
        reading: what the next request adds.
        attempt: its number, from 1.
        data: its parsed answer, used for union tags in paths, and for names and values that the new words may have.
        schema: the contract's JSON Schema, used for the names, titles and descriptions of fields.
    """
    errors = DistinctErrors.of(reading.said)
    first = first_position(errors.entries, findings, data)
    if first:
        reading = replace(reading, said=tuple(replace(s, entry=from_zero(s.entry, first)) for s in reading.said))
        errors = DistinctErrors.of(reading.said)
    taken: set[tuple[int, int]] = set()
    fates = [_fate(f, reading, errors, data, taken) for f in findings]
    if None in fates:
        names = vocabulary(data, schema, [f.path for f in findings])
        evidence = LossEvidence(_new_texts(reading), names, data, findings, first)
        fates = [fate or evidence.fate(f) for f, fate in zip(findings, fates, strict=True)]
    return tuple(replace(fate, attempt=attempt) for fate in fates if fate)


def _new_texts(reading: FeedbackReading) -> list[NewText]:
    return [
        NewText(_where(request, piece), piece.text, tuple(s.entry for s in reading.said if s.piece is piece))
        for request, piece in reading.pieces
    ]


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


def _fate(
    finding: Finding, reading: FeedbackReading, errors: DistinctErrors, data: Any, taken: set[tuple[int, int]]
) -> Carried | None:
    """Return what the readers of errors find, or None: then other evidence is looked for.

    `taken` are the places, by piece, of messages that stand by themselves and were read as another finding's.
    """
    if reading.empty:
        return Carried(finding, 0, Grade.LOST, reason=NOTHING_NEW)
    another = _another_parse_error(finding, reading)
    if another is not None:
        return Carried(finding, 0, Grade.LOST, reason=another)
    below = errors.where(lambda entry: below_another(entry, finding, data))
    hits = [s for s in errors.where(lambda entry: concerns(entry, finding, data)) if not _overlaps(s, below)]
    if hits:
        own = {words for words in {s.entry.message for s in hits} if verbatim(words, finding)}
        exact = next((s for s in hits if s.entry.message in own), None)
        return Carried(finding, 0, Grade.VERBATIM if exact else Grade.LOCATED, (exact or hits[0]).evidence)
    return _by_itself(finding, reading, taken) or _spoken(finding, reading)


def _another_parse_error(finding: Finding, reading: FeedbackReading) -> str | None:
    """Return why the parse errors that the words name are not this answer's; None where one fits, or none is named."""
    told = [
        (request, piece, line)
        for request, piece in reading.pieces
        for line in (_ends(piece.text.split("\n")) if unreadable(finding) else ())
        if category_of_words(line) is ErrorCategory.UNREADABLE or is_parse_error(line) or verbatim(line, finding)
    ]
    found = [(request, piece, line, names_another(finding, line)) for request, piece, line in told]
    if not found or any(other is None for *_, other in found):
        return None
    request, piece, line, other = found[0]
    return f"it names a parse error at {other} ({_where(request, piece)}: {clip(line)})"


def _ends(lines: list[str]) -> list[str]:
    """Return the lines that may name a parse error: it stands in front of a long quotation, or behind it."""
    return lines if len(lines) <= 2 * MAX_ERRORS else [*lines[:MAX_ERRORS], *lines[-MAX_ERRORS:]]


def _overlaps(said: NamedError, others: Sequence[NamedError]) -> bool:
    return any(
        o.piece is said.piece and o.entry.start < said.entry.end and said.entry.start < o.entry.end for o in others
    )


def _by_itself(finding: Finding, reading: FeedbackReading, taken: set[tuple[int, int]]) -> Carried | None:
    for at, (request, piece) in enumerate(reading.pieces):
        entries = [s.entry for s in reading.said if s.piece is piece]
        found = standalone_message(finding, piece.text, {start for where, start in taken if where == at}, entries)
        if found:
            taken.add((at, found.start))
            return Carried(finding, 0, Grade.VERBATIM, _evidence(request, piece, found))
    return None


def _spoken(finding: Finding, reading: FeedbackReading) -> Carried | None:
    """Words that speak of a finding about the whole answer, which has no place to be named by."""
    for request, piece in () if finding.path else reading.pieces:
        others = [(s.entry.start, s.entry.end) for s in reading.said if s.piece is piece and about_a_field(s.entry)]
        spoken = spoken_of(finding, piece.text, category_of(finding), others)
        if spoken:
            return Carried(finding, 0, Grade.WEAK, _evidence(request, piece, spoken))
    return None


def _evidence(request: int, piece: Piece, mention: Mention) -> str:
    return f"{_where(request, piece)}: {clip(piece.text[mention.start : mention.end])}"


def _where(request: int, piece: Piece) -> str:
    return f"request {request}, message {piece.item}"


def clip(text: str, limit: int = EVIDENCE_LIMIT) -> str:
    """Return the text on one line, cut to `limit` characters."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
