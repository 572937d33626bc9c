"""The numbers of a place, such as the bound that a finding breaks, how words spell it, and its other faults."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...contract.schema.schema_fields import schemas_at
from ...document.edit import Edit, edit_document
from ...document.path import get_at
from ..matching.own_evidence import limit_of
from ..matching.rule_evidence import Own
from ..reading.comparison import comparison_in
from .edits import constraint_rules
from .repair import read_as_contract

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.path import Path


_BOUNDS = ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")
_SIZES = ("minLength", "maxLength", "minItems", "maxItems")
# A separate number, also with separated thousands ("1,000"). It is not part of a path ("rooms[1]", "/rooms/1"), a word
# ("E17"), a version or a date. A character of another script may touch it ("最小30个").
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_./#\[:-])[-\u2212]?(?:\d{1,3}(?:[,\u202f\u00a0']\d{3})+|\d{1,15})(?:\.\d{1,9})?(?![A-Za-z0-9_\]/-]|[.,:]\d)"
)
# Words before a number that is a position or a code, not an amount: "line 4", "item 2", "status 400".
_POSITION = re.compile(
    r"\b(?:line|column|col|char(?:acter)?|position|offset|index|row|item|entry|element|step|attempt|status|code|rule|nr|no"
    r"|zeile|spalte|eintrag|punkt|ligne|línea|fila)[\s:.#(]{1,3}\Z",
    re.IGNORECASE,
)


def numbers_in(words: str) -> set[float]:
    """Return the numbers that words use as amounts: 1 and -2 in "not less than 1 (now -2)"."""
    return {
        float(re.sub(r"[,\u202f\u00a0']", "", found[0]).replace("\u2212", "-"))
        for found in _NUMBER.finditer(words)
        if not _POSITION.search(words[max(0, found.start() - 20) : found.start()])
    }


def opposite_bound(finding: Finding, words: str, data: object, contract: object) -> float | None:
    """Return another bound of the finding's place that the words name instead of the finding's; None without one.

    A bound that differs by one may be the same in other words ("fewer than 29" is 28 at most), unless that number is
    the answer's value.
    """
    own = limit_of(finding)
    if own is None:
        return None
    here, named = _numbers_of(finding, data), numbers_in(words)
    if named & _near(own, here):
        return None
    others = sorted(bounds_at(finding, data, contract) - {own})
    return next((bound for bound in others if named & (_near(bound, here) - here)), None)


def _near(bound: float, here: set[float]) -> set[float]:
    return {bound} | ({bound - 1, bound + 1} - here)


def bounds_at(finding: Finding, data: object, contract: object) -> set[float]:
    """Return the bounds on the value and its size that the contract sets at the finding's place."""
    schema = getattr(contract, "json_schema", None)
    nodes = schemas_at(schema, finding.path) if isinstance(schema, Mapping) else []
    rules = (*nodes, *constraint_rules(finding, data, contract))
    found = (node.get(name) for node in rules for name in (*_BOUNDS, *_SIZES))
    return {float(n) for n in found if isinstance(n, int | float) and not isinstance(n, bool)}


def limits_missing(finding: Finding, words: str, data: object, contract: object) -> bool:
    """Return True if words name a bound or the choices of a field that is missing: "weight: 上限 30"."""
    if finding.kind is not FailureKind.MISSING:
        return False
    own = Own.of(finding, data, getattr(contract, "json_schema", None))
    return not own.is_told(words) or not bounds_at(finding, data, contract).isdisjoint(numbers_in(words))


def bound_elsewhere(finding: Finding, words: str, data: object, contract: object) -> float | None:
    """Return a bound of other places only, if the words name it instead of the finding's own; None without one.

    It counts only if a number is compared, or the finding itself breaks a bound: "3 levels" has no bound.
    """
    compared = comparison_in(words)
    if limit_of(finding) is None and (compared is None or compared.bound is None):
        return None
    own = {*bounds_at(finding, data, contract), *_numbers_of(finding, data), float(len(finding.allowed))}
    if {near for n in own for near in (n - 1, n, n + 1)} & numbers_in(words):
        return None
    schema = getattr(contract, "json_schema", None)
    return next((n for n in sorted(set(_all_bounds(schema))) if n in numbers_in(words)), None)


