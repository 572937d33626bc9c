"""Rules about tool calls say nothing of correct apps of frameworks."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import pytest

from pytest_planguard import Contract, called, only_calls
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from tools.frameworks import task

from ..support.one_item import in_one_item
from .test_cassettes import cases


def tools_of(path: Path) -> set[str]:
    """The tools that the answers of a cassette call."""
    return {call.name for exchange in read_cassette(path).exchanges for call in exchange.calls if call.name}


def test_there_are_enough() -> None:
    """So that silence says something."""
    assert sum(bool(tools_of(case.values[0])) for case in cases("correct")) >= 40


@in_one_item
@pytest.mark.parametrize(("path", "contract"), cases("correct"))
def test_a_correct_app_breaks_none(path: Path, contract: str) -> None:
    """With the tools of its answers demanded and no others allowed, each conversation is judged as without rules."""
    if not tools_of(path):
        pytest.skip("calls no tool")
    plain: Contract[object] = getattr(task, contract)
    exchanges = read_cassette(path).exchanges
    judged = judge(exchanges, [plain]).conversations
    # An app may call more tools once its answer is accepted: smolagents ends with `final_answer`.
    answering = {call.name for c in judged for call in c.attempts[-1].exchange.calls if call.name}
    ruled, demanding = copy(plain), copy(plain)
    ruled.calls, demanding.calls = (only_calls(*tools_of(path)),), tuple(map(called, sorted(answering)))
    for one in (ruled, demanding):
        found = judge(exchanges, [one]).conversations
        assert [(c.outcome, len(c.attempts)) for c in found] == [(c.outcome, len(c.attempts)) for c in judged]
