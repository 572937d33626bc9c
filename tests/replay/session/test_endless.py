"""A recording of an app that never stops asking is stopped, and says what it has cost."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.replay.matching.refusal import MissKind
from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette
from pytest_planguard.replay.session.playback import MOST_CALLS, MOST_EQUAL, Allowance

from ...support.exchanges import assistant, part_of, send, user
from ...support.lookalike import Lookalike
from ..matching.ticket_chat import BAD, CONTRACT, GOOD, TASK

COMMAND = "pytest test_app.py --planguard-record=missing"


def asks_on(url: str, calls: int, *, again: str = "title: Input should be a valid string") -> int:
    """Feed the answer back however often it comes, and tell how many calls were answered."""
    turns = [user(TASK)]
    for call in range(calls):
        try:
            bad = send(turns, url)
        except CassetteMiss:
            return call
        turns = [*turns, assistant(bad), user(again)]
    return calls


@pytest.fixture
def live(lookalike: Lookalike) -> str:
    """A model that never does better."""
    lookalike.script(json.loads(BAD), json.loads(BAD))
    return f"{lookalike.base_url}/chat/completions"


def test_the_third_equal_answer_that_is_rejected_is_the_last(live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """What was paid for is kept, what it cost so far is told, and how to go on."""
    path = tmp_path / "a.yaml"
    with open_cassette(path, mode="missing", contracts=[CONTRACT], command=COMMAND) as session:
        assert asks_on(live, 9) == MOST_EQUAL
    assert len(lookalike.received) == MOST_EQUAL
    (miss,) = session.misses
    assert miss.kind is MissKind.CAPPED
    first, *_ = miss.message.splitlines()
    assert first.startswith("Recording has stopped: one conversation rejected the same answer 3 times (3 calls, ")
    assert first.endswith(" tokens so far).")
    assert "change the prompt or the contract" in miss.message
    assert miss.message.endswith(COMMAND)
    assert not path.exists()
    assert part_of(path).read_text(encoding="utf-8").count("uri:") == MOST_EQUAL


def test_an_app_that_gives_up_is_recorded(live: str, tmp_path: Path) -> None:
    """Three equal answers are a conversation like any other; only a fourth request is one too many."""
    with open_cassette(tmp_path / "a.yaml", mode="missing", contracts=[CONTRACT]) as session:
        assert asks_on(live, MOST_EQUAL) == MOST_EQUAL
    assert (session.misses, len(session.recorded)) == ([], MOST_EQUAL)
    assert (tmp_path / "a.yaml").exists()


@pytest.mark.slow
@pytest.mark.parametrize("contracts", [[], [CONTRACT]], ids=["unjudged", "accepted"])
def test_thirty_calls_of_one_conversation_are_the_last(contracts: Any, lookalike: Lookalike, tmp_path: Path) -> None:
    """Of an agent whose answers nobody rejects, too."""
    lookalike.script(json.loads(GOOD), json.loads(GOOD))
    with open_cassette(tmp_path / "a.yaml", mode="all", contracts=contracts) as session:
        assert asks_on(f"{lookalike.base_url}/chat/completions", 40, again="And now?") == MOST_CALLS
    assert "one conversation has made 30 calls (30 calls, " in session.misses[0].message


@pytest.mark.slow
def test_a_cap_says_how_far_it_may_go(live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """Whoever gives one has thought of it."""
    allowed = Allowance(max_calls=35)
    with open_cassette(tmp_path / "a.yaml", mode="all", contracts=[CONTRACT], allowance=allowed) as session:
        assert asks_on(live, 40) == 35
    assert "the cap of 35 calls is reached" in session.misses[0].message


@pytest.mark.slow
def test_samples_of_one_prompt_are_many_conversations(lookalike: Lookalike, tmp_path: Path) -> None:
    """Forty equal answers to forty equal requests, and some equal ones that are rejected."""
    lookalike.script(json.loads(GOOD), json.loads(GOOD))
    url = f"{lookalike.base_url}/chat/completions"
    with open_cassette(tmp_path / "a.yaml", mode="all", contracts=[CONTRACT]) as session:
        for _ in range(40):
            send([user(TASK)], url)
    assert (len(session.recorded), session.misses) == (40, [])
    lookalike.scripts.clear()
    lookalike.script(json.loads(BAD), json.loads(BAD))
    with open_cassette(tmp_path / "b.yaml", mode="all", contracts=[CONTRACT]) as session:
        for _ in range(9):
            send([user(TASK)], url)
    assert (len(session.recorded), session.misses) == (9, [])
