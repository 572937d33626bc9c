"""How many errors a text tells of: "2 problems were found", then "1 problem was found". It says nothing of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

_ENDING = 2
"""Letters by which a plural may be longer than its singular: "problem", "problems"; "erreur", "erreurs"."""
_STEM = 3
"""Letters that a word must share with its plural: "erro(r|res)", "Fehler(n)"."""
# Words that a count brings with it and that share no stem with each other, in five languages.
_VERBS = (
    *({"is", "are"}, {"was", "were"}, {"has", "have"}, {"this", "these"}, {"that", "those"}, {"it", "them"}),
    *({"ist", "sind"}, {"muss", "müssen"}, {"wurde", "wurden"}, {"hat", "haben"}, {"ein", "eine"}),
    *({"es", "son"}, {"hay", "ha"}, {"está", "están"}, {"est", "sont"}, {"a", "ont"}, {"doit", "doivent"}),
)


@dataclass(frozen=True, slots=True)
class Counts:
    """Tells counts of errors from the other numbers of a text."""

    positions: Collection[int] = ()
    """Numbers that may be the position of an item: "item 2" becomes "item 3" if the first of two errors goes."""

    def alone(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Return whether the words of two sentences differ in a count by one, and in the endings that it brings along.

        "2 validation errors for Menu" and "1 validation error for Menu" do; "item 2" and "item 4" do not.
        """
        apart = [(a, b) for a, b in zip_longest(one, other, fillvalue="") if a != b]
        counted = any(self._is_count(a, b) for a, b in apart)
        return counted and all(self._is_count(a, b) or is_inflected(a, b) for a, b in apart)

    def said_within(self, words: Iterable[str], others: Sequence[str]) -> bool:
        """Return whether all words stand among the others in their order, counts and their endings left aside.

        "1 problem: the title" is said within "2 problems: the title and the owner".
        """
        left, counted, inflected = iter(others), False, False
        for word in words:
            found = next((other for other in left if self._is_alike(word, other)), None)
            if found is None:
                return False
            counted |= self._is_count(word, found)
            inflected |= word != found and is_inflected(word, found)
        return counted or not inflected

    def is_less(self, word: str, other: str) -> bool:
        """Return whether a word is a count that is one more than the other, or the plural or singular of it."""
        return (self._is_count(word, other) and int(word) > int(other)) or is_inflected(word, other)

    def _is_alike(self, word: str, other: str) -> bool:
        return word == other or self._is_count(word, other) or is_inflected(word, other)

    def _is_count(self, one: str, other: str) -> bool:
        return is_one_off(one, other) and {int(one), int(other)}.isdisjoint(self.positions)


def is_one_off(one: str, other: str) -> bool:
    """Return whether two words are whole numbers, one more than the other: "2" and "1"."""
    whole = one.isdecimal() and other.isdecimal() and len(one) < 9 and len(other) < 9
    return whole and abs(int(one) - int(other)) == 1


def is_inflected(one: str, other: str) -> bool:
    """Return whether two words are the plural and the singular of one word: "errors" and "error", "are" and "is"."""
    one, other = one.lower(), other.lower()
    if {one, other} in _VERBS:
        return True
    shorter, longer = sorted((one, other), key=len)
    if one == other or not (shorter.isalpha() and longer.isalpha()) or len(longer) - len(shorter) > _ENDING:
        return False
    stem = max(_STEM, len(shorter) - 1)  # the last letter may change: "errore", "errori"
    return shorter[:stem] == longer[:stem]
