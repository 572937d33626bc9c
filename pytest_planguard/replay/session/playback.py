"""How a session was told to open the cassette, what recording may take, and what it knows of one exchange."""

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
    is_rejected: Callable[[Exchange], bool] = lambda _: False
    """Whether a contract finds an answer wrong."""
    provisional: Callable[[], bool] = lambda: False
    """Whether a retry that is read as feeding back no finding may be answered, since an experiment will tell."""
    conversation_id: Callable[[], str | None] | None = None
    on_record: Callable[[Play], None] | None = None
    command: str = COMMAND
    shown_as: str = ""
    allowance: Allowance = field(default_factory=Allowance)
