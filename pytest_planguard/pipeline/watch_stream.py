"""Pass a stream through, close it as soon as its answer cannot become valid, and drive a conversation over streams."""

from __future__ import annotations

import inspect
import os
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack, cast

from ..contract.contract import Contract
from ..contract.finding import Severity
from ..contract.verdict import Verdict
from ..errors import UsageError
from ..retry.loop import aconverge, converge
from .stream_monitor import StreamMonitor, stream_log

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..retry.loop import ConvergeOptions
    from ..retry.loop_state import Chat, Messages
    from ..retry.results import Convergence
    from .stream_detectors import StreamFinding, StreamThresholds
    from .stream_monitor import StreamLog


T = TypeVar("T")


class StreamPolicy(StrEnum):
    """The reaction when a detector fires."""

    OBSERVE = "observe"
    """The finding is kept, and the stream goes on."""
    ABORT = "abort"
    """The stream is closed and ends."""
    ABORT_AND_RETRY = "abort-and-retry"
    """The stream is closed; `converge_stream` then asks again, with the finding as feedback."""


def policy_of(policy: str) -> StreamPolicy:
    """Return the policy of that name. Raises UsageError for an unknown one."""
    try:
        return StreamPolicy(policy)
    except ValueError:
        raise UsageError(f"unknown policy: got {policy!r}; give one of {', '.join(StreamPolicy)}") from None


