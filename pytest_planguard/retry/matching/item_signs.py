"""Which item of a list the words are about, and from which number a text counts items.

A sign of another item is not proof. So words with such a sign count neither for the finding nor against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.path import get_at
from ..reading.entry import ErrorEntry, Place, place, reaches, step
from ..reading.error_category import ErrorCategory, category_of
from ..reading.structures import values
from ..reading.words import remembered
from .own_evidence import limit_of, positions, quotes_value, value_of

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.path import Path

_AROUND = 300
"""Number of characters on each side of a sentence to search for the item's name: a heading above, a path or a dump
below."""
_NAME_LIMIT = 80
"""Maximum number of characters of a text that may name its item. A longer one is a description."""
_ITEMS_LIMIT = 200
"""Maximum number of items of a list, and of values in a text, to compare."""
# A separate number: "Nr. 2", "[2/3]", "第2个", "| guests | 1 |"; not "3.5" and not the bullet of "2. age is missing".
_NUMBER = re.compile(r"(?<![\w.-])(?<!\d,)-?\d+(?:\.\d+)?(?![A-Za-z_]|[.,]\d)", re.ASCII)
# "2. ", " 3) " at the start of a line count the errors, not the items.
_BULLET = re.compile(r"^[ \t]*\d{1,3}[.)]\s", re.MULTILINE)
# "'Anna'", “Anna”, "`Anna`": a quoted value may name an item.
_QUOTED = re.compile(r"['\"`“‘]([^'\"`“”‘’\n]{1,80})['\"`”’]")
# First to fifth in ten languages: "the second guest", "zweiter Gast", "第二".
_ORDINALS = [
    re.compile(rf"\b(?:{words})|{character}", re.IGNORECASE)
    for words, character in (
        (r"first|1st|erste[rsnm]?\b|premi[eè]re?|primer[oa]?\b|prim[oa]\b|primeir[oa]\b|eerste\b|перв|pierwsz", "第一"),
        (r"second[oa]?\b|2nd|zweite|deuxi[eè]me|segund[oa]|tweede\b|втор|drug(?:i|a|ie|iego|iej|im)\b", "第二"),
        (r"third\b|3rd|dritte|troisi[eè]me|tercer[oa]?\b|terz[oa]\b|terceir[oa]\b|derde\b|трет|trzeci", "第三"),
        (r"fourth\b|4th|vierte|quatri[eè]me|cuart[oa]\b|quart[oa]\b|vierde\b|четв[её]рт|czwart", "第四"),
        (r"fifth\b|5th|fünfte|cinqui[eè]me|quint[oa]\b|vijfde\b|пят(?:ый|ая|ое|ого|ой|ом)|piąt", "第五"),
    )
]

# Before a number that counts from 0, as programs do: "Index 1", "(rooms 1 kind)", "[:rooms 1 :kind]". In an outline it
# is alone on its line: "└─ #1".
_FROM_0 = re.compile(r"(?:\bind(?:ex|ice)\w*[\s=:\"'(#]*|[\[(]:?\w+(?: :?\w+)* )\Z", re.IGNORECASE)
# Nothing but signs up to the line's end: "└─ #1 :".
_ALONE = re.compile(r"[^\w\n]*\n|[^\w\n]*\Z")
# Before a number that counts from 1, as people do: "entry 2", "guest #2", "第2个".
_FROM_1 = re.compile(
    r"(?:\b(?:item|entry|row|number|n[or]|nº|n°|eintrag|zeile|ligne|fila|punkt|post)s?[\s.:#]*|第\s?|\w #)\Z",
    re.IGNORECASE,
)
_BASES = (0, 1)
# A path with signs as menus have them may count its items from 1, unless one of the text has a 0: "rooms › 2 › kind".
_OF_A_MENU = re.compile(r"\w\s?›\s?[1-9]")
# "rooms › 0": a text with a 0 counts from 0 throughout.
_ZERO = re.compile(r"›\s?0\b")

ORDINAL = 10_000
"""A number added to each ordinal, which is 1-based. Other numbers may be 0-based."""


def with_numbers(words: str) -> str:
    """Return words with ordinals as numbers outside any 0-based range: "the 10002 guest" for "second"."""
    for number, pattern in enumerate(_ORDINALS, ORDINAL + 1):
        words = pattern.sub(f" {number} ", words)
    return words


def first_position(entries: Iterable[ErrorEntry], findings: Sequence[Finding], data: object) -> int:
    """Return the number that a text gives the first item of a list: 1 if the text shows that, else 0.

    `tasks[2].status: 'urgent' is not allowed` shows it if the answer has two tasks and the second one's status is
    'urgent'. Without such a value, the numbers prove nothing: they could be about an older, longer list.
    """
    placed = [(e.path, e.message) for e in entries if e.path and any(map(str.isdecimal, e.path))]
    if any("0" in path for path, _ in placed):
        return 0
    behind = [(path, said) for path, said in placed if not reaches(data, path)]
    return int(
        any(
            _shifted(path, 1) == place(finding.path) and quotes_value(finding, said, data)
            for path, said in behind
            for finding in findings
        )
    )


def may_count_from_1(text: str, start: int, end: int) -> bool:
    """Return True if text[start:end] has a path whose first item may be 0 or 1."""
    return _OF_A_MENU.search(text, start, end) is not None and not _ZERO.search(text)


def from_zero(entry: ErrorEntry, first: int) -> ErrorEntry:
    """Return an entry whose positions are 0-based."""
    return replace(entry, path=_shifted(entry.path, first)) if entry.path else entry


def _shifted(written: Place, by: int) -> Place:
    return tuple(str(int(segment) - by) if re.fullmatch(r"[0-9]{1,9}", segment) else segment for segment in written)


def shows_another_item(
    finding: Finding, text: str, original: str, spans: Sequence[tuple[int, int]], data: object
) -> bool:
    """Return True if the words around the name of the finding's field show another item.

    They show it by a number, an ordinal, an item's own name, or another item's value. `spans` are those words, the
    narrowest first: the first span that shows any item decides. `original` has the text's quotations of the answer.
    """
    start, end = spans[-1]
    start -= len(text[max(start - _AROUND, 0) : start].rpartition("\n\n")[2])  # a blank line ends the words above
    spans = (*spans, (start, end + len(text[end : end + _AROUND].partition("\n\n")[0])), (start, end + _AROUND))
    for at, index, items in _lists(finding.path, data):
        everywhere = {n for n, _ in _counting(finding, text[slice(*spans[-2])], len(items))}
        starts = [first for first, proof in ((0, len(items)), (1, 0)) if proof not in everywhere]
        are_named = next(_items_named(items, finding.path[-1], original[slice(*spans[-1])]), None) is not None
        shown = (
            _positions(_counting(finding, text[low:high], len(items)), len(items), starts)
            | _ordinals_in(text[low:high])
            | {*_items_named(items if are_named else (), finding.path[-1], original[low:high])}
            for low, high in spans
        )
        if _fills_another(finding.path[:at], index, text) or index not in next(filter(None, shown), {index}):
            return True
    return _quotes_another_value(finding, text[slice(*spans[-2])])


def _quotes_another_value(finding: Finding, words: str) -> bool:
    """Return True if words quote another value that breaks the finding's rule: "got 410" beside 380."""
    own, limit = value_of(finding), limit_of(finding)
    if limit is None or not _NUMBER.fullmatch(own):
        quoted = {word for word in _QUOTED.findall(words) if word not in f"{_rule(finding)}{finding.path}"}
        return bool(quoted and own) and own not in _QUOTED.findall(words)
    # A value at its own limit breaks an exclusive one: 0 of "more than 0" is too small, 10 of "less than 10" too large.
    too_low = float(own) < limit or (float(own) == limit and category_of(finding) is ErrorCategory.TOO_SMALL)
    breaking = {n for n in _numbers(words) if n != limit and (n < limit) == too_low} - positions(finding)
    return bool(breaking) and float(own) not in breaking


