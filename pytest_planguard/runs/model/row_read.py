"""Rows from plain data. What a later version added is left alone; what must be there is demanded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding, Severity
from ...document.path import Span
from ...replay.session.rerecord import RerecordHint
from .foreign_fields import (
    RowError,
    count,
    inner,
    listed,
    maybe_text,
    maybe_texts,
    number,
    objects,
    path_of,
    seen,
    text,
)
from .header import NOTHING
from .judged_answers import AttemptRow, CheckRow, FedBackRow, Judged
from .part_rows import read_pipeline_row, read_search_row
from .request_words import Said
from .row_write import ROW_SCHEMA
from .run import BadSample, CaseRow, LiveCheckRow, ProofRow, SamplesRow

if TYPE_CHECKING:
    from collections.abc import Mapping

HELD = ("pass", "not applicable")
"""Statuses of checks that say nothing about a case."""
_TEXTS = ("inputs", "model", "variant", "prompt", "result", "outcome", "task")
_KINDS = {kind.value: kind for kind in FailureKind}
_SEVERITIES = {severity.value: severity for severity in Severity}


def read_row(data: Any) -> CaseRow:
    """Return a row from its plain data. Raises RowError."""
    if not isinstance(data, dict):
        raise RowError(f"expected an object, got {seen(data)}")
    schema = data.get("schema", ROW_SCHEMA)
    if schema != ROW_SCHEMA:
        raise RowError(
            f"row schema {seen(schema)}, and this planguard reads {ROW_SCHEMA}: use the planguard of the run"
        )
    contracts = tuple([(text(c, "name"), text(c, "digest")) for c in objects(data, "contracts")])
    row = _row(data, contracts, inner(data, "cassette"))
    return replace(row, **_optional_fields(data)) if _has_optional(data) else row


def _row(data: dict[str, Any], contracts: tuple[tuple[str, str], ...], cassette: dict[str, Any]) -> CaseRow:
    """Return what every row has."""
    inputs, model, variant, prompt, result, outcome, task = maybe_texts(data, _TEXTS)
    return CaseRow(
        key=text(data, "case"),
        test=text(data, "test"),
        inputs=inputs,
        model=model,
        variant=variant,
        prompt=prompt,
        asked=tuple([Said(text(said, "role"), text(said, "text")) for said in objects(data, "asked")]),
        cassette=maybe_text(cassette, "path"),
        cassette_digest=maybe_text(cassette, "sha256"),
        exchanges=count(cassette, "exchanges"),
        result=result,
        outcome=outcome,
        task=task,
        stale=tuple(map(str, listed(data, "stale"))),
        misses=tuple(map(str, listed(data, "misses"))),
        judged=_judged(data, dict(contracts)),
        contracts=contracts,
        cost=number(data, "cost"),
        latency_s=number(data, "latency_s"),
        scores=_scores(inner(data, "scores")),
        line=count(data, "line") or None,
        rerecord=read_rerecord(data),
    )


def _has_optional(data: dict[str, Any]) -> Any:
    """Return whether a row has what few have. Thousands of rows are asked: two expressions are the cheapest."""
    has = data.get
    usual = has("samples") or has("live_check") or has("proofs") or has("pruned") or has("gave_up")
    return usual or has("rekey") or has("untracked") or has("searches") or has("pipeline")


def read_rerecord(row: dict[str, Any]) -> RerecordHint | None:
    """Return how the stale case of a row is re-recorded; None where the row has no command. Raises RowError."""
    data = inner(row, "rerecord")
    if not data:
        return None
    tokens = inner(data, "tokens")
    return RerecordHint(
        text(data, "command"), count(data, "calls") or 0, count(tokens, "input"), count(tokens, "output")
    )


def _judged(data: dict[str, Any], digests: dict[str, str]) -> tuple[Judged, ...]:
    conversations = [_conversation(found, digests) for found in objects(data, "conversations")]
    return tuple(conversations + [_single(found) for found in objects(data, "checks")])


def _conversation(data: dict[str, Any], digests: dict[str, str]) -> Judged:
    contract = maybe_text(data, "contract") or ""
    digest = maybe_text(data, "digest")
    return Judged(
        attempts=tuple([_attempt(attempt) for attempt in objects(data, "attempts")]),
        outcome=maybe_text(data, "outcome") or "",
        ok=data.get("ok") is True,
        name=maybe_text(data, "conversation") or "1",
        contract=contract,
        digest=digests.get(contract) if digest is None else digest,
        checks=tuple([_check(check) for check in objects(data, "checks") if check.get("status") not in HELD]),
        max_attempts=count(data, "max_attempts"),
    )


def _check(data: dict[str, Any]) -> CheckRow:
    evidence = tuple(map(str, listed(data, "evidence")))
    return CheckRow(text(data, "name"), text(data, "status"), maybe_text(data, "message") or "", evidence)


def _single(data: dict[str, Any]) -> Judged:
    ok = data.get("ok") is True
    outcome = maybe_text(data, "outcome")
    return Judged(
        attempts=(_attempt(data),),
        outcome=("valid" if ok else "invalid") if outcome is None else outcome,
        ok=ok,
        contract=maybe_text(data, "contract") or "",
        digest=maybe_text(data, "digest"),
        single=True,
    )


def _attempt(data: dict[str, Any]) -> AttemptRow:
    tokens = inner(data, "tokens")
    return AttemptRow(
        text(data, "answer"),
        data.get("ok") is True,
        maybe_text(data, "kind"),
        tuple([_finding(finding) for finding in objects(data, "findings")]),
        maybe_text(data, "model"),
        maybe_text(data, "finish"),
        count(tokens, "input"),
        count(tokens, "output"),
        tuple([_fed_back(fed_back) for fed_back in objects(data, "fed_back")]),
        number(data, "latency_s"),
        count(data, "steps") or 0,
        count(data, "transport_retries") or 0,
        tuple([Said(text(said, "role"), text(said, "text")) for said in objects(data, "next_request")]),
    )


def _fed_back(data: dict[str, Any]) -> FedBackRow:
    return FedBackRow(
        text(data, "code"),
        path_of(data),
        text(data, "grade"),
        maybe_text(data, "how"),
        maybe_text(data, "evidence"),
        maybe_text(data, "reason"),
        maybe_text(data, "reason_code"),
    )


def _finding(data: dict[str, Any]) -> Finding:
    line, column = count(data, "line"), count(data, "column")
    return Finding(
        code=text(data, "code"),
        path=path_of(data),
        message=maybe_text(data, "message") or "",
        kind=_KINDS.get(maybe_text(data, "kind") or "", FailureKind.RULE),
        severity=_SEVERITIES.get(maybe_text(data, "severity") or "", Severity.RETRY),
        span=Span(line, column) if line and column else None,
        expected=maybe_text(data, "expected"),
        actual=maybe_text(data, "actual"),
        hint=maybe_text(data, "hint"),
        inside=path_of(data, "inside"),
    )


def _scores(data: dict[str, Any]) -> Any:
    if not data:
        return NOTHING
    known = {name: number(data, name) for name in data}
    return {name: value for name, value in known.items() if value is not None} or NOTHING


# What only some cases have: samples, a live check, proofs by experiment, cassettes that were removed.


def _optional_fields(data: dict[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a row's plain data that few rows have, by name. Raises RowError."""
    return {
        "gave_up": maybe_text(data, "gave_up"),
        "rekey": maybe_text(data, "rekey"),
        "samples": _samples(inner(data, "samples")),
        "live_check": _live_check(inner(data, "live_check")),
        "proofs": tuple([_proof(found) for found in objects(data, "proofs")]),
        "pruned": tuple(map(str, listed(data, "pruned"))),
        "untracked": tuple(map(str, listed(data, "untracked"))),
        "searches": tuple(map(read_search_row, objects(data, "searches"))),
        "pipeline": tuple(map(read_pipeline_row, objects(data, "pipeline"))),
    }


def _samples(data: dict[str, Any]) -> SamplesRow | None:
    if not data:
        return None
    good, total, least = count(data, "good"), count(data, "total"), number(data, "min_pass_rate")
    if good is None or not total or good > total:
        raise RowError(f"the field 'samples' must count the good ones of a total, got {seen(good)} of {seen(total)}")
    bad = [BadSample(count(one, "number") or 0, text(one, "why")) for one in objects(data, "bad")]
    return SamplesRow(good, total, 1.0 if least is None else least, tuple(bad))


def _live_check(data: dict[str, Any]) -> LiveCheckRow | None:
    return LiveCheckRow(text(data, "recorded"), text(data, "live"), text(data, "change")) if data else None


def _proof(data: dict[str, Any]) -> ProofRow:
    named = (text(data, name) for name in ("conversation", "code", "result", "reason"))
    conversation, code, result, reason = named
    said = maybe_text(data, "said") or ""
    return ProofRow(conversation, count(data, "attempt") or 0, code, path_of(data), result, reason, said)
