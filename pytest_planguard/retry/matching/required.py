"""Which findings a retry must feed back: not more than the app's own validator could know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ...contract.failure_kinds import FailureKind, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.finding import Finding
    from ..outcomes import Firmness
    from ..results import FedBack

_ORDER = list(Phase)
_OURS_ALONE = frozenset({FailureKind.DUPLICATE_KEY, FailureKind.NON_FINITE})
"""Kinds of the parse phase that ordinary parsers accept silently."""
FIRMNESS = ("proven", "verbatim", "located", "weak")
"""What counts as fed back, from the firmest on; `partial` and `reacts` count as weak."""


def required(errors: Sequence[Finding], must_feed_back: Literal["app", "contract"] = "app") -> tuple[Finding, ...]:
    """Return the bad findings that the next request must feed back.

    "contract": all of them. "app": those of the earliest phase, since a parse error hides schema errors and these
    hide content constraints; within it those that the app's validator reports, where it reports any. What only our
    stricter reading sees (duplicate keys, NaN) is required only where nothing else is wrong.
    """
    if must_feed_back == "contract" or not errors:
        return tuple(errors)
    visible = [f for f in errors if f.kind not in _OURS_ALONE or f.validator_code] or list(errors)
    first = min(_ORDER.index(f.kind.phase) for f in visible)
    phase = [f for f in visible if _ORDER.index(f.kind.phase) == first]
    return tuple([f for f in phase if f.validator_code] or phase)


def enough(gradings: Sequence[FedBack], coverage: Literal["all", "first", "any"], weakest: Firmness) -> bool:
    """Return whether the required findings of one attempt were fed back, by the coverage that is asked for."""
    return _covered([holds(c, weakest) for c in gradings], coverage)


def may_be_enough(gradings: Sequence[FedBack], coverage: Literal["all", "first", "any"], weakest: Firmness) -> bool:
    """Return whether they were fed back if every unclear finding was.

    Whoever asks for more than `weak` asks for words that can be read.
    """
    excused = FIRMNESS.index(weakest.value) == len(FIRMNESS) - 1
    return _covered([holds(c, weakest) or (excused and c.grade.value == "unclear") for c in gradings], coverage)


def holds(graded: FedBack, weakest: Firmness) -> bool:
    """Return whether one finding counts as fed back: found, and at least as firmly as `weakest`."""
    label = "weak" if graded.label in ("partial", "reacts") else graded.label
    return label in FIRMNESS[: FIRMNESS.index(weakest.value) + 1]


def _covered(held: Sequence[bool], coverage: Literal["all", "first", "any"]) -> bool:
    if coverage == "any":
        return any(held)
    return held[0] if coverage == "first" and held else all(held)
