"""Judge recorded exchanges: find the attempts at each task, what each retry fed back, and how the task ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind, kind_of_status
from ...wire.assistant_threads import with_later_answers
from ..linking.no_attempt import linkable, why_no_attempt
from ..linking.sameness import Repeats, answer_key
from ..matching.fed_back import FeedbackReading, stale
from ..outcomes import NOT_FED_BACK, Grade
from ..proof import by_proof
from ..results import Attempt, Convergence, FedBack
from .checks.view import Retry
from .conversations import Gathered, Gatherer, Traffic, Try, hand_over, without_beginnings
from .grading.answer_gradings import answer_gradings
from .grading.app_reading import as_app_reads
from .grading.same_words import SameWords
from .judging_options import JudgeOptions
from .outcome import judged
from .required_findings import required_of
from .routing import Router
from .step import with_taken_choices

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...wire.exchange import Exchange
    from ..linking.link import Link
    from ..outcomes import StopReason
    from .attempts import ContractLike
    from .grading.same_words import Answered
    from .step import StepKind

NOT_REQUIRED = (
    "not required: the app checks one phase at a time, and this finding belongs to a later one or only to the contract"
)

# These steps grade a finding, in this order. Only steps 1, 2 and 4 may grade it as missing; `matching.grades` has the
# table of grades for step 1.
#
# 1. `matching.fed_back` and `answer_gradings` read the new words: first the errors in them, then places and rules.
# 2. `proof.by_proof` replaces these grades with the results of experiments.
# 3. `gradings` does not judge findings that need no feedback, nor any finding in ambiguous traffic.
# 4. `same_words` grades findings as missing if the app sends the same words after every finding.
# 5. `app_reading` does not judge findings that the app demonstrably does not detect.


@dataclass(frozen=True)
class Judgement:
    """Everything that is known about a sequence of exchanges after judging it."""

    conversations: tuple[Convergence, ...] = ()
    """The conversations, in order of their first request."""
    steps: tuple[Exchange, ...] = ()
    """Exchanges that call tools before an answer. They are not attempts."""
    unjudged: tuple[Exchange, ...] = ()
    """Exchanges that no contract judges, or that contain no answer of a language model."""
    reasons: Mapping[int, str] = field(default_factory=dict)
    """For the number of each unjudged exchange, why it is not judged."""
    links: tuple[Link | None, ...] = ()
    """For each exchange, in order, the link to the exchange that it reacts to, or None."""
    unanswered: Mapping[int, FailureKind] = field(default_factory=dict)
    """The failure kind (`auth` or `transport`) of each request that got no answer and was not resent, by number."""
    find_kinds: Callable[[], tuple[StepKind | None, ...]] = field(default=tuple, compare=False, repr=False)
    find_answered: Callable[[], Answered] = field(default=dict, compare=False, repr=False)

    @cached_property
    def kinds(self) -> tuple[StepKind | None, ...]:
        """For each exchange, in order, the kind of step that leads to it; None for the first of a conversation."""
        return self.find_kinds()

    @cached_property
    def answered(self) -> Answered:
        """The new words of each retry with the findings that they followed, for comparison with other cassettes."""
        return self.find_answered()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state with the lazy properties computed, since a pickle cannot hold their functions."""
        return {
            **vars(self),
            "kinds": self.kinds,
            "answered": self.answered,
            "find_kinds": tuple,
            "find_answered": dict,
        }


@dataclass(frozen=True, slots=True)
class DrivenLoop:
    """Facts about a conversation that planguard's own loop knows and a cassette does not show."""

    conversation: str
    attempts: int
    """Number of attempts. If the conversation has as many exchanges, each exchange reacts to the previous one."""
    max_attempts: int
    """Number of attempts that the budget allows."""
    stop_reason: StopReason | None

    @classmethod
    def of(cls, convergence: Convergence) -> DrivenLoop:
        """Return the facts about the loop that produced this result."""
        made = len(convergence.attempts)
        return cls(convergence.conversation, made, convergence.max_attempts, convergence.stop_reason)


