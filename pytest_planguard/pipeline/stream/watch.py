"""Pass a stream through while watching it, and close it as soon as its answer cannot become valid."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from ...errors import UsageError
from .monitor import StreamMonitor

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from .findings import StreamFinding, StreamThresholds
    from .monitor import StreamLog

S = TypeVar("S")
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


class _Watched(Generic[S]):
    """The common parts of both kinds of watched streams."""

    def __init__(self, stream: S, monitor: StreamMonitor, policy: StreamPolicy, log: StreamLog | None) -> None:
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

    def _finish(self) -> None:
        if self.aborted is None:
            self.monitor.finish()
        if self._log is not None:
            self._log.close()


class WatchedStream(_Watched[Iterable[T]]):
    """Iterates over a stream's items."""

    def __iter__(self) -> Iterator[T]:
        """Yield items up to the one that made a detector fire. The stream is closed by then."""
        for item in self._stream:
            if self._ends_with(item):
                _close(self._stream)
                yield item
                break
            yield item
        self._finish()


class AsyncWatchedStream(_Watched[AsyncIterable[T]]):
    """Iterates over an async stream's items."""

    async def __aiter__(self) -> AsyncIterator[T]:
        """Yield items up to the one that made a detector fire. The stream is closed by then."""
        async for item in self._stream:
            if self._ends_with(item):
                await _aclose(self._stream)
                yield item
                break
            yield item
        self._finish()


def watch_stream(
    stream: Iterable[T],
    contract: Contract | None = None,
    *,
    policy: str = StreamPolicy.ABORT,
    thresholds: StreamThresholds | None = None,
    log: StreamLog | None = None,
) -> WatchedStream[T]:
    """Return a stream that yields the same items as `stream`, and judges the answer as it grows.

    Args:
        stream: pieces of text, an SDK's stream, or its parsed events. An abort closes it if it has a `close`.
        contract: the contract for the answer; without one, only loops, refusals and length are watched.
        policy: "abort" (default), "observe" or "abort-and-retry", see `StreamPolicy`.
        thresholds: when the detectors fire.
        log: receives the text while it arrives, see `stream_log`.

    Raises:
        UsageError: an unknown policy.
    """
    return WatchedStream(stream, StreamMonitor(contract, thresholds=thresholds, log=log), policy_of(policy), log)


def awatch_stream(
    stream: AsyncIterable[T],
    contract: Contract | None = None,
    *,
    policy: str = StreamPolicy.ABORT,
    thresholds: StreamThresholds | None = None,
    log: StreamLog | None = None,
) -> AsyncWatchedStream[T]:
    """Do the same as `watch_stream` for a stream that is iterated with `async for`."""
    return AsyncWatchedStream(stream, StreamMonitor(contract, thresholds=thresholds, log=log), policy_of(policy), log)


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
