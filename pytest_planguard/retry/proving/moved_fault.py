"""The same fault at another item of its list: the words about it must then name that item.

Words may name an item in any notation, so only the numbers count. If the fault moves from item i to item j, they must
change from i to j, or from i + 1 to j + 1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from itertools import product
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...contract.phrasing import as_json
from ...document.edit import Edit, edit_document
from ...document.path import Path, get_at, to_dotted, value_at
from ..matching.item_signs import ORDINAL, with_numbers
from ..reading.structures import values
from .repair import Repaired, read_as_contract
from .request_diff import TOKENS, ChangedAnswer

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict

_ABSENT = object()
# An empty value: "{}", "%{}", "[]", "nil".
_EMPTY = re.compile(r"\{\s*\}|\[\s*\]|\b(?:null|nil|None|undefined)\b")
TRIES = 6
"""Maximum number of items to plant the fault at; each costs one check of the answer."""


@dataclass(frozen=True, slots=True)
class Moved(ChangedAnswer):
    """An answer with the same fault at another item, and no fault at the place of the finding."""

    item: int
    """The finding's own item, 0-based."""
    to: int
    """The item that has the fault instead, 0-based."""
    items: int
    """The number of items in the list."""
    marks: frozenset[tuple[str, str]]
    """Pairs of numbers that may change with the item: 0-based and 1-based positions, ids of the items, line numbers."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers by which words may name either item."""
        return (self.item, self.item + 1, self.to, self.to + 1)

    @property
    def words(self) -> str:
        """The change in words for people: 'the same error at another item (guests.2.age became 410)'."""
        own, other = self.places
        value = get_at(self.before, own, _ABSENT)
        done = "was removed" if value is _ABSENT else f"became {as_json(value)}"
        return f"the same error at another item ({to_dotted(other)} {done})"


class Item(StrEnum):
    """How the words about a finding name its item, according to how they change when the fault moves."""

    FOLLOWS = auto()
    """A number in the words moves with the fault, or words without a number do: "the second guest"."""
    SILENT = auto()
    """The request is the same, and none of its numbers is a position: "one of the guests is too old"."""
    STRAYS = auto()
    """The numbers that changed are not those of the items, or an unchanged number belongs to another item."""


def moved(
    finding: Finding, verdict: Verdict, contract: Any, repaired: Repaired, finish: str | None = None
) -> Moved | None:
    """Return the answer with the same fault at another item; None if the path has no item, or no item can have it.

    The innermost list counts. The last item is tried first, since item numbers that are one off wrap around there.
    """
    path = finding.path
    at = next((n for n in reversed(range(len(path))) if isinstance(path[n], int)), None)
    if at is None or repaired.reveals or repaired.places != (path,):
        return None
    document = read_as_contract(repaired.text, contract)
    items = value_at(document.data, path[:at])
    if int(path[at]) >= len(items):  # the repair removed the item
        return None
    others = sorted(f.identity for f in verdict.errors if f is not finding)
    for to in list(_others(document.data, path, at))[:TRIES]:
        place = (*path[:at], to, *path[at + 1 :])
        text = edit_document(document, _planted(finding, verdict.data, place))
        judged = contract.check(text, finish=finish) if text is not None else None
        if text and judged and sorted(f.identity for f in judged.errors) == sorted([*others, (finding.code, place)]):
            (planted,) = (f for f in judged.errors if f.path == place)
            # Words name guests[2] as "2", "3" or "the third", which `with_numbers` writes as ORDINAL + 3.
            positions = {(str(int(path[at]) + first), str(to + first)) for first in (0, 1, ORDINAL + 1)}
            marks = frozenset({*positions, *_ids(items[path[at]], items[to]), *_spans(finding, planted)})
            return Moved(text, verdict.data, judged.data, (path, place), int(path[at]), to, len(items), marks)
    return None


