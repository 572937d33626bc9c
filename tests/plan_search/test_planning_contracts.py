"""The contracts that users copy: each takes a good answer and names what is wrong with a bad one."""

import json
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from pytest_planguard import Contract

from ..support.paths import ROOT

CONTRACTS = run_path(str(Path(ROOT) / "fixtures" / "search" / "planning_contracts.py"))
GOOD: dict[str, dict[str, Any]] = {
    "ANALYSIS": {"category": "bug fix", "summary": "The printer queue drops jobs.", "unknowns": []},
    "RECON": {"files": ["queue.py"], "facts": ["jobs are kept in memory"]},
    "STRATEGY": {"approach": "Write jobs to disk before printing.", "phases": ["store", "print"], "risks": []},
}
BAD = [
    ("ANALYSIS", "category", "chore", "enum"),
    ("ANALYSIS", "summary", "short", "min_length"),
    ("RECON", "files", [], "length"),
    ("STRATEGY", "approach", "later", "min_length"),
    ("STRATEGY", "phases", [], "length"),
]


@pytest.mark.parametrize("name", GOOD)
def test_a_good_answer_passes(name: str) -> None:
    """Without any finding."""
    contract = CONTRACTS[name]
    assert isinstance(contract, Contract)
    assert contract.check(json.dumps(GOOD[name])).findings == ()


@pytest.mark.parametrize(("name", "field", "value", "code"), BAD)
def test_a_bad_answer_is_rejected(name: str, field: str, value: Any, code: str) -> None:
    """At its field."""
    verdict = CONTRACTS[name].check(json.dumps({**GOOD[name], field: value}))
    assert [finding.identity for finding in verdict.errors] == [(code, (field,))]