_Counted = tuple[int, tuple[int, ...]]
"""A number that may count items, and the possible numbers of the first item."""


def _counting(finding: Finding, words: str, length: int) -> list[_Counted]:
    """Return the numbers in words that may count the items of a list.

    The number of the rule is not a position, but its second occurrence is: "guests, 0: must be greater than 0".
    """
    rule = {*_numbers(f"{_rule(finding)} {finding.actual}")}
    found = _based(words)
    numbers = [n for n, _ in found]
    left = {n for n in numbers if n not in rule or numbers.count(n) > 1}
    marked = [(n, bases) for n, bases in found if bases != _BASES or n in left]
    return [(int(n), bases) for n, bases in marked if 0 <= n <= length and n.is_integer()]


@remembered
def _based(words: str) -> list[tuple[float, tuple[int, ...]]]:
    """Return the numbers in words, with the numbers that the first item may have by the words before each."""
    words, found = _BULLET.sub(" ", words), list[tuple[float, tuple[int, ...]]]()
    for number in _NUMBER.finditer(words):
        front = words[max(number.start() - 40, 0) : number.start()]
        alone = not re.search(r"\w", front.rpartition("\n")[2]) and _ALONE.match(words, number.end())
        bases = (0,) if alone or _FROM_0.search(front) else (1,) if _FROM_1.search(front) else _BASES
        found.append((float(number[0]), bases))
    return found


