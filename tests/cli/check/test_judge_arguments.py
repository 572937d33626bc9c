"""How the options of `check` become the options of a judge."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard import JudgeOptions
from pytest_planguard.cli.check.check_command import JudgeArguments
from pytest_planguard.retry.outcomes import CheckStatus


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ({}, JudgeOptions(max_attempts=3, unclear=CheckStatus.WARN)),
        ({"max_attempts": 5}, JudgeOptions(max_attempts=5)),
        ({"coverage": "first"}, JudgeOptions(coverage="first")),
        ({"coverage": "any"}, JudgeOptions(coverage="any")),
        ({"must_feed_back": "contract"}, JudgeOptions(must_feed_back="contract")),
        ({"fail_on_unclear": True}, JudgeOptions(unclear=CheckStatus.FAIL)),
        ({"escalates": ("to_human",)}, JudgeOptions(escalates=("to_human",))),
    ],
)
def test_each_option_reaches_the_judge(typed: dict[str, Any], options: JudgeOptions) -> None:
    """And nothing else changes."""
    assert JudgeArguments(**typed).options(partial=False) == options


def test_without_a_contract_a_conversation_may_be_read_in_part() -> None:
    """The schemas of its requests do not say which answers count."""
    assert JudgeArguments().options(partial=True) == JudgeOptions(partial=True)
