"""What an app cannot know is never feedback that it owes: expected values change no verdict about its retries."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import pytest

from pytest_planguard import Contract, near, same_items
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.judge import judge
from tools.frameworks import task

from ..support.one_item import in_one_item
from .test_cassettes import cases


@in_one_item
@pytest.mark.parametrize(("path", "contract"), [*cases("correct"), *cases("broken")])
def test_a_conversation_is_judged_as_without_them(path: Path, contract: str) -> None:
    """Outcome, checks, grades and reasons are the same to the letter; a score is no finding of an attempt."""
    plain: Contract[object] = getattr(task, contract)
    expecting = copy(plain)
    expecting.compare = {"steps": same_items(), "priority": near(1)}
    exchanges = read_cassette(path).exchanges
    judged = judge(exchanges, [plain]).conversations
    for found in judged:
        last = found.attempts[-1].verdict
        score = expecting.comparison.score({"title": "other", "steps": ["other"]}, last.data)
        assert score.total < 1
        assert not {finding.code for finding in score.findings} & {finding.code for finding in last.findings}
    assert judge(exchanges, [expecting]).conversations == judged
