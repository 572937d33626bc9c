"""The failures that calls of a search had to feed back, and how far their requests do so, channel by channel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..contract.verdict import Verdict
from ..document.answer import read
from ..retry.judging.checks.request_checks import feedback
from ..retry.judging.checks.view import Retry, View
from ..retry.judging.judge import gradings
from ..retry.judging.judging_options import JudgeOptions
from ..retry.judging.required_findings import required_of
from ..retry.judging.schema_shape import properties
from ..retry.linking.linker import Linker
from ..retry.linking.no_attempt import linkable
from ..retry.matching.fed_back import read as read_deltas
from ..retry.outcomes import Outcome
from ..retry.results import Attempt, Convergence
from ..wire.exchange import Finish
from .answering import guard_of
from .step import StepAnswer

if TYPE_CHECKING:
    from ..retry.linking.link import Link
    from ..retry.proof import Proof
    from ..wire.exchange import Exchange
    from .context import DownstreamFailure, StepContext
    from .result import SearchNode
    from .step import SearchConfig, Step


_LINE = "step"
"""Name of the conversation of all answers to one prefix. Each request reacts to the answer before it."""


@dataclass(frozen=True, slots=True)
class StepCall:
    """One call of a step."""

    name: str
    """Name of its conversation: the answers to one prefix."""
    context: StepContext
    exchanges: tuple[Exchange, ...]
    """Its requests and answers, in order; () for an ask that sends nothing."""
    node: SearchNode | None
    """The node of its answer; None if it raised, or a cassette lacks its answer."""


@dataclass(frozen=True, slots=True)
class Told:
    """The failure that one call had to feed back from one channel: the latest that no earlier call fed back."""

    name: str
    """Name of the conversation, "plan search 1: g_strategy", or what a later step sends back to it."""
    step: str
    rejected: StepCall
    """The call whose answer was rejected: of this step, or of a later one."""
    verdict: Verdict
    """The verdict on that answer from its step's guard."""
    guard: NamedGuard | None
    """That guard; None for a function, which may cost too much to call in an experiment."""
    call: StepCall
    links: tuple[Link, ...]
    """The links from the previous call for the same prefix to each request of this call."""
    downstream: DownstreamFailure | None = None
    """The failure of the later step; None for the step's own channel."""


def told(calls: Sequence[StepCall], steps: Sequence[Step], config: SearchConfig) -> Iterator[Told]:
    """Yield what the calls of a search had to feed back, in their order.

    A step has nothing to feed back before its first answer to a prefix, because the next step is not a retry of the one
    before. Nor must it say that an answer repeats an earlier one, which no app can know.
    """
    guards = {step.name: _named(step, config.target_guard_level) for step in steps}
    by_node = {call.node.number: call for call in calls if call.node is not None}
    lines: dict[tuple[str, str], list[StepCall]] = {}
    for call in calls:
        line = lines.setdefault((call.context.step, call.context.key.prefix), [])
        if line:
            yield from _told(line, call, by_node, guards)
        line.append(call)


def _told(
    line: Sequence[StepCall],
    call: StepCall,
    by_node: Mapping[int, StepCall],
    guards: Mapping[str, NamedGuard | None],
) -> Iterator[Told]:
    last, links = line[-1], _links(line, call)
    if not links:
        return
    step, own = call.context.step, call.context.own
    node = last.node
    if node is not None and own and own[-1].node == node.number and not node.duplicate:
        guard = guards[step]
        yield Told(call.name, step, last, _verdict(node, guard), guard, call, links)
    known = {failure.node for failure in last.context.downstream}
    new = [failure for failure in call.context.downstream if failure.node not in known]
    failed = by_node.get(new[-1].node) if new else None
    if failed is not None and failed.node is not None and not failed.node.duplicate:
        guard = guards[failed.node.step]
        # an ask without a request, such as one that computes its answer, has no exchange to show as the rejected one
        rejected = failed if failed.exchanges else replace(failed, exchanges=last.exchanges)
        name = f"{call.name}, sent back by {failed.node.step}"
        yield Told(name, step, rejected, _verdict(failed.node, guard), guard, call, links, new[-1])


def _links(line: Sequence[StepCall], call: StepCall) -> tuple[Link, ...]:
    """Return how the requests of a call follow from the last one of the previous call; () if either sent nothing."""
    linker = Linker(lines=[_LINE])
    for before in line:
        for exchange in _answered(before)[-1:]:
            linker.add(exchange, _LINE)
    if not _answered(line[-1]):
        return ()
    found = (linker.next(exchange, _LINE) for exchange in _answered(call))
    return tuple(link for link in found if link is not None)


def _answered(call: StepCall) -> list[Exchange]:
    return [exchange for exchange in call.exchanges if linkable(exchange)]


class NamedGuard:
    """A guard with a `check`, under the name of its step, as the contract of the step's answers."""

    def __init__(self, step: Step, guard: object, level: str) -> None:
        self.name = step.name
        self._guard = guard
        self._judge = guard_of(step, level)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._guard, name)

    def check(self, answer: str, *, finish: str | None = None, **_: object) -> Verdict:
        """Return the guard's verdict, with the parsed answer, which not every guard provides."""
        verdict = self._judge((), StepAnswer(answer, None if finish is None else Finish(finish)))
        return verdict if verdict.data is not None else replace(verdict, data=read(answer).data)


def _named(step: Step, level: str) -> NamedGuard | None:
    guard = step.guard[level] if isinstance(step.guard, Mapping) else step.guard
    return NamedGuard(step, guard, level) if hasattr(guard, "check") else None


def _verdict(node: SearchNode, guard: NamedGuard | None) -> Verdict:
    """Return the guard's verdict, with the parsed answer, which a tree does not keep."""
    if guard is not None:
        return guard.check(node.answer, finish=None if node.finish is None else node.finish.value)
    return Verdict(node.step, node.answer, node.findings, data=read(node.answer).data)


# The judgement of one request of a step: how it feeds back the failure that it had to feed back.


def judged(told: Told, options: JudgeOptions, proofs: Iterable[Proof] = ()) -> Convergence:
    """Return the judgement, with the only check that counts for a step of a search: "feedback".

    Its exchanges are numbered from 1, the rejected answer first. A step need not end with a good answer. If it doesn't,
    it hands over to an earlier step, and the outcome is escalated.
    """
    options = replace(options, max_attempts=told.call.context.max_attempts, proofs=tuple(proofs))
    schema = getattr(told.guard, "json_schema", None)
    reading = read_deltas([link.delta for link in told.links])
    rejected = Attempt(1, replace(told.rejected.exchanges[-1], number=1), told.verdict)
    rejected = replace(rejected, fed_back=gradings(rejected, reading, options, properties(schema), schema))
    *steps, last = (replace(one, number=at) for at, one in enumerate(told.call.exchanges, 2))
    after = Attempt(2, last, _bare_verdict(told.call), (), tuple(steps))
    retry = Retry(rejected, after, told.links, reading, required_of(told.verdict, options.must_feed_back))
    check = feedback(View((rejected, after), (retry,), options))
    outcome = Outcome.CONVERGED if after.verdict.ok else Outcome.ESCALATED
    return Convergence(told.name, told.step, outcome, (rejected, after), (check,), options.max_attempts)


def _bare_verdict(call: StepCall) -> Verdict:
    node = call.node
    return Verdict(call.context.step, "") if node is None else Verdict(node.step, node.answer, node.findings)
