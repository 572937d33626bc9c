"""Judge the cases of a run. Judge them again if another contract applies.

Both sides of a comparison are then judged by the same contracts, wherever their answers come from.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..contract.failure_kinds import FailureKind
from ..contract.finding import Finding
from ..errors import UsageError
from ..wire.exchange import all_together
from .model.case_samples import judge_samples
from .model.judged_answers import AttemptRow, CheckRow, FedBackRow, Judged, next_requests
from .model.run import CaseRow, ProofRow, Run, RunHeader

if TYPE_CHECKING:
    from ..contract import Contract
    from ..contract.verdict import Verdict
    from ..retry.proof import Proof
    from ..retry.results import Attempt, Check, Convergence, FedBack
    from ..wire.exchange import Exchange
    from .model.judged_answers import Said

HELD = ("pass", "not applicable")
"""Statuses of checks that say nothing about a case."""
BY_ANSWER = frozenset(
    (
        *("converged", "exhausted", "valid", "read_in_part", "invalid", "rejected", "stopped", "regressed"),
        *("oscillating", "no_progress"),
    )
)
"""Outcomes that depend only on the findings of the attempts. Another contract may change them.

The other outcomes (stuck, stale, ambiguous, escalated, false_convergence) don't follow from a contract. They stay as
long as the last answer stays valid or invalid.
"""


@dataclass(frozen=True, slots=True)
class ToolVerdict:
    """Another evaluation tool's verdict on a case. It is used if no contract judges the answer."""

    tool: str
    """"promptfoo" or "pydantic-evals"."""
    result: str
    """"passed", "failed" or "error"."""
    findings: tuple[Finding, ...] = ()
    """The assertions that fail."""


@dataclass(frozen=True, slots=True)
class RawCase:
    """One case of a run before judging: its row without verdicts, and what is to be judged.

    That is an answer or the exchanges of a cassette. A row from a run record has its verdicts, and nothing else here.
    """

    row: CaseRow
    answer: AttemptRow | None = None
    """The answer without a verdict."""
    exchanges: tuple[Exchange, ...] | None = None
    """All exchanges of a cassette; None if the case is not from a cassette."""
    verdict: ToolVerdict | None = None
    """Another tool's verdict; without an answer, its report of an error."""


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """Something that could not be read or judged."""

    place: str
    """The file or line; "" if `reason` already names it."""
    reason: str
    """The problem, and what to do about it."""


@dataclass(frozen=True, slots=True)
class RawRun:
    """All cases of a run before judging."""

    cases: tuple[RawCase, ...] = ()
    problems: tuple[ReadProblem, ...] = ()
    header: RunHeader | None = None
    """The header of a run record. Other files have none."""


def tool_finding(code: str, reason: object) -> Finding:
    """Convert another tool's finding to a finding about the whole answer."""
    return Finding(code, (), str(reason) if reason else "does not hold", FailureKind.CONTENT)


