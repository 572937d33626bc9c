"""The state of a driven loop between two calls of the model. Knows nothing of waiting, so sync and async share it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..contract.context import CheckContext
from ..contract.kinds import Reask
from ..contract.placement import Placement, next_messages
from ..wire.dialects.openai_chat import message_items
from ..wire.exchange import Exchange, Item, Role
from .budget import Budget, delay_s
from .convergence import Attempt, Outcome
from .judged import Applied, verdict_of
from .reply import Reply, read_reply
from .transport import is_transient

if TYPE_CHECKING:
    from ..contract.contract import Contract
    from ..contract.template import Template
    from ..contract.verdict import Verdict

Messages = list[dict[str, Any]]


class Drive:
    """One conversation: what to ask next, what was answered, and when to stop."""

    def __init__(
        self,
        messages: Sequence[dict[str, Any]],
        contract: Contract,
        budget: Budget,
        placement: Placement,
        style: str | None,
        template: Template | None,
        on_attempt: Callable[[Attempt], object] | None,
    ) -> None:
        self.messages: Messages = list(messages)
        self.attempts: list[Attempt] = []
        self.outcome: Outcome | None = None
        """How it ended; None while it goes on."""
        self.reason = ""
        """Why it ended, in words."""
        self._first = self.messages
        self._contract = contract
        self._applied = Applied.of(contract) if contract.json_schema_needed else None
        self._budget = budget
        self._placement = placement
        self._style = style
        self._template = template
        self._on_attempt = on_attempt
        self._items: dict[int, list[Item]] = {}
        self._answers: set[str] = set()
        self._failures = 0
        self._failures_before = 0
