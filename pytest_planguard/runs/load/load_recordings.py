"""Cases from recordings: each recording is a case, its conversations are judged as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...errors import CassetteError
from ...wire.latency import all_together
from ..model.judged_answers import AttemptRow, CarriedRow, CheckRow, Judged
from ..model.prompt import prompt_digest
from ..model.run import CaseRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from ...contract import Contract
    from ...retry.convergence import Attempt, Check, Convergence
    from ...wire.exchange import Exchange
    from .load_answers import Loaded

HELD = ("pass", "not applicable")


def recording_row(
    path: Path,
    key: str,
    judges: Sequence[Contract] | Callable[[Sequence[Exchange]], Sequence[Contract]],
    max_attempts: int,
    variant: str | None = None,
) -> Loaded:
    """A recording as one case. A recording that cannot be read, or that nothing judges, is a problem.

    `judges` are the contracts, or what makes them from the recording's own requests.
    """
    from ...replay.files.reader import read_recording
    from ...retry.judging.judge import judge
    from ...retry.judging.judging_options import JudgeOptions

    try:
        exchanges = read_recording(path).exchanges
    except CassetteError as error:
        return [], [(str(path), str(error).removeprefix(f"{path}: "))]
    contracts = judges(exchanges) if callable(judges) else judges
    judgement = judge(exchanges, contracts, options=JudgeOptions(max_attempts=max_attempts))
    digests = {contract.name: contract.digest for contract in contracts}
    judged = tuple(judged_conversation(found, digests) for found in judgement.conversations)
    why = next(iter(judgement.reasons.values()), "it has no answer")
    problems = [] if judged else [(str(path), f"nothing judges an answer of it: {why}")]
    judged = judged or tuple(_unjudged(exchange) for exchange in exchanges if exchange.answer_text)
    row = CaseRow(
        key,
        str(path),
        model=_models(exchanges),
        variant=variant,
        prompt=prompt_digest(exchanges),
        recording=str(path),
        judged=judged,
        latency_s=all_together(found.latency_s for found in judgement.conversations),
        contracts=tuple(sorted((name, digests[name]) for name in {j.contract for j in judged} if name in digests)),
    )
    return [row], problems


def judged_conversation(found: Convergence, digests: dict[str, str]) -> Judged:
    """A convergence as a row keeps it."""
    return Judged(
        tuple(_attempt(attempt) for attempt in found.attempts),
        found.outcome.value,
        found.ok,
        found.conversation,
        found.contract,
        digests.get(found.contract),
        tuple(_check(check) for check in found.checks if check.status.value not in HELD),
        max_attempts=found.max_attempts,
    )


def _check(check: Check) -> CheckRow:
    return CheckRow(check.name, check.status.value, check.message, check.evidence)


def _attempt(attempt: Attempt) -> AttemptRow:
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
        tuple(CarriedRow(c.finding.code, c.finding.path, c.grade.value, c.evidence, c.reason) for c in attempt.carried),
        exchange.latency_s,
        len(attempt.steps),
        attempt.transport_retries,
    )


def _unjudged(exchange: Exchange) -> Judged:
    return Judged((AttemptRow(exchange.answer_text, ok=True, model=exchange.model),), "", ok=True, single=True)


def _models(exchanges: Iterable[Exchange]) -> str | None:
    return ", ".join(sorted({exchange.model for exchange in exchanges if exchange.model})) or None
