"""What planguard says about a conversation: attempts, what each retry fed back, named checks, an outcome."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..wire.exchange import ItemKind
from .outcomes import CheckStatus, Firmness, Grade, Outcome, ReasonCode, StopReason

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..contract.verdict import Verdict
    from ..wire.exchange import Exchange, Item, Usage


NOTHING_NEW = "the next request has no new words"
"""The reason for a loss that no experiment could refute: the request has no words that the answer's own had not."""


@dataclass(frozen=True, slots=True)
class FedBack:
    """What became of one finding of attempt k in the request of attempt k+1."""

    finding: Finding
    attempt: int
    """The attempt whose answer has the finding, from 1."""
    grade: Grade
    how: Firmness | None = None
    """How firmly it was found; None where the grade is not `fed back`."""
    evidence: str | None = None
    """The piece of the next request that feeds it back or may do so, clipped; None where there is none."""
    reason: str | None = None
    """Why it is partial, unclear, wrong, missing or not judged, for a person."""
    reason_code: ReasonCode | None = None
    """The same for machines, where it is unclear, wrong or missing; None elsewhere."""

    @property
    def label(self) -> str:
        """The grade in a word, with what is known of a finding that was fed back: "verbatim", "weak", "missing"."""
        return (self.how or self.grade).value


@dataclass(frozen=True, slots=True)
class Check:
    """One named check over a conversation."""

    name: str
    """feedback, stops, valid, agreed, fresh, addressed, clean, bounded, shrinking, task_kept, accounted or copied."""
    status: CheckStatus
    message: str
    """One line: what was seen, or why it is not judged or not applicable."""
    evidence: tuple[str, ...] = ()
    """One line per offending place: which finding of which attempt is missing from which request."""


@dataclass(frozen=True)
class Attempt:
    """One exchange whose answer the contract judges."""

    number: int
    """Within its conversation, from 1."""
    exchange: Exchange
    """Request and answer."""
    verdict: Verdict
    fed_back: tuple[FedBack, ...] = ()
    """What the next attempt's request did with this attempt's findings; () for the last attempt."""
    steps: tuple[Exchange, ...] = ()
    """Tool steps between this attempt and the one before."""
    transport_retries: int = 0
    """Failed or repeated sends (429, 5xx, timeouts) before this answer came."""
    repeats: int | None = None
    """Number of the latest earlier attempt of the conversation with the same answer; None where there is none."""

    @property
    def path(self) -> tuple[tuple[str, ...], ...]:
        """The tools that each turn of the model called since the attempt before, in order; the answer's own last."""
        turns = [made for one in (*self.steps, self.exchange) for made in _turns(one)]
        return tuple(tuple(item.name or NO_NAME for item in turn) for turn in turns)


def _turns(exchange: Exchange) -> list[list[Item]]:
    """Return the calls of an answer by turn: those without a result between them run in parallel."""
    runs = groupby(exchange.answer, lambda item: item.kind is ItemKind.CALL)
    return [list(run) for is_call, run in runs if is_call]


NO_NAME = "(no name)"
"""A call whose tool is not named."""


@dataclass(frozen=True)
class Convergence:
    """The judgement of one conversation: "feedback" speaks of the requests, "outcome" of the cassette.

    A plain value: it compares by its fields and can be copied, pickled and turned into a dict.
    """

    conversation: str
    """Name that tells it apart in its cassette: the user's id, or "1", "2", … in order of first request."""
    contract: str
    outcome: Outcome
    attempts: tuple[Attempt, ...]
    checks: tuple[Check, ...]
    """Every named check, in the order of reports."""
    max_attempts: int = 3
    """Attempts allowed in all, the first included."""
    stop_reason: StopReason | None = None
    """Why the loop stopped, where planguard drove it; None where an app owns the loop."""

    @property
    def ok(self) -> bool:
        """True when the outcome is converged or escalated and no check failed."""
        good = self.outcome in (Outcome.CONVERGED, Outcome.ESCALATED)
        return good and not any(c.status is CheckStatus.FAIL for c in self.checks)

    @property
    def verdict(self) -> Verdict | None:
        """The last attempt's verdict; None when there was no attempt."""
        return self.attempts[-1].verdict if self.attempts else None

    @property
    def value(self) -> Any:
        """The last attempt's validated value; None unless it is valid."""
        return self.verdict.value if self.verdict else None

    @property
    def repeated(self) -> int:
        """How many answers equal any earlier one of the conversation."""
        return sum(a.repeats is not None for a in self.attempts)

    @property
    def repeated_at_once(self) -> int:
        """How many answers equal the one directly before."""
        return sum(a.repeats == a.number - 1 for a in self.attempts if a.repeats)

    @property
    def usage(self) -> Usage:
        """Tokens of all attempts together; None where no attempt has a count."""
        from ..wire.exchange import Usage

        return Usage.together(a.exchange.usage for a in self.attempts)

    @property
    def latency_s(self) -> float | None:
        """Seconds that the answers of all attempts took while they were recorded; None where one of them is unknown."""
        from ..wire.exchange import all_together

        return all_together(a.exchange.latency_s for a in self.attempts)

    def check(self, name: str) -> Check:
        """The check of that name. Raises KeyError for a name that does not exist."""
        found = next((c for c in self.checks if c.name == name), None)
        if found is None:
            raise KeyError(name)
        return found
