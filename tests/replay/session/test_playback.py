"""A cap on recording: what is counted, and what is said when it is reached."""

import json

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.session.playback import Allowance, state_text
from pytest_planguard.wire.exchange import Exchange, Usage


def spent(allowance: Allowance, *tokens: int | None) -> Allowance:
    """The allowance after one exchange for each number of tokens."""
    for number in tokens:
        allowance.spend(Exchange(1, "openai.chat", usage=Usage(number, None)))
    return allowance


def test_calls():
    """The cap is reached with its last call, not before."""
    assert not spent(Allowance(max_calls=2), 10).reached
    assert spent(Allowance(max_calls=2), 10, 20).reached == "the cap of 2 calls is reached (2 calls, 30 tokens so far)"


def test_tokens():
    """Answers that do not tell their tokens count as calls only."""
    assert not spent(Allowance(max_tokens=1_000), 999, None).reached
    told = "the cap of 1,000 tokens is reached (2 calls, 1,100 tokens so far)"
    assert spent(Allowance(max_tokens=1_000), 999, 101).reached == told


def test_no_cap_and_nothing_allowed():
    """Without a cap nothing is ever spent; with a cap of 0 nothing may be sent."""
    assert not spent(Allowance(), 1_000_000).reached
    assert Allowance(max_calls=0).reached == "the cap of 0 calls is reached (0 calls, 0 tokens so far)"


def test_whether_a_cap_is_reached_is_true_or_false():
    """Below the cap, at it and above it; of calls, of tokens, and of both."""
    for used, is_spent in ((1, False), (2, True), (3, True)):
        assert bool(spent(Allowance(max_calls=2), *[1] * used).reached) is is_spent
        assert bool(spent(Allowance(max_tokens=2), *[1] * used).reached) is is_spent
        assert bool(spent(Allowance(max_calls=9, max_tokens=2), *[1] * used).reached) is is_spent
    assert spent(Allowance(max_calls=1), None).reached == "the cap of 1 call is reached (1 call, 0 tokens so far)"


def test_a_state_is_recorded_up_to_a_limit():
    """Names count as well; none is recorded for no file."""
    assert state_text(dict) is None
    largest = {"a.py": "x" * 199_996}
    assert json.loads(state_text(lambda: largest) or "") == largest
    with pytest.raises(CassetteError) as refused:
        state_text(lambda: {"a.py": "x" * 199_997})
    assert str(refused.value) == (
        "planguard.state: 200,001 characters, but at most 200,000 are recorded; leave files out"
    )
