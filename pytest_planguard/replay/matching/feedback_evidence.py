"""Evidence for the gate that a retry feeds back, or leaves out, the findings of the previous answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...document.path import to_dotted
from ...retry.judging.attempt_answers import Applied, ContractLike
from ...retry.judging.contracts.routing import Router
from ...retry.judging.grading.answer_gradings import answer_gradings
from ...retry.judging.grading.app_reading import as_app_reads
from ...retry.judging.required_findings import required_of
from ...retry.judging.step import names_errors
from ...retry.linking.link import Link
from ...retry.matching.fed_back import fed_back, read
from ...retry.outcomes import DROPPED, Grade
from ...retry.results import Attempt, FedBack

if TYPE_CHECKING:
    from ...contract.verdict import Verdict
    from ...retry.reading.entry import ErrorEntry, Place
    from ...wire.exchange import Exchange


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


Evidence = Callable[["Exchange", Link], RetryFeedback]
"""Takes attempt k as it was played, and the link from it to the current request."""


def no_evidence(_attempt: Exchange, _link: Link) -> RetryFeedback:
    """Return no evidence. Without a contract, nothing is known about the answers."""
    return RetryFeedback()


def evidence_from(contracts: Sequence[ContractLike]) -> Evidence:
    """Return a function that derives evidence from the contracts' findings."""
    if not contracts:
        return no_evidence

    def evidence(attempt: Exchange, link: Link) -> RetryFeedback:
        verdict, contract = _verdict(attempt, contracts)
        if verdict is None or contract is None or verdict.ok:
            return RetryFeedback()
        needed = {id(f) for f in required_of(verdict)}
        return _retry_feedback(
            graded for graded in _gradings(attempt, verdict, link, contract) if id(graded.finding) in needed
        )

    return evidence


def rejected_by(contracts: Sequence[ContractLike]) -> Callable[[Exchange], bool]:
    """Return a function that returns True if a contract judges an answer and rejects it."""

    def is_rejected(attempt: Exchange) -> bool:
        verdict, _ = _verdict(attempt, contracts) if contracts else (None, None)
        return verdict is not None and not verdict.ok

    return is_rejected


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


def as_recorded(attempt: Exchange, recorded: Link, sent: Link) -> RetryFeedback:
    """Return evidence without a contract: which errors of the recorded retry this request names.

    Naming the place is enough, because the broken rule is unknown. A contract would check more.
    """
    told, said = read([recorded.delta]), read([sent.delta])
    if not names_errors(told, attempt):
        return RetryFeedback()
    now = {one.path for one in said.said}
    named = dict.fromkeys(one.path for one in told.said if one.path in now)
    findings = {one.path: _finding(one) for one in told.said if one.path not in now}
    by_reading = _retry_feedback(fed_back([*findings.values()], said, attempt=attempt.number))
    return replace(by_reading, fed_back=(*map(_shown, named), *by_reading.fed_back))


def _finding(entry: ErrorEntry) -> Finding:
    """Return the finding that an error in the feedback on an answer refers to."""
    path = tuple(int(step) if step.isdecimal() else step for step in entry.path or ())
    return Finding(entry.code or "rule", path, " ".join(entry.message.split())[:120], FailureKind.RULE)


def _shown(path: Place | None) -> str:
    return ".".join(path or ()) or "(whole answer)"


def _verdict(attempt: Exchange, contracts: Sequence[ContractLike]) -> tuple[Verdict | None, Applied | None]:
    """Return the verdict of the contract that judges the answer, and the contract.

    Return None for a step that calls a tool, or if no contract judges the answer.
    """
    router = Router([attempt], contracts)
    chosen = router.route([0])[0]
    return (router.verdict(0, chosen), router.contracts[chosen]) if isinstance(chosen, int) else (None, None)
