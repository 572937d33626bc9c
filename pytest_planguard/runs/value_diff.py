"""The differences between two JSON values, field by field, in linear time and at any depth, as values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from ..document.path import WHOLE_ANSWER, to_dotted
from .list_alignment import Alignment, align_keyed, align_listed, choose_key, identical, surely_same
from .value_diff_options import DEFAULT, DiffOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..document.path import Path


class Absent(Enum):
    """The value of something absent. A missing field, `null` and "" are three different things."""

    MISSING = "missing"


MISSING: Final = Absent.MISSING


class ChangeKind(StrEnum):
    """How a field or an item changed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    """An item that moved within its list. Changes inside it are separate."""


_MIRRORED = {ChangeKind.ADDED: ChangeKind.REMOVED, ChangeKind.REMOVED: ChangeKind.ADDED}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One difference.

    Both paths lead from the root. The last step of `path` is the field's place before, that of `path_after` its place
    now. For an added or removed field, both have its only place.
    """

    kind: ChangeKind
    path: Path
    path_after: Path
    before: Any = MISSING
    """The value before; MISSING if it was added or moved."""
    after: Any = MISSING
    """The value now; MISSING if it was removed or moved."""
    where: str = field(default="", compare=False)
    """The place in readable form, with items by their key: "levers[lever_id=b664].review"; "(whole answer)" is the
    root.
    """
    breaks: tuple[str, ...] = ()
    """Codes of the rules that this change breaks, sorted."""
    fixes: tuple[str, ...] = ()
    """Codes of the rules that this change fixes, sorted."""
    verdict: bool = False
    """True for a field that the user marked as a verdict."""

    def mirrored(self) -> FieldChange:
        """Return the same difference seen from the other side."""
        return replace(
            self,
            kind=_MIRRORED.get(self.kind, self.kind),
            path=self.path_after,
            path_after=self.path,
            before=self.after,
            after=self.before,
            breaks=self.fixes,
            fixes=self.breaks,
        )


LABEL_LIMIT = 40
"""Maximum number of characters of a key's value in a readable place."""


@dataclass(frozen=True, slots=True)
class UnstableList:
    """A list whose items have different keys in the two runs, so that their fields cannot be compared."""

    path: Path
    """The path in the base."""
    path_after: Path
    key: str
    shared: int
    """Number of items whose key is in both lists."""
    before: int
    """Number of items in the base."""
    after: int
    """Number of items in the candidate."""


@dataclass(frozen=True, slots=True)
class FieldDiff:
    """All differences between two values, in the order of the second value if possible."""

    changes: tuple[FieldChange, ...] = ()
    unstable: tuple[UnstableList, ...] = ()
    """Lists to compare by metrics. `changes` also has their differences, paired by content and order."""


_SCALARS = frozenset((str, int, bool, type(None)))
"""Types for which `==` means the same value. Floats are not among them: NaN differs from itself."""


_CONTAINERS = frozenset((dict, list))


_Pair = tuple[Any, Any, "Path", "Path", str]
"""Value before, value after, path before, path after, readable place. A plain tuple, as there is one per value."""


def diff_values(before: object, after: object, options: DiffOptions = DEFAULT) -> FieldDiff:
    """Compare two JSON values.

    Without options, equal values have no changes, swapped values have the mirrored changes, and `apply(changes,
    before)` is `after`.
    """
    differ = _Differ(options)
    return differ.run(options.prepared(before), options.prepared(after))


