"""Mutants: good answers changed into the kinds of bad answers that models give."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

from ...document.path import value_at
from .evidence import format_of_all, is_conclusion, negated, place_name, references, siblings, stale_date

if TYPE_CHECKING:
    from ...document.path import Path
    from .evidence import Evidence, GoodAnswer, Place, Site


DROP = object()
"""Marks the value of a removed key."""


@dataclass(frozen=True, slots=True)
class Edit:
    """The new value at a path."""

    path: Path
    value: Any
    """The new value, or `DROP`."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutated answer."""

    operator: str
    """Name of the operator: "duplicate"."""
    answer: int
    """Index of the good answer."""
    edits: tuple[Edit, ...]
    """At least one. The first gives the mutant's place."""

    @property
    def path(self) -> Path:
        """The path of the change."""
        return self.edits[0].path

    @property
    def place(self) -> str:
        """The same without indices: "steps[*]"."""
        return place_name(self.path)

    def of(self, data: object) -> Any:
        """Return a mutated copy of the good answer's data."""
        mutated = copy.deepcopy(data)
        for edit in self.edits:
            *parents, last = edit.path
            parent = value_at(mutated, tuple(parents))
            if edit.value is DROP:
                del parent[last]
            else:
                parent[last] = copy.deepcopy(edit.value)
        return mutated


# Each mutation operator makes a good answer bad in a way that models do. Reports print the first sentence of its
# docstring.

STUB = "-"
"""Text that models write if they have nothing to say."""
LOREM = (
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore "
    "magna aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo."
)
FLOOD = 3
"""The length of a flooded list or text, in multiples of the longest good one."""
COPIED_WORDS = 4
"""Minimum number of words of a copied sentence: the default of `not_copied`."""


@dataclass(frozen=True, slots=True)
class View:
    """The input of an operator."""

    site: Site
    place: Place
    evidence: Evidence
    answer: GoodAnswer


Operator = Callable[[View], Iterator[tuple[Edit, ...]]]


def _one(view: View, value: object) -> Iterator[tuple[Edit, ...]]:
    if value != view.site.value:
        yield (Edit(view.site.path, value),)


def _unseen(view: View, value: object) -> Iterator[tuple[Edit, ...]]:
    """Yield the change unless a good answer already has that value there: a task that waits for no other has `[]`."""
    if value not in view.place.values:
        yield from _one(view, value)


def drop(view: View) -> Iterator[tuple[Edit, ...]]:
    """Remove a key from its object.

    Skip a key that some good answer's object lacks, or has as null.
    """
    if view.site.path and isinstance(view.site.path[-1], str) and not _is_optional(view):
        yield (Edit(view.site.path, DROP),)


def _is_optional(view: View) -> bool:
    parent = view.evidence[place_name(view.site.path[:-1])]
    objects = sum(isinstance(value, dict) for value in parent.values)
    return len(view.place.sites) < objects or None in view.place.values


def empty(view: View) -> Iterator[tuple[Edit, ...]]:
    """Replace a text or a list by an empty one."""
    if view.site.path and isinstance(view.site.value, (str, list)):
        yield from _unseen(view, "" if isinstance(view.site.value, str) else [])


def null(view: View) -> Iterator[tuple[Edit, ...]]:
    """Replace a value by null.

    Skip a place at which a good answer has null, or lacks the key.
    """
    if view.site.path and not (isinstance(view.site.path[-1], str) and _is_optional(view)):
        yield from _unseen(view, None)


def stub(view: View) -> Iterator[tuple[Edit, ...]]:
    """Shorten a text to a dash."""
    if view.site.path and isinstance(view.site.value, str):
        yield from _unseen(view, STUB)


def enum(view: View) -> Iterator[tuple[Edit, ...]]:
    """Replace a value that repeats by one that no answer has."""
    texts = view.place.texts
    if texts and repeats(texts) and isinstance(view.site.value, str):
        yield from _one(view, f"{view.site.value}_or_other")


