"""Conversations of instructor's and pydantic-ai's own loops with scripted models, judged by their recordings alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard import judge, read_recording
from tools.frameworks.task import TICKET

from ..support.paths import ROOT

FOLDER = ROOT / "cassettes" / "scripted-loops"
CASES: list[dict[str, Any]] = json.loads((FOLDER / "results.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['loop']}-{case['behaviour']}")
def test_a_recorded_conversation_ends_as_it_did(case: dict[str, Any]) -> None:
    """With the same outcome in as many attempts, and nothing lost on the way."""
    exchanges = read_recording(FOLDER / f"{case['loop']}.{case['behaviour']}.yaml").exchanges
    found = judge(exchanges, [TICKET], conversation_ids=["1"] * len(exchanges)).conversations[0]
    assert (found.outcome.value, len(found.attempts)) == (case["outcome"], case["attempts"])
    if case["behaviour"] in ("right", "mends", "ignores"):
        assert found.check("carried").status.value != "fail", found.check("carried")


def test_each_loop_met_each_behaviour() -> None:
    """No case can vanish unseen: both frameworks, and all that a model may do."""
    from pytest_planguard.testing.loops.conversation import BEHAVIOURS

    loops = {case["loop"] for case in CASES}
    assert {loop.rpartition("-")[0] for loop in loops} >= {"instructor", "pydantic-ai"}
    assert {(case["loop"], case["behaviour"]) for case in CASES} == {(one, b) for one in loops for b in BEHAVIOURS}
    assert {case["outcome"] for case in CASES if case["behaviour"] in ("right", "mends")} == {"converged"}
