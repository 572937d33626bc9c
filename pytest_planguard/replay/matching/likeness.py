"""Which of many recorded requests are worth comparing with one that is sent now: the cost is the same in any cassette.

Every request of a run may have changed, so a look at all entries for each would cost the square of their number.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import islice

from .cassette_index import CassetteIndex, RecordedEntry
from .drift import words_of
from .semantic import SemanticRequest

COMPARED = 64
"""Entries that are compared word by word with one request, at most twice as many; smaller cassettes as a whole."""
LOOKED_AT = 16 * COMPARED
"""Entries that a request's rarest words may lead to."""


class Likeness:
    """The unplayed entries of a cassette by their words."""

    def __init__(self, index: CassetteIndex) -> None:
        self._index = index
        self._words: dict[int, Counter[str]] = {}

    def words(self, entry: RecordedEntry) -> Counter[str]:
        """Return what an entry says to the model; read once."""
        found = self._words.get(entry.position)
        if found is None:
            found = self._words[entry.position] = words_of(entry.semantic)
        return found

    def likely(self, sent: SemanticRequest, fits: Callable[[RecordedEntry], bool]) -> list[RecordedEntry]:
        """Return the unplayed entries that fit and may be the nearest, in order.

        All of a small cassette. Of a large one those that share the request's rarest words, and the next ones.
        """
        if len(self._index.entries) <= COMPARED:
            return [e for e in self._index.unplayed if fits(e)]
        shared = self._sharing(sent)
        fitting = (n for n in sorted(shared, key=lambda n: (-shared[n], n)) if fits(self._index.entries[n - 1]))
        best = islice(fitting, COMPARED)
        following = [e.position for e in self._index.upcoming(COMPARED) if fits(e)]
        found = [self._index.entries[n - 1] for n in sorted({*best, *following})]
        return found or [e for e in self._index.unplayed if fits(e)][:COMPARED]

    def _sharing(self, sent: SemanticRequest) -> dict[int, float]:
        """By position, how much an unplayed entry shares with the request; the rarer a word, the more it says."""
        known = [postings for word in words_of(sent) if (postings := self._postings.get(word))]
        shared: dict[int, float] = {}
        left = LOOKED_AT
        for postings in sorted(known, key=len):
            weight = 1 / len(postings)
            for entry in self._unplayed(postings):
                shared[entry.position] = shared.get(entry.position, 0.0) + weight
                left -= 1
                if not left:
                    return shared
        return shared

    def _unplayed(self, postings: deque[RecordedEntry]) -> Iterator[RecordedEntry]:
        while postings and self._index.is_played(postings[0]):
            postings.popleft()  # each entry is dropped once a word: constant cost over all requests
        return (entry for entry in postings if not self._index.is_played(entry))

    @cached_property
    def _postings(self) -> dict[str, deque[RecordedEntry]]:
        found: dict[str, deque[RecordedEntry]] = {}
        for entry in self._index.entries:
            for word in self.words(entry):
                found.setdefault(word, deque()).append(entry)
        return found
