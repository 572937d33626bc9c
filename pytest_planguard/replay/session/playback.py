"""How a session was told to open the cassette, what recording may take, and what it knows of one exchange."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from ...wire.decode import decode
from ...wire.exchange import Exchange, Message
from ..matching.decision import MatchMode
from ..matching.drift import Drift
from ..matching.feedback_evidence import Evidence, no_evidence
from ..matching.normalise import NORMALISERS, Normaliser
from ..privacy.redaction import Redaction


class Allowance:
    """What may still be asked of a live endpoint. Shared by the cassettes of a run, and by their threads.

    Requests that are under way when the cap is reached are finished and kept, so parallel ones may pass it.
    """

    def __init__(self, max_calls: int | None = None, max_tokens: int | None = None) -> None:
        """Caps from 0 on; None for none. Tokens are those of requests and answers together."""
        self._max_calls, self._max_tokens = max_calls, max_tokens
        self.calls = 0
        self.tokens = 0
        """As far as the answers tell."""
        self._lock = threading.Lock()

    def spend(self, exchange: Exchange) -> None:
        """Count one live exchange."""
        usage = exchange.usage
        with self._lock:
            self.calls += 1
            self.tokens += (usage.input_tokens or 0) + (usage.output_tokens or 0)

    @property
    def is_spent(self) -> bool:
        """Whether no further request may be sent."""
        return bool(self.reached)

    @property
    def reached(self) -> str:
        """'the cap of 5 calls is reached (5 calls, 1,230 tokens so far)'; "" while something is left."""
        for cap, used, what in ((self._max_calls, self.calls, "call"), (self._max_tokens, self.tokens, "token")):
            if cap is not None and used >= cap:
                so_far = f"{_count(self.calls, 'call')}, {_count(self.tokens, 'token')} so far"
                return f"the cap of {_count(cap, what)} is reached ({so_far})"
        return ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"


Mode = Literal["none", "missing", "stale", "all", "verify"]
COMMAND = "pytest --planguard-record=all"
"""What a message tells to type where the caller gave no exact command."""


@dataclass(frozen=True)
class Play:
    """One exchange of the running test, in the order of the requests."""

    number: int
    """From 1."""
    request: Message
    """As sent now."""
    response: Message
    """As recorded, then or now."""
    conversation: str | None = None
    """The app's name of the conversation; None where it gave none."""
    position: int | None = None
    """Place in the cassette that was served, from 1; None for an exchange that is being recorded."""
    drift: Drift | None = None
    """How the request differs from the recorded one; None where it means the same."""

    @cached_property
    def exchange(self) -> Exchange:
        """Provider-neutral form: the request of now with its answer; decoded on first use."""
        return decode(self.number, self.request, self.response)


@dataclass(frozen=True, slots=True)
class CassetteSettings:
    """How a cassette is opened. See `open_cassette` for the meaning of each."""

    mode: Mode = "none"
    match: MatchMode = "gated"
    normalisers: tuple[Normaliser, ...] = field(default_factory=lambda: tuple(NORMALISERS))
    redaction: Redaction = field(default_factory=Redaction)
    evidence: Evidence = no_evidence
    provisional: Callable[[], bool] = lambda: False
    """Whether a retry that is read as feeding back no finding may be answered, since an experiment will tell."""
    conversation_id: Callable[[], str | None] | None = None
    on_record: Callable[[Play], None] | None = None
    command: str = COMMAND
    shown_as: str = ""
    allowance: Allowance = field(default_factory=Allowance)
