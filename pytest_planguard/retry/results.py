"""The result of judging a conversation: its attempts, how retries treat findings, the named checks and the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..wire.exchange import ItemKind, Usage, all_together
from .outcomes import CheckStatus, Firmness, Grade, Outcome, ReasonCode, StopReason

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..contract.verdict import Verdict
    from ..wire.exchange import Exchange


NOTHING_NEW = "the next request has no new words"
"""The reason for a loss that no experiment can refute: the request only repeats words of the earlier request."""


@dataclass(frozen=True, slots=True)
class FedBack:
    """How the request of attempt k+1 treats one finding of attempt k."""

    finding: Finding
    attempt: int
    """1-based number of the attempt whose answer has the finding."""
    grade: Grade
    how: Firmness | None = None
    """How firmly planguard found the finding in the request; None unless the grade is `fed back`."""
    evidence: str | None = None
    """A clipped excerpt of the next request that feeds the finding back or may do so; None if there is none."""
    reason: str | None = None
    """A sentence on why the grade is partial, unclear, wrong, missing or not judged."""
    reason_code: ReasonCode | None = None
    """The machine-readable reason if the grade is unclear, wrong or missing; else None."""

    @property
    def label(self) -> str:
        """The firmness if the finding was fed back, else the grade: "verbatim", "weak", "missing"."""
        return (self.how or self.grade).value


@dataclass(frozen=True, slots=True)
class Check:
    """One named check over a conversation."""

    name: str
    """feedback, stops, valid, agreed, fresh, addressed, clean, bounded, shrinking, task_kept, accounted or copied."""
    status: CheckStatus
    message: str
    """A line on what the check saw, or why it is not judged or does not apply."""
    evidence: tuple[str, ...] = ()
    """One line per violation, such as which finding of which attempt is missing from which request."""


@dataclass(frozen=True)
class Attempt:
    """One exchange whose answer the contract judges."""

    number: int
    """1-based position in the conversation."""
    exchange: Exchange
    """Request and answer."""
    verdict: Verdict
    fed_back: tuple[FedBack, ...] = ()
    """How the next attempt's request treats this attempt's findings; () for the last attempt."""
    steps: tuple[Exchange, ...] = ()
    """Tool steps between this attempt and the previous one."""
    transport_retries: int = 0
    """Number of failed or repeated sends (429, 5xx, timeouts) before this answer arrived."""
    repeats: int | None = None
    """Number of the latest earlier attempt with the same answer; None if the answer is new."""

    @property
    def path(self) -> tuple[tuple[str, ...], ...]:
        """The names of the tools that the model called since the previous attempt, one tuple per turn."""
        # Calls without a result between them are one turn.
        of_each = (groupby(one.answer, lambda item: item.kind is ItemKind.CALL) for one in (*self.steps, self.exchange))
        runs = (run for runs in of_each for is_call, run in runs if is_call)
        return tuple(tuple(item.name or NO_NAME for item in run) for run in runs)


NO_NAME = "(no name)"
"""The name shown for a call without a tool name."""


@dataclass(frozen=True)
class Convergence:
    """The judgement of one conversation. The check "feedback" is about the app's requests, `outcome` about the answers.

    A plain value: it compares by its fields and can be copied, pickled and turned into a dict.
    """

    conversation: str
    """Its name within the cassette: the user's id, or "1", "2", … in order of first request."""
    contract: str
    outcome: Outcome
    attempts: tuple[Attempt, ...]
    checks: tuple[Check, ...]
    """Every named check, in the order of reports."""
    max_attempts: int = 3
    """Number of attempts allowed, including the first."""
    stop_reason: StopReason | None = None
    """Why the loop stopped if planguard drove it; None if an app owns the loop."""

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
        """Number of answers that equal an earlier answer of the conversation."""
        return sum(a.repeats is not None for a in self.attempts)

    @property
    def repeated_at_once(self) -> int:
        """Number of answers that equal the previous answer."""
        return sum(a.repeats == a.number - 1 for a in self.attempts if a.repeats)

    @property
    def usage(self) -> Usage:
        """Total tokens of all attempts; a count that no attempt states is None."""
        return Usage.together(a.exchange.usage for a in self.attempts)

    @property
    def latency_s(self) -> float | None:
        """Total seconds that the answers took when they were recorded; None if any duration is unknown."""
        return all_together(a.exchange.latency_s for a in self.attempts)

    def check(self, name: str) -> Check:
        """Return the check with this name. Raises KeyError if there is none."""
        found = next((c for c in self.checks if c.name == name), None)
        if found is None:
            raise KeyError(name)
        return found
