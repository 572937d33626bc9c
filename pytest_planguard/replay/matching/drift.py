"""Describe how a sent request differs from the recorded one, by place and by words.

The module `gated_replay` decides if a difference makes the cassette stale; `refusal` has the messages.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from ...document.path import Path, to_dotted
from ...document.words import inline_change
from .cassette_index import CassetteIndex, RecordedEntry
from .normalise import NORMALISERS, Normaliser, normalise
from .semantic import SemanticRequest

SHOWN_CHANGES = 5
"""Maximum number of changes to keep per request."""
# Changes of prompts are counted in words: "Sort the list" has three.
_WORD = re.compile(r"\w+")
_SAID = frozenset({"messages", "input", "system", "instructions", "contents", "prompt", "system_instruction"})
"""Body members that hold text for the model, in any dialect."""
_UNSAID = frozenset({"role", "type", "id", "tool_call_id", "call_id", "tool_use_id", "status"})
_MISSING = object()


@dataclass(frozen=True, slots=True)
class Change:
    """One place of the request body that differs."""

    path: str
    """Dotted path into the body, "(whole body)" for the root."""
    window: str
    """The change in its context, on one line: `… words [-recorded-]{+sent now+} words …`."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The difference between a sent request and a similar recorded one."""

    position: int
    """1-based number of the recorded interaction."""
    changes: tuple[Change, ...]
    """The differences: method and path, then places in the body. At most `SHOWN_CHANGES`."""
    similarity: float
    """The share of words that the two requests have in common, from 0 to 1."""

    def __str__(self) -> str:
        what = "; ".join(f"{c.path}: {c.window}" for c in self.changes) or "volatile text"
        return f"differs from recorded interaction {self.position} in {what}"


def drift(entry: RecordedEntry, sent: SemanticRequest, normalisers: Iterable[Normaliser] = NORMALISERS) -> Drift:
    """Return how a request differs from a recorded one."""
    changes: list[Change] = []
    lines = [f"{request.method} {request.own_path}" for request in (entry.semantic, sent)]
    if lines[0] != lines[1]:
        changes.append(Change("(method, path and parameters)", inline_change(*lines)))
    for path, before, after in _differences(entry.semantic.body, sent.body, ()):
        if len(changes) < SHOWN_CHANGES and not _are_volatile(before, after, normalisers):
            where = to_dotted(path) if path else "(whole body)"
            changes.append(Change(where, inline_change(_text(before), _text(after))))
    return Drift(entry.position, tuple(changes), similarity(entry.semantic, sent))


def similarity(one: SemanticRequest, other: SemanticRequest) -> float:
    """Return the share of words that both requests have, counting repeated words: 1 for the same words in any order."""
    return _alike(words_of(one), words_of(other))


def nearest(
    entries: Iterable[RecordedEntry],
    sent: SemanticRequest,
    words: Callable[[RecordedEntry], Counter[str]] | None = None,
) -> tuple[RecordedEntry | None, float]:
    """Return the entry most similar to a request, and the similarity. The earliest wins a tie; None without entries.

    `words` returns the words of an entry that were read before.
    """
    best: tuple[RecordedEntry | None, float] = (None, -1.0)
    said = words_of(sent)
    for entry in entries:
        alike = _alike(words(entry) if words else words_of(entry.semantic), said)
        if alike > best[1]:
            best = (entry, alike)
    return best


def _alike(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def words_of(request: SemanticRequest) -> Counter[str]:
    """Return the words of a request that address the model.

    Keys, roles and settings are left out, because they are the same in all requests of an app.
    """
    body = request.body
    said = {k: v for k, v in body.items() if k in _SAID} if isinstance(body, dict) else {}
    texts = _texts(said) if said else [request.text]
    return Counter(word for text in texts for word in _WORD.findall(text))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, member in value.items():
            if key not in _UNSAID:
                yield from _texts(member)


def _differences(one: object, other: object, path: Path) -> Iterator[tuple[Path, object, object]]:
    """Yield the deepest places at which two JSON values differ.

    Lists are compared index by index, because turns are only ever appended.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for key in [*one, *(k for k in other if k not in one)]:
            yield from _differences(one.get(key, _MISSING), other.get(key, _MISSING), (*path, key))
    elif isinstance(one, list) and isinstance(other, list):
        for index in range(max(len(one), len(other))):
            left = one[index] if index < len(one) else _MISSING
            right = other[index] if index < len(other) else _MISSING
            yield from _differences(left, right, (*path, index))
    elif one != other or isinstance(one, bool) != isinstance(other, bool):  # for Python, true equals 1
        yield path, one, other


def _text(value: object) -> str:
    if value is _MISSING:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _are_volatile(one: object, other: object, normalisers: Iterable[Normaliser]) -> bool:
    """Return True if two texts differ only in what the normalisers rewrite."""
    both = isinstance(one, str) and isinstance(other, str)
    return both and normalise(str(one), normalisers) == normalise(str(other), normalisers)


COMPARED = 64
"""Maximum number of entries of a cassette that are all compared with a request. In a larger cassette, at most twice as
many are compared."""
LOOKED_AT = 16 * COMPARED
"""Maximum number of entries to look up by a request's rarest words."""


class Likeness:
    """Finds unplayed entries that are similar to a request, by their words.

    All requests of a run may have changed, and comparing each with all entries would take quadratic time.
    """

    def __init__(self, index: CassetteIndex) -> None:
        self._index = index
        self._words: dict[int, Counter[str]] = {}

    def words(self, entry: RecordedEntry) -> Counter[str]:
        """Return an entry's words for the model. They are computed once."""
        found = self._words.get(entry.position)
        if found is None:
            found = self._words[entry.position] = words_of(entry.semantic)
        return found

    def likely(self, sent: SemanticRequest, fits: Callable[[RecordedEntry], bool]) -> list[RecordedEntry]:
        """Return, in order, the unplayed entries that match and may be the most similar.

        For a small cassette, return all. For a large one, return entries that share the request's rarest words, and the
        next ones.
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
        """Return, by position, how many words an unplayed entry shares with the request. Rarer words weigh more."""
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
            postings.popleft()  # each entry is dropped once per word, so the amortised cost is constant
        return (entry for entry in postings if not self._index.is_played(entry))

    @cached_property
    def _postings(self) -> dict[str, deque[RecordedEntry]]:
        found: dict[str, deque[RecordedEntry]] = {}
        for entry in self._index.entries:
            for word in self.words(entry):
                found.setdefault(word, deque()).append(entry)
        return found
