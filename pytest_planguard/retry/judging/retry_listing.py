"""Known facts about a retry, even if no contract judges it: for the list of a cassette, and while it is replayed.

Three things show a retry: the wording of the feedback, an error flag, or a contract that rejects the answer. If no
contract judges the answer, the feedback still says what was wrong, and the schema in the request may show it, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...document.path import to_dotted
from ..matching.fed_back import fed_back, read
from ..outcomes import DROPPED, Grade, Known
from ..reading.entry import clip
from ..results import Attempt, FedBack
from .attempts import Applied, ContractLike
from .grading.answer_gradings import answer_gradings
from .grading.app_reading import as_app_reads
from .required_findings import required_of
from .routing import Router
from .step import StepKind, names_errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...contract.verdict import Verdict
    from ...wire.exchange import Exchange
    from ..linking.link import Link
    from ..matching.fed_back import FeedbackReading
    from ..reading.entry import ErrorEntry
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


# Evidence that one retry feeds back, or leaves out, the findings of the previous answer, while it is replayed.


@dataclass(frozen=True, slots=True)
class RetryFeedback:
    """How the request of attempt k+1 treats the findings of attempt k."""

    fed_back: tuple[str, ...] = ()
    """Findings that the request feeds back, one line each."""
    missing: tuple[str, ...] = ()
    """Findings that the request should feed back but doesn't, one line each."""
    unclear: tuple[str, ...] = ()
    """Findings that the request may feed back in words that planguard cannot read, one line each."""

    @property
    def judged(self) -> bool:
        """True if any finding is known. Without findings, there is no evidence."""
        return bool(self.fed_back or self.missing or self.unclear)

    @property
    def all_missing(self) -> bool:
        """True if there is evidence that the request feeds back no known finding."""
        return bool(self.missing) and not self.fed_back and not self.unclear


def evidence(
    attempt: Exchange, link: Link, contracts: Sequence[ContractLike], recorded: Link | None = None
) -> RetryFeedback:
    """Return how a request treats the findings of attempt k, as it was played; nothing if no findings are known.

    `link` leads from the attempt to the request, and `recorded` to the request of the recorded retry. That one shows
    the findings if no contract does.
    """
    verdict, contract = _verdict(attempt, contracts)
    if verdict is not None and contract is not None and not verdict.ok:
        needed = {id(f) for f in required_of(verdict, "app")}
        found = _gradings(attempt, verdict, link, contract)
        told = _retry_feedback(graded for graded in found if id(graded.finding) in needed)
        if told.judged:
            return told
    return RetryFeedback() if recorded is None else _by_recorded(attempt, recorded, link)


def is_rejected(attempt: Exchange, contracts: Sequence[ContractLike]) -> bool:
    """Return True if a contract judges an answer and rejects it."""
    verdict, _ = _verdict(attempt, contracts)
    return verdict is not None and not verdict.ok


def _gradings(attempt: Exchange, verdict: Verdict, link: Link, contract: Applied) -> tuple[FedBack, ...]:
    """Return how an attempt's findings are fed back, judged in the same way as at the end of the test."""
    reading = read([link.delta])
    schema = getattr(contract.contract, "json_schema", None)
    found = tuple(answer_gradings(verdict, reading, attempt.number, contract.names, schema))
    (judged,) = as_app_reads([Attempt(attempt.number, attempt, verdict, fed_back=found)], [reading])
    return judged.fed_back


def _retry_feedback(gradings: Iterable[FedBack]) -> RetryFeedback:
    dropped: list[str] = []
    by_grade: dict[str, list[str]] = {**dict.fromkeys(DROPPED, dropped), Grade.UNCLEAR: []}
    others: list[str] = []
    for graded in gradings:
        by_grade.get(graded.grade, others).append(f"{to_dotted(graded.finding.path)}: {graded.finding.message}")
    return RetryFeedback(tuple(others), tuple(dropped), tuple(by_grade[Grade.UNCLEAR]))


def _by_recorded(attempt: Exchange, recorded: Link, sent: Link) -> RetryFeedback:
    """Return evidence without a contract: which errors of the recorded retry this request names.

    Naming the place is enough, because the broken rule is unknown. A contract would check more.
    """
    told, said = read([recorded.delta]), read([sent.delta])
    if not names_errors(told, attempt):
        return RetryFeedback()
    now = {one.path for one in said.said}
    named = dict.fromkeys(".".join(one.path or ()) or "(whole answer)" for one in told.said if one.path in now)
    findings = {one.path: _finding(one) for one in told.said if one.path not in now}
    by_reading = _retry_feedback(fed_back([*findings.values()], said, attempt=attempt.number))
    return replace(by_reading, fed_back=(*named, *by_reading.fed_back))


def _finding(entry: ErrorEntry) -> Finding:
    """Return the finding that an error in the feedback on an answer refers to."""
    path = tuple(int(step) if step.isdecimal() else step for step in entry.path or ())
    return Finding(entry.code or "rule", path, " ".join(entry.message.split())[:120], FailureKind.RULE)


def _verdict(attempt: Exchange, contracts: Sequence[ContractLike]) -> tuple[Verdict | None, Applied | None]:
    """Return the verdict of the contract that judges the answer, and the contract.

    Return None for a step that calls a tool, or if no contract judges the answer.
    """
    if not contracts:
        return None, None
    router = Router([attempt], contracts)
    chosen = router.route([0])[0]
    return (router.verdict(0, chosen), router.contracts[chosen]) if isinstance(chosen, int) else (None, None)
