"""The judged answers of a run: conversations, their attempts, what each retry fed back, and the value."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated, Any

from annotated_types import Interval

from ...contract.finding import Finding
from ...document.answer import read
from ...document.path import Count, Path
from .request_words import Said

Number = Annotated[float, Interval(ge=-sys.float_info.max, le=sys.float_info.max)]
"""A finite number, also when it is read from data."""

DROPPED = ("missing", "wrong")
"""Grades of a finding that the next request does not feed back."""
UNCLEAR = "unclear"
"""Grade of a finding that the next request may feed back, in words that can't be recognised."""


@dataclass(frozen=True, slots=True)
class FedBackRow:
    """How the next request handled one finding."""

    code: str
    path: Path
    grade: str
    """"fed back", "partial", "unclear", "wrong", "missing" or "not judged"."""
    how: str | None = None
    """"proven", "reacts", "verbatim", "located" or "weak" if it is fed back, else None."""
    evidence: str | None = None
    """The words of the request that feed it back or may do so, or None."""
    reason: str | None = None
    """The reason if it is partial, unclear, wrong, missing or not judged."""
    reason_code: str | None = None
    """A code for the reason if it is unclear, wrong or missing: "other-place"."""


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One judged answer."""

    answer: str
    """The raw text that was judged."""
    ok: bool
    kind: str | None = None
    """Failure kind of the answer; None if it is ok."""
    findings: tuple[Finding, ...] = ()
    """Findings of all severities."""
    model: str | None = None
    finish: str | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    fed_back: tuple[FedBackRow, ...] = ()
    """How the next request handled each finding; () for the last attempt, or if unknown."""
    latency_s: Number | None = None
    """Seconds the answer took when it was recorded; None if the cassette lacks them."""
    calls: tuple[tuple[str, ...], ...] = ()
    """The tools that each turn called since the previous attempt, in order. Those of this answer are last."""
    transport_retries: Count = 0
    """Failed or repeated sends before this answer."""
    next_request: tuple[Said, ...] = ()
    """The messages that the next attempt's request adds, without secrets. () for the last attempt and after an accepted
    answer.
    """
    exchange: Count | None = None
    """Its number among the test's exchanges, 1-based; None if unknown."""

    @property
    def dropped(self) -> tuple[FedBackRow, ...]:
        """The findings that the next request does not feed back."""
        return tuple(found for found in self.fed_back if found.grade in DROPPED)

    @property
    def unclear(self) -> tuple[FedBackRow, ...]:
        """The findings that the next request may feed back, in words that can't be recognised."""
        return tuple(found for found in self.fed_back if found.grade == UNCLEAR)


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A named check over a conversation that did not pass."""

    name: str
    status: str
    """"warn", "fail" or "not judged"."""
    message: str = ""
    evidence: tuple[str, ...] = ()
    """One line for each place at fault."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One conversation of a case, or one answer that a test had judged."""

    attempts: tuple[AttemptRow, ...]
    outcome: str
    """"converged", "stuck", …; "valid" or "invalid" for a single answer; "" if nothing judged it."""
    ok: bool
    name: str = "1"
    contract: str = ""
    digest: str | None = None
    """12 hex digits of the contract that judged it; None if unknown."""
    checks: tuple[CheckRow, ...] = ()
    single: bool = False
    """True for a single answer that is not a conversation."""
    max_attempts: Count | None = None
    """The allowed number of attempts. None if unknown, and for a single answer."""

    @property
    def last(self) -> AttemptRow | None:
        """The last attempt, or None."""
        return self.attempts[-1] if self.attempts else None

    @property
    def final_value(self) -> Any:
        """The parsed value of the last answer, without a schema's defaults and conversions. None unless it is valid.

        The value is parsed from the answer each time, so that a row doesn't keep it twice.
        """
        return value_of(self.last.answer) if self.last is not None and self.last.ok else None

    @property
    def valid_at(self) -> int | None:
        """Number of the first valid attempt, from 1, or None."""
        for number, attempt in enumerate(self.attempts, 1):
            if attempt.ok:
                return number
        return None


# The value of an answer. Runs keep raw answers only, since the values follow from them.


def value_of(answer: str) -> Any:
    """Return the parsed answer, or its text if it holds no document."""
    document = read(answer)
    return answer if document.data is None and document.problems else document.data
