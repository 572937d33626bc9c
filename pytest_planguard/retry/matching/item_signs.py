"""Signs that words about a field of some item speak of another item than the finding's, however they count or name it.

They prove no item, so words with such a sign are not taken for the finding's; nor are they held against it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...document.path import value_at
from ..reading.embedded import values
from ..reading.entry import step
from .own_rule import limit_of, value_of

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...document.path import Path

_AROUND = 300
"""Characters on either side of a field's name in which an item may be told: a heading above, a path or a dump below."""
_NAME_LIMIT = 80
_ITEMS_LIMIT = 200
# A number by itself: "Nr. 2", "[2/3]", "第2个", "| guests | 1 |"; not "3.5" and not the bullet of "2. age is missing".
_NUMBER = re.compile(r"(?<![\w.-])(?<!\d,)-?\d+(?:\.\d+)?(?![A-Za-z_]|[.,]\d)", re.ASCII)
_BULLET = re.compile(r"^\s*\d{1,3}[.)]\s", re.MULTILINE)
_QUOTED = re.compile(r"['\"`“‘]([^'\"`“”‘’\n]{1,80})['\"`”’]")
_ORDINALS = [
    re.compile("|".join(words.split()), re.IGNORECASE)
    for words in (
        r"\bfirst\b \b1st\b \berste[rsnm]?\b \bpremi[eè]re?\b \bprimer[oa]?\b 第一",
        r"\bsecond\b \b2nd\b \bzweite[rsnm]?\b \b(?:deuxi[eè]me|seconde)\b \bsegund[oa]\b 第二",
        r"\bthird\b \b3rd\b \bdritte[rsnm]?\b \btroisi[eè]me\b \btercer[oa]?\b 第三",
        r"\bfourth\b \b4th\b \bvierte[rsnm]?\b \bquatri[eè]me\b \bcuart[oa]\b 第四",
        r"\bfifth\b \b5th\b \bfünfte[rsnm]?\b \bcinqui[eè]me\b \bquint[oa]\b 第五",
    )
]


def shows_another_item(finding: Finding, text: str, original: str, start: int, end: int, data: Any) -> bool:
    """Return whether the words around text[start:end], the name of the finding's field, show another item.

    By a number, an ordinal, the place in a list of JSON, the own name of an item, or a value that stands elsewhere.
    `original` is the text with what it quotes of the answer. A blank line ends the words, but no item below them.
    """
    low, high = max(start - _AROUND, 0), end + _AROUND
    front, behind = text[low:start].rpartition("\n\n")[2], text[end:high].partition("\n\n")[0]
    words, original = front + text[start:end] + behind, original[low:high]
    if quotes_another_value(finding, words):
        return True
    counted = Counter(_numbers(_BULLET.sub(" ", words)))
    explained = {*_numbers(f"{finding.expected} {finding.message} {finding.validator_message} {finding.actual}")}
    counted -= Counter(explained)  # "guests, 0: must be greater than 0" has one more
    for at, index, items in _lists(finding.path, data):
        told = {n for n in counted if 0 <= n <= len(items)}
        told -= {len(items)} if len(told) > 1 else set()  # "[1/3]"
        ordinals = {n for n, pattern in enumerate(_ORDINALS) if pattern.search(words)}
        if (told and not told & {index, index + 1}) or (ordinals and index not in ordinals):
            return True
        if _fills_another(finding.path[:at], index, text) or _names_another(items, index, finding.path[-1], original):
            return True
    return False


def quotes_another_value(finding: Finding, words: str) -> bool:
    """Return whether words quote a value that breaks the finding's rule and is not its own: "got 410" beside 380."""
    own, limit = value_of(finding), limit_of(finding)
    if limit is None or not _is_number(own):
        known = f"{finding.expected} {finding.message} {finding.validator_message} {finding.allowed} {finding.path}"
        quoted = {word for word in _QUOTED.findall(words) if word == own or word not in known}
        return bool(quoted) and bool(own) and own not in quoted
    positions = {n + more for n in finding.path if isinstance(n, int) for more in (0, 1)}
    numbers = {*_numbers(words)} - positions - {limit}
    same_side = {n for n in numbers if (n < limit) == (float(own) <= limit) and n != float(own)}
    return bool(same_side) and float(own) not in numbers


def _lists(path: Path, data: Any) -> Iterator[tuple[int, int, Sequence[Any]]]:
    """Yield (step of the path, index, list) of every list on the path."""
    for at, segment in enumerate(path):
        if isinstance(segment, int) and isinstance(data, list):
            yield at, segment, data
        data = step(data, str(segment))[1]


def _fills_another(above: Path, index: int, text: str) -> bool:
    """Return whether JSON has the list with something elsewhere: `[{}, {"age": ["too high"]}]`, `{"1": {...}}`."""
    for value in _values(text)[:_ITEMS_LIMIT]:
        with suppress(LookupError):
            items = value_at(value, above)
            pairs = items.items() if isinstance(items, Mapping) else enumerate(items) if isinstance(items, list) else ()
            filled = {int(at) for at, told in pairs if told and str(at).isdecimal()}
            if filled and index not in filled:
                return True
    return False


@lru_cache(maxsize=64)
def _values(text: str) -> list[Any]:
    return [value for value, _, _ in values(text)]


def _names_another(items: Sequence[Any], index: int, field: str | int, text: str) -> bool:
    """Return whether the text has a value that another item has alone, and none of the item's own."""
    here = [set(_texts(item, field)) for item in items[:_ITEMS_LIMIT]]
    if index >= len(here):
        return False
    said = [{value for value in own if re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text)} for own in here]
    if any(said):
        return not said[index]
    printed = [value for value in _values(text) if isinstance(value, dict)]
    fits = [any(_is_of(value, item, field) for value in printed) for item in items[:_ITEMS_LIMIT]]
    return any(fits) and not fits[index]


def _is_of(printed: Mapping[str, Any], item: Any, field: str | int) -> bool:
    """Return whether a printed object has members of the item, and no other values of them; the field's aside."""
    shared = printed.keys() & item.keys() - {field} if isinstance(item, Mapping) else ()
    return bool(shared) and all(printed[key] == item[key] for key in shared)


def _texts(item: Any, field: str | int) -> Iterator[str]:
    for key, value in item.items() if isinstance(item, dict) else ():
        if key != field and isinstance(value, str) and 1 < len(value) <= _NAME_LIMIT:
            yield value


@lru_cache(maxsize=64)
def _numbers(words: str) -> tuple[float, ...]:
    return tuple(float(number) for number in _NUMBER.findall(words))


def _is_number(value: str) -> bool:
    return _NUMBER.fullmatch(value) is not None
