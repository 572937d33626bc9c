"""Which findings a retry must carry: not more than the app's own validator could know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ...contract.failure_kinds import FailureKind, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.finding import Finding
    from ..outcomes import Grade
    from ..results import Carried

_ORDER = list(Phase)
_OURS_ALONE = frozenset({FailureKind.DUPLICATE_KEY, FailureKind.NON_FINITE})
"""Kinds of the parse phase that ordinary parsers accept silently."""
FIRMNESS = ("proven", "verbatim", "located", "weak")
"""The grades that count as carried, from the firmest on; `placed` and `reacts` count as weak."""


def required(errors: Sequence[Finding], must_carry: Literal["app", "contract"] = "app") -> tuple[Finding, ...]:
    """Return the bad findings that the next request must carry.

    "contract": all of them. "app": those of the earliest phase, since a parse error hides schema errors and these
    hide content constraints; within it those that the app's validator reports, where it reports any. What only our
    stricter reading sees (duplicate keys, NaN) is required only where nothing else is wrong.
    """
    if must_carry == "contract" or not errors:
        return tuple(errors)
    visible = [f for f in errors if f.kind not in _OURS_ALONE or f.validator_code] or list(errors)
    first = min(_ORDER.index(f.kind.phase) for f in visible)
    phase = [f for f in visible if _ORDER.index(f.kind.phase) == first]
    return tuple([f for f in phase if f.validator_code] or phase)


def enough(fates: Sequence[Carried], coverage: Literal["all", "first", "any"], weakest: Grade) -> bool:
    """Return whether the required findings of one attempt were carried, by the coverage that is asked for."""
    return _covered([holds(c, weakest) for c in fates], coverage)


def may_be_enough(fates: Sequence[Carried], coverage: Literal["all", "first", "any"], weakest: Grade) -> bool:
    """Return whether they were carried if every unread finding was.

    Whoever asks for firmer grades than `weak` asks for words that can be read.
    """
    excused = FIRMNESS.index(weakest.value) == len(FIRMNESS) - 1
    return _covered([holds(c, weakest) or (excused and c.grade.value == "unread") for c in fates], coverage)


def holds(fate: Carried, weakest: Grade) -> bool:
    """Return whether one finding counts as carried: found, and at least as firmly as `weakest`."""
    grade = "weak" if fate.grade.value in ("placed", "reacts") else fate.grade.value
    return grade in FIRMNESS[: FIRMNESS.index(weakest.value) + 1]


def _covered(held: Sequence[bool], coverage: Literal["all", "first", "any"]) -> bool:
    if coverage == "any":
        return any(held)
    return held[0] if coverage == "first" and held else all(held)
