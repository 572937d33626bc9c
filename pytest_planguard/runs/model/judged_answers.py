"""What a run keeps of judged answers: conversations, their attempts, what each retry fed back, the value."""

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
"""A finite number, also where it is read from data."""

DROPPED = ("missing", "wrong")
"""Grades of a finding that the next request does not feed back."""
UNCLEAR = "unclear"
"""Grade of a finding that the next request may feed back, in words that nobody can read."""


@dataclass(frozen=True, slots=True)
class FedBackRow:
    """What the next request did with one finding."""

    code: str
    path: Path
    grade: str
    """"fed back", "partial", "unclear", "wrong", "missing" or "not judged"."""
    how: str | None = None
    """"proven", "reacts", "verbatim", "located" or "weak" where it is fed back; None elsewhere."""
    evidence: str | None = None
    """The words of the request that feed it back or may do so; None where none do."""
    reason: str | None = None
    """Why it is partial, unclear, wrong, missing or not judged."""
    reason_code: str | None = None
    """The same in a word, where it is unclear, wrong or missing: "other-place"."""


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One judged answer."""

    answer: str
    """The raw text that was judged."""
    ok: bool
    kind: str | None = None
    """Failure kind of the answer; None when ok."""
    findings: tuple[Finding, ...] = ()
    """All severities."""
    model: str | None = None
    finish: str | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    fed_back: tuple[FedBackRow, ...] = ()
    """Per finding what the request of the next attempt did with it; () for the last attempt, and where unknown."""
    latency_s: Number | None = None
    """Seconds that the answer took while it was recorded; None where the cassette does not tell."""
    calls: tuple[tuple[str, ...], ...] = ()
    """The tools that each turn called since the attempt before, in order; those of this answer are last."""
    transport_retries: Count = 0
    """Failed or repeated sends before this answer."""
    next_request: tuple[Said, ...] = ()
    """What the next attempt's request says that this one's did not, without secrets; () for the last attempt, and after
    an accepted answer."""
    exchange: Count | None = None
    """Its place among the exchanges of the test, from 1; None where unknown."""

    @property
    def dropped(self) -> tuple[FedBackRow, ...]:
        """The findings that the next request does not feed back."""
        return tuple(found for found in self.fed_back if found.grade in DROPPED)

    @property
    def unclear(self) -> tuple[FedBackRow, ...]:
        """The findings that the next request may feed back, in words that nobody can read."""
        return tuple(found for found in self.fed_back if found.grade == UNCLEAR)


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A named check over a conversation that did not pass."""

    name: str
    status: str
    """"warn", "fail" or "not judged"."""
    message: str = ""
    evidence: tuple[str, ...] = ()
    """One line for each offending place."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One conversation of a case, or one answer that a test had judged."""

    attempts: tuple[AttemptRow, ...]
    outcome: str
    """How it ended: "converged", "stuck", …; "valid" or "invalid" for a single answer; "" where nothing judged it."""
    ok: bool
    name: str = "1"
    contract: str = ""
    digest: str | None = None
    """12 hex digits of the contract that judged it; None where unknown."""
    checks: tuple[CheckRow, ...] = ()
    single: bool = False
    """A single answer, no conversation."""
    max_attempts: Count | None = None
    """How many were allowed; None where unknown, and for a single answer."""

    @property
    def last(self) -> AttemptRow | None:
        """The last attempt; None where there was none."""
        return self.attempts[-1] if self.attempts else None

    @property
    def final_value(self) -> Any:
        """What the last answer holds, parsed, without a schema's defaults and conversions; None unless it is valid.

        A row does not keep it a second time: it is in the answer.
        """
        return value_of(self.last.answer) if self.last is not None and self.last.ok else None

    @property
    def valid_at(self) -> int | None:
        """Number of the first valid attempt, from 1; None where none is."""
        for number, attempt in enumerate(self.attempts, 1):
            if attempt.ok:
                return number
        return None


# The value that an answer of a run holds. Runs keep raw answers only: what they hold follows from them.


def value_of(answer: str) -> Any:
    """Return the parsed answer; its text where no document is in it."""
    document = read(answer)
    return answer if document.data is None and document.problems else document.data
