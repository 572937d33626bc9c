"""Compare lists whose items can't be matched, by number of items, completeness, length and uniqueness."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted, value_at
from ...document.path_pattern import walk
from ..figures import defaults_filled
from ..list_alignment import NAME_LIKE, fingerprint
from ..model.judged_answers import value_of
from .run_diff import Figure

if TYPE_CHECKING:
    from ..model.run import CaseRow
    from ..value_diff import UnstableList
    from .run_diff import CaseDiff

PLACEHOLDER = re.compile(
    r"\[[A-Za-z][^\[\]\n]{1,60}\]|\{(?:\{ ?)?[A-Za-z_][\w .]{0,60}\}?\}|<[A-Za-z_][\w \-]{1,60}>|\bTODO\b|\bTBD\b"
)
"""Unfilled template placeholders: "[Name of the project]", "{name}", "{{ name }}", "<insert date>", "TODO".

Brackets hold at most 60 characters, since "[a whole sentence in brackets ...]" is prose. The limit also keeps the
search linear.
"""


# All answers of two runs.


def run_metrics(cases: Sequence[CaseDiff]) -> tuple[Figure, ...]:
    """Return the metrics over comparable cases.

    They cover success, findings, completeness, length of text, placeholders, and lists at the root.
    """
    base = [row for case in cases for row in case.base]
    candidate = [row for case in cases for row in case.candidate]
    return (*_answer_metrics(base, candidate), *_list_metrics(base, candidate))


def _answer_metrics(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> Iterator[Figure]:
    if any(row.is_judged for row in (*base, *candidate)):
        yield Figure("good cases", _share(base), _share(candidate), "share")
        yield Figure("findings per answer", _findings(base), _findings(candidate))
        yield Figure("attempts per case", _attempts(base), _attempts(candidate))
    old, new = ([value_of(answer) for row in rows for answer in row.answers] for rows in (base, candidate))
    yield Figure("filled fields", _filled(old), _filled(new), "share")
    before, after = _answer_length(old), _answer_length(new)
    yield Figure("characters of text per answer", before, after)
    if before and after is not None:
        yield Figure("length compared with the base", 1.0, after / before)
    yield from _defaults_metric(base, candidate)
    yield Figure("placeholders left", placeholders(old), placeholders(new))


def _defaults_metric(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> Iterator[Figure]:
    """Yield how many fields were filled with the schema's default, if any. A silent default may hide a failure."""
    before, after = (
        sum(defaults_filled(judged.last) for row in rows for judged in row.judged if judged.last is not None)
        for rows in (base, candidate)
    )
    if before or after:
        yield Figure("fields filled by a default", before, after)