class WatchedStream(Generic[T]):
    """Iterates over a stream's items, with `for` or `async for`: the loop decides, since some streams allow both."""

    def __init__(
        self,
        stream: Iterable[T] | AsyncIterable[T],
        monitor: StreamMonitor,
        policy: StreamPolicy,
        log: StreamLog | None,
    ) -> None:
        self._stream = stream
        self.monitor = monitor
        self.aborted: StreamFinding | None = None
        """The finding that made planguard close the stream; None if the stream ended normally."""
        self._aborts = policy is not StreamPolicy.OBSERVE
        self._log = log

    @property
    def findings(self) -> tuple[StreamFinding, ...]:
        """The findings so far."""
        return self.monitor.findings

    @property
    def text(self) -> str:
        """The judged text so far: the answer's text, or the arguments of the contract's tool."""
        return self.monitor.judged_text

    def _ends_with(self, item: object) -> bool:
        """Take an item; return True if it is the last one, because a detector fired."""
        found = self.monitor.feed(item)
        if found and self._aborts:
            self.aborted = next((one for one in found if one.finding.severity.bad), None)
        return self.aborted is not None

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Finish the answer after the last item; close the log even if the stream fails or its reader stops."""
        try:
            yield
            if self.aborted is None:
                self.monitor.finish()
        finally:
            if self._log is not None:
                self._log.close()

    def __iter__(self) -> Iterator[T]:
        """Yield items up to the one that made a detector fire. The stream is closed by then."""
        with self._watched():
            for item in cast("Iterable[T]", self._stream):
                if self._ends_with(item):
                    _close(self._stream)
                    yield item
                    break
                yield item

    async def __aiter__(self) -> AsyncIterator[T]:
        """Yield items up to the one that made a detector fire. The stream is closed by then."""
        with self._watched():
            async for item in cast("AsyncIterable[T]", self._stream):
                if self._ends_with(item):
                    await _aclose(self._stream)
                    yield item
                    break
                yield item


def watch_stream(
    stream: Iterable[T] | AsyncIterable[T],
    contract: Contract | None = None,
    *,
    policy: str = StreamPolicy.ABORT,
    thresholds: StreamThresholds | None = None,
    log: str | os.PathLike[str] | None = None,
) -> WatchedStream[T]:
    """Return a stream that yields the same items as `stream`, and judges the answer as it grows.

    Args:
        stream: pieces of text, an SDK's stream, or its parsed events, for `for` or for `async for`. An abort closes it
            if it has a `close`.
        contract: the contract for the answer; without one, only loops, refusals and length are watched.
        policy: "abort" (default), "observe" or "abort-and-retry", see `StreamPolicy`.
        thresholds: when the detectors fire.
        log: a run's folder. With `PLANGUARD_STREAM_LOG=true`, its file `stream.log` gets the text while it arrives.

    Raises:
        UsageError: an unknown policy.
    """
    opened = stream_log(log)
    return WatchedStream(stream, StreamMonitor(contract, thresholds=thresholds, log=opened), policy_of(policy), opened)


def _close(stream: object) -> None:
    """Close a stream that can be closed: SDK streams and generators."""
    close = getattr(stream, "close", None) or getattr(getattr(stream, "response", None), "close", None)
    if callable(close):
        close()


async def _aclose(stream: object) -> None:
    close = getattr(stream, "aclose", None) or getattr(stream, "close", None)
    done = close() if callable(close) else None
    if inspect.isawaitable(done):
        await done


# The driven loop over streams: an aborted answer counts as an attempt, with the reason as its finding.


def converge_stream(
    ask: Callable[[Messages], Iterable[object]],
    messages: Chat | str,
    contract: Contract,
    *,
    policy: str = StreamPolicy.ABORT_AND_RETRY,
    thresholds: StreamThresholds | None = None,
    log: str | os.PathLike[str] | None = None,
    **options: Unpack[ConvergeOptions],
) -> Convergence:
    """Drive one conversation with streamed answers, and close a stream as soon as its answer is bad.

    Args:
        ask: sends messages and returns a stream: pieces of text, or an SDK's objects.
        messages: as for `converge`.
        contract: the contract for the answer's text.
        policy: "abort-and-retry" (default) closes a bad stream, feeds the reason back and asks again; "abort" closes it
            and ends the conversation (outcome rejected); "observe" never closes a stream.
        thresholds: when the detectors fire.
        log: as for `watch_stream`.
        options: the options of `converge`.

    Raises:
        UsageError: an unknown policy, or a contract that judges a tool's arguments.
    """
    aborts = _Aborts(contract, policy)

    def answer(request: Messages) -> str:
        stream = watch_stream(ask(request), contract, policy=policy, thresholds=thresholds, log=log)
        for _ in stream:  # reading it to its end judges it
            pass
        return aborts.noted(stream.text, stream.aborted.finding if stream.aborted else None)

    return converge(answer, messages, aborts, **options)


async def aconverge_stream(
    ask: Callable[[Messages], Awaitable[AsyncIterable[object]]],
    messages: Chat | str,
    contract: Contract,
    *,
    policy: str = StreamPolicy.ABORT_AND_RETRY,
    thresholds: StreamThresholds | None = None,
    log: str | os.PathLike[str] | None = None,
    **options: Unpack[ConvergeOptions],
) -> Convergence:
    """Do the same as `converge_stream` for an awaited `ask` that returns a stream for `async for`."""
    aborts = _Aborts(contract, policy)

    async def answer(request: Messages) -> str:
        stream = watch_stream(await ask(request), contract, policy=policy, thresholds=thresholds, log=log)
        async for _ in stream:
            pass
        return aborts.noted(stream.text, stream.aborted.finding if stream.aborted else None)

    return await aconverge(answer, messages, aborts, **options)


class _Aborts(Contract):
    """A contract that knows why an answer was aborted, and reports that reason instead of a truncated document."""

    def __init__(self, contract: Contract, policy: str) -> None:
        if contract.tool is not None:
            raise UsageError(
                f"wrong contract for a streamed conversation: got one that judges the tool {contract.tool!r}; "
                'give judged="text", or watch the stream yourself with watch_stream()'
            )
        self.__dict__.update(contract.__dict__)
        self._aborted: dict[str, Finding] = {}
        self._is_final = policy_of(policy) is StreamPolicy.ABORT

    def noted(self, text: str, finding: Finding | None) -> str:
        """Record the reason why a text was aborted, and return the text."""
        if finding is None:
            self._aborted.pop(text, None)  # an earlier stream with this text was aborted, in other pieces
        else:
            self._aborted[text] = replace(finding, severity=Severity.FAIL) if self._is_final else finding
        return text

    def check(self, answer: Any, **options: Any) -> Verdict:
        """Return the verdict of the contract, or the reason of the abort."""
        reason = self._aborted.get(answer) if isinstance(answer, str) else None
        if reason is None:
            return super().check(answer, **options)
        return Verdict(self.name, answer, (reason,))
