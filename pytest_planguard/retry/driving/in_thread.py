"""Let asyncio code use a driver that calls its functions one after the other, such as a search."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
Wait = Callable[[Callable[..., Awaitable[Any]]], Callable[..., Any]]
"""Turns a function whose result is awaited into one that returns it."""


async def in_thread(drive: Callable[[Wait], T]) -> T:
    """Return the result of a driver that runs in a thread, while its functions are awaited in the loop of this task.

    If the task is cancelled, the driver's current and later calls raise CancelledError.

    Args:
        drive: gets a function that makes an awaited function callable from the thread.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    calls: list[Future[object]] = []
    cancelled = False

    def wait(ask: Callable[..., Awaitable[object]]) -> Callable[..., Any]:
        @wraps(ask)
        def call(*args: Any, **kwargs: Any) -> Any:
            if cancelled:
                raise asyncio.CancelledError

            async def awaited() -> Any:
                return await ask(*args, **kwargs)

            calls[:] = [asyncio.run_coroutine_threadsafe(awaited(), loop)]
            return calls[0].result()

        return call

    try:
        return await asyncio.to_thread(drive, wait)
    except asyncio.CancelledError:
        cancelled = True
        for each in calls:
            each.cancel()
        raise