def judge(
    exchanges: Sequence[Exchange],
    contracts: Sequence[ContractLike],
    *,
    options: JudgeOptions | None = None,
    conversation_ids: Sequence[str | None] | None = None,
    loops: Sequence[DrivenLoop] = (),
    elsewhere: Answered | None = None,
) -> Judgement:
    """Judge every conversation in a sequence of exchanges. Never raises for the content of the exchanges.

    Args:
        exchanges: the exchanges, in the order in which their requests were sent.
        contracts: the contracts of the answers. If there are several, `routing` chooses one for each exchange.
        options: how strictly to judge.
        conversation_ids: one id per exchange, or None if unknown. An id takes precedence over the traffic.
        loops: facts about conversations that planguard drove itself.
        elsewhere: the `answered` of other cassettes that are judged together with this one.
    """
    options = options or JudgeOptions()
    driven = {loop.conversation: loop for loop in loops}
    sizes = Counter(conversation_ids or ())
    lines = [loop.conversation for loop in loops if sizes[loop.conversation] == loop.attempts]
    exchanges = with_taken_choices(with_later_answers(exchanges), contracts, conversation_ids)
    traffic = Traffic(exchanges, conversation_ids, known=options.known_wordings, lines=lines)
    router = Router(exchanges, contracts, conversation_ids)
    walks = [Gatherer(traffic, router, path).gather() for path in traffic.paths()]
    gathered = without_beginnings([found for walk in walks for found in walk.found])
    handed = hand_over(gathered, exchanges, options.escalates, router.verdict) if options.escalates else {}
    judges = [
        _Judge(traffic, router, options, driven, *one)
        for one in zip(gathered, _names(gathered, conversation_ids), strict=True)
    ]
    words = SameWords([retry for one in judges for retry in one.retries])
    settled = iter(words.settled(elsewhere or {}))
    conversations = tuple(one.convergence([*islice(settled, len(one.retries))]) for one in judges)
    reasons = _reasons(traffic, walks) | handed
    steps = sorted({n for walk in walks for n in walk.steps})
    return Judgement(
        conversations,
        tuple(exchanges[n] for n in steps),
        tuple(exchanges[n] for n in sorted(reasons)),
        {exchanges[n].number: reason for n, reason in reasons.items()},
        traffic.links,
        {e.number: kind for n, e in enumerate(exchanges) if n in reasons and (kind := kind_of_status(e.status))},
        lambda: _kinds(traffic, gathered),
        lambda: words.answered,
    )


def gradings(
    attempt: Attempt,
    reading: FeedbackReading,
    options: JudgeOptions,
    names: Collection[str] = (),
    schema: object = None,
) -> tuple[FedBack, ...]:
    """Grade each error of an attempt. An error that needs no feedback is never graded missing, wrong or unclear.

    `names` are the property names of the contract's schema, and `schema` is its JSON Schema.
    """
    wanted = {id(f) for f in required_of(attempt.verdict, options.must_feed_back)}
    read_so = answer_gradings(attempt.verdict, reading, attempt.number, names, schema)
    words = "\n".join(piece.text for _, piece in reading.pieces) if options.proofs else ""
    found = by_proof(read_so, attempt.exchange.number, options.proofs, words)
    return tuple(
        replace(c, grade=Grade.NOT_JUDGED, reason=NOT_REQUIRED)
        if c.grade in NOT_FED_BACK and id(c.finding) not in wanted
        else c
        for c in found
    )


