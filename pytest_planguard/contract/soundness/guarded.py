"""Views of plain data with holes: a check reads what is sound as ever, and stops where it reads anything else.

A part without a hole below it stays the dict or list that it is. How many items a list has, and which keys an object
has, is known whatever the items are.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, ValuesView
from typing import Any, NoReturn

from .hole import HOLE, Shut, Stopped


class Watch:
    """Whether a check has read a part that is not sound."""

    __slots__ = ("stopped",)

    def __init__(self) -> None:
        self.stopped = False

    def stop(self) -> NoReturn:
        """Raise `Stopped`, and remember it: a check may catch everything there is."""
        self.stopped = True
        raise Stopped

    def seen(self, value: Any) -> Any:
        """Return a value that is no hole."""
        return self.stop() if value is HOLE else value


class _Part:
    """What the views of objects and lists have in common: whatever takes the whole of one stops."""

    __slots__ = ()
    watch: Watch

    def _whole(self, *_: Any, **__: Any) -> NoReturn:
        self.watch.stop()

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _whole
    __repr__ = __str__ = __format__ = __reduce_ex__ = __copy__ = __deepcopy__ = _whole
    __or__ = __ror__ = __ior__ = __add__ = __radd__ = __iadd__ = __mul__ = __rmul__ = __imul__ = _whole
    copy = pop = popitem = setdefault = sort = remove = _whole
    __hash__ = None  # type: ignore[assignment]  # as of any dict or list


class GuardedObject(_Part, dict[str, Any]):
    """An object with a hole somewhere below it."""

    __slots__ = ("watch",)

    def __init__(self, members: dict[str, Any], watch: Watch) -> None:
        dict.__init__(self, members)
        self.watch = watch

    def __getitem__(self, key: Any) -> Any:
        return self.watch.seen(dict.__getitem__(self, key))

    def get(self, key: Any, default: Any = None) -> Any:
        """As of a dict."""
        return self.watch.seen(dict.get(self, key, default))

    def __iter__(self) -> Iterator[str]:
        return dict.__iter__(self)  # spelt out, so that `dict(view)` and `{**view}` ask for each member

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        """As of a dict; each member is asked for when its turn comes."""
        return ValuesView(self)

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        """As of a dict; each member is asked for when its turn comes."""
        return ItemsView(self)


class GuardedList(_Part, list[Any]):
    """A list with a hole somewhere below it."""

    __slots__ = ("watch",)

    def __init__(self, items: Iterable[Any], watch: Watch) -> None:
        list.__init__(self, items)
        self.watch = watch

    def __getitem__(self, index: Any) -> Any:
        found = list.__getitem__(self, index)
        return GuardedList(found, self.watch) if isinstance(index, slice) else self.watch.seen(found)

    def __iter__(self) -> Iterator[Any]:
        return map(self.watch.seen, list.__iter__(self))

    def __reversed__(self) -> Iterator[Any]:
        return map(self.watch.seen, list.__reversed__(self))

    def __contains__(self, value: Any) -> bool:
        return any(item is value or item == value for item in self)

    def index(self, value: Any, start: Any = 0, stop: Any = None) -> int:
        """As of a list."""
        for at in range(len(self))[start:stop]:
            if self[at] == value:
                return at
        raise ValueError(f"{value!r} is not in list")

    def count(self, value: Any) -> int:
        """As of a list."""
        return sum(item is value or item == value for item in self)


def guarded(data: Any) -> Any:
    """Return the data as a check may read it; a `Shut` where nothing of it is sound."""
    return Shut() if data is HOLE else _guarded(data, Watch())


def asked(check: Callable[[], Iterable[Any] | None], view: Any) -> Iterator[Any]:
    """Yield what a check of a view says until it reads what is not sound; what it raises is raised."""
    try:
        for said in check() or ():
            if was_stopped(view):
                return
            yield said
    except Stopped:
        return


def was_stopped(view: Any) -> bool:
    """Return whether the check that got this view has read what is not sound."""
    return type(view) in (GuardedObject, GuardedList) and view.watch.stopped


def is_whole(view: Any) -> bool:
    """Return whether all of it is sound."""
    return type(view) not in (Shut, GuardedObject, GuardedList)


def _guarded(data: Any, watch: Watch) -> Any:
    """Return a view of an object or a list that has a hole somewhere below it; anything else as it is."""
    if isinstance(data, dict):
        members = {key: _guarded(value, watch) for key, value in data.items()}
        return GuardedObject(members, watch) if _any_open(members.values()) else data
    if isinstance(data, list):
        items = [_guarded(value, watch) for value in data]
        return GuardedList(items, watch) if _any_open(items) else data
    return data


def _any_open(values: Iterable[Any]) -> bool:
    return any(value is HOLE or isinstance(value, (GuardedObject, GuardedList)) for value in values)
