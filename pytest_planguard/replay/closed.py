"""A recording that is closed: whatever is still asked is refused, also over connections that were opened before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Never

from ..wire.exchange import Message
from .rerun import Rerun


class ClosedRecording(Rerun):
    """Stands where a recording's session stands, and answers nothing."""

    def __init__(self, refuse: Callable[[Message], Never]) -> None:
        """`refuse` raises what the client is to see."""
        super().__init__(())
        self._refuse = refuse

    def answer(self, message: Message) -> Never:
        """Refuse a request."""
        self._refuse(message)
