"""Every retry of a cassette and what is known about it, even if no contract judges it.

Three signs show a retry: the wording of its feedback, error flags, and rejections by the contracts. If no contract
judges the rejected answer, the feedback itself still says what was wrong, and so may the schema in the request.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ..matching.fed_back import fed_back, read
from ..outcomes import Known
from ..reading.entry import clip
from .step import StepKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...contract.finding import Finding
    from ...wire.exchange import Exchange
    from ..linking.link import Link
    from ..matching.fed_back import FeedbackReading
    from ..results import FedBack
    from .judge import Judgement

SAID_SHOWN = 5
"""The most errors to keep from one feedback; each is a line."""
TOOL = "the answer calls a tool that no contract judges"
APP_RULE = "the contract accepts the answer: the rule is the app's own"
ALONE = "no contract judges the answer"


@dataclass(frozen=True, slots=True)
class ListedRetry:
    """A request that asks again, and the answer that it rejects."""

    request: int
    """Number of the exchange that asks again."""
    answer: int
    """Number of the exchange whose answer it rejects."""
    known: Known
    said: tuple[str, ...]
    """The errors in the feedback, one each: 'tasks.0.status: Input should be …'; free text as one line."""
    fed_back: tuple[FedBack, ...] = ()
    """Gradings of the findings by the request's own schema; () if a contract judges the answer."""
    why_not: str | None = None
    """Why no conversation judges it; None if one does."""

    @property
    def judged(self) -> bool:
        """True if a conversation judges it."""
        return self.why_not is None


def list_retries(
    exchanges: Sequence[Exchange],
    judgement: Judgement,
    schema_findings: Callable[[Exchange], Sequence[Finding]],
    why_unjudged: Callable[[Exchange], str],
) -> tuple[ListedRetry, ...]:
    """Return the retries of a judged cassette, in the order of their requests.

    Args:
        exchanges: all exchanges of the cassette, as they were judged.
        judgement: the judgement of the contracts.
        schema_findings: returns the findings by which an exchange's own request rejects its answer.
        why_unjudged: returns why no contract judges an exchange.
    """
    attempts = {a.exchange.number: a.verdict.ok for c in judgement.conversations for a in c.attempts}
    judged = set(_judged_retries(judgement))
    steps = {exchange.number for exchange in judgement.steps}
    found = []
    for at, link in enumerate(judgement.links):
        if link is None or judgement.kinds[at] not in (StepKind.RETRY, StepKind.PROBABLE_RETRY):
            continue
        exchange, parent = exchanges[at], exchanges[link.parent - 1]
        if exchange.number in judged:
            why = None
        elif parent.number in attempts:
            why = APP_RULE if attempts[parent.number] else ALONE
        else:
            why = TOOL if parent.number in steps else why_unjudged(parent)
        found.append(_retry(exchange, parent, link, schema_findings(parent), why))
    return tuple(found)


def _judged_retries(judgement: Judgement) -> Iterator[int]:
    """Yield the requests that directly react to a bad answer that a contract judges."""
    for conversation in judgement.conversations:
        for before, after in pairwise(conversation.attempts):
            if not before.verdict.ok:
                yield (after.steps[0] if after.steps else after.exchange).number


def _retry(
    exchange: Exchange, parent: Exchange, link: Link, findings: Sequence[Finding], why: str | None
) -> ListedRetry:
    reading = read([link.delta])
    if why is None or findings:
        known = Known.FINDINGS
    else:
        known = Known.ERRORS if any(e.path is not None and e.code for e in reading.said) else Known.WORDS
    gradings = fed_back(findings, reading, attempt=1) if findings and why is not None else ()
    return ListedRetry(exchange.number, parent.number, known, tuple(_said(reading)), gradings, why)


def _said(reading: FeedbackReading) -> list[str]:
    """Return the errors that the feedback names, else its words."""
    named = [f"{to_dotted(e.path)}: {clip(e.message)}" for e in reading.said if e.path and e.message]
    if named:
        return list(dict.fromkeys(named))[:SAID_SHOWN]
    words = " ".join(piece.text for _, piece in reading.pieces)
    return [clip(words)] if words.strip() else []
