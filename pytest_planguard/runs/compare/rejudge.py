"""Judges the raw answers of a run again, so that both sides of a comparison are judged by one contract."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model.judged_answers import AttemptRow, Judged
from ..model.run import CaseRow, Run
from .sampled import judged_again

if TYPE_CHECKING:
    from ...contract import Contract

BY_ANSWER = frozenset(("converged", "exhausted", "valid", "invalid", "rejected", "stopped", "regressed", "oscillating"))
"""Outcomes that follow from which attempts are valid; they are worked out anew. Others (stuck, stale, ambiguous,
escalated, false_convergence) say something that a contract does not decide, and stay while the answer stays bad or good
as it was."""


def rejudged(run: Run, contracts: Iterable[Contract]) -> Run:
    """The run with every answer that these contracts did not judge judged by them.

    A conversation is judged by the contract that has the name of its own, or by the only contract there is. A test
    that failed although its answers were good stays failed: planguard does not know why.
    """
    named = {contract.name: contract for contract in contracts}
    return replace(run, rows=tuple(_row(row, named) for row in run.rows))


def judge_answer(answer: str, contract: Contract, finish: str | None = None) -> AttemptRow:
    """An answer as an attempt that a contract judged."""
    verdict = contract.check(answer, finish=finish)
    kind = verdict.kind.value if verdict.kind else None
    return AttemptRow(answer, verdict.ok, kind, verdict.findings, finish=finish)


def _row(row: CaseRow, contracts: dict[str, Contract]) -> CaseRow:
    judged = tuple(_judged(each, contracts) for each in row.judged)
    if judged == row.judged:
        return row
    digests = dict(row.contracts) | {j.contract: j.digest for j in judged if j.digest is not None}
    gone = {j.contract for j in row.judged} - {j.contract for j in judged}
    kept = tuple(sorted((name, digest) for name, digest in digests.items() if name not in gone))
    samples = judged_again(row, judged)
    result = _result(row, judged) if samples is None or row.misses else "passed" if samples.enough else "failed"
    return replace(row, judged=judged, result=result, outcome=None, contracts=kept, samples=samples)


def _result(row: CaseRow, judged: Sequence[Judged]) -> str | None:
    if row.result is None:
        return None
    unexplained = row.result != "passed" and (bool(row.misses) or all(before.ok for before in row.judged))
    return row.result if unexplained else "passed" if all(after.ok for after in judged) else "failed"


def _judged(judged: Judged, contracts: dict[str, Contract]) -> Judged:
    contract = contracts.get(judged.contract) or (next(iter(contracts.values())) if len(contracts) == 1 else None)
    if contract is None or contract.digest == judged.digest:
        return judged
    attempts = tuple(_attempt(attempt, contract) for attempt in judged.attempts)
    checks = tuple(check for check in judged.checks if check.name != "valid")
    outcome = _outcome(judged, attempts)
    ok = outcome in ("converged", "valid", "escalated") and not any(check.status == "fail" for check in checks)
    return replace(
        judged, attempts=attempts, outcome=outcome, ok=ok, contract=contract.name, digest=contract.digest, checks=checks
    )


def _attempt(attempt: AttemptRow, contract: Contract) -> AttemptRow:
    found = judge_answer(attempt.answer, contract, attempt.finish)
    return replace(attempt, ok=found.ok, kind=found.kind, findings=found.findings)


def _outcome(judged: Judged, attempts: Sequence[AttemptRow]) -> str:
    good = bool(attempts) and attempts[-1].ok
    was_good = judged.last is not None and judged.last.ok
    if judged.outcome and judged.outcome not in BY_ANSWER and good == was_good:
        return judged.outcome
    if judged.single or not judged.outcome:
        return "valid" if good else "invalid"
    return "converged" if good else "exhausted"
