"""The differences between two JSON values, field by field; linear in their size, any depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..document.path import WHOLE_ANSWER, to_dotted
from .align import Alignment, align_keyed, align_listed
from .change import MISSING, ChangeKind, FieldChange
from .diff_options import DEFAULT, DiffOptions
from .identical import identical
from .keys import choose_key

if TYPE_CHECKING:
    from ..document.path import Path

LABEL_LIMIT = 40
"""Characters of a key's value that a place shows."""


@dataclass(frozen=True, slots=True)
class UnstableList:
    """A list whose items have keys that the two runs do not share: its fields cannot be compared one by one."""

    path: Path
    """Before."""
    path_after: Path
    key: str
    shared: int
    """Items whose key both lists have."""
    before: int
    """Items before."""
    after: int
    """Items after."""


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """Every difference of two values, in the order of the value after where there is one."""

    changes: tuple[FieldChange, ...] = ()
    unstable: tuple[UnstableList, ...] = ()
    """Lists to compare by metrics; `changes` has their differences all the same, paired by content and order."""


@dataclass(frozen=True, slots=True)
class _Pair:
    before: Any
    after: Any
    path: Path
    path_after: Path
    where: str


def diff_values(before: Any, after: Any, options: DiffOptions = DEFAULT) -> FieldDiff:
    """Compare two JSON values.

    Without options: equal values have no changes, swapped values have the mirrored changes, and
    `apply(changes, before)` is `after`.
    """
    differ = _Differ(options)
    return differ.run(options.prepared(before), options.prepared(after))


class _Differ:
    def __init__(self, options: DiffOptions) -> None:
        self._options = options
        self._changes: list[FieldChange] = []
        self._unstable: list[UnstableList] = []

    def run(self, before: Any, after: Any) -> FieldDiff:
        stack = [_Pair(before, after, (), (), "")]
        while stack:
            stack.extend(reversed(self._step(stack.pop())))
        return FieldDiff(tuple(self._changes), tuple(self._unstable))

    def _step(self, pair: _Pair) -> list[_Pair]:
        """Note what a pair itself says; the pairs inside it."""
        before, after = pair.before, pair.after
        if isinstance(before, dict) and isinstance(after, dict):
            return _fields(pair, before, after)
        if isinstance(before, list) and isinstance(after, list):
            return self._items(pair, before, after)
        if before is MISSING:
            self._note(ChangeKind.ADDED, pair)
        elif after is MISSING:
            self._note(ChangeKind.REMOVED, pair)
        elif not identical(before, after) and not self._options.alike(before, after):
            self._note(ChangeKind.CHANGED, pair)
        return []

    def _items(self, pair: _Pair, before: list[Any], after: list[Any]) -> list[_Pair]:
        choice = choose_key(before, after, self._options.keys_at(pair.path))
        if choice.unstable:
            sizes = (choice.shared, len(before), len(after))
            self._unstable.append(UnstableList(pair.path, pair.path_after, choice.unstable, *sizes))
        aligned = align_keyed(before, after, choice.key) if choice.key else align_listed(before, after)
        for old, new in sorted(aligned.moved, key=lambda moved: moved[1]):
            where = _item_place(pair.where, after[new], new, choice.key)
            moved = _Pair(MISSING, MISSING, (*pair.path, old), (*pair.path_after, new), where)
            self._note(ChangeKind.MOVED, moved)
        return _inside(pair, before, after, aligned, choice.key)

    def _note(self, kind: ChangeKind, pair: _Pair) -> None:
        verdict = self._options.is_verdict(pair.path_after)
        where = pair.where or WHOLE_ANSWER
        change = FieldChange(kind, pair.path, pair.path_after, pair.before, pair.after, where, verdict=verdict)
        self._changes.append(change)


def _fields(pair: _Pair, before: dict[str, Any], after: dict[str, Any]) -> list[_Pair]:
    """Fields in the order after; those that are gone come first, where they stood."""
    keys = [*(key for key in before if key not in after), *after]
    return [
        _Pair(
            before.get(key, MISSING),
            after.get(key, MISSING),
            (*pair.path, key),
            (*pair.path_after, key),
            _field_place(pair.where, key),
        )
        for key in keys
        if before.get(key, MISSING) is not after.get(key, MISSING)
    ]


def _inside(pair: _Pair, before: list[Any], after: list[Any], aligned: Alignment, key: str | None) -> list[_Pair]:
    gone = [
        _Pair(before[i], MISSING, (*pair.path, i), (*pair.path_after, i), _item_place(pair.where, before[i], i, key))
        for i in aligned.removed
    ]
    kept = [(j, before[i], (*pair.path, i)) for i, j in aligned.pairs if (i, j) not in aligned.same]
    new = [(j, MISSING, (*pair.path, j)) for j in aligned.added]
    return gone + [
        _Pair(old, after[j], path, (*pair.path_after, j), _item_place(pair.where, after[j], j, key))
        for j, old, path in sorted([*kept, *new], key=lambda item: item[0])
    ]


def _field_place(where: str, key: str) -> str:
    step = to_dotted((key,))
    return f"{where}.{step}" if where and not step.startswith("[") else f"{where}{step}"


def _item_place(where: str, item: Any, index: int, key: str | None) -> str:
    if key is None:
        return f"{where}[{index}]"
    label = str(item[key])
    shown = label if len(label) <= LABEL_LIMIT else f"{label[: LABEL_LIMIT - 1]}…"
    return f"{where}[{key}={shown}]"
