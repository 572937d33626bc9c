"""Split the linked exchanges into conversations: the attempts at one task, and the tool steps between them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from ..linking.link import How, Link
from ..linking.linker import link
from ..linking.no_attempt import is_failed, linkable, transport_failures
from ..linking.sameness import Prefixes, answer_key, task_key
from ..matching.fed_back import FeedbackReading, read
from .after_acceptance import CLOSING_MESSAGE, SAMPLE, may_close, rejects, samples, taken_by_app, unwrapped
from .checks.answer_checks import words_of
from .routing import context_of
from .step import StepKind, classify

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterator, Sequence

    from ...contract.verdict import Verdict
    from ...wire.exchange import Exchange
    from ..linking.link import Delta
    from .routing import Router


@dataclass(slots=True)
class Try:
    """An attempt that is still being built. Numbers are 0-based positions in the sequence of exchanges."""

    number: int
    steps: list[int] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    """The links from the previous attempt to this one, through the steps between them; () for the first."""
    failures: int = 0
    verdict: Verdict | None = None


@dataclass(slots=True)
class Gathered:
    """A conversation that has not been judged yet."""

    contract: int
    tries: list[Try]
    ambiguous: bool = False
    taken: bool = False
    """True if the app accepted the last answer although it violates the contract."""
    handed_to: str | None = None
    """Who the app handed the task over to after the last attempt, as declared; None if it did not."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the attempts, which identify the conversation."""
        return tuple(t.number for t in self.tries)


class Traffic:
    """A sequence of exchanges with its links, failed sends and paths."""

    def __init__(
        self,
        exchanges: Sequence[Exchange],
        ids: Sequence[str | None] | None,
        *,
        known: bool,
        lines: Collection[str] = (),
    ) -> None:
        self.exchanges = exchanges
        self.ids = ids
        self._known = known
        self.links = link(exchanges, ids, lines)
        self.failures = transport_failures(exchanges, self.request) if any(map(is_failed, exchanges)) else {}
        self.failed_before = Counter(self.failures.values())
        self._readings: dict[tuple[Delta, ...], FeedbackReading] = {}

    def request(self, number: int) -> Hashable:
        """Return the request's key. Two exchanges with equal keys sent the same request."""
        return self._requests[number]

    @cached_property
    def _requests(self) -> list[Hashable]:
        prefixes, ids = Prefixes(), self.ids
        # The last node stands for all items of a request. Its tools and its output schema are not among them.
        return [(prefixes.nodes(e)[-1], task_key(e), ids[n] if ids else None) for n, e in enumerate(self.exchanges)]

    def paths(self) -> Iterator[list[int]]:
        """Yield every path from a root to a leaf, sorted."""
        parents = {f.parent - 1 for f in self.links if f}
        leaves = [n for n, e in enumerate(self.exchanges) if linkable(e) and n not in parents]
        found = [self._path(leaf) for leaf in leaves]
        yield from sorted(found)

    def reading(self, number: int) -> FeedbackReading:
        """Read the errors in the new words of an exchange's request. The reading of a root is empty."""
        found = self.links[number]
        return self.read([found.delta] if found else [])

    def read(self, deltas: Sequence[Delta]) -> FeedbackReading:
        """Read the errors in the new words. Cached, since both the kind of a step and its judge need them."""
        asked = tuple(deltas)
        if asked not in self._readings:
            self._readings[asked] = read(asked, known_wordings=self._known)
        return self._readings[asked]

    def kind(self, number: int, *, accepted: bool | None) -> StepKind | None:
        """Return the kind of step that leads to an exchange, or None for a root.

        `accepted` is True if the contract accepts the parent's answer; None if no contract judges it.
        """
        found = self.links[number]
        if found is None:
            return None
        return classify(found, self.exchanges[found.parent - 1], self.reading(number), accepted=accepted)

    def _path(self, leaf: int) -> list[int]:
        path, at = [leaf], self.links[leaf]
        while at is not None:
            path.append(at.parent - 1)
            at = self.links[at.parent - 1]
        return path[::-1]