def _positions(counted: Sequence[_Counted], length: int, starts: Sequence[int]) -> set[int]:
    """Return the 0-based items that numbers may mean if the first item has one of `starts`: "[1/3]" is the first."""
    alone = len({n for n, _ in counted}) == 1
    kept = {n: {*starts} for n, _ in counted if n != length or alone}
    for n, bases in counted:
        kept[n] = kept.get(n, set()) & {*bases} or kept.get(n, set())
    return {n - first for n, firsts in kept.items() for first in firsts}


@remembered
def _ordinals_in(words: str) -> frozenset[int]:
    """Return the 0-based items that ordinals in words name: 1 for "the second guest"."""
    return frozenset(n for n, pattern in enumerate(_ORDINALS) if pattern.search(words))


def _rule(finding: Finding) -> str:
    return f"{finding.expected} {finding.message} {finding.validator_message} {finding.allowed}"


def _lists(path: Path, data: object) -> Iterator[tuple[int, int, Sequence[Any]]]:
    """Yield (step of the path, index, list) for every list on the path."""
    for at, segment in enumerate(path):
        if isinstance(segment, int) and isinstance(data, list):
            yield at, segment, data
        data = step(data, str(segment))[1]


def _fills_another(above: Path, index: int, text: str) -> bool:
    """Return True if JSON has content at another index of the list: `[{}, {"age": ["too high"]}]`, `{"1": {...}}`."""
    for items in (get_at(value, above) for value in _values(text)):
        pairs = items.items() if isinstance(items, Mapping) else enumerate(items) if isinstance(items, list) else ()
        filled = {str(at) for at, problems in pairs if problems and str(at).isdecimal()}
        if filled and str(index) not in filled:
            return True
    return False


@lru_cache(maxsize=64)
def _values(text: str) -> list[object]:
    return [value for value, _, _ in islice(values(text), _ITEMS_LIMIT)]


def _items_named(items: Sequence[object], field: str | int, text: str) -> Iterator[int]:
    """Yield the items that have another member whose text value occurs in the text."""
    for at, item in enumerate(items[:_ITEMS_LIMIT]):
        members = item.items() if isinstance(item, dict) else ()
        names = (one for key, one in members if key != field and isinstance(one, str) and 1 < len(one) <= _NAME_LIMIT)
        if any(name in text and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names):
            yield at


@remembered
def _numbers(words: str) -> tuple[float, ...]:
    return tuple(float(number) for number in _NUMBER.findall(words))
