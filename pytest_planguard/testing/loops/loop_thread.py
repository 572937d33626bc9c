"""Run a user's loop step by step in a separate thread. A step goes from an answer to the next request."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Any

PATIENCE_S = 60.0
"""Maximum number of seconds for a loop from an answer to its next request or its end."""
STOP_S, GLANCE_S = 1.0, 0.02
"""Maximum number of seconds for a stopped loop to end, and the seconds between checks."""


class LoopStoppedError(BaseException):
    """Ends a loop from inside its request to the model. The loop's `except Exception` cannot catch it."""


class LoopThread:
    """Runs a function step by step. Only one of the two threads runs at a time, so that runs are reproducible."""

    def __init__(self, body: Callable[[], Any]) -> None:
        """Prepare the thread; `step` starts it."""
        self._body = body
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._stop: str | None = None
        self._refused = 0
        # In the context of the test, so that the loop's requests belong to the same conversation.
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._run,), daemon=True, name="planguard loop"
        )
        self.result: object = None
        """The result of the function; None while it runs, and if it raised."""
        self.error: BaseException | None = None
        """The exception that it raised; None if it returned or was stopped."""
        self.ended = False

    def step(self) -> bool:
        """Let the function run to its next request or its end. Return False on a timeout."""
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._go.release()
        return self._back.acquire(timeout=PATIENCE_S)

    def wait_for_answer(self) -> None:
        """In the thread that asks the model, wait for the next `step`. Raises LoopStoppedError after `stop`."""
        if self._stop is None:
            self._back.release()
            self._go.acquire()
        if self._stop is not None:
            self._refused += 1
            raise LoopStoppedError(self._stop)

    def stop(self, reason: str) -> None:
        """Stop the function at its request to the model, and wait briefly.

        Over HTTP the request fails with a status. A loop may ignore that and ask again forever. If it does, or is slow,
        LoopStoppedError is raised at any point in its thread.
        """
        self._stop = reason
        self._go.release()
        if self._thread.ident is None:
            return
        known = 1
        for _ in range(round(STOP_S / GLANCE_S)):
            self._thread.join(timeout=GLANCE_S)
            if not self._thread.is_alive():
                return
            if self._refused > known:
                known = self._refused
                self._interrupt(self._thread.ident)
        self._interrupt(self._thread.ident)

    @staticmethod
    def _interrupt(thread: int) -> None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(LoopStoppedError))

    def _run(self) -> None:
        try:
            self.result = self._body()
        except LoopStoppedError:
            pass
        except BaseException as error:
            self.error = error
        finally:
            self.ended = True
            self._back.release()