class Gatherer:
    """Walk one path and split it into conversations, wherever one task ends and the next begins."""

    def __init__(self, traffic: Traffic, router: Router, path: Sequence[int]) -> None:
        self._traffic, self._router, self._path = traffic, router, path
        self._routes = router.route(path)
        self.found: list[Gathered] = []
        self.steps: list[int] = []
        self.unjudged: dict[int, str] = {}
        self._waiting: list[int] = []
        self._links: list[Link] = []
        self._closings: set[int] = set()
        named = traffic.ids is not None and any(traffic.ids[number] is not None for number in path)
        self._samples = {} if named else samples(path, traffic.links, traffic.request, self._plain_verdict)

    def gather(self) -> Gatherer:
        """Walk the whole path."""
        for number in self._path:
            found = self._traffic.links[number]
            self._links += [found] if found else []
            self._one(number)
        return self

    def _one(self, number: int) -> None:
        contract = self._routes[number]
        if isinstance(contract, str):
            self.unjudged[number] = contract
            self._waiting.append(number)
        elif self._router.verdict(number, contract) is None:
            self.steps.append(number)
            self._waiting.append(number)
        elif self._closes(number, contract):
            self.unjudged[number] = CLOSING_MESSAGE
            self._closings.add(number)
        elif self._samples.get(number) is False:
            self.unjudged[number] = SAMPLE
        else:
            self._attempt(number, contract)

    def _closes(self, number: int, contract: int) -> bool:
        """Return True if an answer is only the closing sentence after a tool call that the app accepted.

        If the app accepts a call that the contract rejects, the task ends there, too.
        """
        exchanges = self._traffic.exchanges
        if not self.found or self.found[-1].contract != contract:
            return False
        last = self.found[-1].tries[-1]
        if not exchanges[last.number].calls or not may_close(exchanges[number], self._router.contracts[contract]):
            return False
        if last.verdict is not None and last.verdict.ok:
            return not self._rejected(self._links, last)
        named = self._traffic.ids is not None and self._traffic.ids[number] is not None
        self.found[-1].taken |= not named and taken_by_app(self._links)
        return self.found[-1].taken

    def _rejected(self, links: Sequence[Link], last: Try) -> bool:
        """Return True if the app rejects the valid last attempt, immediately or after a closing message."""
        spoken = [found for found in links if found.parent - 1 in {last.number, *self._closings}]
        kinds = [self._traffic.kind(found.child - 1, accepted=True) for found in spoken]
        answer = self._traffic.exchanges[last.number].answer_text
        return StepKind.PROBABLE_RETRY in kinds or any(rejects(found, answer) for found in spoken)

    def _plain_verdict(self, number: int) -> Verdict | None:
        contract = self._routes[number]
        return self._router.verdict(number, contract) if isinstance(contract, int) else None

    def _attempt(self, number: int, contract: int) -> None:
        failures = sum(self._traffic.failed_before[n] for n in (number, *self._waiting))
        attempt = Try(number, self._waiting, self._links, failures)
        self._waiting, self._links = [], []
        if self._goes_on(attempt, contract):
            self.found[-1].tries.append(attempt)
            self.found[-1].ambiguous |= any(self._unclear(found, contract) for found in attempt.links)
        else:
            attempt.links = []
            self.found.append(Gathered(contract, [attempt]))
        attempt.verdict = self._verdict(self.found[-1])

    def _verdict(self, gathered: Gathered) -> Verdict | None:
        """Return the verdict on the last attempt. Considers earlier calls and texts if the contract needs them."""
        number, contract = gathered.tries[-1].number, gathered.contract
        earlier = self._earlier(gathered) if self._router.contracts[contract].calls else []
        if not self._router.contracts[contract].forbids_copies:
            return self._router.verdict(number, contract, earlier=earlier)
        exchanges = self._traffic.exchanges
        said, feedback = "", []
        for attempt in gathered.tries:
            feedback += [(found.delta.text, said) for found in attempt.links]
            said = f"{said}\n{words_of(exchanges[attempt.number])}"
        context = context_of(exchanges[number], exchanges[gathered.tries[0].number], feedback)
        return self._router.verdict(number, contract, context, earlier)

    def _earlier(self, gathered: Gathered) -> list[Exchange]:
        """Return the exchanges of a conversation before its last attempt.

        If the conversation has an id, these are all exchanges with that id, including those of sub-agents.
        """
        numbers = [number for one in gathered.tries for number in (*one.steps, one.number)]
        ids = self._traffic.ids
        if ids is not None and ids[numbers[-1]] is not None:
            numbers = [n for n in range(numbers[0], numbers[-1] + 1) if ids[n] == ids[numbers[-1]]]
        return [self._traffic.exchanges[number] for number in numbers[:-1]]

    def _goes_on(self, attempt: Try, contract: int) -> bool:
        """Return True if the attempt continues the last conversation: same contract, and the task is not done."""
        if not self.found or self.found[-1].contract != contract:
            return False
        verdict = self.found[-1].tries[-1].verdict
        if self.found[-1].taken or attempt.number in self._samples:
            return False
        if verdict is None or not verdict.ok:
            return True
        kinds = [self._traffic.kind(found.child - 1, accepted=True) for found in attempt.links[:1]]
        named = self._traffic.ids is not None and self._traffic.ids[attempt.number] is not None
        if self._rejected(attempt.links, self.found[-1].tries[-1]) or (named and StepKind.RESEND in kinds):
            return True
        after = self._router.verdict(attempt.number, contract)
        return after is not None and any(unwrapped(found, verdict, after) for found in attempt.links[:1])

    def _unclear(self, found: Link, contract: int) -> bool:
        """Return True if the request could just as well react to a different answer.

        If the parent's answer is bad, valid answers don't count, since they need no retry.
        """
        own = answer_key(self._traffic.exchanges[found.parent - 1])
        rejected = self._good(found.parent - 1, contract) is False
        others = (n - 1 for n in found.ambiguous_with if not (rejected and self._good(n - 1, contract)))
        return found.how is not How.SAME and any(answer_key(self._traffic.exchanges[n]) != own for n in others)

    def _good(self, number: int, contract: int) -> bool | None:
        verdict = self._router.verdict(number, contract)
        return verdict.ok if verdict else None


