"""Decide for each finding if the next request feeds it back. Only the new words of that request count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...document.formats.parser_stops import parser_stops
from ..linking.sameness import normal_text
from ..outcomes import Firmness, Grade
from ..reading.addresses import vocabulary
from ..reading.entry import ErrorEntry, NewText, clip, reaches, same_place
from ..reading.error_category import unreadable
from ..reading.recognise import recognise
from ..reading.structures import opened, without_code, without_schemas
from .grades import TABLE, Claim, Nearness, Sense, graded
from .item_signs import first_position, from_zero, may_count_from_1
from .match_finding import concerns, standalone_message, verbatim
from .own_evidence import quotes_value
from .place_claims import PlaceClaims
from .rule_evidence import Own
from .whole_answer import UNKNOWN, another_parse_error, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...contract.finding import Finding
    from ..linking.link import Delta, Piece
    from ..results import FedBack

_Error = tuple[NewText, ErrorEntry]
MAX_ERRORS = 1_000
"""Maximum number of errors to read in the feedback on one attempt, since each is compared with each finding."""


@dataclass(frozen=True, slots=True)
class FeedbackReading:
    """All words that the requests between two attempts add, read once."""

    deltas: tuple[Delta, ...]
    texts: tuple[NewText, ...] = ()
    """All new words, as texts with the errors that they name."""

    @property
    def pieces(self) -> Iterable[tuple[int, Piece]]:
        """Pairs of (request, piece) for all new words."""
        return ((d.request, p) for d in self.deltas for p in d.pieces)

    @property
    def said(self) -> list[ErrorEntry]:
        """All errors that the new words name."""
        return [entry for new in self.texts for entry in new.entries]

    @property
    def empty(self) -> bool:
        """True if there are no new words at all."""
        return not any(d.pieces for d in self.deltas)


def read(deltas: Sequence[Delta], *, known_wordings: bool = True) -> FeedbackReading:
    """Read the errors in the new words between two attempts, ignoring schemas that the app sends again."""
    deltas = tuple(
        replace(d, pieces=tuple(replace(p, text=without_code(without_schemas(opened(p.text)))) for p in d.pieces))
        for d in deltas
    )
    texts: list[NewText] = []
    left = MAX_ERRORS
    for request, piece in ((d.request, p) for d in deltas for p in d.pieces):
        entries = recognise(piece.text, known_wordings=known_wordings)[:left] if left else ()
        texts.append(NewText(f"request {request}, message {piece.item}", piece.text, entries, piece.call_id))
        left -= len(entries)
    return FeedbackReading(deltas, tuple(texts))


def fed_back(
    findings: Sequence[Finding],
    reading: FeedbackReading,
    *,
    attempt: int,
    data: object = None,
    schema: object = None,
    text: str | None = None,
) -> tuple[FedBack, ...]:
    """Return the grading of each finding of one attempt.

    Args:
        findings: the findings of the attempt's answer.
        reading: the new words of the next request.
        attempt: the 1-based number of the attempt.
        data: the parsed answer, used for union tags in paths, and for names and values that the new words may contain.
        schema: the contract's JSON Schema, used for the names, titles and descriptions of fields.
        text: the answer's text, which the app passes to its parser; None if it is not known.
    """
    texts: Sequence[NewText] = reading.texts
    first = first_position([entry for new in texts for entry in new.entries], findings, data)
    if first:
        texts = [replace(new, entries=tuple(from_zero(entry, first) for entry in new.entries)) for new in texts]
    alike: dict[tuple[object, ...], list[_Error]] = {}  # so that "Field required" is matched once, not a hundred times
    for new in texts:
        for entry in new.entries:
            alike.setdefault((entry.path, entry.code, entry.message), []).append((new, entry))
    taken: set[tuple[int, int]] = set()
    claims = [next(_read(f, texts, alike.values(), data, schema, taken, text, first), None) for f in findings]
    if None in claims:
        names = vocabulary(data, schema, [f.path for f in findings])
        places = PlaceClaims(texts, names, data, schema, first)
        claims = [claim or next(places.about(f)) for f, claim in zip(findings, claims, strict=True)]
    quotes = _quotes_in(reading.deltas, findings) if any(f.quote for f in findings) else set()
    return tuple(
        graded(f, _by_quote(f, claim, quotes), attempt) for f, claim in zip(findings, claims, strict=True) if claim
    )


def stale(
    reading: FeedbackReading, findings: Sequence[Finding], earlier: Sequence[Finding], data: object = None
) -> list[str]:
    """Return excerpts of the new words that fit a finding of an earlier attempt and none of this one."""
    present = {finding.identity for finding in findings}
    old = [f for f in earlier if f.identity not in present]
    evidence = {
        new.quote(entry.start, entry.end): None
        for new in reading.texts
        for entry in new.entries
        if any(concerns(entry, f, data) for f in old) and not any(concerns(entry, f, data) for f in findings)
    }
    return list(evidence)


def _read(
    finding: Finding,
    texts: Sequence[NewText],
    alike: Iterable[Sequence[_Error]],
    data: object,
    schema: object,
    taken: set[tuple[int, int]],
    answer: str | None,
    first: int,
) -> Iterator[Claim]:
    """Yield what the errors in the new words say about a finding, firmest first.

    `taken` has (index of the text, start) for each standalone message that already matched a different finding.
    """
    if not texts:
        yield Claim(Nearness.UNSAID, Sense.NOTHING)
    stops = parser_stops(answer) if answer is not None and unreadable(finding) else UNKNOWN
    yield from another_parse_error(finding, texts, stops)
    fitting = [one for same in alike if concerns(same[0][1], finding, data) for one in same]
    fitting.sort(key=lambda one: not verbatim(one[1].message, finding))
    own = Own.of(finding, data, schema) if fitting else None
    for new, entry in fitting:
        counted = not first and may_count_from_1(new.text, entry.start, entry.end)
        if counted and not quotes_value(finding, entry.message, data):
            continue
        if not _is_below_another(entry, new, finding, data):
            how = Firmness.VERBATIM if verbatim(entry.message, finding) else Firmness.LOCATED
            if own and how is Firmness.LOCATED and own.opposes(entry.message, new.text[entry.start : entry.end]):
                continue
            yield Claim(Nearness.EXACT, Sense.AGREES, new.quote(entry.start, entry.end), how)
    for at, new in enumerate(texts):
        message = standalone_message(finding, new.text, {start for n, start in taken if n == at}, new.entries)
        if message:
            taken.add((at, message[0]))
            yield Claim(Nearness.EXACT, Sense.AGREES, new.quote(*message), Firmness.VERBATIM)
            break
    yield from spoken(finding, texts, stops)


def _is_below_another(entry: ErrorEntry, new: NewText, finding: Finding, data: object) -> bool:
    """Return True if an outline shows that an error is in a different part of the answer: "title" below "steps[1]"."""
    own = entry.path or ()
    outlines = [e for e in new.entries if e.start < entry.end and entry.start < e.end]
    longer = [e.path for e in outlines if own and e.path and e.path[-len(own) :] == own != e.path]
    return any(reaches(data, path[: -len(own)]) and not same_place(path, finding.path, data) for path in longer)


# Parts of the answer that the new words quote, such as hunks of a diff.

_SEARCHED = 200_000
"""Maximum number of characters of new words to search for quotes."""
_SHOWN = 80
"""Maximum number of characters of a quote that the evidence shows."""


def _quotes_in(deltas: Iterable[Delta], findings: Sequence[Finding]) -> set[str]:
    """Return the quotes of findings that the new words contain."""
    words = normal_text("\n".join(piece.whole or piece.text for delta in deltas for piece in delta.pieces)[:_SEARCHED])
    return {quote for finding in findings if (quote := normal_text(finding.quote)) and quote in words}


def _by_quote(finding: Finding, claim: Claim, there: set[str]) -> Claim:
    """Return the claim that follows for a finding from the quotes that are there, or else the other claim.

    Quotes of at least two other findings show that the app reports several at a time. Without any quote, words that
    seem to name another place may be code: `y: int` in a quoted block is not an error at `y`.
    """
    quote = normal_text(finding.quote)
    if quote in there:
        return Claim(Nearness.EXACT, Sense.AGREES, clip(quote, _SHOWN), Firmness.VERBATIM)
    if not quote or not (there or TABLE[claim.near, claim.sense].grade is Grade.WRONG):
        return claim
    sense = Sense.CONTRADICTS if len(there) > 1 else Sense.UNKNOWN if there else Sense.NOTHING
    return Claim(Nearness.QUOTE, sense, instead=str(len(there)))
