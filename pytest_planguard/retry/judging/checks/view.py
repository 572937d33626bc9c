"""What the checks look at: one conversation with its links, readings and options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ....contract.finding import Finding
from ....wire.exchange import Exchange
from ...linking.link import How, Link
from ...matching.fed_back import FeedbackReading
from ...outcomes import CheckStatus
from ...results import Attempt, Check
from ..judging_options import DEFAULT_STATUS, JudgeOptions


@dataclass(frozen=True, slots=True)
class Retry:
    """Two attempts in a row and what lies between them."""

    before: Attempt
    after: Attempt
    links: tuple[Link, ...]
    """From the first answer to the second request, over tool steps."""
    reading: FeedbackReading
    required: tuple[Finding, ...]
    """What the second request must feed back."""
    stale: tuple[str, ...] = ()
    """What it says about earlier attempts that does not hold any more."""

    @property
    def how(self) -> How:
        """How the request that reacts to the first answer was linked to it."""
        return self.links[0].how


@dataclass(frozen=True, slots=True)
class View:
    """One conversation."""

    attempts: tuple[Attempt, ...]
    retries: tuple[Retry, ...]
    options: JudgeOptions
    ambiguous: bool = False
    taken: bool = False
    """Whether the app took the last answer, though it breaks the contract."""
    handed_to: str | None = None
    """Whom or what the task was handed over to, as declared."""

    @property
    def first(self) -> Exchange:
        """The exchange of attempt 1."""
        return self.attempts[0].exchange

    @property
    def last(self) -> Attempt:
        """The last attempt."""
        return self.attempts[-1]

    def status(self, name: str) -> CheckStatus:
        """What a violation of the check counts as."""
        return self.options.statuses.get(name, DEFAULT_STATUS[name])


def settled(view: View, name: str, evidence: Sequence[str], *, good: str, bad: str) -> Check:
    """The check: passed with the message `good` where there is no evidence against it, else violated with `bad`."""
    if not evidence:
        return Check(name, CheckStatus.PASS, good)
    return Check(name, view.status(name), bad, tuple(evidence))


def idle(name: str, why: str) -> Check:
    """The check does not apply."""
    return Check(name, CheckStatus.NOT_APPLICABLE, why)


def unknown(name: str, why: str, evidence: Sequence[str] = ()) -> Check:
    """It cannot be decided."""
    return Check(name, CheckStatus.NOT_JUDGED, why, tuple(evidence))


def texts(exchange: Exchange) -> Iterator[str]:
    """The words of all items of a request."""
    return (item.text for item in exchange.request)


def count(number: int, noun: str) -> str:
    """'1 finding', '2 findings'."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
