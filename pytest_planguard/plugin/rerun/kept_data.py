"""Plain data that tests share: lists and dictionaries that fixtures return, attributes of classes. It can be put back.

Each container is kept with a shallow copy of what is in it, so that putting all of them back restores the whole, and
every reference to one of them stays good. Objects of other people's classes are left alone.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

MOST = 20_000
"""Values that are looked at; a data set of more than that is nothing that a test writes to by the way."""
_BY_KEY = (dict, defaultdict, OrderedDict, Counter)
_IN_ORDER = (list, deque, bytearray)
_ABSENT = object()


class KeptData:
    """What plain data was at one moment."""

    def __init__(self, roots: Iterable[Any], classes: Iterable[type], is_own: Callable[[type], bool]) -> None:
        """Keep what can be reached from `roots`, and the attributes of `classes`.

        `is_own` tells of a class whether its instances are the project's own, whose attributes are data too.
        """
        self._is_own = is_own
        self._containers: list[tuple[Any, Any]] = []
        self._classes = [(one, _attributes(one)) for one in classes]
        self._seen: set[int] = set()
        self.is_whole = True
        """Whether all of it could be kept."""
        left = [*roots, *(value for _, own in self._classes for value in own.values())]
        room = MOST
        while left and self.is_whole:
            inner = self._kept(left.pop(), room)
            room -= len(inner)
            left += inner

    def put_back(self) -> None:
        """Make it that again."""
        for container, copy in self._containers:
            if isinstance(container, list | bytearray):
                container[:] = copy
            else:
                container.clear()
                (container.extend if isinstance(container, deque) else container.update)(copy)
        for one, own in self._classes:
            now = _attributes(one)
            for name in now.keys() - own.keys():
                delattr(one, name)
            for name, value in own.items():
                if now.get(name, _ABSENT) is not value:
                    setattr(one, name, value)

    def _kept(self, value: Any, room: int) -> Collection[Any]:
        """Keep a container; return what is in it, to be kept as well. One with more than `room` in it is too large."""
        if id(value) in self._seen:
            return ()
        kind = type(value)
        held = value
        if kind not in (*_BY_KEY, *_IN_ORDER, set, tuple):
            # Of the project's own objects alone: a proxy of a framework may do anything when it is asked.
            held = None if isinstance(value, type) or not self._is_own(kind) else getattr(value, "__dict__", None)
            if type(held) is not dict:
                return ()
        self._seen.add(id(value))
        if len(held) > room:
            self.is_whole = False
            return ()
        if kind is tuple:
            return held  # type: ignore[no-any-return]
        copy = dict(held) if isinstance(held, dict) else held.copy()
        self._containers.append((held, copy))
        if isinstance(held, bytearray):
            return ()
        return copy.values() if isinstance(copy, dict) else copy


def _attributes(one: type) -> dict[str, Any]:
    """Return the data among the attributes of a class: no methods, no descriptors, nothing that Python put there."""
    return {
        name: value
        for name, value in vars(one).items()
        if not (name.startswith("__") or callable(value) or hasattr(type(value), "__get__"))
    }
