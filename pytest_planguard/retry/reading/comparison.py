"""A grammar of comparison: negation, comparative, bound, unit, and whether a rule is demanded or a fault is told.

"May not be greater than 28", "no more than 28", "is over 28" and "28 or less" all say that a value is too large; "must
be greater than 28" and "is not over 28" that it is too small. The words stand in `comparison_words`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from .comparison_words import CHINESE, LANGUAGES, NUMBERS, Part


class Direction(StrEnum):
    """Which side of its bound a value is on that breaks the rule."""

    LOW = "low"
    HIGH = "high"
    OUTSIDE = "outside"
    """Both bounds are named."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a comparison says is wrong."""

    direction: Direction
    length: bool
    """Whether a length or a count is compared, not the value."""
    bound: str | None
    """The first number behind the comparison, or else the last in front, in digits; None where it names none."""
    told: bool = True
    """Whether a verb, a negation or a named bound says if a rule or a fault is told: not in "more than 5 entries"."""
    strict: bool = False
    """Whether the bound itself is not allowed: "should be shorter than 41"."""


@dataclass(frozen=True, slots=True)
class _Word:
    parts: frozenset[Part]
    text: str
    start: int
    end: int


_ROWS = {part: "|".join(language[part] for language in LANGUAGES if part in language) for part in Part}
_PARTS = {part: re.compile(row, re.IGNORECASE) for part, row in _ROWS.items()}
_LETTER = "[A-Za-zÀ-ÿ_]"
_NUMBER = rf"(?<!{_LETTER})(?<![\d.])[-+]?\d+(?:[.,]\d+)*|(?<!{_LETTER})(?:{'|'.join(NUMBERS)})(?!{_LETTER})"
_SIGNS = {">": Part.MORE, "≥": Part.MORE, "<": Part.LESS, "≤": Part.LESS}
# "-> 1" and "=> message" are arrows; "<obj>" and "</b>" are tags. The sign needs a number behind it.
_SIGN = r"(?<![-=<>])[<>≤≥]=?(?=\s*[`'\"]?[-+]?\d)"
# Chinese words have no space around them to end at.
_TOKEN = re.compile(
    rf"(?P<number>{_NUMBER})|(?P<sign>{_SIGN})|(?<!{_LETTER})(?:{'|'.join(_ROWS.values())})(?!{_LETTER})"
    rf"|{'|'.join(CHINESE.values())}",
    re.IGNORECASE,
)
# A name between its bounds: "2 <= length <= 5", "0 < x < 10".
_BOTH_SIDES = re.compile(r"([-+]?\d[\d.]*)\s*([<>≤≥]=?)\s*([A-Za-z_]\w{0,60})\s*(?=[<>≤≥]=?\s*[-+]?\d)")
_OTHER_SIDE = str.maketrans("<>≤≥", "><≥≤")
_EQUAL = re.compile(r"[<>]=|[≤≥]|\bequal|\begal|\bgleich|\bigual|\bégal|等于", re.IGNORECASE)
_REACH = 40
"""Characters between a comparative and its bound: "more than the number of seats we have, 28"."""
_KEPT = 400
"""Characters of a text whose comparison is kept: longer ones are no sentences."""
_COUNT_REACH = 25
"""Characters between a number and what it counts: "5 or fewer readable characters"."""
_UP = {Part.MORE: True, Part.OVER: True, Part.LONGER: True, Part.LESS: False, Part.UNDER: False, Part.SHORTER: False}


def comparison_in(text: str) -> Comparison | None:
    """Return what the comparisons of a message say is wrong, or None where it has none.

    An adjective with "too" or "enough" is firmest, then a named bound ("minimum", "at most 5"), then a comparative:
    "less than the minimum of 1" is too low without a look at its verb.
    """
    return _comparison_in(text) if len(text) <= _KEPT else _compared(text)


@lru_cache(maxsize=1024)  # every finding asks about the same sentences, and about its own message
def _comparison_in(text: str) -> Comparison | None:
    return _compared(text)


def _compared(text: str) -> Comparison | None:
    words = list(_words(_BOTH_SIDES.sub(_turned, text)))
    for sides in (_excesses(words), _bounds(words), _comparatives(words)):
        directions = set(sides)
        if directions:
            direction = directions.pop() if len(directions) == 1 else Direction.OUTSIDE
            return Comparison(direction, _of_length(words), _bound(words), _is_told(words), _is_strict(words, text))
    return None


def _turned(found: re.Match[str]) -> str:
    """Return "2 <= length <= 5" with both bounds behind their signs: "length >= 2 <= 5"."""
    return f"{found[3]} {found[2].translate(_OTHER_SIDE)} {found[1]} "


def _is_strict(words: Sequence[_Word], text: str) -> bool:
    """Return whether a comparative is demanded without its bound: not "no longer than", "greater than or equal to"."""
    strict = next((w for w in words if w.parts & {Part.MORE, Part.LESS, Part.LONGER, Part.SHORTER}), None)
    if strict is None or _EQUAL.search(text) or _is_behind_or(words, words.index(strict)):
        return False
    clause = [part for w in _clause(words, strict) for part in w.parts]
    return Part.DEMAND in clause and Part.NOT not in clause


def _is_told(words: Sequence[_Word]) -> bool:
    telling = {Part.NOT, Part.DEMAND, Part.FACT, Part.TOO, Part.FLOOR, Part.CEILING}
    return any(w.parts & telling or (w.parts & _UP.keys() and _is_behind_or(words, at)) for at, w in enumerate(words))


