"""The names that a text about one answer may use for places: keys of the answer and of its schema, in any spelling."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

NameWords = tuple[str, ...]
"""A name as its words in lower case: `order_lines`, `OrderLines` -> ("order", "lines")."""

WORD = re.compile(r"[A-Z]{2,}(?![a-zß-ÿ])|[A-ZÀ-Þ]?[a-zß-ÿ]+|[A-ZÀ-Þ]|\d+")
"""A word or number inside of a name, however the name joins them: "dueDate", "due_date", "DUE DATE", "INV2"."""
_NODES = 5_000
"""Values of an answer, or nodes of a schema, that are looked at."""
_TITLE_WORDS = 5
"""A title or description of more words is a sentence about the field, not a name of it."""


def name_words(name: str) -> NameWords:
    """Return the words of a name."""
    return tuple(word[0].lower() for word in WORD.finditer(name))


def _singular(words: NameWords) -> NameWords:
    """Return the name of one item: feedback on `guests` speaks of a guest, too; "address" stays."""
    last = words[-1] if words else ""
    plural = len(last) > 3 and last.endswith("s") and not last.endswith("ss")
    return (*words[:-1], last[:-1]) if plural else words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What the places of one answer are called."""

    names: Mapping[NameWords, str]
    """By the words of a name, title or short description the key that it stands for."""
    places: Counter[tuple[str, ...]]
    """How many values of the answer stand below the same keys, list positions left out."""
    lists: frozenset[str]
    """Keys of lists: only behind them a number is a position."""

    @property
    def longest(self) -> int:
        """The most words that a name has."""
        return max(map(len, self.names), default=0)

    def count(self, keys: tuple[str, ...]) -> int:
        """Return how many values of the answer have a path that ends with these keys."""
        return sum(n for place, n in self.places.items() if place[-len(keys) :] == keys)


def vocabulary(data: Any, schema: Any = None, paths: Iterable[tuple[str | int, ...]] = ()) -> Vocabulary:
    """Return the names of an answer, of its JSON Schema, and of the findings' paths (a missing key stands nowhere)."""
    declared = list(_declared(schema))
    values = [(keys, value) for keys, value in _nodes(data) if keys]
    names = {words: key for words, key, _ in reversed(declared)}
    lists = {key for _, key, is_list in declared if is_list}
    lists |= {keys[-1] for keys, value in values if isinstance(value, list)}
    lists |= {a for path in paths for a, b in pairwise(path) if isinstance(a, str) and isinstance(b, int)}
    steps = (step for path in paths for step in path if isinstance(step, str))
    names |= {name_words(key): key for key in (*(keys[-1] for keys, _ in values), *steps)}
    names = {_singular(name_words(key)): key for key in lists} | names
    names.pop((), None)
    return Vocabulary(names, Counter(keys for keys, _ in values), frozenset(lists))


def _nodes(root: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every value below a root with its keys, list positions left out."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), root)]
    for _ in range(_NODES):
        if not waiting:
            return
        keys, value = waiting.pop()
        yield keys, value
        if isinstance(value, Mapping):
            waiting += [((*keys, str(key)), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [(keys, inner) for inner in value]


def _declared(schema: Any) -> Iterator[tuple[NameWords, str, bool]]:
    """Yield every property of a JSON Schema by name, by title and by short description, and whether it is a list."""
    for keys, about in _nodes(schema):
        if keys[-2:-1] == ("properties",):
            field_schema = about if isinstance(about, Mapping) else {}
            for name in (keys[-1], field_schema.get("title"), field_schema.get("description")):
                words = name_words(name) if isinstance(name, str) else ()
                if len(words) <= _TITLE_WORDS:
                    yield words, keys[-1], field_schema.get("type") == "array" or "items" in field_schema
