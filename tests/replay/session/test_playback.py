"""The limits of a recording: what is counted, and what is said when one is reached; and the states of requests."""

import json
from collections.abc import Iterable, Iterator, Sequence

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.session import playback
from pytest_planguard.replay.session.playback import (
    RAISE_CAP,
    Allowance,
    CassetteSettings,
    EndlessLoops,
    Stop,
    note_state,
    noted_state,
    state_text,
    with_header,
)
from pytest_planguard.retry.judging.attempts import ContractLike
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Usage

from ...support.exchanges import assistant, chat, user
from ..matching.ticket_chat import BAD, CONTRACT, GOOD


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


def exchanges(contents: Iterable[str], *, fed_back: bool = True) -> Iterator[Exchange]:
    """The exchanges of an app that feeds each answer back, or of one that asks the same again."""
    turns = [user("Write a ticket")]
    for number, content in enumerate(contents, 1):
        one = chat(turns, content)
        yield decode(number, one.request, one.response)
        if fed_back:
            turns = [*turns, assistant(content), user(f"Wrong, once more: {number}")]


def stops(found: Iterable[Exchange], contracts: Sequence[ContractLike] = ()) -> list[tuple[int, Stop]]:
    """The exchanges after which a recording stops, and why."""
    loops = EndlessLoops(contracts)
    told = [(one.number, loops.add(one, None)) for one in found]
    return [(number, stop) for number, stop in told if stop is not None]


REPEATED = Stop(
    "one conversation rejected the same answer 3 times",
    "change the prompt or the contract, or let the app give up when an answer repeats",
)
ENDLESS = Stop(
    "one conversation has made 4 calls",
    "let the app give up sooner, or raise the limit",
    " --planguard-record-max-calls=100",
)


def test_an_answer_that_is_rejected_again_and_again_stops_a_recording():
    """The third time, with others in between or not; accepted answers may repeat."""
    assert stops(exchanges([BAD, BAD, BAD, BAD]), [CONTRACT]) == [(3, REPEATED), (4, REPEATED)]
    assert stops(exchanges([BAD, '{"title": 2}', BAD, BAD]), [CONTRACT]) == [(4, REPEATED)]
    assert stops(exchanges([GOOD] * 3), [CONTRACT]) == stops(exchanges([BAD] * 3)) == []


def test_many_calls_of_a_conversation_stop_a_recording(monkeypatch: pytest.MonkeyPatch):
    """Of a conversation that goes on; a prompt that is only repeated begins another one, unless it was rejected."""
    assert (playback.MOST_CALLS, playback.MOST_EQUAL) == (30, 3)
    monkeypatch.setattr(playback, "MOST_CALLS", 4)
    assert stops(exchanges("abcde")) == [(4, ENDLESS), (5, ENDLESS)]
    assert stops(exchanges([GOOD] * 5, fed_back=False), [CONTRACT]) == []
    assert stops(exchanges([BAD] * 4, fed_back=False), [CONTRACT]) == [(4, ENDLESS)]
    assert stops([*exchanges("a"), *exchanges("abcd")]) == [(4, ENDLESS)]


def test_a_state_belongs_to_the_request_that_was_sent_with_it():
    """To one only, and once; without a note, the state is read now."""
    note_state("one", "state of one")
    assert noted_state("two", lambda: "now") == "now"
    assert noted_state("one", lambda: "now") == "now"
    note_state("one", "state of one")
    assert noted_state("one", lambda: "now") == "state of one"
    note_state("one", None)
    assert noted_state("one", lambda: "now") is None


def test_a_state_that_cannot_be_read_is_the_tests_own_mistake():
    """It names what the function did, or which name has no text."""
    for state, problem in (
        (lambda: 1 / 0, "ZeroDivisionError: division by zero; pass a function that returns a dict of texts"),
        (lambda: 5, "TypeError: 'int' object is not iterable; pass a function that returns a dict of texts"),
        (lambda: {"a": "", "b": 5}, "'b' has no text; return a dict such as {'a.py': ''}"),
        (lambda: {5: ""}, "5 has no text; return a dict such as {'a.py': ''}"),
    ):
        with pytest.raises(CassetteError) as refused:
            state_text(state)  # type: ignore[arg-type]
        assert str(refused.value) == f"planguard.state: {problem}"


def test_advice_and_command_name_their_options():
    """They can be typed."""
    assert RAISE_CAP == "raise --planguard-record-max-calls or --planguard-record-max-tokens"
    assert CassetteSettings().command == "pytest --planguard-record=all"
    assert Allowance(max_calls=0).limits_calls
    assert not Allowance(max_tokens=1).limits_calls


def test_a_header_is_added_to_a_request():
    """Behind those that were sent; without a value nothing is."""
    one = chat([user("x")], "y")
    assert with_header(one, "x-own", "1").request_headers == (*one.request_headers, ("x-own", ("1",)))
    assert with_header(one, "x-own", None) is one
