"""Searches over cassettes: the requests of the small model over HTTP, and tapes of every answer without feedback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard import CallTape, SearchConfig

from .contracts import ANALYSIS, RECON, STRATEGY
from .steps import PROBLEMS, pipeline

TAPES = Path(__file__).parent / "tapes"
BUDGET = SearchConfig(max_total_calls=30)


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.planguard(ANALYSIS, RECON, STRATEGY, key="planning {name}", search=BUDGET)
def test_the_small_model_does_not_get_past_reconnaissance(planguard: Any, name: str) -> None:
    """Told that its answer was cut off, it writes as much again, and the analysis may be reopened only once."""
    result = planguard.search(pipeline(PROBLEMS[name][0]))
    assert result.termination_reason == "backtrack_ceiling"
    assert result.bound_by == ("backtrack_budget of g_analysis",)


@pytest.mark.parametrize(("name", "calls"), [("printer", 7), ("backup", 6), ("export", None)])
@pytest.mark.planguard(ANALYSIS, RECON, STRATEGY, key="tape {name}", search=BUDGET, task="Planning")
def test_a_plan_is_found_without_feedback(planguard: Any, name: str, calls: int | None) -> None:
    """Asked again without a word on what was wrong, the same model is right at times."""
    tape = CallTape.read(json.loads((TAPES / f"{name}.json").read_text("utf-8")))
    result = planguard.search(tape.replay(pipeline(PROBLEMS[name][0])))
    assert result.succeeded == (calls is not None)
    assert result.total_calls == calls or not result.succeeded
