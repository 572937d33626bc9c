"""A way in which a candidate accepts more than its base, and the baseline entry that accepts it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import TYPE_CHECKING

from .known_failures import WEAKENED, Baseline, KnownFailure

if TYPE_CHECKING:
    from datetime import date


class Weight(StrEnum):
    """How certain a weakening is."""

    WEAKENED = auto()
    """The candidate accepts what the base rejects, or checks less."""
    UNCLEAR = auto()
    """Something that affects the result changed, in an unknown direction."""
    UNKNOWN = auto()
    """A part of a tree could not be inspected."""


@dataclass(frozen=True, slots=True)
class Weakening:
    """One way in which a candidate accepts more than its base."""

    about: str
    """A test, a contract, a file or a setting."""
    kind: str
    """"contract", "check", "tests", "cassettes", "baseline", …"""
    what: str
    """The difference in words."""
    weight: Weight = Weight.WEAKENED
    accepted: KnownFailure | None = None
    """The entry of the candidate's baseline that accepts the weakening, with a reason and an owner."""

    @property
    def entry(self) -> KnownFailure:
        """The entry that accepts it once a person has added a reason and owner."""
        return KnownFailure(self.about, f"{WEAKENED} {self.what}")

    def __str__(self) -> str:
        return f"{self.about}: {self.what}"


def with_acceptance(
    found: Iterable[Weakening], listed: Baseline, before: Baseline, today: str
) -> tuple[Weakening, ...]:
    """Return the weakenings, sorted, each with the entry that accepts it.

    An entry accepts one pull request. If the base already lists it, it doesn't count for the next one. It must have a
    reason, an owner and the same words, since a further step in the same direction needs a new decision.
    """
    spent = {entry.identity for entry in before.entries}
    entries = {entry.identity: entry for entry in listed.entries if _is_answered_for(entry, today)}

    def accepted(each: Weakening) -> Weakening:
        identity = each.entry.identity
        return replace(each, accepted=each.accepted if identity in spent else entries.get(identity, each.accepted))

    order = list(Weight)
    return tuple(
        sorted(
            # Once, if two comparisons find the same: two contracts of one name, in two tests.
            map(accepted, {(each.kind, str(each)): each for each in found}.values()),
            key=lambda w: (order.index(w.weight), w.kind, str(w)),
        )
    )


def _is_answered_for(entry: KnownFailure, today: str) -> bool:
    return bool(entry.owner and entry.reason) and not (entry.expires is not None and entry.expires < today)


def baseline_changes(listed: Baseline, before: Baseline, name: str) -> Iterable[Weakening]:
    """Yield the entries that only the candidate lists, or that it lets fail for longer.

    An entry with a reason and owner is an honest relaxation, so it counts as accepted.
    """
    old = {entry.identity: entry for entry in before.entries}
    for entry in listed.entries:
        if entry.rule.startswith(WEAKENED):
            continue
        known = old.get(entry.identity)
        if known is None:
            what = f"lists {entry}, which the base does not"
        elif known.expires is not None and (entry.expires is None or entry.expires > known.expires):
            until = f"until {entry.expires}" if entry.expires else "for ever"
            what = f"{entry} may fail {until}, and until {known.expires} in the base"
        else:
            continue
        yield Weakening(name, "baseline", what, accepted=entry if entry.owner and entry.reason else None)


def still_open(found: Sequence[Weakening], *weights: Weight) -> tuple[Weakening, ...]:
    """Return the weakenings of these weights that no entry accepts."""
    return tuple(each for each in found if each.weight in weights and each.accepted is None)


def with_weakenings(baseline: Baseline, found: Iterable[Weakening], today: date) -> Baseline:
    """Return the baseline with an entry for each weakening. It takes effect once a person adds a reason and owner."""
    added = [each.entry for each in found if each.accepted is None and each.kind != "baseline"]
    return Baseline((*baseline.entries, *(replace(entry, first_seen=today.isoformat()) for entry in added)))


def without_spent(baseline: Baseline, found: Iterable[Weakening]) -> Baseline:
    """Return the baseline without entries for weakenings of merged pull requests."""
    needed = {each.entry.identity for each in found}
    return Baseline(tuple(e for e in baseline.entries if not e.rule.startswith(WEAKENED) or e.identity in needed))
