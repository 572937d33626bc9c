"""What follows from the runs of an app: one table, in the order in which its rows are asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..proof import ProofResult
from .changes.sibling import Item
from .differences.request_diff import Difference
from .told import Told


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the runs for one finding have shown."""

    change: Difference
    """What went out of the next request with the finding."""
    told: Told = Told.NOTHING
    """What these words say."""
    item: Item | None = None
    """Where they went with the same fault at another item; None where that was not tried, or need not be."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table."""

    holds: Callable[[Evidence], bool]
    result: ProofResult
    example: str
    """What an app says of `nights` = 90 where 1 to 28 are allowed; in rows about items, of `guests[1].age` = 410."""


TABLE = (
    Row(lambda e: e.change is Difference.NONE, ProofResult.MISSING, "it always says: please try again"),
    Row(lambda e: e.change is Difference.COUNT, ProofResult.MISSING, "it says: there are 2 errors"),
    Row(lambda e: e.told is Told.STOCK, ProofResult.MISSING, "it says: that was wrong, please try again"),
    Row(lambda e: e.told is Told.OTHER_PLACE, ProofResult.WRONG, "it says: guest must be at most 28"),
    Row(lambda e: e.told is Told.OTHER_PROBLEM, ProofResult.WRONG, "it says: nights must be a text"),
    Row(lambda e: e.told is Told.OTHER_BOUND, ProofResult.WRONG, "it says: `nights` не может быть меньше 1"),
    Row(lambda e: e.item is Item.STRAYS, ProofResult.WRONG, "it says: guests[0].age is over 120"),
    Row(
        lambda e: e.change in (Difference.NUMBERS, Difference.VALUES) and e.item is not Item.FOLLOWS,
        ProofResult.UNPROVEN,
        "it says: something is wrong near character 40",
    ),
    Row(lambda e: e.told is Told.OTHER_FAULT, ProofResult.UNCLEAR, "it says: nights, please, we cannot do without"),
    Row(lambda e: e.item is Item.SILENT, ProofResult.REACTS, "it says: one of your guests is too old"),
    Row(lambda e: e.told is Told.OWN, ProofResult.PROVEN, "it says: mehr als 28 Nächte geht nicht"),
    Row(lambda _: True, ProofResult.REACTS, "it says: that is quite a long stay, isn't it?"),
)
"""The first row that holds decides."""


def decide(evidence: Evidence) -> ProofResult:
    """Return what follows from the evidence."""
    return next(row.result for row in TABLE if row.holds(evidence))
