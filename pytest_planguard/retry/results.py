"""What planguard says about a conversation: attempts, what each retry carried, named checks, an outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .outcomes import CheckStatus, Grade, Outcome, ReasonCode, StopReason

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..contract.verdict import Verdict
    from ..wire.exchange import Exchange, Usage


NOTHING_NEW = "the next request says nothing new"
"""The reason for a loss that no experiment could refute: the request has no words that the answer's own had not."""


@dataclass(frozen=True, slots=True)
class Carried:
    """What became of one finding of attempt k in the request of attempt k+1."""

    finding: Finding
    attempt: int
    """The attempt whose answer has the finding, from 1."""
    grade: Grade
    evidence: str | None = None
    """The piece of the next request that carries it or may do so, clipped; None when lost or not judged."""
    reason: str | None = None
    """Why it is placed, unread, lost or not judged, for a person."""
    reason_code: ReasonCode | None = None
    """The same for machines, where it is unread or lost; None elsewhere."""


@dataclass(frozen=True, slots=True)
class Check:
    """One named check over a conversation."""

    name: str
    """carried, stops, valid, agreed, fresh, addressed, clean, bounded, shrinking, task_kept, accounted or copied."""
    status: CheckStatus
    message: str
    """One line: what was seen, or why it is not judged or not applicable."""
    evidence: tuple[str, ...] = ()
    """One line per offending place: which finding of which attempt is missing from which request."""


T = TypeVar("T")


class Deferred(Generic[T]):
    """A dataclass field that is given as a value, or as a function that is called when the field is first read.

    Equality, `replace`, `asdict` and pickling read the field, so they see the value only.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object | None, owner: type | None = None) -> T:
        if instance is None:  # the dataclass decorator asks for a default: there is none
            raise AttributeError(self._name)
        values = vars(instance)
        if callable(values[self._name]):
            values[self._name] = values[self._name]()
        value: T = values[self._name]
        return value

    def __set__(self, instance: object, value: T | Callable[[], T]) -> None:
        vars(instance)[self._name] = value


def _field_values(value: Attempt | Convergence) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


@dataclass(frozen=True)
class Attempt:
    """One exchange whose answer the contract judges."""

    number: int
    """Within its conversation, from 1."""
    exchange: Deferred[Exchange] = Deferred()
    """Request and answer. A driven loop builds it when it is first read: a tenth of the loop's cost."""
    verdict: Verdict  # type: ignore[misc]  # `Deferred` gives no default, though it looks like one
    carried: tuple[Carried, ...] = ()
    """What the next attempt's request did with this attempt's findings; () for the last attempt."""
    steps: tuple[Exchange, ...] = ()
    """Tool steps between this attempt and the one before."""
    transport_retries: int = 0
    """Failed or repeated sends (429, 5xx, timeouts) before this answer came."""
    repeats: int | None = None
    """Number of the latest earlier attempt of the conversation with the same answer; None where there is none."""

    def __getstate__(self) -> dict[str, Any]:
        """Return the values of the fields: an exchange that was not built yet is no function in a pickle."""
        return _field_values(self)


@dataclass(frozen=True)
class Convergence:
    """The judgement of one conversation: "carried" speaks of the requests, "outcome" of the recording.

    A plain value: it compares by its fields and can be copied, pickled and turned into a dict.
    """

    conversation: str
    """Name that tells it apart in its recording: the user's id, or "1", "2", … in order of first request."""
    contract: str
    outcome: Outcome
    attempts: tuple[Attempt, ...]
    checks: Deferred[tuple[Check, ...]] = Deferred()
    """Every named check, in the order of reports. They run when they are first read: half the cost of a driven loop."""
    max_attempts: int = 3
    """Attempts allowed in all, the first included."""
    stop_reason: StopReason | None = None
    """Why the loop stopped, where planguard drove it; None where an app owns the loop."""

    def __getstate__(self) -> dict[str, Any]:
        """Return the values of the fields: a check that did not run yet is no function in a pickle."""
        return _field_values(self)

    @property
    def ok(self) -> bool:
        """True when the outcome is converged or escalated and no check failed."""
        good = self.outcome in (Outcome.CONVERGED, Outcome.ESCALATED)  # else no check has to run
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
        from ..wire.latency import all_together

        return all_together(a.exchange.latency_s for a in self.attempts)

    def check(self, name: str) -> Check:
        """The check of that name. Raises KeyError for a name that does not exist."""
        found = next((c for c in self.checks if c.name == name), None)
        if found is None:
            raise KeyError(name)
        return found
