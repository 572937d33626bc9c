"""What the rules find in plans that are made for them: each bound at its edge, each way of knowing a format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pytest_planguard.contract.finding import Finding
from pytest_planguard.plans.model.plan import KnownBy, Plan
from pytest_planguard.plans.rules.judge_plan import check_plan

from ...support.readings import shown_finding
from .made.documents import TOKENS, WHOLE
from .made.edges import CYCLES, EDGES, TOGETHER
from .made.names import ASKED, IDENTITIES, REFERENCES
from .made.states import STATES

_OFF = {"id-order": "warn", "id-gap": "warn", "file-path-present": "warn"}
GROUPS = {
    "cycles": CYCLES,
    "edges": EDGES,
    "together": TOGETHER,
    "references": REFERENCES,
    "identities": IDENTITIES,
    "asked": ASKED,
    "states": STATES,
    "whole": WHOLE,
    "tokens": TOKENS,
}
_KNOWN: tuple[KnownBy, ...] = ("name", "tool", "text")


def judged() -> Iterator[str]:
    """What is found in each plan; and what differs where its place or its text alone tells the format."""
    for group, plans in GROUPS.items():
        for name, one in plans.items():
            yield f"# {group}: {name}"
            named: list[str] = []
            for known in _KNOWN:
                lines = _few([_shown(finding) for finding in _findings(replace(one, known_by=known), group)])
                yield from (f"{known}: {line}" for line in lines if known == "name" or line not in named)
                yield from (f"{known}: not {line}" for line in named if line not in lines)
                named = named or lines


def _findings(one: Plan, group: str) -> tuple[Finding, ...]:
    severity = _OFF if group == "asked" else None
    return check_plan(one, severity=severity, catalogue=("syntax", "types") if group == "tokens" else None)


def _few(lines: list[str]) -> list[str]:
    return lines if len(lines) < 20 else [*lines[:3], f"({len(lines)})", *lines[-3:]]


def _shown(finding: Finding) -> str:
    line = shown_finding(finding).replace("-None:None", "")
    return line if len(line) < 1_000 else f"{line[:500]} ({len(line)}) {line[-100:]}"