class _Judge:
    """The judge of one gathered conversation."""

    def __init__(
        self,
        traffic: Traffic,
        router: Router,
        options: JudgeOptions,
        driven: Mapping[str, DrivenLoop],
        gathered: Gathered,
        name: str,
    ) -> None:
        self._traffic, self._gathered, self._name, self._loop = traffic, gathered, name, driven.get(name)
        self._options = replace(options, max_attempts=self._loop.max_attempts) if self._loop else options
        self._contract = router.contracts[gathered.contract]
        exchanges, repeats = traffic.exchanges, Repeats()
        self._made = [
            self._attempt(number, one, repeats.add(number, answer_key(exchanges[one.number])))
            for number, one in enumerate(gathered.tries, 1)
        ]
        readings = [traffic.read([found.delta for found in one.links]) for one in gathered.tries[1:]]
        self.retries = [
            (replace(attempt, fed_back=self._gradings(attempt, reading)), reading)
            for attempt, reading in zip(self._made, readings, strict=False)
        ]

    def convergence(self, settled: Sequence[Attempt]) -> Convergence:
        """Return the judgement. `settled` are the attempts of `retries` with their final grades."""
        readings = [reading for _, reading in self.retries]
        attempts, options = [*settled, *self._made[len(settled) :]], self._options
        if options.must_feed_back != "contract":
            attempts = as_app_reads(attempts, readings, partial=options.partial, names=self._contract.names)
        retries = tuple(self._retry(attempts, at, readings[at]) for at in range(len(readings)))
        return judged(
            self._name,
            self._contract.contract.name,
            tuple(attempts),
            retries,
            self._options,
            ambiguous=self._gathered.ambiguous,
            taken=self._gathered.taken,
            handed_to=self._gathered.handed_to,
            stop_reason=self._loop.stop_reason if self._loop else None,
        )

    def _attempt(self, number: int, gathered: Try, repeats: int | None) -> Attempt:
        exchanges = self._traffic.exchanges
        steps = tuple(exchanges[n] for n in gathered.steps)
        assert gathered.verdict is not None
        return Attempt(number, exchanges[gathered.number], gathered.verdict, (), steps, gathered.failures, repeats)

    def _gradings(self, attempt: Attempt, reading: FeedbackReading) -> tuple[FedBack, ...]:
        schema = getattr(self._contract.contract, "json_schema", None)
        found = gradings(attempt, reading, self._options, self._contract.names, schema)
        if not self._gathered.ambiguous:
            return found
        why = "the traffic does not show which answer the request reacts to"
        return tuple(replace(c, grade=Grade.NOT_JUDGED, how=None, evidence=None, reason=why) for c in found)

    def _retry(self, attempts: Sequence[Attempt], at: int, reading: FeedbackReading) -> Retry:
        before = attempts[at]
        earlier: list[Finding] = [f for a in attempts[:at] for f in a.verdict.errors]
        old = stale(reading, before.verdict.errors, earlier, before.verdict.data)
        links = tuple(self._gathered.tries[at + 1].links)
        needed = required_of(before.verdict, self._options.must_feed_back)
        return Retry(before, attempts[at + 1], links, reading, needed, tuple(old))


def _names(gathered: Sequence[Gathered], ids: Sequence[str | None] | None) -> list[str]:
    """Return the conversations' names: the user's id ("a", then "a.2", "a.3" …), or else "1", "2" … in order."""
    names: list[str] = []
    for found in gathered:
        given = ids[found.tries[0].number] if ids else None
        base = given if given is not None else str(1 + sum(n.isdecimal() for n in names))
        again = sum(n == base or n.startswith(f"{base}.") for n in names)  # "a.2" counts as an "a" too
        names.append(f"{base}.{again + 1}" if again else base)
    return names


def _reasons(traffic: Traffic, walks: Sequence[Gatherer]) -> dict[int, str]:
    found = {n: why for walk in walks for n, why in walk.unjudged.items()}
    for number, exchange in enumerate(traffic.exchanges):
        if not linkable(exchange) and number not in traffic.failures:
            found[number] = why_no_attempt(exchange)
    return found


def _kinds(traffic: Traffic, gathered: Sequence[Gathered]) -> tuple[StepKind | None, ...]:
    accepted = {t.number: t.verdict.ok for g in gathered for t in g.tries if t.verdict}
    return tuple(
        traffic.kind(n, accepted=accepted.get(found.parent - 1) if found else None)
        for n, found in enumerate(traffic.links)
    )
