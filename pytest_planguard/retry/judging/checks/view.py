"""The input of the checks: one conversation with its links, the errors read in its requests, and the options."""

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
    """Two successive attempts and the steps between them."""

    before: Attempt
    after: Attempt
    links: tuple[Link, ...]
    """The links from the first answer to the second request, through any tool steps."""
    reading: FeedbackReading
    required: tuple[Finding, ...]
    """The findings that the second request must feed back."""
    stale: tuple[str, ...] = ()
    """Excerpts of the second request that fit an earlier attempt but not this one."""

    @property
    def how(self) -> How:
        """The evidence that links the next request to the first answer."""
        return self.links[0].how


@dataclass(frozen=True, slots=True)
class View:
    """A conversation as the checks see it."""

    attempts: tuple[Attempt, ...]
    retries: tuple[Retry, ...]
    options: JudgeOptions
    ambiguous: bool = False
    taken: bool = False
    """True if the app accepted the last answer although it violates the contract."""
    handed_to: str | None = None
    """The model, tool or person that the app handed the task over to, as declared; None if it did not."""

    @property
    def first(self) -> Exchange:
        """The exchange of attempt 1."""
        return self.attempts[0].exchange

    @property
    def last(self) -> Attempt:
        """The last attempt."""
        return self.attempts[-1]

    def status(self, name: str) -> CheckStatus:
        """Return the status that the check gets if it is violated."""
        return self.options.statuses.get(name, DEFAULT_STATUS[name])


def settled(view: View, name: str, evidence: Sequence[str], *, good: str, bad: str) -> Check:
    """Return a passed check with the message `good`, or if there is evidence, a violated one with the message `bad`."""
    if not evidence:
        return Check(name, CheckStatus.PASS, good)
    return Check(name, view.status(name), bad, tuple(evidence))


def idle(name: str, why: str) -> Check:
    """Return a check that does not apply."""
    return Check(name, CheckStatus.NOT_APPLICABLE, why)


def unknown(name: str, why: str, evidence: Sequence[str] = ()) -> Check:
    """Return a check that cannot be decided."""
    return Check(name, CheckStatus.NOT_JUDGED, why, tuple(evidence))


def texts(exchange: Exchange) -> Iterator[str]:
    """Return the texts of all items of a request."""
    return (item.text for item in exchange.request)
