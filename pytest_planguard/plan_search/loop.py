"""The search: ask the next step, judge the answer, blame, continue at the best open prefix of the frontier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import TYPE_CHECKING

from ..errors import NoRecordedAnswer, UsageError
from ..retry.asker import Asker
from ..retry.loop import in_thread
from .answering import StepFailed, ask, classify, guard_of, judge, score_of, table_levels
from .blame import GIVE_UP, blamed_level
from .context import Artifact, DownstreamFailure, OwnFailure, StepContext, TapeKey, chained, problem_names
from .frame import Beam, Channel, Cost, Frame, Policy, Restarts, downstream_failure
from .ledger import Ledger
from .result import Edge, SearchNode, SearchResult, SearchTree, StepError, TerminationReason
from .step import SearchConfig, refuse_twice

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..contract.verdict import Verdict
    from .step import Step, StepAnswer


class Frontier:
    """The open prefixes of one search.

    Blame moves a whole subtree back at once: a penalty is one number at the top of the subtree. A penalty only raises
    costs, so the heap can apply it when such a prefix reaches the top. The prefixes are never scanned.
    """

    def __init__(self, policy: Policy, ledger: Ledger) -> None:
        self.dropped = False
        """True if a beam or a restart dropped prefixes that had answers left."""
        self.frames: dict[Frame, None] = {}
        """Prefixes that may get another answer within the budget of their step, oldest first."""
        self._ledger = ledger
        self._order = policy.order
        self._beam = None if policy.width is None else Beam(policy.width)
        self._restarts = None if policy.restart_after is None else Restarts(policy.restart_after)
        self._number = count()
        self._heap: list[tuple[Cost, int, Frame]] = []
        self._root = Frame(0, "")
        self.put(self._root)

    def next(self) -> Frame | None:
        """Return the prefix that gets the next answer, if any."""
        if self._restarts is not None and self._restarts.due(self._ledger.calls):
            self._begin_again()
        while True:
            frame = self._cheapest()
            if frame is None:
                if not self._ledger.grow():
                    return None
                for candidate in filter(self._ledger.allows, list(self.frames)):
                    self.put(candidate)
            elif self._beam is not None and frame.level > self._beam.level:
                self._give_up(self._beam.cut(frame.level, self.frames))
            else:
                return frame

    def put(self, frame: Frame) -> None:
        """Add a prefix, or move one that was used. Forget a prefix that has all its answers."""
        if self._ledger.is_full(frame):
            self.frames.pop(frame, None)
            frame.cost = None
            return
        self.frames[frame] = None
        frame.cost = self._cost(frame)
        heappush(self._heap, (frame.cost, next(self._number), frame))  # the number, because frames cannot be compared

    def _cheapest(self) -> Frame | None:
        while self._heap:
            cost, number, frame = self._heap[0]
            if frame.cost is not cost or not self._ledger.allows(frame):
                heappop(self._heap)
            elif (now := self._cost(frame)) != cost:
                frame.cost = now
                heapreplace(self._heap, (now, number, frame))
            else:
                return frame
        return None

    def _cost(self, frame: Frame) -> Cost:
        first, second, third = self._order.cost(frame)
        return first + frame.penalties, second, third

    def _begin_again(self) -> None:
        """Start over at the first step, without feedback, if its budget allows it. Its earlier answers still count."""
        old = self._root
        if not self._ledger.allows(old):
            return
        self._give_up(self.frames)
        self._root = Frame(
            0, old.prefix_hash, last=old.last, used=old.used, opened=old.opened, texts=old.texts,
            transport_failures=old.transport_failures, previous=old.previous,
        )  # fmt: skip
        self.put(self._root)

    def _give_up(self, frames: Iterable[Frame]) -> None:
        for frame in frames:
            frame.closed = self.dropped = True


_CBJ = Policy()


def search(steps: Sequence[Step], config: SearchConfig | None = None, policy: Policy = _CBJ) -> SearchResult:
    """Search a pipeline for a path on which every guard passes.

    An exception of an ask, a guard, a score or a classifier ends the search with the reason "error" and the tree so
    far. `KeyboardInterrupt` and other non-`Exception` errors pass through.

    Raises:
        UsageError: no steps, two steps of one name, a budget for an unknown step, a step without a guard of the
            configured level, or a policy that is none.
    """
    if not isinstance(policy, Policy):
        raise UsageError(
            f"policy must be a Policy: got {policy!r}; in a test, planguard.search(steps, policy=…) takes a name"
        )
    return Search(steps, config or SearchConfig(), policy).run()


async def asearch(steps: Sequence[Step], config: SearchConfig | None = None, policy: Policy = _CBJ) -> SearchResult:
    """Search like `search`, and await the `ask` of each step. Guards, scores and classifiers are called in a thread.

    Needs asyncio.
    """
    return await in_thread(lambda wait: search([replace(s, ask=wait(s.ask)) for s in steps], config, policy))


class Search:
    """One search in progress."""

    def __init__(
        self, steps: Sequence[Step], config: SearchConfig, policy: Policy, *, to_first_success: bool = True
    ) -> None:
        if not steps:
            raise UsageError("a search needs at least one step: got none; pass the steps of the pipeline in order")
        refuse_twice("steps", [step.name for step in steps])
        self._to_first_success = to_first_success
        self._steps = tuple(steps)
        self._config = config
        self._table = config.table
        self._policy = policy
        self._askers = [Asker(step.ask, config.transport_retries) for step in steps]
        self._guards = [guard_of(step, config.target_guard_level) for step in steps]
        self._budgets = config.budgets(steps)
        self.ledger = Ledger(steps, self._budgets, config.max_total_calls, policy)
        self._frontier = Frontier(policy, self.ledger)
        self.nodes: list[SearchNode] = []
        self._classified = 0
        self._misses = 0
        self._error: StepError | None = None
        self._gave_up = False
        self._success: SearchNode | None = None

    def run(self) -> SearchResult:
        """Search to the end."""
        while not self._gave_up and not (self._to_first_success and self._success) and not self.ledger.spent:
            frame = self._frontier.next()
            if frame is None:
                break
            try:
                self._answer(frame)
            except NoRecordedAnswer:
                self._misses += 1
                frame.closed = True
            except StepFailed as failure:
                self._error = failure.error
                break
        return self._result()

    # One answer.

    def _answer(self, frame: Frame) -> None:
        step = self._steps[frame.level]
        context = self._context(frame)
        edge = Edge.BACKTRACK if frame.opened else Edge.RETRY if frame.used else Edge.FORWARD
        answer, repeated = ask(self._askers[frame.level], step, context, self.ledger, frame, self._config)
        verdict = judge(step, self._guards[frame.level], context, answer, repeated=repeated)
        errors = verdict.errors
        score = 0.0 if errors else score_of(step, verdict)
        frame.last = self.ledger.calls
        number = len(self.nodes) + 1
        blamed = self._blame(frame, context, answer, verdict, repeated=repeated) if errors else None
        node = SearchNode(
            number, frame.level, *context.key, edge, frame.path[-1].node if frame.path else None, frame.previous,
            answer.text, not errors, verdict.findings, blamed, score, repeated, answer.finish,
        )  # fmt: skip
        self.nodes.append(node)
        frame.previous = number
        if errors:
            self._reject(frame, node, errors)
        else:
            self._advance(frame, node, verdict)
        self._frontier.put(frame)

    def _context(self, frame: Frame) -> StepContext:
        window = self._config.feedback_window
        own = frame.own if self._policy.own else Channel[OwnFailure]()
        down = frame.down if self._policy.downstream else Channel[DownstreamFailure]()
        fed = chained(own.digest, down.digest) if own.digest or down.digest else ""
        key = TapeKey(self._steps[frame.level].name, frame.prefix_hash, fed, frame.used)
        rmax = self._budgets[frame.level].rmax
        return StepContext(key, frame.path, own.told(window), down.told(window), rmax, frame.previous)

    def _advance(self, frame: Frame, node: SearchNode, verdict: Verdict) -> None:
        """Open the prefix that ends in a passed answer."""
        frame.opened = True
        if node.level == len(self._steps) - 1:
            self._success = self._success or node
            return
        path = (*frame.path, Artifact(node.step, node.answer, verdict.value, node.number))
        digest = chained(frame.prefix_hash, node.step, node.answer)
        self._frontier.put(Frame(node.level + 1, digest, frame, path, frame.last, node.score))

    def _reject(self, frame: Frame, node: SearchNode, errors: tuple[Finding, ...]) -> None:
        """Keep the findings as feedback, move the blamed subtree back, and feed the failure back to its step."""
        problems = problem_names(errors)
        frame.own.add(OwnFailure(node.index + 1, node.answer, errors, node.number), "", *problems)
        frame.blamed_levels = node.levels_back
        if node.blamed is not None and node.blamed < node.level:
            # All below that prefix get the penalty too, in an order that uses blame.
            frame.ancestor(node.blamed + 1).penalty += self._policy.order.penalised
            blamed = frame.ancestor(node.blamed)
            blamed.down.add(downstream_failure(self.nodes, node, errors), node.step, *problems)

    def _blame(
        self, frame: Frame, context: StepContext, answer: StepAnswer, verdict: Verdict, *, repeated: bool
    ) -> int | None:
        """Return the level that is blamed; None if the policy does not blame, or the search gives up."""
        if not self._policy.blame:
            return None
        levels = frame.blamed_levels + 1 if repeated else self._classify(context, answer, verdict)
        if levels is None:
            levels = table_levels(verdict, context, frame.own.failures, self._table)
        if levels == GIVE_UP:
            self._gave_up = True
            return None
        return blamed_level(frame.level, levels)

    def _classify(self, context: StepContext, answer: StepAnswer, verdict: Verdict) -> int | None:
        """Ask the classifier, which counts as a call. Return None without a classifier, a call left, or an opinion."""
        if self._config.classify is None or self.ledger.spent:
            return None
        self.ledger.calls += 1
        self._classified += 1
        return classify(self._config.classify, self._steps[len(context.path)], answer, verdict, context)

    # The end.

    def _result(self) -> SearchResult:
        tree = SearchTree(tuple(step.name for step in self._steps), tuple(self.nodes))
        reason, bound = self._reason()
        # Deeper is better, and of equally deep paths the one with fewer findings.
        end = self._success or max(
            self.nodes, key=lambda node: (node.level, -len([f for f in node.findings if f.severity.bad])), default=None
        )
        return SearchResult(
            self._success is not None, tree.path_to(end.number if end else None), self.ledger.calls, tree, reason,
            self._policy.name, bound, self._classified, self._misses, self._error,
        )  # fmt: skip

    def _reason(self) -> tuple[TerminationReason, tuple[str, ...]]:
        if self._success is not None:
            return TerminationReason.SUCCESS, ()
        if self._error is not None:
            return TerminationReason.ERROR, ()
        reason, bound = self.ledger.ending(self._frontier.frames, censored=self._misses > 0)
        return reason, (*bound, f"policy {self._policy.name}") if self._frontier.dropped else bound
