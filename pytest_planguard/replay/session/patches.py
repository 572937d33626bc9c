"""Apply patches of HTTP clients, and keep the original classes and methods working meanwhile.

vcr itself is not imported: the objects to wrap are arguments.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, wraps
from operator import is_
from types import FunctionType
from typing import Any, Generic, TypeVar

from ..network.senders import recorded
from .responder import give_way

Method = tuple[type[Any], str, FunctionType]
"""A class, the name of its method, and the method's replacement."""
_ABSENT = object()
_Cassette = TypeVar("_Cassette")


class Replacement(AbstractContextManager[None]):
    """Replaces one attribute during a `with` block. Each test applies about 30 of them, so it is fast.

    What another tool has replaced or put back meanwhile stays: a fixture that mocks a client, set up under a guard.
    """

    def __init__(self, owner: Any, name: str, new: object) -> None:
        self._owner, self._name, self._new = owner, name, new
        self._before: object = None
        self.outlived = False
        """True if the block ended while another tool's attribute was in place. That tool may put this one back."""

    def now(self) -> object:
        """Return the attribute, or a mark if the owner inherits it."""
        return vars(self._owner).get(self._name, _ABSENT)

    def __enter__(self) -> None:
        self._settle()
        self._before = self.now()
        setattr(self._owner, self._name, self._new)

    def __exit__(self, *_: object) -> None:
        self.outlived = self.now() is not self._new
        if self.outlived:
            _outlived.append(self)
        else:
            self._restore()
        self._settle()

    def _restore(self) -> None:
        if self._before is _ABSENT:
            delattr(self._owner, self._name)
        else:
            setattr(self._owner, self._name, self._before)

    def _settle(self) -> None:
        """Take back earlier replacements of this attribute that another tool has put back since they ended."""
        for earlier in reversed(_outlived):
            earlier.take_back(self._owner, self._name)

    def take_back(self, owner: object, name: str) -> None:
        """Restore this attribute if another tool has put the replacement back."""
        if owner is self._owner and name == self._name and self.now() is self._new:
            self._restore()


_outlived: deque[Replacement] = deque(maxlen=64)
"""The latest replacements that ended under another tool's. Those that no tool has put back need no more attention."""


def lighter(patch: Any) -> Any:
    """Return a patch of `mock.patch.object` as a replacement; any other context unchanged."""
    return Replacement(patch.getter(), patch.attribute, patch.new) if hasattr(patch, "getter") else patch


class BuiltPatches(Generic[_Cassette]):
    """Patches that can be applied again while what they replace, and call, is as it was when they were built."""

    def __init__(
        self, cassette: _Cassette, patches: Sequence[AbstractContextManager[object]], made_for: object
    ) -> None:
        """`cassette` gets the requests; `made_for` is compared with the needs of the next use."""
        self.cassette, self.patches, self.made_for = cassette, patches, made_for
        self._found = self._now()

    def are_current(self) -> bool:
        """Return True if they can be applied again."""
        return all(map(is_, self._found, self._now()))

    def _now(self) -> list[object]:
        return [patch.now() for patch in self.patches if isinstance(patch, Replacement)]


def outlived(patches: Iterable[object]) -> bool:
    """Return True if another tool may put one of these patches back, which have ended."""
    return any(patch.outlived for patch in patches if isinstance(patch, Replacement))


@contextmanager
def applied(patches: Iterable[AbstractContextManager[object]]) -> Iterator[None]:
    """Apply patches in order during a `with` block."""
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(patch)
        yield


def by_own_names(classes: Iterable[object]) -> list[Method]:
    """Return the methods of classes and their bases that refer to one of these classes by name, bound to that class.

    `http.client.HTTPSConnection.__init__` says `super(HTTPSConnection, self)`: if that name is patched, it would fail
    even for a connection of the original class.
    """
    return [*dict.fromkeys(method for kind in classes for method in _by_own_names(kind))]


@cache
def _by_own_names(kind: Any) -> tuple[Method, ...]:
    return tuple(method for owner in kind.__mro__ for method in _bound(owner, kind))


def _bound(owner: type[Any], kind: type[Any]) -> Iterator[Method]:
    names = {other.__name__: other for other in kind.__mro__ if other.__module__ == owner.__module__}
    for name, method in vars(owner).items():
        if isinstance(method, FunctionType) and not names.keys().isdisjoint(method.__code__.co_names):
            known = {**method.__globals__, **names}
            code, defaults, cells = method.__code__, method.__defaults__, method.__closure__
            bound = FunctionType(code, known, method.__name__, defaults, cells)
            bound.__kwdefaults__ = method.__kwdefaults__
            yield owner, name, bound


def as_recorded(send: Callable[..., object]) -> Callable[..., Any]:
    """Wrap a (coroutine) method that sends requests, so that connections opened in it count as recorded."""

    @wraps(send)
    def marked(*args: object, **kwargs: object) -> Any:
        with recorded():
            result = send(*args, **kwargs)
        return _awaited(result) if inspect.iscoroutine(result) else result

    return marked


async def _awaited(result: Coroutine[object, object, object]) -> object:
    try:
        await give_way()
    except BaseException:
        result.close()  # cancelled before it began, which is no mistake of the app: "coroutine was never awaited"
        raise
    with recorded():
        return await result
