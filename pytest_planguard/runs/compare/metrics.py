"""Comparing values whose items cannot be matched one by one: how many, how complete, how long, how unique."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted, value_at
from ...document.path_pattern import walk
from ..value_diff.identical import fingerprint
from ..value_diff.list_alignment import NAME_LIKE

if TYPE_CHECKING:
    from ..value_diff.field_diff import UnstableList

PLACEHOLDER = re.compile(
    r"\[[A-Za-z][^\[\]\n]{1,60}\]|\{\{?[A-Za-z_][\w .]{0,60}\}?\}|<[A-Za-z_][\w \-]{1,60}>|\bTODO\b|\bTBD\b"
)
"""What a template leaves behind: "[Name of the project]", "{name}", "<insert date>", "TODO"."""


@dataclass(frozen=True, slots=True)
class Metric:
    """One number on both sides."""

    name: str
    """What is measured, with the place: "items of levers"."""
    before: float | None
    """None where there is nothing to measure."""
    after: float | None
    share: bool = False
    """From 0 to 1, to be shown in per cent."""
    higher_is_better: bool | None = None
    """None where neither direction is good as such."""


def value_metrics(before: Any, after: Any, unstable: Sequence[UnstableList]) -> tuple[Metric, ...]:
    """Metrics for the lists of two values whose items have no stable key."""
    return tuple(
        metric
        for found in unstable
        for metric in list_metrics(
            to_dotted(found.path), _list_at(before, found.path), _list_at(after, found.path_after)
        )
    )


def list_metrics(place: str, before: Sequence[Any], after: Sequence[Any]) -> Iterator[Metric]:
    """Metrics of two lists of objects: size, completeness, unique names, length of texts, placeholders."""
    fields = _fields([*before, *after])
    yield Metric(f"items of {place}", len(before), len(after))
    yield Metric(f"complete items of {place}", _complete(before, fields), _complete(after, fields), True, True)
    for name in (name for name in NAME_LIKE if name in fields):
        yield Metric(f"unique {name} in {place}", _unique(before, name), _unique(after, name), True, True)
        yield Metric(f"{name} shared with the other run", *_shared(before, after, name), share=True)
    yield Metric(f"characters of text per item of {place}", _length(before), _length(after))
    yield Metric(f"placeholders left in {place}", placeholders(before), placeholders(after), higher_is_better=False)


def placeholders(value: Any) -> int:
    """How many pieces of a template stand in the texts of a value."""
    return sum(len(PLACEHOLDER.findall(text)) for text in texts(value))


def texts(value: Any) -> Iterator[str]:
    """Every text of a value, any depth."""
    return (found for _, found in walk(value) if isinstance(found, str))


def filled(value: Any) -> tuple[int, int]:
    """How many of a value's fields and items are filled: not null, not blank, not an empty list or object."""
    leaves = [found for path, found in walk(value) if path and (not isinstance(found, dict | list) or not found)]
    return sum(not _blank(leaf) for leaf in leaves), len(leaves)


def _blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def _fields(items: Iterable[Any]) -> set[str]:
    return {key for item in items if isinstance(item, dict) for key in item}


def _complete(items: Sequence[Any], fields: set[str]) -> float | None:
    """Share of the items in which every field that any item has is filled."""
    if not items:
        return None
    whole = [item for item in items if isinstance(item, dict) and not any(_blank(item.get(key)) for key in fields)]
    return len(whole) / len(items)


def _unique(items: Sequence[Any], key: str) -> float | None:
    names = _names(items, key)
    return len(set(names)) / len(names) if names else None


def _shared(before: Sequence[Any], after: Sequence[Any], key: str) -> tuple[float | None, float | None]:
    old, new = set(_names(before, key)), set(_names(after, key))
    both = len(old & new)
    return (both / len(old) if old else None), (both / len(new) if new else None)


def _names(items: Sequence[Any], key: str) -> list[str]:
    """Names for comparison: case and outer space do not count."""
    found = (item.get(key) for item in items if isinstance(item, dict))
    return [name.strip().casefold() if isinstance(name, str) else fingerprint(name) for name in found]


def _length(items: Sequence[Any]) -> float | None:
    return sum(len(text) for text in texts(list(items))) / len(items) if items else None


def _list_at(value: Any, path: Any) -> list[Any]:
    found = value_at(value, path)
    return found if isinstance(found, list) else []
