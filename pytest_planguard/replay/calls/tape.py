"""The decorator for a function whose calls are recorded and replayed in the tests that call it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from .taped_call import taped

F = TypeVar("F", bound=Callable[..., Any])


@overload
def tape(ask: F) -> F: ...
@overload
def tape(*, name: str | None = None, returns: Any = None, ignore: Sequence[str] = ()) -> Callable[[F], F]: ...
def tape(
    ask: Callable[..., Any] | None = None, *, name: str | None = None, returns: Any = None, ignore: Sequence[str] = ()
) -> Callable[..., Any]:
    """Record and replay the calls of a function: `@tape`, or `@tape(ignore=["client"])`.

    Within a marked test its calls are answered from the cassette of that test, or made and recorded, as the record
    mode says. Everywhere else the function is called as if it were not decorated.

    Args:
        ask: takes texts, chat messages and plain data; returns a text, plain data, or a value of the type that it is
            annotated with. It may be a coroutine function.
        name: its name in cassettes; by default its own.
        returns: the type of what it returns, where it is not annotated.
        ignore: names of arguments that bear no meaning, such as a client.

    Raises:
        UsageError: no function; when it is called: arguments or an answer that cannot be recorded.
    """
    if ask is not None:
        return taped(ask)
    return lambda function: taped(function, name=name, returns=returns, ignore=ignore)
