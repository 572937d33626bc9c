"""What is wrong at the end of a test, and what its author is advised to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.errors import ContractFailed
from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.outcome.problems import (
    credentials,
    leftovers,
    misses,
    nothing_judged,
    secrets,
    worse_than_recorded,
)
from pytest_planguard.runs.model.run import LiveCheckRow
from pytest_planguard.wire.exchange import Exchange

SPEC = Spec((Contract(None),), 3)


@pytest.fixture
def case(request: pytest.FixtureRequest) -> Case:
    """A case whose test has asked nothing yet."""
    return Case(request.node, SPEC, Settings(), "key")


NO_KEY = "OpenAIError: The API_KEY client option must be set"
NO_CREDENTIALS = "Unable to locate credentials"


@pytest.mark.parametrize("text", [NO_KEY, NO_CREDENTIALS])
def test_a_missing_key_is_explained(case: Case, text: str) -> None:
    """Before an SDK sends anything it wants one, and a replay uses none."""
    (told,) = credentials(case, ValueError(text))
    assert (told.reason, told.advice) == (
        "no request was sent: the client wants a key to be set",
        "set any value for the replay, which uses none: for example OPENAI_API_KEY=unused",
    )


def test_a_key_is_not_blamed_for_anything_else(case: Case, request: pytest.FixtureRequest) -> None:
    """Nor while recording, which uses one, nor for our own failures."""
    error = ValueError(NO_KEY)
    assert credentials(case, ValueError("no such host")) == []
    assert credentials(case, ContractFailed(NO_KEY)) == []
    for spec, settings in ((SPEC._replace(mode="check"), Settings()), (SPEC, Settings(record="missing"))):
        assert credentials(Case(request.node, spec, settings, "key"), error) == []
    case.recording = PlayedCassette(recorded=True)
    assert credentials(case, error) == []


def test_secrets_and_leftovers(case: Case) -> None:
    """Each secret by itself; the answers that were never requested together, with the command that records again."""
    assert [*secrets(case), *leftovers(case)] == []
    one = Exchange(2, "openai.chat", status=200)
    other = Exchange(3, "raw", url="https://db.example.com/q", note="not a model")
    case.recording = PlayedCassette(secrets=("a key in header x", "a token in the body"), unplayed=(one,))
    assert [(told.reason, told.advice) for told in secrets(case)] == [
        ("a secret was kept out of the cassette: a key in header x", "take it out of the prompt"),
        ("a secret was kept out of the cassette: a token in the body", "take it out of the prompt"),
    ]
    (told,) = leftovers(case)
    assert (told.reason, told.advice) == ("1 recorded answer was never requested", case.record_command("all"))
    case.recording = replace(case.recording, unplayed=(one, other))
    (told,) = leftovers(case)
    assert told.reason == "2 recorded answers were never requested"
    assert told.body.endswith(
        "\n  exchange 3: not a model; if it is not a model: planguard_allowed_hosts = db.example.com"
    )


def test_a_miss_is_a_problem_with_its_own_text(case: Case) -> None:
    """The first line is the reason, and the others the evidence."""
    assert [*misses(case)] == []
    case.recording = PlayedCassette(misses=("stale cassette: changed\n  sent: a\n  to record: b", "no answer"))
    assert [(told.reason, told.body) for told in misses(case)] == [
        ("stale cassette: changed", "  sent: a\n  to record: b"),
        ("no answer", ""),
    ]


def test_a_live_answer_that_is_worse_is_a_problem(case: Case) -> None:
    """And so is an endpoint without an answer; anything else is none."""
    for change in ("same", "changed", "better"):
        case.live_check = LiveCheckRow("good", "bad", change)
        assert [*worse_than_recorded(case)] == []
    case.live_check = LiveCheckRow("good", "bad", "worse")
    (told,) = worse_than_recorded(case)
    assert (told.reason, told.body, told.advice) == (
        "the live answers are worse than the recorded ones",
        "  recorded: good\n  live:     bad",
        f"keep the cassette, or record the new state: {case.record_command('all')}",
    )
    case.live_check = LiveCheckRow("good", "nothing", "unanswered")
    (told,) = worse_than_recorded(case)
    assert (told.reason, told.body) == (
        "the live endpoint gave no answer to judge; the cassette stays as it is",
        "  recorded: good\n  live:     no request was sent and no answer was checked",
    )


def test_a_promise_that_was_not_kept(request: pytest.FixtureRequest) -> None:
    """A driven test drives a loop, a checking one checks an answer, and another one asks a model."""

    def told(**changes: object) -> tuple[str, str, str]:
        case = Case(request.node, SPEC._replace(**changes), Settings(), "key")  # type: ignore[arg-type]
        (found,) = nothing_judged(case)
        return found.reason, found.body, found.advice

    named = "  The test is marked with a contract, but no answer reached it."
    assert told(mode="driven") == (
        'mode="driven", but planguard.converge was never called',
        "",
        'call planguard.converge in the test, or remove mode="driven" if the app asks by itself',
    )
    assert told(mode="check") == ("nothing was judged: no answer was checked", named, "")
    reason, evidence, advice = told()
    assert (reason, evidence) == ("nothing was judged: no request was sent and no answer was checked", named)
    assert advice.startswith(
        "call the code that asks the model inside the test; if a mock of HTTP answers it, record that: pytest "
    )
    assert told(contracts=())[1] == "  The marker names no contract, and no call of the test gave one with contract=."


def test_a_sender_that_was_not_seen_is_named(case: Case) -> None:
    """A message does not claim that nothing was sent."""
    case.clients = ("libcurl",)
    (key,) = credentials(case, ValueError(NO_KEY))
    (nothing,) = nothing_judged(case)
    assert key.reason == "no request was seen: the client wants a key to be set"
    assert nothing.reason == "nothing was judged: no request was seen and no answer was checked"
    assert nothing.advice == (
        "ask the model from this process by a client that is replayed; not seen here: client beyond Python: libcurl"
    )
