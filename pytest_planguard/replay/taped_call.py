"""Record and replay calls of a function: an open cassette answers known calls, and records new ones."""

from __future__ import annotations

import inspect
import time
import typing
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from functools import partial, update_wrapper
from typing import Any, TypeVar, cast, overload

from ..errors import CassetteError, NoRecordedAnswer, UsageError
from .call_data import Rebuild, answer_in, rebuilder, rebuilt, replayable
from .call_request import CallRequest, call_name, interaction_of, request_of
from .matching.refusal import Miss
from .network.senders import passes, passing
from .session.responder import Responder, active_responder, give_way

F = TypeVar("F", bound=Callable[..., Any])


def taped(
    ask: F,
    *,
    name: str | None = None,
    returns: object = None,
    ignore: Sequence[str] = (),
    only_within: Callable[[], bool] = lambda: False,
) -> F:
    """Wrap `ask` so that its calls are recorded and replayed.

    Args:
        ask: the function that asks a model; it may be a coroutine function.
        name: its name in cassettes; by default the function's name.
        returns: the type of its return value; by default the annotation.
        ignore: names of arguments that do not matter, such as a client.
        only_within: called when no cassette is open. If it returns True, the call is refused; otherwise `ask` is
            called.

    Raises:
        UsageError: not a function.
    """
    if not callable(ask):
        raise UsageError(f"a call tape needs a function: got {type(ask).__name__}; pass the one that asks the model")
    tape = _Tape(ask, name or call_name(ask), returns, frozenset(ignore), only_within)
    is_async = inspect.iscoroutinefunction(ask) or inspect.iscoroutinefunction(getattr(ask, "__call__", None))  # noqa: B004
    wrapper = _awaited(tape) if is_async else _called(tape)
    update_wrapper(wrapper, ask)
    return cast("F", wrapper)


def _called(tape: _Tape) -> Callable[..., object]:
    def call(*args: Any, **kwargs: Any) -> Any:
        responder = tape.responder()
        if responder is None:
            return tape.ask(*args, **kwargs)
        request = tape.request(args, kwargs)
        if responder.replays(lambda: request.message):
            return tape.replayed(responder, request)
        began = time.perf_counter()
        with passing():
            answer = tape.ask(*args, **kwargs)
        tape.record(responder, request, answer, time.perf_counter() - began)
        return answer

    return call


def _awaited(tape: _Tape) -> Callable[..., object]:
    async def call(*args: Any, **kwargs: Any) -> Any:
        responder = tape.responder()
        if responder is None:
            return await tape.ask(*args, **kwargs)
        request = tape.request(args, kwargs)
        await give_way()
        if responder.replays(lambda: request.message):
            return tape.replayed(responder, request)
        began = time.perf_counter()
        with passing():
            answer = await tape.ask(*args, **kwargs)
        tape.record(responder, request, answer, time.perf_counter() - began)
        return answer

    return call


class _Tape:
    """The state that the calls of one function share."""

    def __init__(
        self, ask: Callable[..., Any], name: str, returns: Any, ignore: frozenset[str], only_within: Callable[[], bool]
    ) -> None:
        self.ask, self._name, self._ignore, self._only_within = ask, name, ignore, only_within
        self._returns = returns
        self._rebuild: Rebuild | None = None

    def responder(self) -> Responder | None:
        """Return the responder; None to call the function itself: without a cassette, or inside a taped call.

        Raises:
            CassetteError: no cassette is open, but one is required.
        """
        responder = None if passes() else active_responder()
        if responder is None and not passes() and self._only_within():
            raise CassetteError(f"{self._name} was called without an open cassette; call it in the body of the test")
        return responder

    def request(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> CallRequest:
        """Return a call in the form in which it is recorded. Raises UsageError."""
        return request_of(self._name, self.ask, args, kwargs, self._ignore)

    def replayed(self, responder: Responder, request: CallRequest) -> Any:
        """Return the recorded answer.

        Raises:
            NoRecordedAnswer: no recorded answer fits.
            CassetteError: the answer cannot be read.
        """
        entry = responder.answer(request.message)
        if isinstance(entry, Miss):
            raise NoRecordedAnswer(entry.message)
        return rebuilt(answer_in(entry.raw.response.body), self._rebuilder, self._name)

    def record(self, responder: Responder, request: CallRequest, answer: Any, took_s: float) -> None:
        """Record a call that was made.

        Raises:
            UsageError: its answer cannot be replayed.
            CassetteError: the cassette cannot be written.
        """
        _refuse_parts(answer, self._name)
        responder.record(interaction_of(request, replayable(answer, self._rebuilder, self._name), took_s))

    @property
    def _rebuilder(self) -> Rebuild:
        if self._rebuild is None:
            self._rebuild = rebuilder(self._returns or _annotated(self.ask))
        return self._rebuild


def _annotated(ask: Callable[..., object]) -> object:
    """Return the annotation of a function's return value; None if it has none or it cannot be resolved."""
    while isinstance(ask, partial):
        ask = ask.func
    called = ask if inspect.isroutine(ask) else getattr(type(ask), "__call__", ask)  # noqa: B004
    try:
        return typing.get_type_hints(called).get("return")
    except (NameError, TypeError, AttributeError):  # a name that only type checkers know
        return None


def _refuse_parts(answer: object, name: str) -> None:
    """Raise UsageError for an answer that is awaitable, or a stream."""
    if inspect.isawaitable(answer):
        if isinstance(answer, Coroutine):
            answer.close()  # it is never awaited, and that is reported here
        raise UsageError(f"{name} cannot be recorded: got {type(answer).__name__}; define it with `async def`")
    if isinstance(answer, Iterator | AsyncIterator):
        raise UsageError(f"{name} cannot be recorded: got a stream ({type(answer).__name__}); return its parts joined")


@overload
def tape(ask: F) -> F: ...
@overload
def tape(*, name: str | None = None, returns: Any = None, ignore: Sequence[str] = ()) -> Callable[[F], F]: ...
def tape(
    ask: Callable[..., Any] | None = None, *, name: str | None = None, returns: Any = None, ignore: Sequence[str] = ()
) -> Callable[..., Any]:
    """Record and replay the calls of a function: `@tape`, or `@tape(ignore=["client"])`.

    In a marked test, the cassette answers the calls, or they are made and recorded, depending on the record mode.
    Elsewhere the decorator has no effect.

    Args:
        ask: the function. It takes strings, chat messages and plain data, and returns a string, plain data, or a value
            of its annotated type. It may be a coroutine function.
        name: its name in cassettes; by default the function's name.
        returns: the type of the return value, if the function has no return annotation.
        ignore: names of arguments that do not matter, such as a client.

    Raises:
        UsageError: `ask` is not a function. A call raises it for arguments or an answer that cannot be recorded.
    """
    if ask is not None:
        return taped(ask)
    return lambda function: taped(function, name=name, returns=returns, ignore=ignore)
