"""Carry changes out: the value after, from the value before. The proof that a diff left nothing out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pytest_planguard.runs.value_diff import ChangeKind, FieldChange

_LEAVES = (ChangeKind.ADDED, ChangeKind.REMOVED, ChangeKind.MOVED)


def apply(changes: Iterable[FieldChange], value: Any) -> Any:
    """Return the value with all changes of one diff made; the value itself stays as it is."""
    return _applied(list(changes), value, 0)


def _applied(changes: Sequence[FieldChange], value: Any, depth: int) -> Any:
    """`depth` is the number of steps of every change's path that lead to `value`."""
    if not changes:
        return value
    whole = [change for change in changes if len(change.path) == depth]
    if whole:
        return whole[0].after
    inside: dict[str | int, list[FieldChange]] = {}
    leaves = []
    for change in changes:
        if change.kind in _LEAVES and len(change.path) == depth + 1:
            leaves.append(change)
        else:
            inside.setdefault(change.path[depth], []).append(change)
    if isinstance(value, dict):
        return _object(leaves, {k: _applied(inside.get(k, ()), v, depth + 1) for k, v in value.items()})
    return _list(leaves, [_applied(inside.get(i, ()), item, depth + 1) for i, item in enumerate(value)])


def _object(leaves: Sequence[FieldChange], fields: dict[str, Any]) -> dict[str, Any]:
    for change in leaves:
        key = str(change.path[-1])
        if change.kind is ChangeKind.REMOVED:
            del fields[key]
        else:
            fields[key] = change.after
    return fields


def _list(leaves: Sequence[FieldChange], items: list[Any]) -> list[Any]:
    """Added and moved items take their new places; those that stayed fill the rest in their order."""
    gone = {change.path[-1] for change in leaves if change.kind is not ChangeKind.ADDED}
    placed = {
        change.path_after[-1]: change.after if change.kind is ChangeKind.ADDED else items[int(change.path[-1])]
        for change in leaves
        if change.kind is not ChangeKind.REMOVED
    }
    stay = iter([item for index, item in enumerate(items) if index not in gone])
    size = len(items) - len(gone) + len(placed)
    return [placed[index] if index in placed else next(stay) for index in range(size)]
