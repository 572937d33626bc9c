"""The state of a driven loop between two calls of the model. Knows nothing of waiting, so sync and async share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..contract.feedback import Feedback, build_feedback
from ..contract.kinds import Reask
from ..contract.placement import Placement, placed, wording_of
from ..contract.severity import Severity
from ..wire.dialects.base import ROLES
from ..wire.dialects.openai_chat import message_items
from ..wire.exchange import Exchange, Finish, Item, ItemKind, Role
from .budget import Budget, delay_s
from .convergence import Attempt, Outcome
from .judged import Applied, verdict_of
from .reply import Reply, read_reply
from .routing import context_of
from .transport import is_transient

if TYPE_CHECKING:
    from ..contract.context import CheckContext
    from ..contract.contract import Contract
    from ..contract.template import Template

Messages = list[dict[str, Any]]
DIALECT = "driven"
"""Dialect of an exchange that a driven loop made: built from messages, never seen on a wire."""


class Drive:
    """One conversation: what to ask next, what was answered, and when to stop."""

    def __init__(
        self,
        messages: Sequence[Mapping[str, Any]],
        contract: Contract,
        *,
        budget: Budget,
        placement: Placement,
        style: str | None = None,
        template: Template | None = None,
        on_attempt: Callable[[Attempt], object] | None = None,
        stop_when_stuck: bool = True,
    ) -> None:
        self.messages: Messages = [dict(message) for message in messages]
        """Those of the next request."""
        self.attempts: list[Attempt] = []
        self.outcome: Outcome | None = None
        """How it ended; None while it goes on."""
        self._applied = Applied.of(contract)
        self._budget = budget
        self.placement: Placement = placement
        self.said: list[Feedback] = []
        """The feedback on each attempt but the last."""
        self._style = wording_of(placement, style)
        self._template = template
        self._on_attempt = on_attempt
        self._stop_when_stuck = stop_when_stuck
        self._task = self.messages
        self._items: dict[int, tuple[dict[str, Any], list[Item]]] = {}
        self._said: dict[object, int] = {}
        self._failures = 0
        self._failures_now = 0

    @property
    def told(self) -> bool:
        """Whether every retry was told everything in our own words: then what it carries is known."""
        words = self.placement != "blind" and self._template is None and self._style != "blind"
        return words and not any(feedback.omitted for feedback in self.said)

    def failed(self, error: Exception) -> float:
        """Seconds to wait before sending the same request again. Raises the error where that is no cure."""
        if not is_transient(error) or self._failures >= self._budget.transport_retries:
            if self._failures_now:
                error.add_note(f"planguard: sent {self._failures_now + 1} times for attempt {len(self.attempts) + 1}")
            raise error
        self._failures += 1
        self._failures_now += 1
        return delay_s(self._failures_now)

    def answered(self, response: Any) -> None:
        """Judge what `ask` returned, and decide whether and what to ask next."""
        reply = read_reply(response)
        attempt = self._attempt(reply)
        self.attempts.append(attempt)
        if self._on_attempt is not None:
            self._on_attempt(attempt)
        self.outcome = self._ended(attempt)
        if self.outcome is None:
            said = build_feedback(
                attempt.verdict,
                attempt=attempt.number,
                max_attempts=self._budget.attempts,
                style=self._style,
                template=self._template,
            )
            self.said.append(said)
            # Feedback that replaces or frames the prompt starts from the task, so that it never piles up.
            start = self.messages if self.placement == "dialogue" else self._task
            self.messages = placed(start, reply.message(), said.text, placement=self.placement, style=self._style)

    def _attempt(self, reply: Reply) -> Attempt:
        exchange = self._exchange(reply)
        verdict = verdict_of(exchange, self._applied, self._context(exchange))
        assert verdict is not None  # an answer that calls a tool forces that tool, see _exchange
        said = (exchange.answer_text.strip(), *((call.name, call.text) for call in reply.calls))
        number = len(self.attempts) + 1
        repeats = self._said.get(said)
        self._said[said] = number
        failures, self._failures_now = self._failures_now, 0
        return Attempt(number, exchange, verdict, transport_retries=failures, repeats=repeats)

    def _exchange(self, reply: Reply) -> Exchange:
        """The exchange as a recording would have it. Nothing tells which tool is the output: the first called is."""
        tool = self._applied.tool or (reply.calls[0].name if reply.calls else None)
        judged_text = self._applied.judged == "text"
        return Exchange(
            number=len(self.attempts) + 1,
            dialect=DIALECT,
            model=reply.model,
            request=tuple(item for message in self.messages for item in self._read(message)),
            answer=reply.items if not judged_text else tuple(i for i in reply.items if i not in reply.calls),
            tools={} if tool is None or judged_text else {tool: {}},
            tool_choice=None if judged_text else tool,
            finish=reply.finish if reply.finish is not Finish.TOOL_CALLS else Finish.STOP,
            refusal=reply.refusal,
            usage=reply.usage,
        )

    def _read(self, message: dict[str, Any]) -> list[Item]:
        """The items of a message. Kept with the message itself, so that its id cannot be given to another."""
        known = self._items.get(id(message))
        if known is None:
            role, text = ROLES.get(message.get("role", "")), message.get("content")
            plain = len(message) == 2 and role is not None and role is not Role.TOOL and isinstance(text, str)
            items = [Item(ItemKind.TEXT, role, text)] if plain and role and text else message_items(message)
            known = self._items[id(message)] = (message, items)
        return known[1]

    def _context(self, exchange: Exchange) -> CheckContext | None:
        """What may have been copied from; looked up only for contracts that forbid copies."""
        if not self._applied.forbids_copies:
            return None
        first = self.attempts[0].exchange if self.attempts else exchange
        known = set(first.request)
        feedback = [item.text for item in exchange.request if item not in known and item.role != "assistant"]
        return context_of(exchange, first, feedback)

    def _ended(self, attempt: Attempt) -> Outcome | None:
        verdict = attempt.verdict
        if verdict.ok:
            return Outcome.CONVERGED
        if any(found.severity is Severity.FAIL for found in verdict.errors):
            return Outcome.REJECTED
        if self._hopeless(attempt):
            return Outcome.STOPPED
        stuck = attempt.repeats is not None
        if stuck and self._stop_when_stuck:
            return Outcome.STUCK
        if self._budget.spent([made.exchange.usage for made in self.attempts]):
            return Outcome.STUCK if stuck else Outcome.EXHAUSTED
        return None

    def _hopeless(self, attempt: Attempt) -> bool:
        """Asking again cannot help: a refusal, an answer cut off at the limit, or empty for the second time."""
        reask = attempt.verdict.reask
        if reask is Reask.ONCE:
            return any(made.verdict.reask is Reask.ONCE for made in self.attempts[:-1])
        return reask is not Reask.YES
