"""The catalogue of explanations: what each word of a report means, why it matters, an example, what to do.

The layers that give a word register its explanation here; commands, pages and reports read it. It imports nothing of
them, so every layer may use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from ..errors import UsageError


class Sort(StrEnum):
    """What kind of word is explained. The order is that of lists."""

    KIND = "failure kind"
    CODE = "finding code"
    CONSTRAINT = "constraint"
    CHECK = "check"
    OUTCOME = "outcome"
    GRADE = "grade"
    SEVERITY = "severity"
    STATUS = "check status"
    RULE = "plan rule"
    FAILURE = "failure of a case"
    FAMILY = "validator codes"


@dataclass(frozen=True, slots=True)
class Explanation:
    """One word, explained."""

    name: str
    """As reports write it: "truncated", "dep-cycle"; a family by its validator: "pydantic: type"."""
    sort: Sort
    what: str
    """What it means, in one or two sentences."""
    why: str
    """Why it matters, or why it happens."""
    example: str
    """One case of it, on one line."""
    fix: str
    """What to do about it."""


Family = Callable[[str], "Explanation | None"]
"""Returns the explanation of the family that a validator's code belongs to; None for a code that it does not know."""


class Catalogue:
    """Explanations by sort and name. One name may mean several things: `range` is a kind and a constraint."""

    def __init__(self) -> None:
        self._entries: dict[tuple[Sort, str], Explanation] = {}
        self._families: list[Family] = []

    def __iter__(self) -> Iterator[Explanation]:
        """Yield every explanation, by sort, then in the order in which they were registered."""
        order = list(Sort)
        return iter(sorted(self._entries.values(), key=lambda entry: order.index(entry.sort)))

    def register(self, entries: Iterable[Explanation], family: Family | None = None) -> None:
        """Add explanations, and the function that finds the family of a validator's code.

        Raises:
            UsageError: another explanation has the sort and the name.
        """
        for entry in entries:
            key = (entry.sort, entry.name)
            if self._entries.setdefault(key, entry) != entry:
                raise UsageError(f"the {entry.sort} {entry.name!r} is explained already; change that explanation")
        if family is not None and family not in self._families:
            self._families.append(family)

    def named(self, name: str) -> tuple[Explanation, ...]:
        """Return every meaning of a name; () where it has none. A validator's code has the meaning of its family."""
        exact = tuple(entry for entry in self if entry.name == name)
        return exact or tuple(entry for family in self._families if (entry := family(name)) is not None)


CATALOGUE = Catalogue()
"""What is explained. Complete once every module `explained` is imported, which `report.explain` does."""


def explained(sort: Sort, table: Iterable[tuple[str, str, str, str, str]]) -> tuple[Explanation, ...]:
    """Return the rows of a table (name, what, why, example, what to do) as explanations of one sort."""
    return tuple(Explanation(name, sort, what, why, example, fix) for name, what, why, example, fix in table)
