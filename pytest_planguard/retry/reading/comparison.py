"""A grammar of comparison: negation, comparative, bound and unit, and if the words state a demand or a fault.

"May not be greater than 28", "no more than 28", "is over 28" and "28 or less" all say that a value is too large. "Must
be greater than 28" and "is not over 28" say that it is too small. "Over 28" alone is ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from functools import lru_cache

from .words import remembered, stems

# The first kind that matches at a place counts, so whole expressions come first: "or more" before "more".
COMPARISON_WORDS: dict[str, tuple[str, ...]] = {
    # The fault itself: "is too long", "isn't long enough"; "not good enough" compares nothing.
    **{kind: stems(kind) for kind in ("excess", "lack")},
    # A named bound: "minimum 5", "at least 5", "5 or more", "28 or less".
    "floor": (*stems("floor"), f"o(?:r|der|u)? (?:{'|'.join(stems('more'))})"),
    "ceiling": (*stems("ceiling"), f"o(?:r|der|u)? (?:{'|'.join(stems('less'))})"),
    # The words after a demand ("must") say what should be, those after a fact ("is") what was found.
    **{kind: stems(kind) for kind in ("more", "less", "demand", "not", "fact")},
    # A denial or demand before it does not apply to the words after it.
    "break": ("[,;.:(，。；]|but|while",),
}


class Direction(StrEnum):
    """The side of the bound on which a value breaks the rule."""

    LOW = auto()
    HIGH = auto()
    OUTSIDE = auto()
    """The words name both bounds, or the side is unknown: "over 28" may be the rule or the fault."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The fault that a comparison reports."""

    direction: Direction
    length: bool
    """True if the comparison is about a length or a count, not the value."""
    bound: str | None
    """The first number after the comparison, else the last one before it; None without any number."""


LATIN = "A-Za-zÀ-ͯḀ-ỿ"
"""Letters of Latin scripts: the "n" of "cần" and the "ca" of "całkowita" are no words."""
# Chinese words have no space around them, and "not" may end a word: "cannot", "mustn't".
_START = f"(?:(?<![{LATIN}_])|(?=[一-鿿])|(?=n't)|(?<=can)(?=not))"
_END = f"(?:(?![{LATIN}_])|(?<=[一-鿿])|(?=n't)|(?<=can)(?=not))"
# "#3" numbers an item: "under crates #3: you skipped this one" has no bound.
_NUMBER = rf"(?<![{LATIN}_.\d#])[-+]?\d+(?:[.,]\d+)*"
# "-> 1" and "=> message" are arrows; "<obj>" and "</b>" are tags. The sign needs a number after it.
_SIGNS = {"rises": r"(?<![-=<>])[>≥]=?(?=\s*[`'\"]?[-+]?\d)", "falls": r"(?<![-=<>])[<≤]=?(?=\s*[`'\"]?[-+]?\d)"}
# A name between its bounds: "2 <= length <= 5", "0 < x < 10".
_BOTH_SIDES = re.compile(r"([-+]?\d[\d.]*)\s*([<>≤≥]=?)\s*([A-Za-z_]\w{0,60})\s*(?=[<>≤≥]=?\s*[-+]?\d)")
_OTHER_SIDE = str.maketrans("<>≤≥", "><≥≤")
# The subject is a length: "the length", "longer", "too many".
_LENGTH = (
    r"length|länge|longitud|longueur|长度|(?:long|short)er|kürzer|(?:min|max)_?items|too (?:long|short|many|few)"
    "|más larg|plus (?:long|court)"
)
# Or a number counts things: "5 characters", "5 or fewer readable characters", "30个字符".
_COUNT = (
    r"\d[^\w.,;]{1,3}(?:\w+ ){0,3}(?:char|item|element|élément|word|entr|eintr|zeichen|carac)|\d ?(?:字符|元素|[个项])"
)
# "at least 3 characters", "mindestens 3 Zeichen", "3个字符": a bound of a length, not of a number.
_OF_LENGTH = re.compile(f"{_LENGTH}|{_COUNT}", re.IGNORECASE)
_REACH = 40
"""Characters between a comparative and its bound: "more than the number of seats we have, 28"."""
_EXCESSES = {"excess": Direction.HIGH, "lack": Direction.LOW}
_BOUNDS = {"ceiling": Direction.HIGH, "floor": Direction.LOW}
_UP = {"more": True, "rises": True, "less": False, "falls": False}
_COMPARES = {*_UP, *_BOUNDS}


def whole(*words: str) -> str:
    """Return a pattern for words in lower case that are no parts of longer words."""
    return f"{_START}(?:{'|'.join(words)}){_END}"


@lru_cache(maxsize=1)
def _words() -> re.Pattern[str]:
    """Return the pattern for all kinds of words. Compiled with the first feedback, since that takes 20 ms."""
    words = (f"(?P<{kind}>{'|'.join(rows)})" for kind, rows in COMPARISON_WORDS.items())
    signs = (f"(?P<{kind}>{sign})" for kind, sign in {"number": _NUMBER, **_SIGNS}.items())
    return re.compile("|".join((*signs, whole(*words))))


@remembered
def comparison_in(text: str) -> Comparison | None:
    """Return the fault that the comparisons of a message report, or None without a comparison.

    An adjective with "too" or "enough" counts first, then a named bound ("minimum", "at most 5"), then a comparative:
    in "less than the minimum of 1", the noun alone says that the value is too low.
    """
    words = [*_words().finditer(_BOTH_SIDES.sub(_turned, text.replace("’", "'").lower()))]
    kinds = {word.lastgroup or "" for word in words}
    named = ({side for kind, side in sides.items() if kind in kinds} for sides in (_EXCESSES, _BOUNDS))
    sides = next(filter(None, named), None) or {*_comparatives(words)}
    if not sides:
        return None
    direction = sides.pop() if len(sides) == 1 else Direction.OUTSIDE
    return Comparison(direction, _OF_LENGTH.search(text) is not None, _bound(words))


def _turned(both: re.Match[str]) -> str:
    """Return "2 <= length <= 5" in the form "length>=2<= 5", with each bound after its sign."""
    return f"{both[3]}{both[2].translate(_OTHER_SIDE)}{both[1]}"


def _comparatives(words: Sequence[re.Match[str]]) -> Iterator[Direction]:
    """Yield the side of each comparative; both sides if no word before it shows a rule or a fault."""
    clause: set[str] = set()
    for at, word in enumerate(words):
        kind = word.lastgroup or ""
        if kind in _UP and _has_bound(words, at):
            fault = "fact" in clause and "demand" not in clause and kind not in _SIGNS
            high = _UP[kind] is (fault is not ("not" in clause))
            clear = not clause.isdisjoint(("demand", "fact", "not"))
            yield (Direction.HIGH if high else Direction.LOW) if clear else Direction.OUTSIDE
        clause = set() if kind == "break" else {*clause, kind}


def _has_bound(words: Sequence[re.Match[str]], at: int) -> bool:
    """Return True if a number follows a comparative, close to it and not in a bracket: "more text (5 letters)"."""
    behind = next((w for w in words[at + 1 :] if w.lastgroup == "number" or w[0] == "("), None)
    return behind is not None and behind[0] != "(" and behind.start() - words[at].end() <= _REACH


def _bound(words: Sequence[re.Match[str]]) -> str | None:
    compared = next((w.end() for w in words if w.lastgroup in _COMPARES), None)
    numbers = [w for w in words if w.lastgroup == "number"]
    behind = [w.group() for w in numbers if compared is not None and w.start() >= compared]
    return behind[0] if behind else numbers[-1].group() if numbers else None
