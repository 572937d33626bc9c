"""Rows as plain data and as lines of JSON, in the shape that `row_read` reads."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...replay.session.rerecord import RerecordHint
    from .judged_answers import AttemptRow, FedBackRow, Judged
    from .request_words import Said
    from .run import CaseRow, LiveCheckRow, ProofRow, SamplesRow

ROW_SCHEMA = 1
"""Version of a row's shape; a reader refuses a number that it does not know."""


def row_data(row: CaseRow) -> dict[str, Any]:
    """Return a row as plain data; what is unknown is null."""
    return {
        "schema": ROW_SCHEMA,
        "test": row.test,
        "line": row.line,
        "case": row.key,
        "inputs": row.inputs,
        "contracts": [{"name": name, "digest": digest} for name, digest in row.contracts],
        "model": row.model,
        "variant": row.variant,
        "prompt": row.prompt,
        "asked": asked_data(row.asked),
        "cassette": None if row.cassette is None else _cassette(row),
        "result": row.result,
        "outcome": row.outcome,
        "stale": list(row.stale),
        "rerecord": None if row.rerecord is None else rerecord_data(row.rerecord),
        **_optional_data(row),
        "misses": list(row.misses),
        "conversations": [_conversation(judged) for judged in row.judged if not judged.single],
        "checks": [_single(judged) for judged in row.judged if judged.single],
        "tokens": {"input": row.input_tokens, "output": row.output_tokens},
        "cost": row.cost,
        "latency_s": row.latency_s,
        "scores": dict(row.scores),
        **_where_any(row),
    }


def _cassette(row: CaseRow) -> dict[str, Any]:
    return {"path": row.cassette, "sha256": row.cassette_digest, "exchanges": row.exchanges}


def asked_data(asked: Iterable[Said]) -> list[dict[str, str]]:
    """Return the messages of a first request."""
    return [{"role": said.role, "text": said.text} for said in asked]


def rerecord_data(rerecord: RerecordHint) -> dict[str, Any]:
    """Return the command that re-records a stale case, and what its cassette took."""
    tokens = {"input": rerecord.input_tokens, "output": rerecord.output_tokens}
    return {"command": rerecord.command, "calls": rerecord.calls, "tokens": tokens}


def _attempt(attempt: AttemptRow) -> dict[str, Any]:
    from ...contract.finding import finding_data

    return {
        "ok": attempt.ok,
        "kind": attempt.kind,
        "answer": attempt.answer,
        "findings": [finding_data(finding) for finding in attempt.findings],
        "fed_back": [_fed_back(fed_back) for fed_back in attempt.fed_back],
        "model": attempt.model,
        "finish": attempt.finish,
        "tokens": {"input": attempt.input_tokens, "output": attempt.output_tokens},
        "latency_s": attempt.latency_s,
        "steps": attempt.steps,
        "transport_retries": attempt.transport_retries,
        **({"next_request": asked_data(attempt.next_request)} if attempt.next_request else {}),
    }


def _fed_back(fed_back: FedBackRow) -> dict[str, Any]:
    return {
        "code": fed_back.code,
        "path": list(fed_back.path),
        "grade": fed_back.grade,
        "how": fed_back.how,
        "evidence": fed_back.evidence,
        "reason": fed_back.reason,
        "reason_code": fed_back.reason_code,
    }


def _conversation(judged: Judged) -> dict[str, Any]:
    return {
        "conversation": judged.name,
        "contract": judged.contract,
        "digest": judged.digest,
        "outcome": judged.outcome,
        "ok": judged.ok,
        "max_attempts": judged.max_attempts,
        "attempts": [_attempt(attempt) for attempt in judged.attempts],
        "checks": [
            {"name": c.name, "status": c.status, "message": c.message, "evidence": list(c.evidence)}
            for c in judged.checks
        ],
    }


def _single(judged: Judged) -> dict[str, Any]:
    attempt = _attempt(judged.attempts[-1]) if judged.attempts else {"answer": ""}
    own = {"contract": judged.contract, "digest": judged.digest, "outcome": judged.outcome, "ok": judged.ok}
    return {**attempt, **own}


def _optional_data(row: CaseRow) -> dict[str, Any]:
    """Return the same fields as plain data."""
    return {
        "gave_up": row.gave_up,
        "rekey": row.rekey,
        "samples": None if row.samples is None else _samples_data(row.samples),
        "live_check": None if row.live_check is None else _live_check_data(row.live_check),
        "proofs": [_proof_data(proof) for proof in row.proofs],
        "pruned": list(row.pruned),
        **({"untracked": list(row.untracked)} if row.untracked else {}),
    }


def _where_any(row: CaseRow) -> dict[str, Any]:
    """Return the fields that a row has only where they hold something."""
    task = {} if row.task is None else {"task": row.task}
    from .part_rows import pipeline_row_data, search_row_data

    searches = {"searches": list(map(search_row_data, row.searches))} if row.searches else {}
    pipeline = {"pipeline": list(map(pipeline_row_data, row.pipeline))} if row.pipeline else {}
    return {**task, **searches, **pipeline}


def _samples_data(samples: SamplesRow) -> dict[str, Any]:
    low, high = samples.rate.interval
    counts = {"good": samples.good, "total": samples.total, "low": low, "high": high}
    bad = [{"number": one.number, "why": one.why} for one in samples.bad]
    return {**counts, "min_pass_rate": samples.min_pass_rate, "bad": bad}


def _live_check_data(live_check: LiveCheckRow) -> dict[str, Any]:
    return {"recorded": live_check.recorded, "live": live_check.live, "change": live_check.change}


def _proof_data(proof: ProofRow) -> dict[str, Any]:
    return {
        "conversation": proof.conversation,
        "attempt": proof.attempt,
        "code": proof.code,
        "path": list(proof.path),
        "result": proof.result,
        "reason": proof.reason,
        "said": proof.said,
    }


# A row as one line of plain ASCII JSON, and back: in pydantic's JSON core, in a third of the time.

_ONE_LINE = json.JSONEncoder(separators=(",", ":"))
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
"""Characters that a row spells as escapes, so that a record is the same bytes in every locale: "é" is "\\u00e9"."""


def row_text(row: dict[str, Any]) -> str:
    """Return the JSON of a row, plain ASCII on one line; the same for the same row in every process."""
    import pydantic_core

    try:
        text = pydantic_core.to_json(row).decode()
    except ValueError:  # a lone surrogate
        return _ONE_LINE.encode(row)
    # Only strings contain anything but ASCII.
    return text if text.isascii() else _NOT_ASCII.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def row_of_text(text: str) -> dict[str, Any]:
    """Return the row that `row_text` wrote."""
    from pydantic_core import from_json

    row: dict[str, Any]
    try:
        row = from_json(text)
    except ValueError:  # a lone surrogate, or an integer of more digits than the core reads
        row = json.loads(text)
    return row
