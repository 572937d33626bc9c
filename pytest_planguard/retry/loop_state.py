"""The state of a driven loop between two calls of the model. It never waits, so sync and async loops share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any

from ..contract.failure_kinds import Reask
from ..contract.feedback.feedback import Feedback, build_feedback
from ..contract.feedback.next_request import Placement, placed, wording_of
from ..contract.feedback.prompt_template import first_messages
from ..contract.finding import Severity
from ..wire.dialects.dialect_table import any_turn_items
from ..wire.exchange import Exchange, Item, Usage
from .asker import Asker, Reply, judged_finish, quoted
from .budget import Budget
from .judging.attempts import Applied, verdict_of, with_call_findings
from .judging.checks.answer_checks import words_of
from .judging.checks.view import Retry
from .judging.judge import DrivenLoop, judge
from .judging.judging_options import JudgeOptions
from .judging.outcome import judged
from .judging.required_findings import required_of
from .judging.routing import context_of
from .linking.link import Delta, How, Link, Piece
from .matching.fed_back import FeedbackReading
from .outcomes import Firmness, Grade, StopReason
from .reading.entry import clip
from .results import Attempt, Convergence, FedBack

if TYPE_CHECKING:
    from ..contract.constraints.scene import CheckContext
    from ..contract.contract import Contract
    from ..contract.feedback.style import Template
    from ..contract.finding import Finding
    from ..contract.verdict import Verdict


def _feeding_back(attempt: Attempt, feedback: Feedback) -> Attempt:
    """Return the attempt with what the next request feeds back: every finding that the feedback lists.

    A style may shorten the finding's message ("must be one of: low, high"). Such a finding is located, not verbatim.
    """
    evidence = f"request {attempt.number + 1}: {clip(feedback.text)}"

    def how(finding: Finding) -> Firmness:
        return Firmness.VERBATIM if finding.message in feedback.text else Firmness.LOCATED

    fed_back = tuple(FedBack(f, attempt.number, Grade.FED_BACK, how(f), evidence) for f in feedback.findings)
    return replace(attempt, fed_back=fed_back)


Chat = Sequence[Mapping[str, Any]]
Messages = list[dict[str, Any]]
DIALECT = "driven"
"""Dialect of an exchange that a driven loop built from messages, because nothing was sent over HTTP."""
CONVERSATION = "1"
"""The name of a loop's only conversation."""


