"""Keep the original classes and methods of HTTP clients working while they are patched.

vcr itself is not imported: the objects to wrap are arguments.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable, Iterator
from functools import cache, wraps
from types import FunctionType
from typing import Any

from ..network.senders import recorded

Method = tuple[type[Any], str, FunctionType]
"""A class, the name of its method, and the method's replacement."""


def by_own_names(classes: Iterable[Any]) -> list[Method]:
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


def is_mocked(owner: Any, method: Any) -> bool:
    """Return True if another tool answers in place of a method: its function is from a package that is not the owner's.

    A tool that only looks on, such as OpenTelemetry, wraps the method and keeps its module.
    """
    packages = [str(getattr(one, "__module__", "")).partition(".")[0] for one in (owner, method)]
    return packages[1] not in (packages[0], "vcr", __name__.partition(".")[0])


def as_recorded(send: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a (coroutine) method that sends requests, so that connections opened in it count as recorded."""

    @wraps(send)
    def marked(*args: Any, **kwargs: Any) -> Any:
        with recorded():
            result = send(*args, **kwargs)
        return _awaited(result) if inspect.iscoroutine(result) else result

    return marked


async def _awaited(result: Coroutine[Any, Any, Any]) -> Any:
    with recorded():
        return await result
