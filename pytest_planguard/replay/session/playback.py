"""The settings of a session, and the data of one exchange."""

from __future__ import annotations

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
from .allowance import Allowance

Mode = Literal["none", "missing", "stale", "all", "verify"]
COMMAND = "pytest --planguard-record=all"
"""The command to show in messages if the caller gave none."""


@dataclass(frozen=True)
class Play:
    """One exchange of the running test."""

    number: int
    """1-based number, in the order of requests."""
    request: Message
    """The request that the test sent."""
    response: Message
    """The recorded response."""
    conversation: str | None = None
    """The app's name for the conversation, if any."""
    position: int | None = None
    """1-based position of the served answer in the cassette; None for an exchange that is being recorded."""
    drift: Drift | None = None
    """How the request differs from the recorded one; None if both have the same meaning."""

    @cached_property
    def exchange(self) -> Exchange:
        """The request and its answer in provider-neutral form. Decoded on first use."""
        return decode(self.number, self.request, self.response)


@dataclass(frozen=True, slots=True)
class CassetteSettings:
    """The settings of an open cassette; see `open_cassette`."""

    mode: Mode = "none"
    match: MatchMode = "gated"
    normalisers: tuple[Normaliser, ...] = field(default_factory=lambda: tuple(NORMALISERS))
    redaction: Redaction = field(default_factory=Redaction)
    evidence: Evidence = no_evidence
    is_rejected: Callable[[Exchange], bool] = lambda _: False
    """Returns True if a contract rejects an answer."""
    provisional: Callable[[], bool] = lambda: False
    """Returns True if a retry that seems to feed nothing back may be answered, because an experiment will decide."""
    conversation_id: Callable[[], str | None] | None = None
    on_record: Callable[[Play], None] | None = None
    command: str = COMMAND
    shown_as: str = ""
    allowance: Allowance = field(default_factory=Allowance)
