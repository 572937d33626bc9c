"""Which findings a retry must feed back, even if one message holds several bad answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from ...contract.failure_kinds import FailureKind, Phase
from ...contract.feedback.turns import NOT_RUN
from ...contract.finding import Finding, Related
from ...contract.verdict import Verdict

if TYPE_CHECKING:
    from ..matching.fed_back import FeedbackReading
    from ..outcomes import Firmness
    from ..results import FedBack

_ORDER = list(Phase)
_OURS_ALONE = frozenset({FailureKind.DUPLICATE_KEY, FailureKind.NON_FINITE})
"""Kinds of the parse phase that ordinary parsers silently accept."""
FIRMNESS = ("proven", "verbatim", "located", "weak")
"""Labels that count as fed back, from the firmest on; `partial` and `reacts` count as weak."""


def required(errors: Sequence[Finding], must_feed_back: Literal["app", "contract"] = "app") -> tuple[Finding, ...]:
    """Return the bad findings that the next request must feed back.

    "contract": all of them. "app": those of the earliest phase, since a parse error hides schema errors and these hide
    content constraints. Within it, those that the app's validator reports, if it reports any. Findings of our stricter
    reading (duplicate keys, NaN) are required only if nothing else is wrong.
    """
    if must_feed_back == "contract" or not errors:
        return tuple(errors)
    visible = [f for f in errors if f.kind not in _OURS_ALONE or f.validator_code] or list(errors)
    first = min(_ORDER.index(f.kind.phase) for f in visible)
    phase = [f for f in visible if _ORDER.index(f.kind.phase) == first]
    return tuple([f for f in phase if f.validator_code] or phase)


def enough(gradings: Sequence[FedBack], coverage: Literal["all", "first", "any"], weakest: Firmness) -> bool:
    """Return True if enough required findings of one attempt were fed back, by the coverage."""
    return _covered([holds(c, weakest) for c in gradings], coverage)


def may_be_enough(gradings: Sequence[FedBack], coverage: Literal["all", "first", "any"], weakest: Firmness) -> bool:
    """Return True if enough were fed back, provided that every unclear finding was.

    A level above `weak` asks for words that planguard can read.
    """
    excused = FIRMNESS.index(weakest.value) == len(FIRMNESS) - 1
    return _covered([holds(c, weakest) or (excused and c.grade.value == "unclear") for c in gradings], coverage)


def holds(graded: FedBack, weakest: Firmness) -> bool:
    """Return True if one finding counts as fed back: found, and at least as firmly as `weakest`."""
    label = "weak" if graded.label in ("partial", "reacts") else graded.label
    return label in FIRMNESS[: FIRMNESS.index(weakest.value) + 1]


def _covered(held: Sequence[bool], coverage: Literal["all", "first", "any"]) -> bool:
    if coverage == "any":
        return any(held)
    return held[0] if coverage == "first" and held else all(held)


@dataclass(frozen=True, slots=True)
class Part:
    """One bad answer among several."""

    call_id: str | None
    """The id of its call; None if the provider gives none."""
    errors: int
    """How many of the verdict's errors belong to it."""
    data: Any
    """Its parsed document."""
    text: str
    """The text that the app got."""


@dataclass(frozen=True, slots=True)
class ParallelVerdict(Verdict):
    """The findings of several bad answers, call by call. Text, value and places are those of the first."""

    parts: tuple[Part, ...] = ()


def together(bad: Sequence[tuple[int, str | None, Verdict]]) -> ParallelVerdict:
    """Return one verdict for (call number from 1, call id, its verdict). The findings keep that order."""
    _, _, first = bad[0]
    others = [  # a finding of a later call has no place in the text of the first
        replace(found, span=None, related=(Related(f"this concerns call {number} of the answer"),))
        for number, _, verdict in bad[1:]
        for found in verdict.findings
    ]
    kept = {field.name: getattr(first, field.name) for field in fields(Verdict)}
    parts = tuple(_whole(verdict, call_id) for _, call_id, verdict in bad)
    return ParallelVerdict(**{**kept, "findings": (*first.findings, *others)}, parts=parts)


def required_of(verdict: Verdict, must_feed_back: Literal["app", "contract"] = "app") -> tuple[Finding, ...]:
    """Return the findings that the next request must feed back, of each bad answer: apps check them one by one."""
    return tuple(found for errors, _ in _split(verdict) for found in required(errors, must_feed_back))


def by_answer(
    verdict: Verdict, reading: FeedbackReading
) -> Iterator[tuple[tuple[Finding, ...], FeedbackReading, Part]]:
    """Yield each bad answer's errors, the parts of the next request that may be about it, and the answer.

    A tool's result is about the call with its id; everything else may be about any of them. If a result is our own "Not
    run: another call of this answer failed", the findings of its call are in the other call's result.
    """
    known = {part.call_id for part in verdict.parts} - {None} if isinstance(verdict, ParallelVerdict) else set()
    for errors, part in _split(verdict):
        not_run = {piece.call_id for _, piece in reading.pieces if piece.text.strip() == NOT_RUN}
        own_result = part.call_id is not None and part.call_id not in not_run
        others = known - {part.call_id} if own_result else set()
        yield errors, _without(reading, others) if others else reading, part


def _split(verdict: Verdict) -> Iterator[tuple[tuple[Finding, ...], Part]]:
    errors = verdict.errors
    parts = verdict.parts if isinstance(verdict, ParallelVerdict) else (_whole(verdict),)
    start = 0
    for part in parts:
        yield errors[start : start + part.errors], part
        start += part.errors


def _whole(verdict: Verdict, call_id: str | None = None) -> Part:
    return Part(call_id, len(verdict.errors), verdict.data, verdict.text)


def _without(reading: FeedbackReading, others: set[str | None]) -> FeedbackReading:
    texts = tuple(new for new in reading.texts if new.call_id not in others)
    deltas = (replace(d, pieces=tuple(p for p in d.pieces if p.call_id not in others)) for d in reading.deltas)
    return replace(reading, deltas=tuple(deltas), texts=texts)
