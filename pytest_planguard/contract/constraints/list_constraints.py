"""Constraints on lists and numbers: number of items, range, distinct items, equal lengths."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..finding import Related
from ..phrasing import as_json, fold, plural
from .scene import Scene, Violation, each, wrong

if TYPE_CHECKING:
    from ...document.path import Path


@each
def count(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation if there are too few or too many items."""
    if not isinstance(value, (list, dict)):
        yield wrong("a list", value)
        return
    least, most = params["min"], params["max"]
    if least is not None and len(value) < least:
        yield wrong(f"at least {plural(least, 'item')} (has {len(value)})", value)
    if most is not None and len(value) > most:
        yield wrong(f"at most {plural(most, 'item')} (has {len(value)})", value)


@each
def number_range(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for a number outside its bounds, and for a value that is not a number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        yield wrong("a number", value)
        return
    least, most = params["min"], params["max"]
    # "not (a <= b)" instead of "a > b", because NaN is in no range.
    if least is not None and not least <= value:
        yield wrong(f"a number of at least {least}", value)
    elif most is not None and not value <= most:
        yield wrong(f"a number of at most {most}", value)


def distinct(scene: Scene) -> Iterator[Violation]:
    """Yield a violation for each repeated item. Values selected by a field such as `tasks[*].id` form one list."""
    singles: list[tuple[Path, object]] = []
    for path, value in scene.sites:
        if isinstance(value, list):
            yield from _repeated(((*path, index), item) for index, item in enumerate(value))
        else:
            singles.append((path, value))
    yield from _repeated(singles)


def _repeated(items: Iterable[tuple[Path, object]]) -> Iterator[Violation]:
    """Yield a violation for each item that equals an earlier one, and name the place of the earlier item."""
    first: dict[str, Path] = {}
    for path, item in items:
        key = _key(item)
        if key in first:
            related = Related("the same", first[key])
            message = f"repeats an earlier value; got {as_json(item)}"
            yield Violation(path, message, "a value that has not occurred before", as_json(item), related=(related,))
        else:
            first[key] = path


def _key(value: object) -> str:
    """Return a comparison key: text without case and white space differences, other values as JSON."""
    if isinstance(value, str):
        return "text:" + fold(value)
    try:
        return json.dumps(value, sort_keys=True, default=str)
    except (RecursionError, ValueError, TypeError):
        return f"object:{id(value)}"


@each
def same_length(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """Yield a violation for each list that is not as long as the first one in its object."""
    if not isinstance(value, dict):
        yield wrong("an object", value)
        return
    lists = {name: value[name] for name in params["fields"] if isinstance(value.get(name), list)}
    if len({len(items) for items in lists.values()}) > 1:
        first, *others = lists
        for name in others:
            if len(lists[name]) != len(lists[first]):
                expected = f"{plural(len(lists[first]), 'item')}, as many as {as_json(first)}"
                found = wrong(f"{expected} (has {len(lists[name])})", lists[name])
                yield Violation((name,), found.message, found.expected, found.actual)
