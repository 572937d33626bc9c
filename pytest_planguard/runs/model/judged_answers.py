"""The judged answers of a run: conversations, attempts, the words of requests, what each retry fed back."""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from annotated_types import Interval

from ...contract.finding import Finding
from ...document.answer import read
from ...document.path import Count, Path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...retry.results import Attempt
    from ...wire.exchange import Exchange, Role


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a request."""

    role: str
    """"system", "user", "assistant" or "tool"."""
    text: str


def _said(role: Role, text: str) -> Said:
    """Return a message without secrets, as a cassette saves it."""
    from ...replay.privacy.secrets import without_secrets

    return Said(role.value, without_secrets(text, lambda _: None))


def first_request(exchanges: Iterable[Exchange]) -> tuple[Said, ...]:
    """Return the messages of the first request that has any, or ()."""
    first = next((exchange for exchange in exchanges if exchange.request), None)
    return () if first is None else tuple([_said(item.role, item.text) for item in first.request])


LONGEST = 8_000
"""Maximum number of characters of a message to save. Feedback is seldom longer, unlike a document that is sent
again."""


def next_requests(attempts: Sequence[Attempt]) -> list[tuple[Said, ...]]:
    """Return, for each attempt, the messages that the next request adds; () after an accepted or the last answer."""
    after = [*attempts[1:], None]
    return [
        () if new is None or not old.fed_back else new_messages(old.exchange, new.exchange)
        for old, new in zip(attempts, after, strict=True)
    ]


def new_messages(before: Exchange, after: Exchange) -> tuple[Said, ...]:
    """Return the messages that a request adds to an earlier one, except the model's own.

    If a message was only extended, such as a prompt followed by the problems, only the new words are returned.
    """
    # Counted, not a set: a retry that repeats "Answer with JSON." adds it once more.
    known = Counter((item.role, item.text) for item in before.request)
    messages = []
    for item in after.request:
        if known[item.role, item.text]:
            known[item.role, item.text] -= 1
        elif item.role.value != "assistant" and item.text.strip():
            shorter = (old.text for old in before.request if old.text and len(old.text) < len(item.text))
            grown = next((text for text in shorter if item.text.startswith(text)), "")
            messages.append(_said(item.role, item.text[len(grown) :].strip()[:LONGEST]))
    return tuple(messages)


DIGITS = 12
"""Number of hex digits in a digest. 48 bits are enough to tell a project's prompts apart."""


def prompt_digest(exchanges: Iterable[Exchange]) -> str | None:
    """Return 12 hex digits of a hash of the first request without its last message, which is the task.

    Return None if there is no request.
    """
    first = next((exchange for exchange in exchanges if exchange.request), None)
    if first is None:
        return None
    messages = "\0".join(f"{item.role.value}\0{item.text}" for item in first.request[:-1])
    return hashlib.sha256(messages.encode(errors="surrogatepass")).hexdigest()[:DIGITS]


Number = Annotated[float, Interval(ge=-sys.float_info.max, le=sys.float_info.max)]
"""A finite number. Reading data enforces this, too."""

DROPPED = ("missing", "wrong")
"""Grades of a finding that the next request does not feed back."""
UNCLEAR = "unclear"
"""The grade of a finding that the next request may feed back in words that planguard can't recognise."""


@dataclass(frozen=True, slots=True)
class FedBackRow:
    """How the next request handled one finding."""

    code: str
    path: Path
    grade: str
    """"fed back", "partial", "unclear", "wrong", "missing" or "not judged"."""
    how: str | None = None
    """"proven", "reacts", "verbatim", "located" or "weak" if the finding is fed back, else None."""
    evidence: str | None = None
    """The words of the request that feed the finding back, or that may do so."""
    reason: str | None = None
    """The reason for the grades partial, unclear, wrong, missing and not judged."""
    reason_code: str | None = None
    """A code for the reason if the grade is unclear, wrong or missing: "other-place"."""


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
    """How long the answer took when it was recorded; None if the cassette doesn't tell."""
    calls: tuple[tuple[str, ...], ...] = ()
    """The tools called in each turn since the previous attempt, in order. The last entry is for this answer."""
    transport_retries: Count = 0
    """How often the request failed or was sent again before this answer."""
    next_request: tuple[Said, ...] = ()
    """The messages that the next attempt's request adds, without secrets. () for the last attempt and after an accepted
    answer.
    """
    exchange: Count | None = None
    """1-based number among the test's exchanges; None if unknown."""

    @property
    def dropped(self) -> tuple[FedBackRow, ...]:
        """The findings that the next request does not feed back."""
        return tuple(found for found in self.fed_back if found.grade in DROPPED)

    @property
    def unclear(self) -> tuple[FedBackRow, ...]:
        """The findings that the next request may feed back in words that planguard can't recognise."""
        return tuple(found for found in self.fed_back if found.grade == UNCLEAR)


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A named check over a conversation that did not pass."""

    name: str
    status: str
    """"warn", "fail" or "not judged"."""
    message: str = ""
    evidence: tuple[str, ...] = ()
    """One line for each place that violates the check."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One conversation of a case, or one answer that a test passed to `check`."""

    attempts: tuple[AttemptRow, ...]
    outcome: str
    """"converged", "stuck", …; "valid" or "invalid" for a single answer; "" if nothing judged it."""
    ok: bool
    name: str = "1"
    contract: str = ""
    digest: str | None = None
    """The digest (12 hex digits) of the contract that judged it; None if unknown."""
    checks: tuple[CheckRow, ...] = ()
    single: bool = False
    """True for a single answer that is not a conversation."""
    max_attempts: Count | None = None
    """The allowed number of attempts; None if unknown or for a single answer."""

    @property
    def last(self) -> AttemptRow | None:
        """The last attempt, or None."""
        return self.attempts[-1] if self.attempts else None

    @property
    def valid_at(self) -> int | None:
        """1-based number of the first valid attempt, or None."""
        for number, attempt in enumerate(self.attempts, 1):
            if attempt.ok:
                return number
        return None


# The value of an answer. Runs save only raw answers, because the values can be parsed from them.


def value_of(answer: str) -> Any:
    """Return the parsed answer, or its text if it contains no document."""
    document = read(answer)
    return answer if document.data is None and document.problems else document.data