def _all_bounds(node: object) -> Iterator[float]:
    """Yield the bounds of every place in a schema."""
    for key, inner in node.items() if isinstance(node, Mapping) else ():
        if key in (*_BOUNDS, *_SIZES) and isinstance(inner, int | float) and not isinstance(inner, bool):
            yield float(inner)
        yield from _all_bounds(inner)
    for inner in node if isinstance(node, list) else ():
        yield from _all_bounds(inner)


def own_value(finding: Finding, words: str, data: object) -> bool:
    """Return True if words name the finding's value or its length, if that is a number of more than one digit."""
    return bool({n for n in _numbers_of(finding, data) if abs(n) > 9} & numbers_in(words))


def positions_in(finding: Finding, words: str, data: object) -> set[int]:
    """Return the whole numbers in words that may be positions, except those of the finding's rule, value or length."""
    rule = {limit_of(finding), *_numbers_of(finding, data)}
    return {int(n) for n in re.findall(r"(?<![\d.])\d{1,6}(?!\.?\d)", words) if float(n) not in rule}


def _numbers_of(finding: Finding, data: object) -> set[float]:
    """Return the finding's value, its length, and the numbers within its text."""
    value = get_at(data, finding.path)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return {float(value)}
    if isinstance(value, str | list | dict):
        return {float(len(value)), *(numbers_in(value) if isinstance(value, str) else ())}
    return set()


_FAULTS: tuple[Any, ...] = (None, "", -1, 10**6, "x" * 2_000, True, [], {"?": 0})
"""Values that together break most rules for a place."""


def other_faults(finding: Finding, text: str, contract: Any) -> Iterator[Finding]:
    """Yield other findings that could be at this one's place. Many apps treat null as a missing field."""
    document, known = read_as_contract(text, contract), {finding.code}
    if finding.kind is FailureKind.MISSING:
        faults = [Edit("add", finding.path, value) for value in _FAULTS[1:]]
    else:
        droppable = isinstance(finding.path[-1], str) and finding.actual != "null"
        faults = [Edit("drop", finding.path)] if droppable else []
        faults += [Edit("put", finding.path, value) for value in _FAULTS]
    for edit in faults:
        changed = edit_document(document, edit)
        verdict = contract.check(changed) if changed is not None else None
        for other in verdict.errors if verdict is not None else ():
            if other.path == finding.path and other.code not in known:
                known.add(other.code)
                yield other


# The place of a finding in words: "rooms[0].kind", or the numbers of its items.


_JOIN = r"[^\w\n;|]{1,5}"
"""The characters between the steps of a full path: "[", "].", " -> ", "', '". A table may count its rows from 1."""


def without_items(words: str, path: Path) -> list[str]:
    """Return words without the numbers of the items of a path, from 0 or from 1; both versions if both fit."""
    found = []
    for first in (0, 1):
        left, parted = words, 0
        steps = [step + first for step in path if isinstance(step, int)]
        for step in steps:
            left, one = re.subn(rf"(?<!\d){step}(?!\d)", " ", left, count=1)
            parted += one
        if steps and parted == len(steps):
            found.append(left)
    return found or [words]


def spells_place(finding: Finding, words: str) -> bool:
    """Return True if words spell out the whole place with its positions: "rooms[0].kind", "/rooms/0/kind".

    Punctuation may separate the steps, but not words. Items that are counted from 1, or have other names, do not match.
    """
    spelled = _JOIN.join(re.escape(str(step)) for step in finding.path)
    return re.search(rf"(?<![\w-]){spelled}(?!\w)", words) is not None


def items_spelled(finding: Finding, words: str) -> set[int]:
    """Return the numbers at the innermost item of the finding's place, where words spell it out for any items.

    "rooms[0].kind must be 1" and "/rooms/0/kind" give 0 for rooms[2].kind. "rooms: 1 kind" counts, and gives nothing.
    """
    *around, leaf = finding.path
    at = next((n for n in reversed(range(len(around))) if isinstance(around[n], int)), None)
    if not at or isinstance(leaf, int):
        return set()
    steps = (
        r"(\d{1,6})(?! +\w)" if n == at else r"\d+" if isinstance(s, int) else re.escape(s)
        for n, s in enumerate(around)
    )
    spelled = rf"(?<![\w-]){_JOIN.join((*steps, re.escape(leaf)))}(?!\w)"
    return {int(number) for number in re.findall(spelled, words)}
