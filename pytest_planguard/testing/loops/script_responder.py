"""A script behind the loopback endpoint, in the place of a cassette."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Never

from ...errors import PlanguardError
from ...replay.files.interaction import Interaction
from ...replay.files.reader import RawInteraction
from ...replay.matching.cassette_index import RecordedEntry
from ...replay.matching.semantic import SemanticRequest
from ...wire.exchange import Message
from .loop_thread import LoopStoppedError


class ScriptResponder:
    """Answers each request of a route by a function."""

    path = Path("scripted")
    size = 0
    urls: tuple[str, ...] = ()
    recording = capped = awaits_first = False

    def __init__(self, reply: Callable[[Message], Message]) -> None:
        """`reply` returns the response; a PlanguardError that it raises is what the client is told."""
        self._reply = reply

    def answer(self, message: Message) -> RecordedEntry:
        """Return the response in the form of a recorded one."""
        try:
            response = self._reply(message)
        except LoopStoppedError as stop:
            raise PlanguardError(str(stop)) from None
        raw = {
            "response": {
                "status": {"code": response.status, "message": "OK"},
                "headers": {name: [value] for name, value in response.headers.items()},
            }
        }
        unread = SemanticRequest(message.method, message.url, None, "")  # no recorded request is compared with it
        return RecordedEntry(1, RawInteraction(message, response, raw), unread, "", None)

    def fits(self, message: Message) -> bool:  # noqa: ARG002 - as the protocol names it
        """Return True: a script answers whatever it is asked."""
        return True

    def peek(self, message: Message) -> None:
        """Return None: nothing is recorded."""

    def start_recording(self) -> Never:
        """Fail: no first request is awaited."""
        raise AssertionError("a script cannot record")

    def expect(self, message: Message) -> Never:  # noqa: ARG002 - as the protocol names it
        """Fail: nothing is sent to a live endpoint."""
        raise AssertionError("a script cannot record")

    def record(self, interaction: Interaction) -> Never:  # noqa: ARG002 - as the protocol names it
        """Fail: nothing is sent to a live endpoint."""
        raise AssertionError("a script cannot record")
