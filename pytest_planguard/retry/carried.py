"""Decides for each finding whether the next request carries it. Searched is only what the request says anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .convergence import Carried, Grade
from .entry import Entry, same_place
from .keywords import Mention, adjacent, spoken_of
from .recognise import recognise
from .rules import GENERIC, Rule, code_name, rule_of, rule_of_code, rule_of_words, unreadable
from .sameness import normal_text
from .wordings.lines import LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..contract.finding import Finding
    from .delta import Delta, Piece

EVIDENCE_LIMIT = 200
"""Characters of the request that are kept as evidence."""


@dataclass(frozen=True, slots=True)
class Said:
    """One error that a delta names, with the piece it stands in."""

    entry: Entry
    piece: Piece
    request: int

    @property
    def evidence(self) -> str:
        """Where it stands and its words, clipped."""
        return f"{_where(self.request, self.piece)}: {clip(self.piece.text[self.entry.start : self.entry.end])}"


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything the requests between two attempts say anew, read once."""

    deltas: tuple[Delta, ...]
    said: tuple[Said, ...]

    @property
    def pieces(self) -> Iterable[tuple[int, Piece]]:
        """(request, piece) of all new words."""
        return ((d.request, p) for d in self.deltas for p in d.pieces)

    @property
    def empty(self) -> bool:
        """Whether nothing new was said at all."""
        return not any(d.pieces for d in self.deltas)


def read(deltas: Sequence[Delta], *, known_wordings: bool = True) -> Reading:
    """Read the errors out of the deltas between two attempts."""
    said = (
        Said(entry, piece, delta.request)
        for delta in deltas
        for piece in delta.pieces
        for entry in recognise(piece.text, known_wordings=known_wordings)
    )
    return Reading(tuple(deltas), tuple(said))


def carried(findings: Sequence[Finding], reading: Reading, *, attempt: int, data: Any = None) -> tuple[Carried, ...]:
    """The fate of each finding of one attempt; `data` is the attempt's parsed answer, used for union tags in paths."""
    return tuple(replace(_fate(f, reading, data), attempt=attempt) for f in findings)


def stale(reading: Reading, findings: Sequence[Finding], earlier: Sequence[Finding], data: Any = None) -> list[str]:
    """Evidence of what the delta says about an earlier attempt and what does not hold for this one."""
    old = [f for f in earlier if f.identity not in {g.identity for g in findings}]
    found = {
        said.evidence: None
        for said in reading.said
        if any(_about(said.entry, f, data) for f in old) and not any(_about(said.entry, f, data) for f in findings)
    }
    return list(found)


def _fate(finding: Finding, reading: Reading, data: Any) -> Carried:
    if reading.empty:
        return Carried(finding, 0, Grade.LOST, reason="the next request says nothing new")
    about = [s for s in reading.said if _about(s.entry, finding, data)]
    if about:
        verbatim = next((s for s in about if _verbatim(s.entry.message, finding)), None)
        return Carried(finding, 0, Grade.VERBATIM if verbatim else Grade.LOCATED, (verbatim or about[0]).evidence)
    mention = _mentioned(finding, reading)
    if mention:
        return mention
    return Carried(finding, 0, Grade.LOST, reason=_why_lost(finding, reading, data))


def _mentioned(finding: Finding, reading: Reading) -> Carried | None:
    """Outside the entries: the message beside its path, or (for what has no entries) words that speak of it."""
    telling = any(s.entry.path and _entry_rule(s.entry) for s in reading.said)
    for request, piece in reading.pieces:
        near = adjacent(finding, piece.text)
        if near:
            return Carried(finding, 0, Grade.VERBATIM, _evidence(request, piece, near))
        others = [(s.entry.start, s.entry.end) for s in reading.said if s.piece is piece and _located(s.entry)]
        spoken = None if finding.path and telling else spoken_of(finding, piece.text, rule_of(finding), others)
        if spoken:
            return Carried(finding, 0, Grade.WEAK, _evidence(request, piece, spoken))
    return None


def _located(entry: Entry) -> bool:
    """Whether the entry is about a field: a word before a colon may announce an error, too ("JSONDecodeError: …")."""
    path = entry.path or ()
    return len(path) > 1 or (len(path) == 1 and path[0][:1].islower() and path[0] not in LABELS)


def _about(entry: Entry, finding: Finding, data: Any) -> bool:
    if entry.path is None or not entry.path:
        return not finding.path and _rule_agrees(entry, finding)
    here = same_place(entry.path, finding.path, data) or _of_its_list(entry.path, finding)
    return here and _rule_agrees(entry, finding)


def _of_its_list(written: Sequence[str], finding: Finding) -> bool:
    """Equal items are a fault of their list: naming the list says it as well as naming the second of them."""
    in_list = bool(finding.path) and isinstance(finding.path[-1], int)
    return in_list and rule_of(finding) is Rule.DUPLICATE and same_place(written, finding.path[:-1])


def _rule_agrees(entry: Entry, finding: Finding) -> bool:
    if _verbatim(entry.message, finding) or _within(entry.message, finding):
        return True
    name = code_name(entry.code) if entry.code else None
    if name and name not in GENERIC and name in (finding.validator_code, finding.code):
        return True
    rule = _entry_rule(entry)
    return rule is not None and rule in _accepted(finding)


def _accepted(finding: Finding) -> frozenset[Rule]:
    """What rule an entry may name: a broken document is broken in whatever way the app's parser calls it."""
    rule = rule_of(finding)
    if unreadable(finding):
        return frozenset({Rule.UNREADABLE} | ({rule} if rule else set()))
    return frozenset({rule} if rule else ())


def _entry_rule(entry: Entry) -> Rule | None:
    return rule_of_code(entry.code) or rule_of_words(entry.message)


def _verbatim(text: str, finding: Finding) -> bool:
    said = normal_text(text).casefold()
    return any(m in said for m in messages(finding))


def _within(text: str, finding: Finding) -> bool:
    """Whether the entry shortens the finding's message: at least three words of it, from its start."""
    said = normal_text(text).casefold().rstrip(".… ")
    return len(said.split()) >= 3 and any(m.startswith(said) for m in messages(finding))


def messages(finding: Finding) -> list[str]:
    """The finding's own words and its validator's, normalised, without pydantic's "Value error, "."""
    words = (finding.message, finding.validator_message or "")
    plain = (normal_text(w).casefold().removeprefix("value error, ").removeprefix("assertion failed, ") for w in words)
    return [w for w in plain if w]


def _why_lost(finding: Finding, reading: Reading, data: Any) -> str:
    here = [s for s in reading.said if s.entry.path and same_place(s.entry.path, finding.path, data)]
    if here:
        return f"its place is named with another problem ({here[0].evidence})"
    elsewhere = [s for s in reading.said if s.entry.path and _rule_agrees(s.entry, finding)]
    if elsewhere:
        return f"its problem is named at another place ({elsewhere[0].evidence})"
    return "the new words of the next request name neither its place nor its problem"


def _evidence(request: int, piece: Piece, mention: Mention) -> str:
    return f"{_where(request, piece)}: {clip(piece.text[mention.start : mention.end])}"


def _where(request: int, piece: Piece) -> str:
    return f"request {request}, message {piece.item}"


def clip(text: str, limit: int = EVIDENCE_LIMIT) -> str:
    """The text on one line, cut to `limit` characters."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"
