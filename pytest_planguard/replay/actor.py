"""Who sends a request: the running asyncio task, else the thread. Two live actors with one prompt are parallel."""

from __future__ import annotations

import asyncio
import threading
from typing import Any


def current_actor() -> Any:
    """The asyncio task that runs now, else the current thread."""
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no loop runs in this thread
        task = None
    return task or threading.current_thread()


def is_alive(actor: Any) -> bool:
    """Whether a task is not done, or a thread still runs."""
    return not actor.done() if isinstance(actor, asyncio.Future) else bool(actor.is_alive())