def digest_of(value: object) -> str:
    """Return the digest (12 hex digits) of the declared input."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def problem_lines(problems: tuple[ReadProblem, ...]) -> tuple[str, ...]:
    """Return one line for each group of problems with the same reason: "a.yaml and 3 more: it is not JSON"."""
    places: dict[str, list[str]] = {}
    for problem in problems:
        places.setdefault(problem.reason, []).append(problem.place)
    return tuple(_line(reason, where) for reason, where in places.items())


def _line(reason: str, places: list[str]) -> str:
    more = f" and {len(places) - 1:,} more" if len(places) > 1 else ""
    return f"{places[0]}{more}: {reason}" if places[0] else reason


@dataclass(frozen=True, slots=True)
class Judges:
    """The contracts that judge the cases of a run."""

    contracts: tuple[Contract, ...] = ()
    """If (), plain answers stay unjudged or keep the verdict of their tool, and `schemas` judges cassettes."""
    schemas: Callable[[Sequence[Exchange]], tuple[Contract, ...]] | None = None
    """Makes contracts from the requests of a cassette. If None, only `contracts` judge a cassette."""
    max_attempts: int = 3


def judge_run(raw: RawRun, judges: Judges, name: str) -> Run:
    """Judge every case of a run.

    Raises UsageError if several contracts are given for a plain answer.
    """
    judged = [_judge_case(case, judges) for case in raw.cases]
    rows = [row for row, _ in judged]
    if raw.header is None:  # a record is already sorted, by more keys than these
        rows.sort(key=lambda row: (row.key, row.test))
    problems = (*raw.problems, *(problem for _, problem in judged if problem is not None))
    header = RunHeader(name) if raw.header is None else replace(raw.header, name=name)
    return Run(header, tuple(rows), problem_lines(problems))


def judge_again(run: Run, contracts: Iterable[Contract]) -> Run:
    """Judge every answer of a run that these contracts have not judged yet.

    A conversation is judged by the contract of the same name, or by the only contract. A test that failed although its
    answers were good stays failed, because planguard doesn't know why it failed.
    """
    named = {contract.name: contract for contract in contracts}
    return replace(run, rows=tuple(_judge_row(row, named) for row in run.rows))


def judge_answer(answer: AttemptRow, contracts: Sequence[Contract]) -> Judged:
    """Judge one answer by the only contract. Without a contract, the answer stays unjudged.

    Raises UsageError if there are several contracts, since nothing says which one applies.
    """
    if len(contracts) > 1:
        raise UsageError(f"plain answers are judged by one contract, and {len(contracts)} were named; leave one")
    return _judge_conversation(_single(answer, ""), {contract.name: contract for contract in contracts})


# Raw cases.


def _judge_case(case: RawCase, judges: Judges) -> tuple[CaseRow, ReadProblem | None]:
    """Return the case as a row, and the problem if it could not be judged."""
    if case.exchanges is not None:
        return _judge_cassette(case.row, case.exchanges, judges)
    if case.answer is None and case.verdict is None:
        return _judge_row(case.row, {contract.name: contract for contract in judges.contracts}), None
    return _judge_plain(case.row, case.answer, case.verdict, judges.contracts), None


def _judge_plain(
    row: CaseRow, answer: AttemptRow | None, verdict: ToolVerdict | None, contracts: Sequence[Contract]
) -> CaseRow:
    """Judge an answer by the contract. Without one, the verdict of the tool that produced it counts."""
    if answer is not None and (verdict is None or contracts):
        judged = judge_answer(answer, contracts)
        return replace(row, judged=(judged,), contracts=_digests((judged,)))
    assert verdict is not None
    if answer is None:
        return replace(row, result=verdict.result)
    ok, findings = verdict.result == "passed", verdict.findings
    attempt = replace(answer, ok=ok, kind=findings[0].kind.value if findings else None, findings=findings)
    judged = _single(attempt, "valid" if ok else "invalid", verdict.tool)
    return replace(row, judged=(judged,), result=verdict.result)


def _judge_cassette(row: CaseRow, exchanges: Sequence[Exchange], judges: Judges) -> tuple[CaseRow, ReadProblem | None]:
    """Judge the conversations of a cassette. If nothing can judge them, keep the answers unjudged."""
    from ..retry.judging.judge import judge
    from ..retry.judging.judging_options import JudgeOptions

    contracts = judges.contracts or (judges.schemas(exchanges) if judges.schemas else ())
    options = JudgeOptions(max_attempts=judges.max_attempts, partial=not judges.contracts)
    judgement = judge(exchanges, contracts, options=options)
    digests = {contract.name: contract.digest for contract in contracts}
    judged = tuple(conversation_row(result, digests) for result in judgement.conversations)
    row = replace(
        row,
        cassette=row.test,
        exchanges=len(exchanges),
        judged=judged or tuple(_unjudged(exchanges)),
        latency_s=all_together(result.latency_s for result in judgement.conversations),
        contracts=_digests(judged),
    )
    if judged:
        return row, None
    why = next(iter(judgement.reasons.values()), "it has no answer")
    return row, ReadProblem(row.test, f"nothing judges an answer of it: {why}")


def _unjudged(exchanges: Iterable[Exchange]) -> Iterator[Judged]:
    for exchange in exchanges:
        if exchange.answer_text:
            yield _single(AttemptRow(exchange.answer_text, ok=True, model=exchange.model), "")


def _digests(judged: Iterable[Judged]) -> tuple[tuple[str, str], ...]:
    """Return the name and digest of each contract that judged, sorted."""
    return tuple(sorted({(each.contract, each.digest) for each in judged if each.digest is not None}))


def conversation_row(result: Convergence, digests: Mapping[str, str]) -> Judged:
    """Return the row of a judged conversation. `digests` has the digests of the contracts by name."""
    return Judged(
        tuple(map(_attempt_row, result.attempts, next_requests(result.attempts))),
        result.outcome.value,
        result.ok,
        result.conversation,
        result.contract,
        digests.get(result.contract),
        tuple(check_row(check) for check in result.checks if check.status.value not in HELD),
        max_attempts=result.max_attempts,
    )


def verdict_row(verdict: Verdict, digest: str | None = None) -> Judged:
    """Return the row of a verdict on a single answer. `digest` is that of its contract."""
    kind = verdict.kind.value if verdict.kind else None
    attempt = AttemptRow(verdict.text, verdict.ok, kind, verdict.findings)
    return _single(attempt, "valid" if verdict.ok else "invalid", verdict.contract, digest)


def check_row(check: Check) -> CheckRow:
    """Return the row of a named check."""
    return CheckRow(check.name, check.status.value, check.message, check.evidence)


def _attempt_row(attempt: Attempt, next_request: tuple[Said, ...]) -> AttemptRow:
    verdict, exchange = attempt.verdict, attempt.exchange
    return AttemptRow(
        verdict.text,
        verdict.ok,
        verdict.kind.value if verdict.kind else None,
        verdict.findings,
        exchange.model,
        exchange.finish.value if exchange.finish else None,
        exchange.usage.input_tokens,
        exchange.usage.output_tokens,
        tuple(map(fed_back_row, attempt.fed_back)),
        exchange.latency_s,
        attempt.path,
        attempt.transport_retries,
        next_request,
        exchange.number,
    )


def fed_back_row(fed_back: FedBack) -> FedBackRow:
    """Return the row that says how one finding was fed back."""
    finding, code = fed_back.finding, fed_back.reason_code
    how, why = (None if word is None else word.value for word in (fed_back.how, code))
    return FedBackRow(finding.code, finding.path, fed_back.grade.value, how, fed_back.evidence, fed_back.reason, why)


def proof_row(proof: Proof) -> ProofRow:
    """Return the row that says what an experiment has shown."""
    code, path = proof.finding.identity
    return ProofRow(proof.conversation, proof.attempt, code, path, proof.result.value, proof.reason, proof.said)


def _single(attempt: AttemptRow, outcome: str, judge: str = "", digest: str | None = None) -> Judged:
    """Return the row of a single answer. If the outcome is "", nothing judged it."""
    return Judged((attempt,), outcome, attempt.ok, contract=judge, digest=digest, single=True)


# Rows that are already judged.


def _judge_row(row: CaseRow, contracts: dict[str, Contract]) -> CaseRow:
    judged = tuple(_judge_conversation(each, contracts) for each in row.judged)
    if judged == row.judged:
        return row
    digests = dict(row.contracts) | {j.contract: j.digest for j in judged if j.digest is not None}
    # A contract of another name judged before. Its digest says nothing about the new verdicts.
    replaced = {j.contract for j in row.judged} - {j.contract for j in judged}
    kept = tuple(sorted((name, digest) for name, digest in digests.items() if name not in replaced))
    samples = judge_samples(row, judged)
    result = _result(row, judged) if samples is None or row.misses else "passed" if samples.enough else "failed"
    return replace(row, judged=judged, result=result, outcome=None, contracts=kept, samples=samples)


def _result(row: CaseRow, judged: Sequence[Judged]) -> str | None:
    if row.result is None:
        return None
    unexplained = row.result != "passed" and (bool(row.misses) or all(before.ok for before in row.judged))
    return row.result if unexplained else "passed" if all(after.ok for after in judged) else "failed"


def _judge_conversation(judged: Judged, contracts: dict[str, Contract]) -> Judged:
    contract = contracts.get(judged.contract) or (next(iter(contracts.values())) if len(contracts) == 1 else None)
    if contract is None or contract.digest == judged.digest:
        return judged
    attempts = tuple(_judge_attempt(attempt, contract) for attempt in judged.attempts)
    # "valid" repeats the findings of the last answer, which this contract has just replaced.
    checks = tuple(check for check in judged.checks if check.name != "valid")
    outcome = _outcome(judged, attempts)
    ok = outcome in ("converged", "valid", "escalated") and not any(check.status == "fail" for check in checks)
    return replace(
        judged, attempts=attempts, outcome=outcome, ok=ok, contract=contract.name, digest=contract.digest, checks=checks
    )


def _judge_attempt(attempt: AttemptRow, contract: Contract) -> AttemptRow:
    verdict = contract.check(attempt.answer, finish=attempt.finish)
    kind = verdict.kind.value if verdict.kind else None
    return replace(attempt, ok=verdict.ok, kind=kind, findings=verdict.findings)


def _outcome(judged: Judged, attempts: Sequence[AttemptRow]) -> str:
    good = bool(attempts) and attempts[-1].ok
    was_good = judged.last is not None and judged.last.ok
    if judged.outcome and judged.outcome not in BY_ANSWER and good == was_good:
        return judged.outcome
    if judged.single or not judged.outcome:
        return "valid" if good else "invalid"
    return "converged" if good else "exhausted"
