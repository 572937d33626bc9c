"""Conversations of instructor's and pydantic-ai's own loops with scripted models, judged by their cassettes alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.request_contracts import AutoContracts
from pytest_planguard.wire.exchange import Exchange
from tools.frameworks.task import TICKET

from ..retry.matching.mutations import Spoiled, another_error, dropped, generic_words
from ..support.one_item import in_one_item
from ..support.paths import ROOT

FOLDER = ROOT / "cassettes" / "scripted-loops"
CASES: list[dict[str, Any]] = json.loads((FOLDER / "results.json").read_text())["cases"]


@in_one_item
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['loop']}-{case['behaviour']}")
def test_a_recorded_conversation_ends_as_it_did(case: dict[str, Any]) -> None:
    """With the same outcome in as many attempts, and nothing missing on the way."""
    exchanges = read_cassette(FOLDER / f"{case['loop']}.{case['behaviour']}.yaml").exchanges
    found = judge(exchanges, [TICKET], conversation_ids=["1"] * len(exchanges)).conversations[0]
    assert (found.outcome.value, len(found.attempts)) == (case["outcome"], case["attempts"])
    assert found.check("feedback").status.value != "fail", found.check("feedback")


def test_by_the_schemas_of_requests_alone_no_loop_is_called_lossy() -> None:
    """Whatever the model does: it sends the schema back, answers another task, puts the error into its answer."""
    statuses = {path.name: _fed_back(read_cassette(path).exchanges) for path in sorted(FOLDER.glob("*.*.yaml"))}
    assert [name for name, status in statuses.items() if "fail" in status] == []


@pytest.mark.parametrize("spoil", [dropped, another_error, generic_words])
def test_without_its_feedback_every_loop_is_called_lossy(spoil: Callable[..., Spoiled]) -> None:
    """For each retry that the schema of its request judges, nothing excuses words that name nothing of the answer."""
    judged = 0
    for path in sorted(FOLDER.glob("*.*.yaml")):
        exchanges = read_cassette(path).exchanges
        for child in range(1, len(exchanges)):
            if {"pass", "not judged"} & _fed_back(exchanges[: child + 1], child):
                judged += 1
                assert "fail" in _fed_back(spoil(exchanges[: child + 1], child).exchanges, child), (path.name, child)
    assert judged > 60


def _fed_back(exchanges: Sequence[Exchange], child: int | None = None) -> set[str]:
    """Return the statuses of `feedback`, of the retry at `child` (0-based) alone where it is given."""
    kept = exchanges if child is None else exchanges[child - 1 :]
    found = judge(kept, AutoContracts().of(kept), options=JudgeOptions(partial=True))
    return {conversation.check("feedback").status.value for conversation in found.conversations}


def test_each_loop_met_each_behaviour() -> None:
    """No case can vanish unseen: both frameworks, and all that a model may do."""
    from pytest_planguard.testing.loops.conversation import BEHAVIOURS

    loops = {case["loop"] for case in CASES}
    assert {loop.rpartition("-")[0] for loop in loops} >= {"instructor", "pydantic-ai"}
    assert {(case["loop"], case["behaviour"]) for case in CASES} == {(one, b) for one in loops for b in BEHAVIOURS}
    assert {case["outcome"] for case in CASES if case["behaviour"] in ("right", "mends")} == {"converged"}