def _ids(one: object, other: object) -> Iterator[tuple[str, str]]:
    """Yield the pairs of numbers in a member that both items have: 101 and 205 in ids, 7 and 9 in "R7" and "R9"."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() & other.keys():
            if not isinstance(one[key], dict | list):
                yield from product(*(re.findall(r"\d+", str(value)) for value in (one[key], other[key])))


def _spans(finding: Finding, planted: Finding) -> Iterator[tuple[str, str]]:
    """Yield the pairs of numbers of their places in the answer's text: lines and columns."""
    if finding.span is not None and planted.span is not None:
        own, other = finding.span, planted.span
        yield from ((str(own.line), str(other.line)), (str(own.column), str(other.column)))


def _others(data: object, path: Path, at: int) -> Iterator[int]:
    """Yield the items that could have the fault: the last one, the first one, then the others."""
    items = value_at(data, path[:at])
    for number in dict.fromkeys((len(items) - 1, *range(len(items)))):
        around = (*path[:at], number, *path[at + 1 : -1])
        if number != path[at] and get_at(data, around, _ABSENT) is not _ABSENT:
            yield number


def _planted(finding: Finding, data: object, place: Path) -> Edit:
    if finding.kind is FailureKind.MISSING:
        return Edit("drop", place)
    value = value_at(data, finding.path)
    return Edit("add" if finding.kind is FailureKind.EXTRA else "put", place, value)


def _tokens(text: str) -> Iterator[str]:
    """Yield the words and numbers of a text, and the positions in its data: `[{}, {"age": ["too high"]}]`."""
    found = list(values(text))
    for _, start, end in reversed(found):
        text = f"{text[:start]} {text[end:]}"
    yield from TOKENS.findall(text)
    for value, _, _ in found:
        yield from _flat(value)


def _flat(value: object) -> Iterator[str]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, inner in pairs:
        if inner not in ({}, [], "", None):
            yield from TOKENS.findall(str(key))
            yield from _flat(inner)
    if not isinstance(value, dict | list | tuple):
        yield from TOKENS.findall(str(value))


def _paired(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the tokens that replaced each other: the only new number of each text, else all in order.

    "item 1: too old" and "too old: item 2" give ("1", "2"), although the order of the lines has changed, too.
    """
    sides = (Counter(one) - Counter(other), Counter(other) - Counter(one))
    gone, came = ([token for token in side.elements() if token.isdecimal()] for side in sides)
    if len(gone) == len(came) == 1:
        yield gone[0], came[0]
    elif len(one) == len(other):
        yield from zip(one, other, strict=True)


def item_in(words: str, there: str, change: Moved, positions: set[int], spelled: set[int]) -> Item | None:
    """Return how words name the item; None if the app does not mention the fault at the other item.

    Args:
        words: the words that disappear with the finding.
        there: the words that disappear with the same fault at the other item.
        change: the answer with the moved fault.
        positions: numbers in the words about the finding that are not from its rule or value.
        spelled: numbers of items in places that the words spell out. They count even if they are also in the rule or
            the value: "rows[0].quantity must not be 0".
    """
    one, other = (list(_tokens(with_numbers(text))) for text in (words, there))
    if not other:
        return None
    if one == other:
        own = {change.item, change.item + 1}
        beside = any(n <= change.items for n in positions) and not positions & own
        return Item.STRAYS if beside or (spelled and not spelled & own) else Item.SILENT
    pairs = {(a, b) for a, b in _paired(one, other) if a != b and a.isdecimal() and b.isdecimal()}
    return Item.STRAYS if pairs and pairs.isdisjoint(change.marks) else Item.FOLLOWS


def strays(before: str, there: str, change: Moved) -> bool:
    """Return True if the words about both faults move to a different place than the fault, or by a different distance.

    Items without errors may be empty values, which are then counted: "[%{}, %{age: …}]" is about the second one.
    """
    one, other = (Counter(_tokens(with_numbers(text))) for text in (before, there))
    if one == other:
        return len(_EMPTY.findall(there)) - len(_EMPTY.findall(before)) not in (0, change.to - change.item)
    gone, came = ([token for token in side if token.isdecimal()] for side in (one - other, other - one))
    return bool(gone and came) and change.marks.isdisjoint(product(gone, came))
