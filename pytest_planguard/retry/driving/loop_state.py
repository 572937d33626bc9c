"""The state of a driven loop between two calls of the model. Knows nothing of waiting, so sync and async share it.

Judged by type and status, never by words: a validation message that quotes "500" is no server error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import Reask
from ...contract.feedback.feedback import Feedback, build_feedback
from ...contract.feedback.next_request import Placement, placed, wording_of
from ...contract.feedback.prompt_template import first_messages
from ...contract.severity import Severity
from ...errors import PlanguardError, TransientError
from ...wire.dialect import ROLES
from ...wire.dialects.dialect_table import any_turn_items
from ...wire.exchange import Exchange, Finish, Item, ItemKind, Role
from ..convergence import Attempt, Outcome
from ..judging.attempt_answers import Applied, verdict_of
from ..judging.copied_answer import words_of
from ..judging.routing import context_of
from .assistant_turn import quoted
from .budget import Budget, delay_s
from .reply import Reply, read_reply

if TYPE_CHECKING:
    from ...contract.context import CheckContext
    from ...contract.contract import Contract
    from ...contract.feedback.template import Template
    from ...contract.verdict import Verdict

Messages = list[dict[str, Any]]
DIALECT = "driven"
"""Dialect of an exchange that a driven loop made: built from messages, never seen on a wire."""


@dataclass(slots=True)
class _Turn:
    """One answer as the loop needs it; the attempt is put together when somebody asks for it."""

    request: tuple[dict[str, Any], ...]
    reply: Reply
    verdict: Verdict
    failures: int
    repeats: int | None


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
        ask: Callable[..., Any] | None = None,
    ) -> None:
        self.messages: Messages = [dict(message) for message in messages]
        """Those of the next request."""
        self.outcome: Outcome | None = None
        """How it ended; None while it goes on."""
        self._contract = contract
        self._forbids_copies = any(rule.constraint_type == "not_copied" for rule in contract.constraints)
        self._budget = budget
        self.placement: Placement = placement
        self.said: list[Feedback] = []
        """The feedback on each attempt but the last."""
        self._style = wording_of(placement, style)
        self._template = template
        self._on_attempt = on_attempt
        self._stop_when_stuck = stop_when_stuck
        self._ask = ask
        self._task = self.messages
        if placement in ("command", "inject"):
            self.messages = first_messages(self._task)
        self._turns: list[_Turn] = []
        self._attempts: list[Attempt] = []
        self._items: dict[int, tuple[dict[str, Any], list[Item]]] = {}
        self._said: dict[object, int] = {}
        self._failures = 0
        self._failures_now = 0

    @property
    def attempts(self) -> list[Attempt]:
        """The attempts so far."""
        for turn in self._turns[len(self._attempts) :]:
            number = len(self._attempts) + 1
            exchange = self._exchange(number, turn.request, turn.reply)
            made = Attempt(number, exchange, turn.verdict, transport_retries=turn.failures, repeats=turn.repeats)
            self._attempts.append(made)
        return self._attempts

    @property
    def verdict(self) -> Verdict:
        """The verdict on the last answer."""
        return self._turns[-1].verdict

    @property
    def told(self) -> bool:
        """Whether every retry was told everything in our own words: then what it carries is known."""
        words = self.placement != "blind" and self._template is None and self._style != "blind"
        return words and not any(feedback.omitted for feedback in self.said)

    def failed(self, error: Exception) -> float:
        """Seconds to wait before sending the same request again. Raises the error where that is no cure."""
        if not is_transient(error) or self._failures >= self._budget.transport_retries:
            if self._failures_now:
                error.add_note(f"planguard: sent {self._failures_now + 1} times for attempt {len(self._turns) + 1}")
            raise error
        self._failures += 1
        self._failures_now += 1
        return delay_s(self._failures_now)

    def answered(self, response: Any) -> None:
        """Judge what `ask` returned, and decide whether and what to ask next."""
        reply = read_reply(response, self._ask)
        turn = self._turn(reply)
        self._turns.append(turn)
        if self._on_attempt is not None:
            self._on_attempt(self.attempts[-1])
        self.outcome = self._ended(turn)
        if self.outcome is None:
            said = build_feedback(
                turn.verdict,
                attempt=len(self._turns),
                max_attempts=self._budget.attempts,
                style=self._style,
                template=self._template,
            )
            self.said.append(said)
            # Feedback that replaces or frames the prompt starts from the task, so that it never piles up.
            start = self.messages if self.placement == "dialogue" else self._task
            answer = quoted(reply, start)
            self.messages = placed(start, answer, said.text, placement=self.placement, style=self._style)

    def _turn(self, reply: Reply) -> _Turn:
        request = tuple(self.messages)
        verdict = self._verdict(request, reply)
        said = (reply.text.strip(), *[(call.name, call.text) for call in reply.calls])
        repeats = self._said.get(said)
        self._said[said] = len(self._turns) + 1
        failures, self._failures_now = self._failures_now, 0
        return _Turn(request, reply, verdict, failures, repeats)

    def _verdict(self, request: Sequence[dict[str, Any]], reply: Reply) -> Verdict:
        """What the contract says: at once of a mere text, by way of the exchange where more plays a part."""
        if not reply.calls and self._contract.tool is None and not self._forbids_copies:
            return self._contract.check(reply.text, finish=_finish(reply), refusal=reply.refusal)
        exchange = self._exchange(len(self._turns) + 1, request, reply)
        verdict = verdict_of(exchange, Applied.of(self._contract), self._context(exchange))
        assert verdict is not None  # an answer that calls a tool forces that tool, see _exchange
        return verdict

    def _exchange(self, number: int, request: Sequence[dict[str, Any]], reply: Reply) -> Exchange:
        """The exchange as a recording would have it. Nothing tells which tool is the output: the first called is."""
        tool = self._contract.tool or (reply.calls[0].name if reply.calls else None)
        judged_text = self._contract.judged == "text"
        return Exchange(
            number=number,
            dialect=DIALECT,
            model=reply.model,
            request=tuple(item for message in request for item in self._read(message)),
            answer=reply.items if not judged_text else tuple(i for i in reply.items if i not in reply.calls),
            tools={} if tool is None or judged_text else {tool: {}},
            tool_choice=None if judged_text else tool,
            finish=_finish(reply),
            refusal=reply.refusal,
            usage=reply.usage,
        )

    def _read(self, message: dict[str, Any]) -> list[Item]:
        """The items of a message. Kept with the message itself, so that its id cannot be given to another."""
        known = self._items.get(id(message))
        if known is None:
            role, text = ROLES.get(message.get("role", "")), message.get("content")
            plain = len(message) == 2 and role is not None and role is not Role.TOOL and isinstance(text, str)
            items = [Item(ItemKind.TEXT, role, text)] if plain and role and text else any_turn_items(message)
            known = self._items[id(message)] = (message, items)
        return known[1]

    def _context(self, exchange: Exchange) -> CheckContext | None:
        """What may have been copied from; looked up only for contracts that forbid copies."""
        if not self._forbids_copies:
            return None
        first = self.attempts[0].exchange if self.attempts else exchange
        sent = self.said if self.placement != "blind" else []
        answers = accumulate((words_of(made.exchange) for made in self.attempts), "{}\n{}".format)
        return context_of(exchange, first, list(zip((told.text for told in sent), answers, strict=False)))

    def _ended(self, turn: _Turn) -> Outcome | None:
        verdict = turn.verdict
        if verdict.ok:
            return Outcome.CONVERGED
        if Severity.FAIL in [found.severity for found in verdict.findings]:
            return Outcome.REJECTED
        if self._hopeless(verdict.reask):
            return Outcome.STOPPED
        stuck = turn.repeats is not None
        if stuck and self._stop_when_stuck:
            return Outcome.STUCK
        if self._budget.spent([made.reply.usage for made in self._turns]):
            return Outcome.STUCK if stuck else Outcome.EXHAUSTED
        return None

    def _hopeless(self, reask: Reask) -> bool:
        """Asking again cannot help: a refusal, an answer cut off at the limit, or empty for the second time."""
        if reask is Reask.ONCE:
            return any(made.verdict.reask is Reask.ONCE for made in self._turns[:-1])
        return reask is not Reask.YES


def _finish(reply: Reply) -> Finish | None:
    """Why the answer ended; calling a tool is how a driven answer may well end."""
    return Finish.STOP if reply.finish is Finish.TOOL_CALLS else reply.finish


# Which exceptions are transport failures: those that sending the same request again may cure.

_STATUSES = frozenset({408, 409, 425, 429, 529})
_NAMES = frozenset({"APIConnectionError", "APITimeoutError", "ConnectError", "ReadError", "RemoteProtocolError"})
"""Exceptions of HTTP clients and SDKs that are no ConnectionError, by the name of one of their classes."""
_CHAIN_LIMIT = 10


def is_transient(error: BaseException) -> bool:
    """Whether the same request may be sent again.

    An SDK wraps whatever happens below it: where one of our own errors is the cause (a recording that lacks the
    request, a bad answer), it is none.
    """
    cause: BaseException | None = error
    for _ in range(_CHAIN_LIMIT):
        if cause is None:
            break
        if isinstance(cause, PlanguardError):
            return isinstance(cause, TransientError)
        cause = cause.__cause__ or cause.__context__
    return isinstance(error, (TimeoutError, ConnectionError)) or _status(error) or _named(error)


def _status(error: BaseException) -> bool:
    response = getattr(error, "response", None)
    status = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    return isinstance(status, int) and (status in _STATUSES or 500 <= status < 600)


def _named(error: BaseException) -> bool:
    return any(base.__name__ in _NAMES for base in type(error).__mro__)