def without_beginnings(found: Sequence[Gathered]) -> list[Gathered]:
    """Return the conversations without duplicates, and without those that are a prefix of another."""
    whole = {g.numbers: g for g in found}
    begun = {numbers[:k] for numbers in whole for k in range(1, len(numbers))}
    return [g for numbers, g in sorted(whole.items()) if numbers not in begun]


HANDED_OVER = "the declared handover: "
"""The prefix of the reason why a handover is not an attempt."""


def handover(exchange: Exchange, escalates: Sequence[str]) -> str | None:
    """Return the declared name that an exchange hands its task over to, or None."""
    called = {call.name for call in exchange.calls}
    text = exchange.answer_text.casefold()
    return next(
        (name for name in escalates if name in called or name == exchange.model or name.casefold() in text), None
    )


def hand_over(
    gathered: list[Gathered],
    exchanges: Sequence[Exchange],
    escalates: Sequence[str],
    verdict: Callable[[int, int], Verdict | None],
) -> dict[int, str]:
    """Mark the conversations that end in a declared handover, and return why those exchanges are not attempts.

    A handover ends the latest earlier conversation whose last answer is bad. An answer that meets the contract is not a
    handover, even from a declared model: the task is done.
    """
    reasons: dict[int, str] = {}
    for number, exchange in enumerate(exchanges):
        name = handover(exchange, escalates)
        if name is None:
            continue
        of_number = (verdict(number, g.contract) for g in gathered if any(t.number == number for t in g.tries))
        if any(v is not None and v.ok for v in of_number):
            continue
        found = _ended(gathered, number)
        if found is not None:
            found.handed_to = name
            reasons[number] = f"{HANDED_OVER}{name}"
    gathered[:] = [g for g in gathered if g.tries]
    return reasons


def _ended(gathered: Sequence[Gathered], number: int) -> Gathered | None:
    """Return the conversation that a handover ends. If the handover was its last attempt, remove that attempt."""
    own = next((g for g in gathered if g.tries and g.tries[-1].number == number), None)
    earlier = [g for g in gathered if g is not own and g.tries and g.tries[-1].number < number]
    before = [g for g in earlier if (v := g.tries[-1].verdict) is not None and not v.ok and g.handed_to is None]
    if own is not None and len(own.tries) > 1:
        own.tries.pop()
        return own
    if own is not None and not before:
        return own
    if own is not None:
        own.tries.clear()
    return max(before, key=lambda g: g.tries[-1].number, default=None)
