"""The comparison of two runs as plain JSON types and as one JSON document: everything that the other forms show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...contract.finding import finding_data
from ...runs.gate.gate import Conclusion, conclusion
from ...runs.gate.known_failures import entry_data
from ...runs.model.row_write import rerecord_data, row_data
from ...runs.value_diff.change import MISSING
from ..media.escaping import json_text
from ..words.phrases import case_findings

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff, Figure, Metric, RuleDelta, RunDiff, ValueDiff, VerdictTable
    from ...runs.compare.strategies import Strategy, StrategyTable
    from ...runs.gate.gate import GateResult
    from ...runs.gate.known_failures import BaselineReport
    from ...runs.model.broken_rules import Broken
    from ...runs.statistics import Paired, Rate
    from ...runs.value_diff.change import FieldChange
    from ..words.comparison_words import DiffReport
    from .several_runs import StrategyReport

SCHEMA = 1
"""Version of the shape."""


def diff_data(diff: RunDiff, gate: GateResult | None = None, *, rows: bool = False) -> dict[str, Any]:
    """Return the comparison. With `rows` every case has its rows of both runs, raw answers included."""
    return {
        "schema": SCHEMA,
        "base": diff.base.name,
        "candidate": diff.candidate.name,
        "judged": diff.judged,
        **_concluded(diff, gate),
        "baseline": baseline_data(gate.baseline) if gate is not None and gate.baseline is not None else None,
        "counts": {bucket.value: number for bucket, number in diff.counts.items()},
        "axes": [{"name": a.name, "before": list(a.before), "after": list(a.after)} for a in diff.axes],
        "overall": rule_data(diff.overall),
        "valid": rule_data(diff.valid),
        "rules": [rule_data(rule) for rule in diff.rules],
        "figures": [_figure(figure) for figure in diff.figures],
        "metrics": [_metric(metric) for metric in diff.metrics],
        "verdicts": [_verdicts(table) for table in diff.verdicts],
        "cases": [_case(case, gate, rows) for case in diff.cases],
        "notes": list(diff.notes),
    }


def _concluded(diff: RunDiff, gate: GateResult | None) -> dict[str, Any]:
    """Return what the gate says. An unproven comparison has not passed, and has not failed either."""
    if gate is None:
        return {"result": None, "passed": None, "reasons": []}
    word, reasons = conclusion(diff, gate)
    passed = None if word is Conclusion.UNPROVEN else word is Conclusion.PASS
    return {"result": word.value, "passed": passed, "reasons": list(reasons)}


def baseline_data(report: BaselineReport) -> dict[str, Any]:
    """Return the list of known failures held against the candidate: entries by what became of them."""
    kinds = {"known": report.known, "expired": report.expired, "gone": report.fixed}
    kinds |= {"not_listed": report.new, "not_seen": report.unseen}
    return {kind: [entry_data(entry) for entry in entries] for kind, entries in kinds.items()}


def strategies_data(table: StrategyTable) -> dict[str, Any]:
    """Strategies and their pairs."""
    pairs = [{"one": p.one, "other": p.other, **paired_data(p.paired)} for p in table.pairs]
    return {"schema": SCHEMA, "strategies": [_strategy(strategy) for strategy in table.strategies], "pairs": pairs}


def strategies_report_data(report: StrategyReport, *, rows: bool = False) -> dict[str, Any]:
    """Strategies, their pairs, and every two runs compared in full; no strategies where nothing was judged."""
    table = report.table
    found = strategies_data(table) if table is not None else {"schema": SCHEMA, "strategies": [], "pairs": []}
    return {**found, "comparisons": [diff_data(each, rows=rows) for each in report.comparisons]}


def change_data(change: FieldChange) -> dict[str, Any]:
    """Return a change. A side that is missing has no field `before` or `after`: null is a value."""
    sides = {
        name: value for name, value in (("before", change.before), ("after", change.after)) if value is not MISSING
    }
    return {
        "kind": change.kind.value,
        "where": change.where,
        "path": list(change.path),
        "path_after": list(change.path_after),
        **sides,
        "breaks": list(change.breaks),
        "fixes": list(change.fixes),
        "verdict": change.verdict,
    }


def rule_data(rule: RuleDelta) -> dict[str, Any]:
    """Return a rule; "" is all rules together."""
    return {
        "rule": rule.rule,
        "before": _rate(rule.before),
        "after": _rate(rule.after),
        "cases_before": rule.cases_before,
        "cases_after": rule.cases_after,
        **paired_data(rule.paired),
    }


def paired_data(paired: Paired) -> dict[str, Any]:
    """Return a paired test."""
    numbers = {"better": paired.better, "worse": paired.worse, "pairs": paired.pairs, "p": paired.p}
    return {**numbers, "evidence": paired.evidence.value}


def _case(case: CaseDiff, gate: GateResult | None, rows: bool) -> dict[str, Any]:
    sides = {"base": [row_data(row) for row in case.base], "candidate": [row_data(row) for row in case.candidate]}
    return {
        "case": case.key,
        "bucket": case.bucket.value,
        "why": case.why or None,
        "rerecord": None if case.rerecord is None else rerecord_data(case.rerecord),
        "known": gate is not None and case in gate.known,
        "breaks": _rules(case.broken),
        "fixes": _rules(case.repaired),
        "still_breaks": _rules(case.still_broken),
        "open": _rules(case.open),
        "findings": [finding_data(finding) for finding in case_findings(case)],
        "values": [_value(value) for value in case.values],
        **(sides if rows else {}),
    }


def _rules(rules: tuple[Broken, ...]) -> list[dict[str, Any]]:
    return [{"rule": broken.rule, "path": list(broken.path)} for broken in rules]


def _value(value: ValueDiff) -> dict[str, Any]:
    unstable = [
        {"path": list(u.path), "key": u.key, "shared": u.shared, "before": u.before, "after": u.after}
        for u in value.unstable
    ]
    changes, metrics = [change_data(change) for change in value.changes], [_metric(m) for m in value.metrics]
    return {"name": value.name or None, "changes": changes, "unstable": unstable, "metrics": metrics}


def _verdicts(table: VerdictTable) -> dict[str, Any]:
    return {
        "field": table.field,
        "agree": table.agree,
        "total": table.total,
        "only_base": table.only_base,
        "only_candidate": table.only_candidate,
        "turns": [{"before": old, "after": new, "count": number} for old, new, number in table.turns],
        "differ": [{"case": found.case, **change_data(found.change)} for found in table.differ],
    }


def _strategy(strategy: Strategy) -> dict[str, Any]:
    return {
        "name": strategy.name,
        "tasks": strategy.tasks,
        "valid_by": list(strategy.valid_by),
        "failed_first": strategy.failed_first,
        "rescued": strategy.rescued,
        "outcomes": dict(strategy.outcomes),
        "false_convergence": strategy.false_convergence,
        "calls": strategy.calls,
        "tokens": {"input": strategy.input_tokens, "output": strategy.output_tokens},
    }


def _figure(figure: Figure) -> dict[str, Any]:
    numbers = {"before": figure.before, "after": figure.after, "change": figure.change, "cases": figure.cases}
    return {"name": figure.name, **numbers, "unit": figure.unit or None}


def _metric(metric: Metric) -> dict[str, Any]:
    return {"name": metric.name, "before": metric.before, "after": metric.after, "share": metric.share}


def _rate(rate: Rate) -> dict[str, Any]:
    low, high = rate.interval
    return {"hits": rate.hits, "total": rate.total, "share": rate.share, "low": low, "high": high}


# A comparison as one JSON document; its shape is published as docs/reference/run-diff.schema.json.


def render_json(report: DiffReport, *, rows: bool = False) -> str:
    """Return the comparison with full values.

    With `rows` every case has its rows of both runs, raw answers included.
    """
    return json_text(diff_data(report.diff, report.gate, rows=rows))
