"""Decide which findings a retry must feed back, even if one message contains several bad answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from ...contract.failure_kinds import FailureKind, Phase
from ...contract.feedback.provider_messages import NOT_RUN
from ...contract.finding import Finding, Related
from ...contract.verdict import Verdict

if TYPE_CHECKING:
    from ..matching.fed_back import FeedbackReading
    from ..outcomes import Firmness
    from ..results import FedBack

_ORDER = list(Phase)
_OURS_ALONE = frozenset({FailureKind.DUPLICATE_KEY, FailureKind.NON_FINITE})
"""Failure kinds that only our parser reports. Ordinary parsers accept such documents silently."""
FIRMNESS = ("proven", "verbatim", "located", "weak")
"""Labels that count as fed back, the firmest first. `partial` and `reacts` count as weak."""


def required(errors: Sequence[Finding], must_feed_back: Literal["app", "contract"]) -> tuple[Finding, ...]:
    """Return the errors that the next request must feed back.

    "contract" requires all errors. "app" requires only those of the earliest phase, since a parse error hides schema
    errors, and schema errors hide violated constraints. If the app's validator reports some of these, only they are
    required. Errors that only our stricter parser reports (duplicate keys, NaN) are required if there are no others.
    """
    if must_feed_back == "contract" or not errors:
        return tuple(errors)
    visible = [f for f in errors if f.kind not in _OURS_ALONE or f.validator_code] or list(errors)
    first = min(_ORDER.index(f.kind.phase) for f in visible)
    phase = [f for f in visible if _ORDER.index(f.kind.phase) == first]
    return tuple([f for f in phase if f.validator_code] or phase)


def enough(gradings: Sequence[FedBack], coverage: Literal["all", "first", "any"], weakest: Firmness) -> bool:
    """Return True if the retry fed back as many required findings of one attempt as `coverage` demands."""
    return _covered([holds(c, weakest) for c in gradings], coverage)


def may_be_enough(gradings: Sequence[FedBack], coverage: Literal["all", "first", "any"], weakest: Firmness) -> bool:
    """Return True if the retry fed back enough findings, assuming that it fed back every unclear one.

    If `weakest` is firmer than `weak`, unclear findings do not count: planguard must be able to read the words.
    """
    excused = FIRMNESS.index(weakest.value) == len(FIRMNESS) - 1
    return _covered([holds(c, weakest) or (excused and c.grade.value == "unclear") for c in gradings], coverage)


def holds(graded: FedBack, weakest: Firmness) -> bool:
    """Return True if the finding was fed back at least as firmly as `weakest`."""
    label = graded.label
    label = "weak" if label in ("partial", "reacts") else label
    return label in FIRMNESS[: FIRMNESS.index(weakest.value) + 1]


def _covered(held: Sequence[bool], coverage: Literal["all", "first", "any"]) -> bool:
    if coverage == "any":
        return any(held)
    return held[0] if coverage == "first" and held else all(held)


@dataclass(frozen=True, slots=True)
class Part:
    """One bad answer of an exchange that may have several."""

    call_id: str | None
    """The id of its call; None if the provider gives none."""
    errors: int
    """Number of errors in the verdict that belong to this answer."""
    data: Any
    """The parsed answer."""
    text: str
    """The answer's text."""


@dataclass(frozen=True, slots=True)
class ParallelVerdict(Verdict):
    """The findings of several bad answers, call by call. The text, value and places come from the first answer."""

    parts: tuple[Part, ...] = ()


def together(bad: Sequence[tuple[int, str | None, Verdict]]) -> ParallelVerdict:
    """Merge the verdicts on several bad answers into one.

    Each item of `bad` is (1-based number of the call, call id, verdict). The findings keep that order.
    """
    _, _, first = bad[0]
    others = [  # spans refer to the first call's text, so findings of later calls have none
        replace(found, span=None, related=(Related(f"this concerns call {number} of the answer"),))
        for number, _, verdict in bad[1:]
        for found in verdict.findings
    ]
    kept = {field.name: getattr(first, field.name) for field in fields(Verdict)}
    parts = tuple(_whole(verdict, call_id) for _, call_id, verdict in bad)
    return ParallelVerdict(**{**kept, "findings": (*first.findings, *others)}, parts=parts)


def required_of(verdict: Verdict, must_feed_back: Literal["app", "contract"]) -> tuple[Finding, ...]:
    """Return the findings that the next request must feed back, for each bad answer. Apps check answers one by one."""
    return tuple(found for errors, _ in _split(verdict) for found in required(errors, must_feed_back))


def by_answer(
    verdict: Verdict, reading: FeedbackReading
) -> Iterator[tuple[tuple[Finding, ...], FeedbackReading, Part]]:
    """Yield (errors of a bad answer, the parts of the next request that may be about it, the answer) for each answer.

    A tool result is about the call with its id. Everything else may be about any call. If a call's result is our own
    "Not run: another call of this answer failed", the result of the other call may contain its findings.
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