def _words(text: str) -> Iterator[_Word]:
    for match in _TOKEN.finditer(text.replace("’", "'")):
        if match["number"]:
            yield _Word(frozenset(), _digits(match[0]), match.start(), match.end())
        else:
            parts = frozenset({_SIGNS[match[0][0]]}) if match["sign"] else _parts(match[0].lower())
            yield _Word(parts, match[0], match.start(), match.end())


@lru_cache(maxsize=1024)
def _parts(word: str) -> frozenset[Part]:
    return frozenset(part for part, pattern in _PARTS.items() if pattern.fullmatch(word))


def _digits(number: str) -> str:
    word = number.lower()
    return str(NUMBERS.index(word)) if word in NUMBERS else number


def _excesses(words: Sequence[_Word]) -> Iterator[Direction]:
    """Too high, not high enough."""
    for adjective, enough in _graded(words):
        if adjective.parts & {Part.BIG, Part.SMALL} and (not enough or _denied(words, adjective)):
            yield _side((Part.BIG in adjective.parts) is not enough)


def _graded(words: Sequence[_Word]) -> Iterator[tuple[_Word, bool]]:
    """Yield each word behind "too" and in front of "enough", and whether "enough" grades it."""
    for before, word in pairwise(words):
        if Part.TOO in before.parts:
            yield word, False
        elif Part.ENOUGH in word.parts:
            yield before, True


def _side(high: bool) -> Direction:
    return Direction.HIGH if high else Direction.LOW


def _bounds(words: Sequence[_Word]) -> Iterator[Direction]:
    for at, word in enumerate(words):
        behind = _stands_behind(words, at)
        numbered = behind or (_number_near(words, at) and not _stands_behind(words, at + 2))
        if Part.FLOOR in word.parts or (Part.LEAST in word.parts and numbered):
            yield Direction.LOW
        elif Part.CEILING in word.parts or (Part.MOST in word.parts and numbered):
            yield Direction.HIGH
        elif (up := _is_upwards(word)) is not None and _is_behind_or(words, at):
            yield _side(not up)


def _is_behind_or(words: Sequence[_Word], at: int) -> bool:
    """Return whether "or" stands right in front, so that a comparative is the bound: "5 or more"."""
    return at > 0 and Part.OR in words[at - 1].parts and words[at].start - words[at - 1].end <= 1


def _stands_behind(words: Sequence[_Word], at: int) -> bool:
    """Return whether a bound word belongs to the number in front of it: "250 at most", "up to 1 at least"."""
    if not 0 < at < len(words) or not words[at].parts & {Part.LEAST, Part.MOST} or _number_near(words, at):
        return False
    return not words[at - 1].parts and words[at].start - words[at - 1].end <= 1


def _comparatives(words: Sequence[_Word]) -> Iterator[Direction]:
    for at, word in enumerate(words):
        up = _is_upwards(word)
        if up is None or not (_number_near(words, at) or word.parts & {Part.LONGER, Part.SHORTER}):
            continue
        clause = _clause(words, word)
        yield _side(up is (_tells_fault(clause, word) is not any(Part.NOT in w.parts for w in clause)))


def _is_upwards(word: _Word) -> bool | None:
    """Return whether a comparative points upwards; None for any other word."""
    return next((high for part, high in _UP.items() if part in word.parts), None)


def _tells_fault(clause: Sequence[_Word], word: _Word) -> bool:
    """Return whether the clause reports a fact, so that the comparative names the fault, not the rule."""
    if any(Part.DEMAND in w.parts for w in clause):
        return False
    position = bool(word.parts & {Part.OVER, Part.UNDER})
    fact = word.text[0] not in _SIGNS and any(Part.FACT in w.parts for w in clause)
    return fact or (position and not any(Part.NOT in w.parts for w in clause))


def _clause(words: Sequence[_Word], word: _Word) -> list[_Word]:
    """Return the words of its clause in front of it."""
    clause: list[_Word] = []
    for other in words[: words.index(word)]:
        clause = [] if Part.BREAK in other.parts else [*clause, other]
    return clause


def _denied(words: Sequence[_Word], word: _Word) -> bool:
    return any(Part.NOT in w.parts for w in _clause(words, word))


def _number_near(words: Sequence[_Word], at: int) -> bool:
    """Return whether a number stands behind the word, within reach and not in a bracket: "more text (5 letters)"."""
    behind = next((w for w in words[at + 1 :] if not w.parts or w.text == "("), None)
    return behind is not None and not behind.parts and behind.start - words[at].end <= _REACH


def _of_length(words: Sequence[_Word]) -> bool:
    """Return whether a number counts things, or the subject is a length."""
    if any(w.parts & {Part.LENGTH, Part.LONGER, Part.SHORTER} for w in words):
        return True
    counts = any(not n.parts and Part.UNIT in u.parts and u.start - n.end <= _COUNT_REACH for n, u in pairwise(words))
    return counts or any(Part.LONG in adjective.parts for adjective, _ in _graded(words))


def _bound(words: Sequence[_Word]) -> str | None:
    compared = [w for w in words if w.parts & {*_UP, Part.LEAST, Part.MOST, Part.FLOOR, Part.CEILING}]
    numbers = [w for w in words if not w.parts]
    behind = [w for w in numbers if compared and w.start >= compared[0].end]
    return behind[0].text if behind else numbers[-1].text if numbers else None
