"""What is wrong at the end of a test, and what its author is advised to do."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.errors import ContractFailed
from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.case_parts.played_cassette import PlayedCassette
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.outcome.problems import (
    child_processes,
    credentials,
    leftovers,
    misses,
    nothing_judged,
    refused_commands,
    secrets,
    worse_than_recorded,
)
from pytest_planguard.retry.outcomes import CheckStatus, Outcome
from pytest_planguard.retry.results import Check, Convergence
from pytest_planguard.runs.model.run import LiveCheckRow
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.verdicts import BAD, PRIORITY, attempt, verdict

SPEC = Spec((Contract(None),), 3)
NAME_IT = (
    'name the tool whose arguments are the answer: Contract(..., judged="write"); '
    'if one argument holds it: Contract(..., judged="write", argument="...")'
)


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


def test_an_app_that_asks_more_is_told_what_was_rejected(case: Case) -> None:
    """Up to three findings of each recorded last answer that only its contract rejects; a stricter one explains it."""
    findings = tuple(replace(PRIORITY, path=("steps", n), message=f"no\n{n}") for n in range(4))
    valid, feedback = (Check(name, CheckStatus.FAIL, "it failed") for name in ("valid", "feedback"))
    bad = (attempt(1, verdict()), attempt(2, verdict(BAD, *findings)))
    case.conversations = (
        Convergence("1", "Ticket", Outcome.STUCK, bad, (valid,)),
        Convergence("2", "Ticket", Outcome.STUCK, bad, (valid, feedback)),
        Convergence("3", "Ticket", Outcome.STOPPED, (), (valid,)),
        Convergence("4", "Ticket", Outcome.CONVERGED, bad, ()),
    )
    case.recording = PlayedCassette(misses=("unexpected request 3\n  to record: a", "another miss\n  to record: b"))
    asks, other = misses(case)
    assert (asks.reason, other.reason, other.body) == ("unexpected request 3", "another miss", "  to record: b")
    assert asks.body == (
        "  rejected:  recorded answer 2: steps[0] (line 3, column 15): no 0\n"
        "  rejected:  recorded answer 2: steps[1] (line 3, column 15): no 1\n"
        "  rejected:  recorded answer 2: steps[2] (line 3, column 15): no 2\n"
        "  to record: a"
    )


@pytest.mark.parametrize(
    ("tools", "statuses", "told"),
    [
        (("read", "write"), (), NAME_IT),
        ((), (401, 500), "record again when the model answers: "),
        ((), (401, 200), ""),
        ((), (399,), ""),
        ((), (400,), "record again when the model answers: "),
    ],
)
def test_what_to_do_if_no_answer_was_judged(
    case: Case, tools: tuple[str, ...], statuses: tuple[int, ...], told: str
) -> None:
    """The last tool that was called is named. If every request was refused, recording again may help."""
    answers = [Exchange(1, "openai.chat", answer=tuple(Item(ItemKind.CALL, Role.ASSISTANT, name=one) for one in tools))]
    exchanges = answers if tools else [Exchange(1, "openai.chat", status=status) for status in statuses]
    plays = tuple(SimpleNamespace(exchange=one) for one in exchanges)
    case.session = SimpleNamespace(exchanges=plays, misses=())  # type: ignore[assignment]
    case.recording = PlayedCassette(plays=plays)  # type: ignore[arg-type]
    (problem,) = nothing_judged(case)
    assert problem.advice == (f"{told}{case.record_command('all')}" if told.startswith("record") else told)


def test_children_fail_where_the_project_says_so(request: pytest.FixtureRequest) -> None:
    """Each is named, with the setting that lets them run."""
    for processes, failing in (("note", False), ("fail", True)):
        case = Case(request.node, SPEC, Settings(processes=processes), "key")
        case.processes = SimpleNamespace(children=("curl", "node"), senders=())  # type: ignore[assignment]
        assert [(told.reason, told.body, told.advice) for told in child_processes(case)] == [
            (
                "a child process ran: what it sends is not replayed or refused",
                "  curl\n  node",
                "ask the model from this process, or let children run: planguard_processes = note",
            )
        ][: int(failing)]


def test_a_refused_command_is_named_once(case: Case) -> None:
    """However often it ran."""
    assert [*refused_commands(case)] == []
    case.commands = SimpleNamespace(problems=["it wrote a", "it wrote b", "it wrote a"])  # type: ignore[assignment]
    assert [told.reason for told in refused_commands(case)] == [
        "a command was refused: it wrote a",
        "a command was refused: it wrote b",
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
