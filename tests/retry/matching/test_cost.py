"""Judging what a retry feeds back costs findings plus feedback, not one times the other."""

import json

import pytest

from pytest_planguard import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.matching.fed_back import MAX_ERRORS, read
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Message, Role

from ...support.cost import assert_growth

ITEMS = Contract({"properties": {"items": {"items": {"type": "object", "required": ["id"]}}}}, name="items")
TEXTS = {
    "one error again": lambda number: "'id' is a required property\n",
    "a list of names": lambda _: "id, items, ",
    "another place each": lambda number: f"items.{number}.id: field {number} required\n",
}


def message(body: object) -> Message:
    """A message of the wire."""
    return Message({}, json.dumps(body).encode(), "POST", "https://api.test/v1/chat/completions")


def exchanges(findings: int, errors: int, text: str) -> list[Exchange]:
    """Two attempts with so many findings, and feedback with so many errors between them."""
    answer = json.dumps({"items": [{}] * findings})
    feedback = "".join(TEXTS[text](number) for number in range(errors))
    task = {"role": "user", "content": "items"}
    retry = [task, {"role": "assistant", "content": answer}, {"role": "user", "content": feedback}]
    said = {"choices": [{"index": 0, "message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}]}
    return [
        decode(number, message({"model": "m", "messages": asked}), message({"object": "chat.completion", **said}))
        for number, asked in enumerate(([task], retry), 1)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("text", TEXTS)
def test_four_times_the_findings_and_the_feedback_are_no_sixteen_times_the_cost(text: str) -> None:
    """The errors that count are bounded, so that the cost grows with the findings, and with the text that is read."""
    made = {size: exchanges(10 * size, 1_000 * size, text) for size in (1, 4)}
    assert_growth(lambda size: judge(made[size], [ITEMS]), 1, 4, below=10)


def test_the_first_thousand_errors_count() -> None:
    """What stands behind them is not read for errors."""
    text = "".join(TEXTS["another place each"](number) for number in range(MAX_ERRORS + 500))
    assert MAX_ERRORS == 1_000
    assert len(read([Delta(2, (Piece(text, 0, Role.USER),))]).said) == MAX_ERRORS
