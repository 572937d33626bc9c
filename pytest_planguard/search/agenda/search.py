"""The search: ask the next step, judge the answer, blame, go on at the best open prefix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...errors import NoRecordedAnswer, UsageError
from ...retry.driving.asker import Asker
from ..blame import GIVE_UP, blamed_level
from ..context import Artifact, StepContext, TapeKey, Window, chained, chained_feedback, problem_names
from ..result import Edge, SearchNode, SearchResult, SearchTree, StepError, TerminationReason
from ..step import SearchConfig
from .agenda import Agenda, Frame, downstream_failure, own_failure
from .answering import StepFailed, ask, classify, guards_of, judge, score_of, table_levels
from .ledger import Ledger
from .policy import Policy, luby

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ..step import Step, StepAnswer

_CBJ = Policy()
_NONE: tuple[Sequence[Any], str] = ((), "")
"""A channel without failures, and its digest."""


def search(steps: Sequence[Step], config: SearchConfig | None = None, policy: Policy = _CBJ) -> SearchResult:
    """Search a pipeline for a path on which every guard passes.

    Exceptions of an ask, a guard, a score or a classifier end the search with the reason "error", and the tree as far
    as it went; `KeyboardInterrupt` and its like pass through.

    Raises:
        UsageError: no steps, two of one name, a budget for a step that is not there, or a step without a guard of
            the level that counts.
    """
    return Search(steps, config or SearchConfig(), policy).run()


class Search:
    """One search in progress."""

    def __init__(
        self, steps: Sequence[Step], config: SearchConfig, policy: Policy, *, to_first_success: bool = True
    ) -> None:
        _check_names(steps)
        self._to_first_success = to_first_success
        self._steps = tuple(steps)
        self._config = config
        self._policy = policy
        self._askers = [Asker(step.ask, config.transport_retries) for step in steps]
        self._guards = guards_of(steps, config.target_guard_level)
        self._budgets = config.budgets(steps)
        self.ledger = Ledger(steps, self._budgets, config.max_total_calls, policy)
        self._frames: dict[Frame, None] = {}
        """Prefixes that may get another answer within the budget of their step, in the order of their making."""
        self._begin(Frame(0, "", None, None))
        self.nodes: list[SearchNode] = []
        self._downstream_failure = partial(downstream_failure, self.nodes)
        self._classified = 0
        self._misses = 0
        self._error: StepError | None = None
        self._gave_up = False
        self._success: SearchNode | None = None
        self._deepest: SearchNode | None = None
        self._deepest_key = (0, 0)
        self._beamed = -1  # the last level whose prefixes were cut to the policy's width
        self._dropped = False  # whether a beam or a restart gave up prefixes that had answers left
        self._restarts = 0
        self._restarted_at = 0

    def run(self) -> SearchResult:
        """Search to the end."""
        while not self._ended and not self.ledger.spent:
            frame = self._next()
            if frame is None:
                break
            try:
                self._answer(frame)
            except NoRecordedAnswer:
                self._misses += 1
                frame.closed = True
                self._agenda.drop(frame)
            except StepFailed as failure:
                self._error = failure.error
                break
        return self._result()

    @property
    def _ended(self) -> bool:
        return self._gave_up or (self._to_first_success and self._success is not None)

    # Which prefix is next.

    def _begin(self, root: Frame) -> None:
        self._root = root
        self._frames[root] = None
        self._agenda = Agenda(root, self._policy.order)

    def _next(self) -> Frame | None:
        """Return the prefix that gets the next answer; None where none may."""
        if self._policy.restart_after is not None:
            self._restart_if_due(self._policy.restart_after)
        while True:
            frame = self._agenda.best()
            if frame is None:
                if not self.ledger.grow():
                    return None
                for candidate in self._frames:
                    if self.ledger.allows(candidate):
                        self._agenda.put(candidate)
            elif not self.ledger.allows(frame):
                self._agenda.drop(frame)
            elif self._policy.width is not None and frame.level > self._beamed:
                self._keep_best(frame.level, self._policy.width)
            else:
                return frame

    def _keep_best(self, level: int, width: int) -> None:
        """Drop all prefixes of a level but the best. All of them are there: a beam goes level by level."""
        self._beamed = level
        there = [frame for frame in self._frames if frame.level == level]
        there.sort(key=lambda frame: -frame.score)  # stable: of equal ones the earliest stay
        for frame in there[width:]:
            frame.closed = self._dropped = True
            self._agenda.drop(frame)

    def _restart_if_due(self, after: int) -> None:
        """Begin again at the first step, without feedback, where so many calls are made and its budget allows."""
        if self.ledger.calls - self._restarted_at < after * luby(self._restarts + 1):
            return
        self._restarts += 1
        self._restarted_at = self.ledger.calls
        if not self.ledger.allows(self._root):
            return
        for frame in self._frames:
            frame.closed = self._dropped = True
        self._begin(_without_feedback(self._root))

    # One answer.

    def _answer(self, frame: Frame) -> None:
        step = self._steps[frame.level]
        context = self._context(frame)
        edge = _edge(frame)
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
        self._remember(node, len(errors))
        frame.previous = number
        if errors:
            self._reject(frame, node, errors)
        else:
            self._advance(frame, node, verdict)
        if frame.full:
            del self._frames[frame]
            frame.let_go()

    def _context(self, frame: Frame) -> StepContext:
        policy, window = self._policy, self._config.feedback_window
        own, own_hash = (Window(frame.own, own_failure, window), frame.own_hash) if policy.own and frame.own else _NONE
        down, down_hash = _NONE
        if policy.downstream and frame.down:
            down, down_hash = Window(frame.down, self._downstream_failure, window), frame.down_hash
        fed = chained_feedback(own_hash, down_hash) if own_hash or down_hash else ""
        key = TapeKey(self._steps[frame.level].name, frame.prefix_hash, fed, frame.used)
        return StepContext(key, frame.path, own, down, self._budgets[frame.level].rmax, frame.previous)

    def _advance(self, frame: Frame, node: SearchNode, verdict: Verdict) -> None:
        """Open the prefix that ends in an answer that passed."""
        frame.opened = True
        if node.level == len(self._steps) - 1:
            self._success = self._success or node
            self._agenda.put(frame)
            return
        artifact = Artifact(node.step, node.answer, verdict.value, node.number)
        child = Frame(node.level + 1, chained(frame.prefix_hash, node.step, node.answer), frame, artifact)
        child.last = frame.last
        child.score = node.score
        self._frames[child] = None
        self._agenda.advance(child)

    def _reject(self, frame: Frame, node: SearchNode, errors: tuple[Finding, ...]) -> None:
        """Keep what the guard said, and move back and tell what is blamed for it."""
        problems = problem_names(errors)
        frame.reject(node, chained_feedback(frame.own_hash, "", *problems))
        frame.blamed_levels = node.levels_back
        moved_back = None
        if node.blamed is not None and node.blamed < node.level:
            moved_back = frame.ancestor(node.blamed + 1)
            blamed = frame.ancestor(node.blamed)
            if not blamed.full:
                blamed.blame(node, chained_feedback(blamed.down_hash, node.step, *problems))
        self._agenda.reject(frame, moved_back)

    def _blame(
        self, frame: Frame, context: StepContext, answer: StepAnswer, verdict: Verdict, *, repeated: bool
    ) -> int | None:
        """Return the level that is blamed; None where the policy blames nobody, or the search gives up."""
        if not self._policy.blame:
            return None
        levels = frame.blamed_levels + 1 if repeated else self._classify(context, answer, verdict)
        if levels is None:
            levels = table_levels(verdict, context, frame.own or (), self._config.blame)
        if levels == GIVE_UP:
            self._gave_up = True
            return None
        return blamed_level(frame.level, levels)

    def _classify(self, context: StepContext, answer: StepAnswer, verdict: Verdict) -> int | None:
        """Ask the classifier, which is a call; None where there is none, no call is left, or it has no opinion."""
        if self._config.classify is None or self.ledger.spent:
            return None
        self.ledger.calls += 1
        self._classified += 1
        return classify(self._config.classify, self._steps[len(context.path)], answer, verdict, context)

    # The end.

    def _remember(self, node: SearchNode, errors: int) -> None:
        """Keep the deepest path; among equally deep ones the one with the fewest findings."""
        key = (node.level, -errors)
        if self._deepest is None or key > self._deepest_key:
            self._deepest, self._deepest_key = node, key

    def _result(self) -> SearchResult:
        tree = SearchTree(tuple(step.name for step in self._steps), tuple(self.nodes))
        reason, bound = self._reason()
        end = self._success or self._deepest
        return SearchResult(
            self._success is not None, tree.path_to(end.number if end else None), self.ledger.calls, tree, reason,
            self._policy.name, bound, self._classified, self._misses, self._error,
        )  # fmt: skip

    def _reason(self) -> tuple[TerminationReason, tuple[str, ...]]:
        if self._success is not None:
            return TerminationReason.SUCCESS, ()
        if self._error is not None:
            return TerminationReason.ERROR, ()
        reason, bound = self.ledger.ending(self._frames, censored=self._misses > 0)
        return reason, (*bound, f"policy {self._policy.name}") if self._dropped else bound


def _edge(frame: Frame) -> Edge:
    if frame.opened:
        return Edge.BACKTRACK
    return Edge.RETRY if frame.used else Edge.FORWARD


def _without_feedback(root: Frame) -> Frame:
    """Return the first step's prefix as a restart finds it: its answers count, its feedback is forgotten."""
    again = Frame(0, root.prefix_hash, None, None)
    again.used, again.opened, again.last = root.used, root.opened, root.last
    again.failures, again.texts, again.previous = root.failures, root.texts, root.previous
    return again


def _check_names(steps: Sequence[Step]) -> None:
    if not steps:
        raise UsageError("a search needs at least one step: got none; give it the steps of the pipeline, first first")
    names = [step.name for step in steps]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"the names of steps must differ: got {twice!r} twice; rename one")
