"""The comparison of two runs as plain JSON types, with all the facts of the other forms and full values.

The shape is published as docs/reference/run-diff.schema.json.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from ..contract.finding import finding_data
from ..runs.gate.gate import Conclusion
from ..runs.gate.known_failures import entry_data
from ..runs.model.codec import row_data
from ..runs.value_diff import MISSING
from .case_words import bad_findings

if TYPE_CHECKING:
    from ..runs.compare.deltas import Strategy
    from ..runs.compare.run_diff import CaseDiff, Figure, RuleDelta, RunDiff, ValueDiff, VerdictTable
    from ..runs.gate.gate import GateResult
    from ..runs.gate.known_failures import BaselineReport
    from ..runs.gate.weakening import Weakening
    from ..runs.value_diff import UnstableList
    from ..statistics import Paired, Rate
    from .pages.comparison import StrategyReport

SCHEMA = 1
"""Version of the shape."""


def diff_data(diff: RunDiff, gate: GateResult | None = None, *, rows: bool = False) -> dict[str, Any]:
    """Return the comparison. With `rows`, every case has its rows of both runs, including raw answers."""
    known = frozenset(map(id, gate.known)) if gate is not None else frozenset[int]()
    return {
        "schema": SCHEMA,
        "base": diff.base.name,
        "candidate": diff.candidate.name,
        "judged": diff.judged,
        **_concluded(gate),
        "baseline": baseline_data(gate.baseline) if gate is not None and gate.baseline is not None else None,
        "weakened": [_weakening(each) for each in (gate.weakened if gate is not None else ())],
        "counts": {bucket.value: number for bucket, number in diff.counts.items()},
        "axes": _plain(diff.axes),
        "overall": _rule(diff.overall),
        "valid": _rule(diff.valid),
        "scored": None if diff.scored is None else _paired(diff.scored),
        "rules": list(map(_rule, diff.rules)),
        "figures": list(map(_figure, diff.figures)),
        "metrics": list(map(_metric, diff.metrics)),
        "verdicts": list(map(_verdicts, diff.verdicts)),
        "cases": [_case(case, id(case) in known, rows) for case in diff.cases],
        "notes": list(diff.notes),
    }


def _concluded(gate: GateResult | None) -> dict[str, object]:
    """Return the result of the gate. An unproven comparison has neither passed nor failed."""
    if gate is None:
        return {"result": None, "passed": None, "reasons": []}
    word = gate.conclusion
    passed = None if word is Conclusion.UNPROVEN else word is Conclusion.PASS
    return {"result": word.value, "passed": passed, "reasons": list(gate.why)}


def _weakening(found: Weakening) -> dict[str, object]:
    about = {"about": found.about, "kind": found.kind, "what": found.what, "weight": found.weight.value}
    return {**about, "accepted": None if found.accepted is None else entry_data(found.accepted)}


def baseline_data(report: BaselineReport) -> dict[str, Any]:
    """Return the comparison with the baseline: its entries grouped by status."""
    kinds = {"known": report.known, "expired": report.expired, "gone": report.fixed}
    kinds |= {"not_listed": report.new, "without_model": report.without_model, "not_seen": report.unseen}
    return {kind: [entry_data(entry) for entry in entries] for kind, entries in kinds.items()}


def strategies_data(report: StrategyReport, *, rows: bool = False) -> dict[str, Any]:
    """Return the strategies, their pairs, and the full comparison of each pair; no strategies if no run was judged."""
    table = report.table
    return {
        "schema": SCHEMA,
        "strategies": list(map(_strategy, table.strategies)) if table is not None else [],
        "pairs": [{"one": p.one, "other": p.other, **_paired(p.paired)} for p in table.pairs] if table else [],
        "comparisons": [diff_data(each, rows=rows) for each in report.comparisons],
    }


def _plain(value: object) -> Any:
    """Return dataclasses as objects. A missing side of a change has no field, because null is a value."""
    if is_dataclass(value):
        found = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: _plain(inner) for name, inner in found.items() if inner is not MISSING}
    if isinstance(value, Enum):
        return value.value
    return list(map(_plain, value)) if isinstance(value, tuple) else value


def _rule(rule: RuleDelta) -> dict[str, object]:
    """Return a rule. "" means all rules together."""
    sides = {"before": _rate(rule.before), "after": _rate(rule.after)}
    cases = {"cases_before": rule.cases_before, "cases_after": rule.cases_after}
    return {"rule": rule.rule, **sides, **cases, **_paired(rule.paired)}


def _paired(paired: Paired) -> dict[str, Any]:
    return {**_plain(paired), "p": paired.p, "evidence": paired.evidence.value, "more": paired.more_pairs}


def _rate(rate: Rate) -> dict[str, Any]:
    low, high = rate.interval
    return {**_plain(rate), "share": rate.share, "low": low, "high": high}


def _figure(figure: Figure) -> dict[str, object]:
    numbers = {"before": figure.before, "after": figure.after, "change": figure.change, "cases": figure.cases}
    return {"name": figure.name, **numbers, "unit": None if figure.unit == "share" else figure.unit}


def _metric(metric: Figure) -> dict[str, object]:
    return {"name": metric.name, "before": metric.before, "after": metric.after, "share": metric.unit == "share"}


def _case(case: CaseDiff, known: bool, rows: bool) -> dict[str, object]:
    sides = {"base": [row_data(row) for row in case.base], "candidate": [row_data(row) for row in case.candidate]}
    bad = dict.fromkeys(finding for row in case.candidate for finding in bad_findings(row))
    return {
        "case": case.key,
        "bucket": case.bucket.value,
        "why": case.why or None,
        "rerecord": None if case.rerecord is None else row_data(case.rerecord),
        "known": known,
        "breaks": _plain(case.broken),
        "fixes": _plain(case.repaired),
        "still_breaks": _plain(case.still_broken),
        "open": _plain(case.open),
        "findings": [finding_data(finding) for finding in bad],
        "values": list(map(_value, case.values)),
        **(sides if rows else {}),
    }


def _value(value: ValueDiff) -> dict[str, object]:
    changed = {"changes": _plain(value.changes), "unstable": [_unstable(found) for found in value.unstable]}
    return {"name": value.name or None, **changed, "metrics": list(map(_metric, value.metrics))}


def _unstable(found: UnstableList) -> dict[str, Any]:
    return {name: value for name, value in _plain(found).items() if name != "path_after"}


def _verdicts(table: VerdictTable) -> dict[str, Any]:
    counts = {"agree": table.agree, "total": table.total}
    only = {"only_base": table.only_base, "only_candidate": table.only_candidate}
    return {
        "field": table.field,
        **counts,
        **only,
        "turns": [{"before": old, "after": new, "count": number} for old, new, number in table.turns],
        "differ": [{"case": found.case, **_plain(found.change)} for found in table.differ],
    }


def _strategy(strategy: Strategy) -> dict[str, Any]:
    found = _plain(strategy)
    tokens = {"input": found.pop("input_tokens"), "output": found.pop("output_tokens")}
    return {**found, "outcomes": dict(strategy.outcomes), "tokens": tokens}