class Loop(Asker):
    """One conversation: the next request, the answers so far, and when to stop.

    Run `with loop.sending(): loop.response = ask(loop.messages)`, then `loop.proceed()`, until `stop_reason` is set.
    """

    def __init__(
        self,
        ask: Callable[..., Any],
        messages: Chat | str,
        contract: Contract,
        *,
        budget: Budget,
        placement: Placement = "dialogue",
        style: str | None = None,
        template: Template | None = None,
        stop_when_stuck: bool = True,
        on_attempt: Callable[[Attempt], object] | None = None,
        conversation: str = CONVERSATION,
        options: JudgeOptions | None = None,
    ) -> None:
        super().__init__(ask, budget.transport_retries)
        self._task: Messages = (
            [{"role": "user", "content": messages}] if isinstance(messages, str) else [dict(m) for m in messages]
        )
        self.messages = first_messages(self._task) if placement in ("command", "inject") else self._task
        """The messages of the next request."""
        self.stop_reason: StopReason | None = None
        """Why the loop stopped; None while it goes on."""
        self._contract = contract
        self._applied = replace(Applied.of(contract), calls=())
        self._budget = budget
        self._placement: Placement = placement
        self._style = wording_of(placement, style)
        self._template = template
        self._stop_when_stuck = stop_when_stuck
        self._on_attempt = on_attempt
        self._conversation = conversation
        self._options = replace(options, max_attempts=budget.attempts) if options else JudgeOptions(budget.attempts)
        self._attempts: list[Attempt] = []
        self._exchanges: list[Exchange] = []
        """The exchanges of the attempts, with the calls beside the judged part."""
        self._usages: list[Usage] = []
        self._feedback: list[Feedback] = []
        """The feedback on each attempt but the last."""

    def proceed(self) -> float:
        """Judge what `ask` returned, and decide if to ask again and with which messages.

        Returns: seconds to wait before the same request is sent again; 0 if it was answered.
        """
        reply = self.receive()
        if reply is None:
            return self.wait_s
        attempt = self._attempt(reply)
        self._attempts.append(attempt)
        self._usages.append(reply.usage)
        if self._on_attempt is not None:
            self._on_attempt(attempt)
        self.stop_reason = self._reason_to_stop(attempt)
        if self.stop_reason is None:
            self._feed_back(reply, attempt.verdict)
        return 0.0

    def convergence(self) -> Convergence:
        """Judge the conversation once it has stopped."""
        assert self.stop_reason is not None
        return self._by_feedback() if self._is_fed_back else self._by_requests(self.stop_reason)

    def _by_feedback(self) -> Convergence:
        """Judge by the feedback that planguard wrote: one text for each attempt but the last."""
        attempts = (*map(_feeding_back, self._attempts, self._feedback), self._attempts[-1])
        retries = tuple(map(self._retry, attempts, attempts[1:], self._feedback))
        of = (self._conversation, self._contract.name, attempts, retries, self._options)
        return judged(*of, stop_reason=self.stop_reason)

    def _retry(self, before: Attempt, after: Attempt, sent: Feedback) -> Retry:
        """Return two successive attempts, with the link and the new words that the loop itself made."""
        turn = self._placement == "dialogue"
        request = after.exchange.request
        place = len(request) if turn else len(before.exchange.request)
        delta = Delta(after.exchange.number, (Piece(sent.text, place, request[place - 1].role),))
        how = How.ANSWER if turn else How.REWRITTEN
        link = Link(delta.request, before.exchange.number, how, place - 1 if turn else 0, delta)
        required = required_of(before.verdict, self._options.must_feed_back)
        return Retry(before, after, (link,), FeedbackReading((delta,)), required)

    def _by_requests(self, stop_reason: StopReason) -> Convergence:
        """Judge by reading the requests. Verdicts and failed sends are the ones that the loop saw."""
        exchanges = [attempt.exchange for attempt in self._attempts]
        ids = [self._conversation] * len(exchanges)
        loops = [DrivenLoop(self._conversation, len(exchanges), self._options.max_attempts, stop_reason)]
        judgement = judge(exchanges, [self._contract], options=self._options, conversation_ids=ids, loops=loops)
        (recorded,) = judgement.conversations
        both = zip(self._attempts, recorded.attempts, strict=True)
        return replace(recorded, attempts=tuple(replace(own, fed_back=read.fed_back) for own, read in both))

    @property
    def _is_fed_back(self) -> bool:
        """True if every request lists every finding in planguard's own words."""
        own = self._placement != "blind" and self._template is None and self._style != "blind"
        return own and not any(sent.omitted for sent in self._feedback)

    def _attempt(self, reply: Reply) -> Attempt:
        number = self.replies
        exchange = self._exchange(number, self.messages, reply)
        verdict = self._verdict(exchange, reply)
        repeats = self.repeated(self._judged_items(reply))
        return Attempt(number, exchange, verdict, transport_retries=self.resent, repeats=repeats)

    def _verdict(self, exchange: Exchange, reply: Reply) -> Verdict:
        """Return the contract's verdict on the exchange, and on the calls beside the judged answer."""
        rules = self._contract.calls
        self._exchanges.append(replace(exchange, answer=reply.items))
        verdict = verdict_of(exchange, self._applied, self._context(exchange))
        assert verdict is not None  # an answer that calls a tool forces that tool, see _exchange
        return with_call_findings(verdict, rules, self._exchanges)

    def _exchange(self, number: int, messages: Messages, reply: Reply) -> Exchange:
        """Return the exchange as a cassette would hold it.

        Without a named output tool, the first tool called is the output tool.
        """
        tool = self._contract.tool or (reply.calls[0].name if reply.calls else None)
        judged_text = self._contract.judged == "text"
        return Exchange(
            number=number,
            dialect=DIALECT,
            model=reply.model,
            request=tuple(chain.from_iterable(map(any_turn_items, messages))),
            answer=self._judged_items(reply),
            tools={} if tool is None or judged_text else {tool: {}},
            tool_choice=None if judged_text else tool,
            finish=judged_finish(reply),
            refusal=reply.refusal,
            usage=reply.usage,
        )

    def _judged_items(self, reply: Reply) -> tuple[Item, ...]:
        """Return the answer's items, without its calls if the contract judges the text."""
        return tuple(i for i in reply.items if i not in reply.calls) if self._contract.judged == "text" else reply.items

    def _context(self, exchange: Exchange) -> CheckContext | None:
        """Return the texts that an answer may copy from; looked up only for contracts that forbid copies."""
        if not self._applied.forbids_copies:
            return None
        first = self._attempts[0].exchange if self._attempts else exchange
        sent = self._feedback if self._placement != "blind" else []
        answers = accumulate((words_of(made.exchange) for made in self._attempts), "{}\n{}".format)
        return context_of(exchange, first, list(zip((feedback.text for feedback in sent), answers, strict=False)))

    def _reason_to_stop(self, attempt: Attempt) -> StopReason | None:
        verdict = attempt.verdict
        if verdict.ok:
            return StopReason.ANSWERED
        if Severity.FAIL in [finding.severity for finding in verdict.findings]:
            return StopReason.REJECTED
        if self._cannot_help(verdict.reask):
            return StopReason.CANNOT_HELP
        if attempt.repeats is not None and self._stop_when_stuck:
            return StopReason.STUCK
        if self._budget.spent(self._usages):
            return StopReason.BUDGET_SPENT
        return None

    def _cannot_help(self, reask: Reask) -> bool:
        """Return True if asking again cannot help: a refusal, an answer cut off at the limit, or a second empty one."""
        if reask is Reask.ONCE:
            return any(made.verdict.reask is Reask.ONCE for made in self._attempts[:-1])
        return reask is not Reask.YES

    def _feed_back(self, reply: Reply, verdict: Verdict) -> None:
        feedback = build_feedback(
            verdict,
            attempt=len(self._attempts),
            max_attempts=self._budget.attempts,
            style=self._style,
            template=self._template,
        )
        self._feedback.append(feedback)
        # Feedback that replaces or frames the prompt starts from the task, so it never piles up.
        start = self.messages if self._placement == "dialogue" else self._task
        answer = quoted(reply, start)
        self.messages = placed(start, answer, feedback.text, placement=self._placement, style=self._style)
