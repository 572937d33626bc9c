"""The row of a plan file: the same shape as a marked test's, so that runs of plans are compared and gated too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ...contract.verdict import Verdict
from ...report.run.row_data import verdict_data
from ...runs.model.row_write import ROW_SCHEMA
from ..marker.identity import digest_of

if TYPE_CHECKING:
    import pytest

    from ...plans.judging.judge_files import PlanReport
    from .plan_items import PlanItem

OUTCOME = "planguard_outcome"
"""The property that JUnit shows."""
DEFECT = "planguard could not report this plan"


def complete(report: pytest.TestReport, item: PlanItem) -> None:
    """Add the row to the last report of a plan file. Never raises."""
    found = item.report
    if found is None:
        return
    outcome = "valid" if _passes(found) else "invalid"
    if report.when == "call":
        item.user_properties[:] = [p for p in item.user_properties if p[0] != OUTCOME] + [(OUTCOME, outcome)]
        report.user_properties = list(item.user_properties)
    if report.when == "teardown":
        try:
            report.planguard_row = plan_row(item, found, outcome)  # type: ignore[attr-defined]
        except Exception as error:  # an exception here would end the whole session
            report.sections.append((DEFECT, f"{type(error).__name__}: {error}"))


def plan_row(item: PlanItem, report: PlanReport, outcome: str) -> str:
    """The row as JSON text: one checked answer, which is the file itself."""
    name = report.plan.format if report.plan else "plan"
    digest = item.judge.policy.digest
    checked = {**verdict_data(Verdict(name, report.text, report.findings)), "ok": outcome == "valid", "digest": digest}
    row = {
        "schema": ROW_SCHEMA,
        "test": item.nodeid,
        "line": 1,
        "case": item.nodeid,
        "inputs": digest_of(item.nodeid)[:12],
        "contracts": [{"name": name, "digest": digest}],
        "model": None,
        "variant": None,
        "prompt": None,
        "recording": None,
        "result": "passed" if outcome == "valid" else "failed",
        "outcome": outcome,
        "stale": [],
        "misses": [],
        "conversations": [],
        "checks": [checked],
        "tokens": {"input": None, "output": None},
        "scores": {},
    }
    return json.dumps(row, ensure_ascii=True, separators=(",", ":"))


def _passes(report: PlanReport) -> bool:
    return report.ok and report.plan is not None
