"""List every retry of a cassette with what is known about it, even if no contract judges it.

Three things show a retry: the wording of the feedback, an error flag, or a contract that rejects the answer. If no
contract judges the answer, the feedback still says what was wrong, and the schema in the request may show it, too.
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
"""Maximum number of errors to keep from the feedback of one retry."""
TOOL = "the answer calls a tool that no contract judges"
APP_RULE = "the contract accepts the answer: the rule is the app's own"
ALONE = "no contract judges the answer"


@dataclass(frozen=True, slots=True)
class ListedRetry:
    """A retry: a request that rejects an answer and asks again."""

    request: int
    """Number of the exchange with the retry's request."""
    answer: int
    """Number of the exchange whose answer is rejected."""
    known: Known
    said: tuple[str, ...]
    """The errors in the feedback, such as 'tasks.0.status: Input should be …'. Free text becomes one line."""
    fed_back: tuple[FedBack, ...] = ()
    """Gradings of the findings that the request's own schema produces; () if a contract judges the answer."""
    why_not: str | None = None
    """Why the retry is not part of a judged conversation; None if it is."""

    @property
    def judged(self) -> bool:
        """True if the retry is part of a judged conversation."""
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
        judgement: the result of judging these exchanges.
        schema_findings: returns the findings of an exchange's answer against the schemas in its own request.
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
    """Yield the number of each exchange that directly follows an answer that its contract rejects."""
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
    """Return the errors that the feedback names, or its text if it names none."""
    named = [f"{to_dotted(e.path)}: {clip(e.message)}" for e in reading.said if e.path and e.message]
    if named:
        return list(dict.fromkeys(named))[:SAID_SHOWN]
    words = " ".join(piece.text for _, piece in reading.pieces)
    return [clip(words)] if words.strip() else []