class _Differ:
    def __init__(self, options: DiffOptions) -> None:
        self._options = options
        self._changes: list[FieldChange] = []
        self._unstable: list[UnstableList] = []

    def run(self, before: Any, after: Any) -> FieldDiff:
        stack: list[_Pair] = [] if _same(before, after) else [(before, after, (), (), "")]
        while stack:
            pair = stack.pop()
            kind = type(pair[0])
            if kind in _CONTAINERS and kind is type(pair[1]):
                inside = _fields(pair) if kind is dict else self._items(pair)
                inside.reverse()  # the last pair is popped first
                stack += inside
            else:
                self._leaf(pair)
        return FieldDiff(tuple(self._changes), tuple(self._unstable))

    def _leaf(self, pair: _Pair) -> None:
        """Record the difference of a pair without inner pairs. Equal values other than floats never get here."""
        before, after = pair[0], pair[1]
        if before is MISSING:
            self._note(ChangeKind.ADDED, pair)
        elif after is MISSING:
            self._note(ChangeKind.REMOVED, pair)
        elif not (type(before) is float and identical(before, after)) and not self._options.alike(before, after):
            self._note(ChangeKind.CHANGED, pair)

    def _items(self, pair: _Pair) -> list[_Pair]:
        before, after, path, path_after, place = pair
        choice = choose_key(before, after, self._options.keys_at(path))
        if choice.unstable:
            sizes = (choice.shared, len(before), len(after))
            self._unstable.append(UnstableList(path, path_after, choice.unstable, *sizes))
        aligned = align_keyed(*choice.labels) if choice.key else align_listed(before, after)
        for old, new in sorted(aligned.moved, key=itemgetter(1)) if aligned.moved else ():
            at = _item_place(place, after[new], new, choice.key)
            self._note(ChangeKind.MOVED, (MISSING, MISSING, (*path, old), (*path_after, new), at))
        return _inside(pair, aligned, choice.key)

    def _note(self, kind: ChangeKind, pair: _Pair) -> None:
        before, after, path, path_after, place = pair
        verdict = bool(self._options.verdicts) and self._options.is_verdict(path_after)
        where = place.removeprefix(".") or WHOLE_ANSWER
        self._changes.append(FieldChange(kind, path, path_after, before, after, where, (), (), verdict))


def _fields(pair: _Pair) -> list[_Pair]:
    """Return the pairs of fields in their new order. Removed fields come first, in their old order."""
    before, after, path, path_after, place = pair
    found: list[_Pair] = []
    if not before.keys() <= after.keys():
        removed = [key for key in before if key not in after]
        found = [(before[key], MISSING, (*path, key), (*path_after, key), place + _field_step(key)) for key in removed]
    old_of = before.get
    for key, new in after.items():
        old = old_of(key, MISSING)
        kind = type(old)
        # `_same` inlined for speed, since many fields are equal.
        if old is new or (kind is type(new) and (old == new if kind in _SCALARS else _same(old, new))):
            continue
        inner = (*path, key)
        found.append((old, new, inner, inner if path is path_after else (*path_after, key), place + _field_step(key)))
    return found


def _inside(pair: _Pair, aligned: Alignment, key: str | None) -> list[_Pair]:
    """Return the pairs of items in their new order. Removed items come first."""
    before, after, path, path_after, place = pair
    kept: Sequence[tuple[int, int]]
    found: list[_Pair] = [
        (before[i], MISSING, (*path, i), (*path_after, i), _item_place(place, before[i], i, key))
        for i in aligned.removed
    ]
    kept = [pair for pair in aligned.pairs if pair not in aligned.same] if aligned.same else aligned.pairs
    if aligned.added:
        kept = sorted([*kept, *((-1, j) for j in aligned.added)], key=itemgetter(1))
    for i, j in kept:
        old, step = (MISSING, j) if i < 0 else (before[i], i)
        if not _same(old, after[j]):
            inner = (*path, step)
            # One tuple for both sides, until an item above has moved: one is made for each pair of items.
            inner_after = inner if step == j and path is path_after else (*path_after, j)
            found.append((old, after[j], inner, inner_after, _item_place(place, after[j], j, key)))
    return found


def _same(old: Any, new: Any) -> bool:
    """Return True if a cheap test shows that a pair has no differences; False proves nothing."""
    if old is new:
        return True
    kind = type(old)
    if kind is not type(new):
        return False
    return old == new if kind in _SCALARS else kind in _CONTAINERS and surely_same(old, new)


@lru_cache(maxsize=4_096)
def _field_step(key: str) -> str:
    step = to_dotted((key,))
    return step if step.startswith("[") else f".{step}"


def _item_place(place: str, item: Any, index: int, key: str | None) -> str:
    if key is None:
        return f"{place}[{index}]"
    label = str(item[key])
    return f"{place}[{key}={label if len(label) <= LABEL_LIMIT else f'{label[: LABEL_LIMIT - 1]}…'}]"