def repeats(texts: list[str]) -> bool:
    """Return True if texts look like an enumeration: two to eight values of at most three words, each seen often.

    ["low", "high", "low", "low", "high", "low"] do, with each value three times on average. Two equal titles do not,
    nor do ids ("S1", "2") or dates: the next answer has others.
    """
    kinds = set(texts)
    if not 2 <= len(kinds) <= 8 or len(texts) < max(4, 3 * len(kinds)):
        return False
    return all(len(text.split()) <= 3 for text in kinds) and format_of_all(list(kinds)) is None


def duplicate(view: View) -> Iterator[tuple[Edit, ...]]:
    """Replace the last item of a list by a copy of the first, so that the number of items stays the same."""
    items = view.site.value
    if view.site.path and isinstance(items, list) and len(items) > 1:
        yield from _one(view, [*items[:-1], items[0]])


def repeated(view: View) -> Iterator[tuple[Edit, ...]]:
    """Replace every item of a list by its first, so that the number of items stays the same."""
    items = view.site.value
    if view.site.path and isinstance(items, list) and len(items) > 2:
        yield from _one(view, [items[0]] * len(items))


def too_few(view: View) -> Iterator[tuple[Edit, ...]]:
    """Shorten a list to one item fewer than any good answer has."""
    least = min((len(value) for value in view.place.values if isinstance(value, list)), default=0)
    if view.site.path and isinstance(view.site.value, list) and least > 1:  # for 1, `empty` makes the same change
        yield from _one(view, view.site.value[: least - 1])


def flood(view: View) -> Iterator[tuple[Edit, ...]]:
    """Give a list far more items than any good answer has, no two alike."""
    items = view.site.value
    if view.site.path and isinstance(items, list) and items:
        most = max(len(value) for value in view.place.values if isinstance(value, list))
        yield from _one(view, [_numbered(items[at % len(items)], at) for at in range(FLOOD * most)])


def _numbered(item: object, at: int) -> object:
    if isinstance(item, str):
        return f"{item} {at}"
    if isinstance(item, Mapping):
        return {key: f"{value} {at}" if isinstance(value, str) else value for key, value in item.items()}
    return item


