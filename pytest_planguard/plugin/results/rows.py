"""The row of a case: everything a later run, report or comparison needs to know about it, as one line of JSON."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ...report.answer.answer_data import convergence_data, proof_data, verdict_data
from ...runs.model.row_write import ROW_SCHEMA, asked_data, rerecord_data, row_text
from ..marker.identity import inputs_digest, variant_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...retry.results import Convergence
    from ..case import Case

_SHOWN = (
    "untracked",
    "searches",
    "pipeline",
    "conversations",
    "stale",
    "scores",
    "proofs",
    "samples",
    "misses",
    "pruned",
)
"""Members of a row that the section at the end of a run looks at."""


def row_of(case: Case) -> str:
    """The row of a finished case as JSON text."""
    return row_text(_row(case))


def row_and_quiet(case: Case) -> tuple[str, str | None]:
    """Return the row of a finished case as JSON text, and its outcome where it passed by what it checked alone.

    The section at the end of a run only counts such a case by its outcome.
    """
    row = _row(case)
    shown = case.recording.uses_file or case.settings.prices or "task" in row or any(map(row.get, _SHOWN))
    return row_text(row), None if shown or case.result != "passed" else row["outcome"]


def _row(case: Case) -> dict[str, Any]:
    row = _own(case) | _rare(case)
    untracked = case.untracked
    if untracked:
        row["untracked"] = list(untracked)
    if case.task is not None:
        row["task"] = case.task
    if case.parts:
        from ...runs.model.part_rows import pipeline_row_data

        row["pipeline"] = [pipeline_row_data(part()) for part in case.parts]
    if case.searches:
        from ...runs.model.part_rows import search_row, search_row_data

        row["searches"] = [search_row_data(search_row(result)) for result in case.searches]
    if case.conversations:
        row |= _conversed(case)
    return _without_secrets(row) if case.recording.recorded else row


def _own(case: Case) -> dict[str, Any]:
    """Return what every row says of its own case, and the defaults of what only conversations fill in."""
    return {
        "schema": ROW_SCHEMA,
        "contracts": [{"name": c.name, "digest": c.digest} for c in case.spec.contracts],
        "model": case.spec.model,
        "variant": variant_of(case.spec, case.settings),
        "test": case.nodeid,
        "line": (case.item.location[1] or 0) + 1,
        "case": case.key,
        "inputs": inputs_digest(case.item, case.spec),
        "result": case.result,
        "outcome": outcome_of(case),
        "checks": [{**verdict_data(c.verdict), "digest": c.contract.digest} for c in case.checked],
        "prompt": None,
        "asked": [],
        "cassette": None,
        "conversations": [],
        "tokens": {"input": None, "output": None},
        "latency_s": None,
    }


def _rare(case: Case) -> dict[str, Any]:
    """What few rows have something to say of."""
    return {
        "gave_up": case.gave_up,
        "stale": list(case.stale_reasons),
        "rerecord": None if case.rerecord_hint is None else rerecord_data(case.rerecord_hint),
        "rekey": case.rekey_command,
        "samples": _samples(case),
        "live_check": None if case.live_check is None else asdict(case.live_check),
        "proofs": [proof_data(p) for p in case.proofs],
        "pruned": list(case.pruned),
        "misses": list(case.recording.misses),
        "cost": _cost(case),
        "scores": dict(sorted(case.scores.items())),
    }


def _conversed(case: Case) -> dict[str, Any]:
    """What a row says of conversations; thousands of tests that only check answers have none."""
    from ...runs.model.request_words import first_request, prompt_digest
    from ...wire.exchange import all_together

    exchanges = [attempt.exchange for found in case.conversations for attempt in found.attempts]
    return {
        "model": _model(case),
        "prompt": prompt_digest(exchanges),
        "asked": _without_secrets(asked_data(first_request(exchanges))),
        "cassette": _recording(case),
        "conversations": [_conversation(c) for c in case.conversations],
        "tokens": _tokens(case),
        "latency_s": all_together(c.latency_s for c in case.conversations),
    }


def _conversation(convergence: Convergence) -> dict[str, Any]:
    """Return a conversation; what its retries say is sent by the app, and may hold what is kept out of a cassette."""
    data = convergence_data(convergence)
    for attempt in data["attempts"]:
        if "next_request" in attempt:
            attempt["next_request"] = _without_secrets(attempt["next_request"])
    return data


def _without_secrets(value: Any) -> Any:
    """What is kept out of a cassette is kept out of its row."""
    from ...replay.privacy.secrets import without_secrets

    if isinstance(value, str):
        return without_secrets(value, lambda _: None)
    if isinstance(value, dict):
        return {k: _without_secrets(v) for k, v in value.items()}
    return [_without_secrets(v) for v in value] if isinstance(value, list) else value


def outcome_of(case: Case) -> str:
    """One word for the case.

    "unrecorded", "stale" or "ambiguous" where a request found no answer; "stale" where one was served for another
    request; else the first bad outcome of its conversations, "valid" or "invalid" for checked answers, or the result.
    """
    if case.samples is not None and case.result == "passed":  # enough samples are good, and none is unproven
        good = next((c.outcome.value for c in case.conversations if c.ok), "valid")
        return "stale" if case.stale else good
    if case.recording.outcome is not None:
        return case.recording.outcome
    if case.stale or case.expired:
        return "stale"
    if case.conversations:
        bad = [c.outcome.value for c in case.conversations if not c.ok]
        return bad[0] if bad else case.conversations[0].outcome.value
    if case.checked:
        return "valid" if all(c.verdict.ok for c in case.checked) else "invalid"
    return case.result


def _samples(case: Case) -> dict[str, Any] | None:
    if case.samples is None:
        return None
    low, high = case.samples.interval
    counts = {"good": case.samples.hits, "total": case.samples.total}
    bad = [{"number": number, "why": why} for number, why in case.bad_samples]
    return {**counts, "low": low, "high": high, "min_pass_rate": case.spec.min_pass_rate, "bad": bad}


def attempts_of(case: Case) -> int:
    """Attempts of all conversations of a case together."""
    return sum(len(c.attempts) for c in case.conversations)


def _model(case: Case) -> str | None:
    """The model or models that answered, None where no answer says."""
    names = {a.exchange.model for c in case.conversations for a in c.attempts if a.exchange.model}
    return ", ".join(sorted(names)) or case.spec.model


def _recording(case: Case) -> dict[str, Any] | None:
    # Where nothing was recorded before or now, not even its path is made up: that takes longer than all of the row.
    if not case.recording.uses_file or not case.path.is_file():
        return None
    content = case.path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    return {"path": case.relative_path, "sha256": digest, "exchanges": case.recording.exchanges_in(content)}


def _tokens(case: Case) -> dict[str, Any]:
    used = [c.usage for c in case.conversations]
    return {"input": _sum(u.input_tokens for u in used), "output": _sum(u.output_tokens for u in used)}


def _cost(case: Case) -> float | None:
    """None without a table of the project's own."""
    if not case.settings.prices:
        return None
    from .costs import cost_of

    return cost_of(case)


def _sum(numbers: Iterable[int | None]) -> int | None:
    known = [n for n in numbers if n is not None]
    return sum(known) if known else None
