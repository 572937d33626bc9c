"""The table of frameworks on the site, from the kept results."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parents[2] / "cassettes" / "frameworks"
HEAD = """\
| app | versions | cases | sent with | findings fed back | correct passes | without feedback fails |
|---|---|---|---|---|---|---|"""


def table() -> str:
    """Return one line for each app and transport."""
    return "\n".join([HEAD, *(line for path in sorted(KEPT.glob("*/results.json")) for line in _lines(path))])


def _lines(path: Path) -> Iterator[str]:
    data = json.loads(path.read_text())
    versions = ", ".join(f"{name} {version}" for name, version in data["versions"].items())
    for at, transport in enumerate(sorted({case["transport"] for case in data["cases"]})):
        cases = [case for case in data["cases"] if case["transport"] == transport]
        grades = ", ".join(sorted({grade for case in cases for grade in case["grades"]}))
        names = ", ".join(f"`{case['case']}`" for case in cases)
        passed, failed = sum(map(_passes, cases)), sum(map(_fails, cases))
        first = f"{data['app']} | {versions}" if at == 0 else " | "
        yield f"| {first} | {names} | {transport} | {grades} | {passed} of {len(cases)} | {failed} of {len(cases)} |"


def _passes(case: dict[str, Any]) -> bool:
    return bool(case["recorded"] == case["replayed"] == "passed")


def _fails(case: dict[str, Any]) -> bool:
    missing = any(reason.startswith("feedback: ") for reason in case["missing"])
    return bool(case["broken"] == case["gate"] == "failed" and missing)
