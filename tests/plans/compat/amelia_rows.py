"""What amelia keeps of its plan loop, from the rows of a run: the state after validation, and the order of its steps.

For comparison with the original alone: rows say the same as attempts with findings, in more detail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_planguard.contract.finding import Severity

from .amelia import plan_severity

_BAD = frozenset(severity.value for severity in Severity if severity.bad)


def plan_state(conversation: Mapping[str, Any]) -> dict[str, Any]:
    """Return `plan_validation_result` and `plan_revision_count` as amelia's state has them, as plain JSON.

    Args:
        conversation: one of `conversations` of a row, about a plan. The result is that of its last answer; the count
            is how many of its answers were invalid.
    """
    attempts = conversation["attempts"]
    findings = attempts[-1]["findings"] if attempts else []
    bad = [finding for finding in findings if finding["severity"] in _BAD]
    minor = [finding for finding in findings if finding["severity"] == Severity.WARN.value]
    return {
        "plan_validation_result": {
            "valid": not bad,
            "issues": [_issue(finding) for finding in (*bad, *minor)],
            "severity": plan_severity(len(bad), len(minor)).value,
        },
        "plan_revision_count": sum(not attempt["ok"] for attempt in attempts),
    }


def _issue(finding: Mapping[str, Any]) -> str:
    span = finding["span"]
    return str(finding["message"]) if span is None else f"line {span['line']}: {finding['message']}"


def step_trace(conversations: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the contracts of a row's conversations in the order in which their answers came: "architect", "validator".

    Two answers in a row of one contract are two steps.
    """
    steps = [(attempt["exchange"], one["contract"]) for one in conversations for attempt in one["attempts"]]
    return tuple(contract for _, contract in sorted(steps))