def ramble(view: View) -> Iterator[tuple[Edit, ...]]:
    """Give a text far more characters than any good answer has."""
    if view.site.path and isinstance(view.site.value, str) and view.site.value.strip():
        longest = max(map(len, view.place.texts))
        yield from _one(view, (view.site.value + " ") * (1 + FLOOD * longest // len(view.site.value)))


def stuffed(view: View) -> Iterator[tuple[Edit, ...]]:
    """Write the whole answer, as JSON, into one text field."""
    whole = json.dumps(view.answer.data, ensure_ascii=False)
    if view.site.path and isinstance(view.site.value, str) and len(whole) > FLOOD * max(map(len, view.place.texts)):
        yield from _one(view, whole)


def lorem(view: View) -> Iterator[tuple[Edit, ...]]:
    """Replace a text by lorem ipsum."""
    if view.site.path and isinstance(view.site.value, str) and not repeats(view.place.texts):
        yield from _one(view, LOREM)


def copied(view: View) -> Iterator[tuple[Edit, ...]]:
    """Copy a sentence of the prompt or an item of an example, of a length that good answers have."""
    if _is_free_text(view):
        lengths = [len(text) for text in view.place.texts]
        fitting = (text for text in _sentences(view.answer) if min(lengths) <= len(text) <= max(lengths))
        yield from (edits for text in islice(fitting, 1) for edits in _one(view, text))


def glued(view: View) -> Iterator[tuple[Edit, ...]]:
    """Put a sentence of the prompt or of an example in front of the model's own words."""
    if _is_free_text(view):
        for text in islice(_sentences(view.answer), 1):
            yield from _one(view, f"{text}. {view.site.value}")


def _is_free_text(view: View) -> bool:
    return bool(view.site.path) and isinstance(view.site.value, str) and not repeats(view.place.texts)


def _sentences(answer: GoodAnswer) -> Iterator[str]:
    """Yield sentences of the examples, then of the prompt; JSON text is split at its quotes."""
    context = answer.context
    if context is None:
        return
    for text in (*context.example_texts, *context.prompt_texts):
        for piece in re.split(r'[.!?;\n"]\s*', text):
            if len(re.findall(r"\w+", piece)) >= COPIED_WORDS and "{" not in piece:
                yield piece.strip()


def dangling(view: View) -> Iterator[tuple[Edit, ...]]:
    """Make a reference name an id that does not exist."""
    for reference in references(view.evidence):
        if view.place.name == reference.source and isinstance(view.site.value, (str, int)):
            yield from _one(view, "no-such-id" if isinstance(view.site.value, str) else 987_654)
            return


def negate(view: View) -> Iterator[tuple[Edit, ...]]:
    """Turn a conclusion into its opposite: "Go" into "No-Go"."""
    value = view.site.value
    if view.site.path and isinstance(value, str) and all(map(is_conclusion, view.place.texts)):
        yield from _one(view, negated(value))


def stale(view: View) -> Iterator[tuple[Edit, ...]]:
    """Move a date back by a hundred years."""
    if isinstance(view.site.value, str) and (old := stale_date(view.site.value)) is not None:
        yield from _one(view, old)


def swapped(view: View) -> Iterator[tuple[Edit, ...]]:
    """Swap a text with the next text field of its object."""
    path, value = view.site.path, view.site.value
    if not path or not isinstance(path[-1], str) or not isinstance(value, str):
        return
    others = [place.sites[0].path[-1] for place in siblings(view.evidence, path) if place.holds(str)]
    after = others[others.index(path[-1]) + 1 :] if path[-1] in others else []
    partner = next((_at(view, key) for key in after if _at(view, key) is not None), None)
    if partner is not None and partner.value != value:
        yield (Edit(path, partner.value), Edit(partner.path, value))


def _at(view: View, key: object) -> Site | None:
    wanted = (*view.site.path[:-1], key)
    places = siblings(view.evidence, view.site.path)
    sites = (site for place in places for site in place.sites)
    return next((site for site in sites if site.path == wanted and site.answer == view.site.answer), None)


def unequal(view: View) -> Iterator[tuple[Edit, ...]]:
    """Drop the last item of one of two lists that always have equal lengths."""
    if view.place.name in {name for pair in parallel_lists(view.evidence) for name in pair} and view.site.value:
        yield from _one(view, view.site.value[:-1])


def parallel_lists(evidence: Evidence) -> list[tuple[str, str]]:
    """Return pairs of lists in one object whose lengths are equal in every answer, and vary between answers."""
    lists = [place for place in evidence.values() if place.holds(list) and not place.name.endswith("[*]")]
    by_parent = sorted(lists, key=lambda place: place_name(place.sites[0].path[:-1]))
    return [(first.name, second.name) for first, second in combinations(by_parent, 2) if _parallel(first, second)]


def _parallel(first: Place, second: Place) -> bool:
    lengths = [{(site.answer, site.path[:-1]): len(site.value) for site in place.sites} for place in (first, second)]
    return lengths[0] == lengths[1] and len(set(lengths[0].values())) > 1


def beyond(view: View) -> Iterator[tuple[Edit, ...]]:
    """Give a number a value far beyond those of good answers."""
    value = view.site.value
    if view.site.path and isinstance(value, (int, float)) and not isinstance(value, bool):
        seen = [abs(number) for number in view.place.values if isinstance(number, (int, float))]
        yield from _one(view, (max(seen) + 1) * -100)


def negative(view: View) -> Iterator[tuple[Edit, ...]]:
    """Negate a number that is never negative in good answers."""
    value = view.site.value
    numbers = [other for other in view.place.values if isinstance(other, (int, float)) and not isinstance(other, bool)]
    if view.site.path and value in numbers and not isinstance(value, bool) and value > 0 and min(numbers) >= 0:
        yield from _one(view, -value)


OPERATORS: Mapping[str, Operator] = {
    operator.__name__: operator
    for operator in (
        drop, empty, null, stub, enum, duplicate, repeated, too_few, flood, ramble, stuffed, lorem, copied, glued,
        dangling, negate, stale, swapped, unequal, beyond, negative,
    )
}  # fmt: skip
"""Every operator by name, in the order of reports."""
