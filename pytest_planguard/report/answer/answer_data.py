"""Values as plain JSON types, for rows and for machines. The shapes are versioned by whoever writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...runs.model.row_write import asked_data

if TYPE_CHECKING:
    from ...contract.verdict import Verdict
    from ...retry.proof import Proof
    from ...retry.results import Attempt, Check, Convergence, FedBack
    from ...runs.model.request_words import Said
    from ...wire.exchange import Usage


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict with the raw answer that it judges; the parsed value is left out, since the answer has it."""
    kind = verdict.kind
    return {
        "contract": verdict.contract,
        "ok": kind is None,
        "kind": None if kind is None else kind.value,
        "answer": verdict.text,
        "findings": _findings(verdict) if verdict.findings else [],
    }


def _findings(verdict: Verdict) -> list[dict[str, Any]]:
    from ...contract.finding import finding_data

    return [finding_data(f) for f in verdict.findings]


def convergence_data(convergence: Convergence) -> dict[str, Any]:
    """Return a conversation: outcome, attempts with raw answers and findings, checks, tokens."""
    from ...runs.model.request_words import next_requests

    return {
        "conversation": convergence.conversation,
        "contract": convergence.contract,
        "outcome": convergence.outcome.value,
        "ok": convergence.ok,
        "max_attempts": convergence.max_attempts,
        "attempts": list(map(attempt_data, convergence.attempts, next_requests(convergence.attempts))),
        "checks": [check_data(c) for c in convergence.checks],
        "tokens": usage_data(convergence.usage),
    }


def attempt_data(attempt: Attempt, next_request: tuple[Said, ...] = ()) -> dict[str, Any]:
    """Return an attempt; `fed_back` says what the next request did with each finding, `next_request` in what words."""
    exchange = attempt.exchange
    return {
        "number": attempt.number,
        "exchange": exchange.number,
        "model": exchange.model,
        "finish": exchange.finish.value if exchange.finish else None,
        **verdict_data(attempt.verdict),
        "fed_back": [fed_back_data(c) for c in attempt.fed_back],
        "steps": len(attempt.steps),
        "transport_retries": attempt.transport_retries,
        "tokens": usage_data(exchange.usage),
        "latency_s": exchange.latency_s,
        **({"next_request": asked_data(next_request)} if next_request else {}),
    }


def fed_back_data(fed_back: FedBack) -> dict[str, Any]:
    """Return what became of one finding: code and path name it."""
    return {
        "code": fed_back.finding.code,
        "path": list(fed_back.finding.path),
        "grade": fed_back.grade.value,
        "how": fed_back.how.value if fed_back.how is not None else None,
        "evidence": fed_back.evidence,
        "reason": fed_back.reason,
        "reason_code": fed_back.reason_code.value if fed_back.reason_code is not None else None,
    }


def proof_data(proof: Proof) -> dict[str, Any]:
    """Return what an experiment has shown about one finding: code and path name it."""
    return {
        "conversation": proof.conversation,
        "attempt": proof.attempt,
        "code": proof.finding.code,
        "path": list(proof.finding.path),
        "result": proof.result.value,
        "reason": proof.reason,
        "said": proof.said,
    }


def check_data(check: Check) -> dict[str, Any]:
    """Return a named check."""
    return {
        "name": check.name,
        "status": check.status.value,
        "message": check.message,
        "evidence": list(check.evidence),
    }


def usage_data(usage: Usage) -> dict[str, int | None]:
    """Tokens; null where the provider did not say."""
    return {"input": usage.input_tokens, "output": usage.output_tokens}