def _list_metrics(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> Iterator[Figure]:
    """Yield the metrics of each list of objects at the root of the answers or one level below, by name.

    A list that is in only one run counts as empty in the other, so that its loss is visible.
    """
    old, new = _items_by_path(base), _items_by_path(candidate)
    for path in sorted(old.keys() | new.keys()):
        place = to_dotted(path) if path else "the answer"
        yield from list_metrics(place, old.get(path, []), new.get(path, []))


def _items_by_path(rows: Sequence[CaseRow]) -> dict[tuple[str, ...], list[object]]:
    found: dict[tuple[str, ...], list[object]] = {}
    for row in rows:
        for answer in row.answers:
            for path, items in _lists_of(value_of(answer)):
                found.setdefault(path, []).extend(items)
    return found


def _lists_of(value: object) -> Iterator[tuple[tuple[str, ...], list[object]]]:
    """Yield the lists of objects with their paths. The root's path is (), because a key may be "the answer"."""
    placed = [((key,), inner) for key, inner in value.items()] if isinstance(value, dict) else [((), value)]
    for path, items in placed:
        if isinstance(items, list) and items and all(isinstance(item, dict) for item in items):
            yield path, items


def _share(rows: Sequence[CaseRow]) -> float | None:
    return sum(row.ok for row in rows) / len(rows) if rows else None


def _findings(rows: Sequence[CaseRow]) -> float | None:
    last = [judged.last for row in rows for judged in row.judged if judged.last is not None]
    return sum(f.severity.bad for attempt in last for f in attempt.findings) / len(last) if last else None


def _attempts(rows: Sequence[CaseRow]) -> float | None:
    return sum(len(judged.attempts) for row in rows for judged in row.judged) / len(rows) if rows else None


def _filled(values: Sequence[object]) -> float | None:
    counted = [filled(value) for value in values]
    total = sum(n for _, n in counted)
    return sum(n for n, _ in counted) / total if total else None


def _answer_length(values: Sequence[object]) -> float | None:
    return sum(len(text) for value in values for text in texts(value)) / len(values) if values else None


# The lists of one pair of values.


def value_metrics(before: object, after: object, unstable: Sequence[UnstableList]) -> tuple[Figure, ...]:
    """Return the metrics of the lists in two values whose items have no stable key."""
    return tuple(
        metric
        for found in unstable
        for metric in list_metrics(
            to_dotted(found.path), _list_at(before, found.path), _list_at(after, found.path_after)
        )
    )


def list_metrics(place: str, before: Sequence[object], after: Sequence[object]) -> Iterator[Figure]:
    """Yield the metrics of two lists of objects: size, completeness, unique names, length of texts, placeholders."""
    fields = _fields([*before, *after])
    yield Figure(f"items of {place}", len(before), len(after))
    yield Figure(f"complete items of {place}", _complete(before, fields), _complete(after, fields), "share")
    for name in (name for name in NAME_LIKE if name in fields):
        yield Figure(f"unique {name} in {place}", _unique(before, name), _unique(after, name), "share")
        yield Figure(f"{name} shared with the other run", *_shared(before, after, name), "share")
    yield Figure(f"characters of text per item of {place}", _length(before), _length(after))
    yield Figure(f"placeholders left in {place}", placeholders(before), placeholders(after))


def placeholders(value: object) -> int:
    """Return the number of placeholders in the texts of a value."""
    return sum(len(PLACEHOLDER.findall(text)) for text in texts(value))


def texts(value: Any) -> Iterator[str]:
    """Return every text in a value, at any depth."""
    return (found for _, found in walk(value) if isinstance(found, str))


def filled(value: object) -> tuple[int, int]:
    """Return how many of a value's fields and items are filled (not null, blank or empty), and their total number."""
    leaves = [found for path, found in walk(value) if path and (not isinstance(found, dict | list) or not found)]
    return sum(not is_blank(leaf) for leaf in leaves), len(leaves)


def is_blank(value: object) -> bool:
    """Return True if a value is null, only white space, or an empty list or object."""
    return value is None or (isinstance(value, str) and not value.strip()) or value in ([], {})


def _fields(items: Iterable[object]) -> set[str]:
    return {key for item in items if isinstance(item, dict) for key in item}


def _complete(items: Sequence[object], fields: set[str]) -> float | None:
    """Return the share of complete items: those with a value for every field that any item has."""
    if not items:
        return None
    whole = [item for item in items if isinstance(item, dict) and not any(is_blank(item.get(key)) for key in fields)]
    return len(whole) / len(items)


def _unique(items: Sequence[object], key: str) -> float | None:
    names = _names(items, key)
    return len(set(names)) / len(names) if names else None


def _shared(before: Sequence[object], after: Sequence[object], key: str) -> tuple[float | None, float | None]:
    old, new = set(_names(before, key)), set(_names(after, key))
    both = len(old & new)
    return (both / len(old) if old else None), (both / len(new) if new else None)


def _names(items: Sequence[object], key: str) -> list[str]:
    """Return the names, normalised to ignore case and outer white space."""
    found = (item.get(key) for item in items if isinstance(item, dict))
    # A name may be any JSON value, and lists and objects are in no set.
    return [name.strip().casefold() if isinstance(name, str) else fingerprint(name) for name in found]


def _length(items: Sequence[object]) -> float | None:
    return sum(len(text) for text in texts(list(items))) / len(items) if items else None


def _list_at(value: Any, path: Any) -> list[object]:
    found = value_at(value, path)
    return found if isinstance(found, list) else []
