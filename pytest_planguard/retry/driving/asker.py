"""The sends of one task: failed ones are repeated, replies are read, repeated answers are noticed.

Every loop of the package stands on it, whoever words the next request and whatever judges an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from ..linking.sameness import Repeats, items_key
from .budget import delay_s, is_transient
from .reply import Reply, read_reply

if TYPE_CHECKING:
    from types import TracebackType

    from ...wire.exchange import Item

T = TypeVar("T")


class Asker:
    """The attempts at one task, as far as sending goes.

    `with asker.sending(): asker.response = ask(...)`, then `asker.receive()`, until that returns a reply.
    """

    __slots__ = ("_ask", "_failed", "_failures_now", "_repeats", "_transport_retries", "failures", "replies", "resent",
                 "response")  # fmt: skip

    def __init__(self, ask: Callable[..., Any], transport_retries: int) -> None:
        self._ask = ask
        self._transport_retries = transport_retries
        self._repeats = Repeats()
        self.failures = 0
        """Failed sends of the whole task."""
        self._failures_now = 0
        """Failed sends since the last reply."""
        self._failed = False
        self.response: Any = None
        """What `ask` returned last."""
        self.replies = 0
        """Replies so far, which is also the number of the last one."""
        self.resent = 0
        """Failed sends before the last reply."""

    def sending(self) -> Asker:
        """Around a call of `ask`: keep a transport failure for `receive`, as long as it may be sent again.

        What `ask` raises passes through where sending the same request again is no cure, or not allowed any more.
        """
        return self

    def __enter__(self) -> None:
        """Nothing to do before a request is sent."""

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> bool:
        if not isinstance(error, Exception):
            return False
        if not is_transient(error) or self.failures >= self._transport_retries:
            if self._failures_now:
                error.add_note(f"planguard: sent {self._failures_now + 1} times for attempt {self.replies + 1}")
            return False
        self.failures += 1
        self._failures_now += 1
        self._failed = True
        return True

    def resume(self, replies: int, failures: int) -> None:
        """Go on with another task, of which so many replies came and so many sends failed; for `receive_as` alone."""
        self.replies, self.failures = replies, failures
        self._failures_now, self._failed = 0, False

    def receive(self) -> Reply | None:
        """Return the reply; None where the send failed, and the same request goes out again after `wait_s`.

        Raises:
            UsageError: `ask` returned what is no answer.
        """
        return self.receive_as(read_reply)

    def receive_as(self, read: Callable[[Any, Callable[..., Any]], T]) -> T | None:
        """Return what `read` makes of the response and of who gave it; None as in `receive`."""
        if self._failed:
            self._failed = False
            return None
        answer = read(self.response, self._ask)
        self.replies += 1
        self.resent, self._failures_now = self._failures_now, 0
        return answer

    @property
    def wait_s(self) -> float:
        """Seconds to wait before a failed send is repeated; 0 where none failed."""
        return delay_s(self._failures_now) if self._failures_now else 0.0

    def repeated(self, items: Sequence[Item]) -> int | None:
        """Note the items of the last reply. Return the number of the latest earlier reply with the same, or None."""
        return self._repeats.add(self.replies, items_key(items))
