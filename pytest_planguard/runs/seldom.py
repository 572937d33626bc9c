"""What only some cases have: samples, a canary, proofs by intervention, recordings that were removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..document.path import to_pointer
from .fields import RowError, count, inner, listed, maybe_text, number, objects, seen, text
from .pointer import path_of
from .stats import Rate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..document.path import Path
    from .run import CaseRow


@dataclass(frozen=True, slots=True)
class BadSample:
    """A sample that is not good."""

    number: int
    """From 1."""
    why: str


@dataclass(frozen=True, slots=True)
class SamplesRow:
    """How many samples of a case are good: each is one run of its body, with a recording of its own."""

    good: int
    total: int
    min_pass_rate: float = 1.0
    """The share of good samples, from 0 to 1, from which the case is good."""
    bad: tuple[BadSample, ...] = ()
    """The others, as far as the row names them."""

    @property
    def rate(self) -> Rate:
        """The same with its interval."""
        return Rate(self.good, self.total)

    @property
    def enough(self) -> bool:
        """Whether so many are good that the case is."""
        return self.good >= self.min_pass_rate * self.total - 1e-9  # 0.7 of 10 are 7, whatever floats make of it


@dataclass(frozen=True, slots=True)
class CanaryRow:
    """A case whose recording was held against the live endpoint."""

    recorded: str
    """How it ended when it was recorded."""
    live: str
    change: str
    """"same", "changed", "better", "worse" or "unanswered"."""


@dataclass(frozen=True, slots=True)
class ProofRow:
    """What an intervention has shown about one finding."""

    conversation: str
    attempt: int
    """From 1."""
    code: str
    path: Path
    fate: str
    """"proven", "not carried", "unproven" or "not judged"."""
    reason: str


def read_seldom(data: dict[str, Any]) -> Mapping[str, Any]:
    """The fields of a row's plain data that few rows have, by name. Raises RowError."""
    return {
        "rekey": maybe_text(data, "rekey"),
        "samples": _samples(inner(data, "samples")),
        "canary": _canary(inner(data, "canary")),
        "proofs": tuple([_proof(found) for found in objects(data, "proofs")]),
        "pruned": tuple(map(str, listed(data, "pruned"))),
    }


def seldom_data(row: CaseRow) -> dict[str, Any]:
    """The same fields as plain data."""
    return {
        "rekey": row.rekey,
        "samples": None if row.samples is None else _samples_data(row.samples),
        "canary": None if row.canary is None else _canary_data(row.canary),
        "proofs": [_proof_data(proof) for proof in row.proofs],
        "pruned": list(row.pruned),
    }


def _samples(data: dict[str, Any]) -> SamplesRow | None:
    if not data:
        return None
    good, total, least = count(data, "good"), count(data, "total"), number(data, "min_pass_rate")
    if good is None or not total or good > total:
        raise RowError(f"the field 'samples' must count the good ones of a total, got {seen(good)} of {seen(total)}")
    bad = [BadSample(count(one, "number") or 0, text(one, "why")) for one in objects(data, "bad")]
    return SamplesRow(good, total, 1.0 if least is None else least, tuple(bad))


def _samples_data(samples: SamplesRow) -> dict[str, Any]:
    low, high = samples.rate.interval
    counts = {"good": samples.good, "total": samples.total, "low": low, "high": high}
    bad = [{"number": one.number, "why": one.why} for one in samples.bad]
    return {**counts, "min_pass_rate": samples.min_pass_rate, "bad": bad}


def _canary(data: dict[str, Any]) -> CanaryRow | None:
    return CanaryRow(text(data, "recorded"), text(data, "live"), text(data, "change")) if data else None


def _canary_data(canary: CanaryRow) -> dict[str, Any]:
    return {"recorded": canary.recorded, "live": canary.live, "change": canary.change}


def _proof(data: dict[str, Any]) -> ProofRow:
    named = (text(data, name) for name in ("conversation", "code", "fate", "reason"))
    conversation, code, fate, reason = named
    path = path_of(maybe_text(data, "path") or "")
    return ProofRow(conversation, count(data, "attempt") or 0, code, path, fate, reason)


def _proof_data(proof: ProofRow) -> dict[str, Any]:
    return {
        "conversation": proof.conversation,
        "attempt": proof.attempt,
        "code": proof.code,
        "path": to_pointer(proof.path),
        "fate": proof.fate,
        "reason": proof.reason,
    }
