"""What a miss says, word for word, and that nobody can swallow it."""

import contextlib
import os
import pickle
from pathlib import Path

import pytest
from vcr.errors import CannotOverwriteExistingCassetteException

from pytest_planguard.contract.contract import Contract
from pytest_planguard.errors import PlanguardError
from pytest_planguard.replay.matching.refusal import MissKind, explain_unanswered
from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette
from pytest_planguard.wire.exchange import Message

from ...support.exchanges import chat, send, user, write
from .ticket_chat import BAD, CONTRACT, GOOD, TASK, TOLD, retry

COMMAND = "pytest 'tests/test_ticket.py::test_fire' --planguard-record=all"


@pytest.fixture
def loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recorded conversation of two attempts, named relative to the working directory."""
    monkeypatch.chdir(tmp_path)
    return write(Path("loop.yaml"), chat([user(TASK)], BAD), chat(retry(TOLD), GOOD))


def missed(loop: Path, *requests: list[dict[str, str]], contracts: tuple[Contract, ...] = (CONTRACT,)) -> str:
    """The message of the miss that the last request gets."""
    with open_cassette(loop, contracts=contracts, command=COMMAND) as session:
        for request in requests[:-1]:
            send(request)
        with pytest.raises(CassetteMiss) as caught:
            send(requests[-1])
    assert str(caught.value) == session.misses[0].message
    return str(caught.value)


def test_a_request_of_a_forked_child_is_explained() -> None:
    """Its address without what may be secret in it."""
    message = Message(url="https://a.test/v1/chat?key=abcd#top", method="PUT")
    assert explain_unanswered(message) == (
        "the cassette is not complete: a forked child sent a request, and got no answer before the test ended\n"
        "  sent:      PUT https://a.test/v1/chat\n"
        "  to do:     wait in the test until the child ends"
    )


def test_a_lost_finding(loop: Path) -> None:
    """The message of a retry that dropped its findings: the findings first, what was sent, the nearest cassette."""
    assert missed(loop, [user(TASK)], retry("Please try again.")) == (
        "missing feedback: the retry feeds back no finding of the attempt before it\n"
        "  missing:   title: expected a string; got 1\n"
        "  why:       the recorded answer would prove nothing, so planguard does not serve it\n"
        "  sent:      POST /v1/chat/completions\n"
        "  recording: loop.yaml\n"
        "  nearest:   interaction 2, not played yet (83% of the words agree)\n"
        "  changed:   messages[2].content: [-title: expected a string; got 1-]{+Please try again.+}\n"
        "  to do:     put what was wrong into the retry's prompt"
    )


def test_another_prompt(loop: Path) -> None:
    """The message of a stale cassette: the change in its surroundings and the exact command."""
    text = "Describe the broken printer to a child"
    assert missed(loop, [user(text)]) == (
        "stale cassette: the request has changed since it was recorded. No recorded answer fits this request.\n"
        "  sent:      POST /v1/chat/completions\n"
        "  recording: loop.yaml\n"
        "  nearest:   interaction 1, not played yet (38% of the words agree)\n"
        "  changed:   messages[0].content: [-Write a ticket for the broken printer in the second floor office as "
        "JSON-]{+Describe the broken printer to a child+}\n"
        f"  to record: {COMMAND} # about 2 calls"
    )


def test_a_change_at_the_end_of_a_long_prompt_is_shown(tmp_path: Path) -> None:
    """However long the prompt, the words around the change are shown, not its first 200 characters."""
    long = " ".join(f"rule {n} holds" for n in range(300))
    path = write(tmp_path / "long.yaml", chat([user(f"{long} use metres")], "ok"))
    with pytest.raises(CassetteMiss) as caught, open_cassette(path, match="strict"):
        send([user(f"{long} use inches")])
    shown = "  changed:   messages[0].content: … 298 holds rule 299 holds use [-metres-]{+inches+}\n"
    assert shown in str(caught.value)


def test_a_miss_is_kept_whatever_the_app_catches(loop: Path) -> None:
    """An app that swallows every exception does not hide the miss."""
    with open_cassette(loop) as session:
        with contextlib.suppress(Exception):
            send([user("something else that nobody ever recorded anywhere")])
        assert send([user(TASK)]) == BAD
    assert [(m.kind, m.count) for m in session.misses] == [(MissKind.CHANGED, 1)]


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_an_sdk_that_repeats_a_miss_counts_once(loop: Path, sdk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An SDK wraps the miss as a connection error or repeats it: it is one miss, and no request goes out."""
    monkeypatch.setenv("NO_PROXY", "*")
    with open_cassette(loop) as session, contextlib.suppress(Exception):
        if sdk == "openai":
            import openai

            with openai.OpenAI(base_url="http://nowhere.test/v1", api_key="k") as client:
                client.chat.completions.create(model="m", messages=[{"role": "user", "content": "unknown words"}])
        else:
            import anthropic

            with anthropic.Anthropic(base_url="http://nowhere.test", api_key="k", max_retries=1) as other:
                other.messages.create(model="m", max_tokens=9, messages=[{"role": "user", "content": "unknown"}])
    assert len(session.misses) == 1
    assert session.bypasses == ()


def test_handlers_of_vcrpys_error_catch_it(loop: Path) -> None:
    """A miss is vcrpy's own error and ours, with vcrpy's attributes."""
    with open_cassette(loop), pytest.raises(CannotOverwriteExistingCassetteException) as caught:
        send([user("unknown words that were never recorded")])
    error = caught.value
    assert isinstance(error, PlanguardError)
    assert (error.reason, error.similar_requests) == ("no_match", [])
    assert error.failed_request.uri.endswith("/chat/completions")
    assert os.fspath(error.cassette._path) == "loop.yaml"
    assert pickle.loads(pickle.dumps(str(error))) == error.miss.message


def test_an_extra_request_is_named_as_such(loop: Path) -> None:
    """One request more than was recorded is told apart from a changed one."""
    with open_cassette(loop, contracts=[CONTRACT]) as session:
        send([user(TASK)])
        send(retry(TOLD))
        with pytest.raises(CassetteMiss, match=r"^unexpected request: all matching recorded answers"):
            send([*retry(TOLD), {"role": "assistant", "content": GOOD}, user("And now in French, please.")])
    assert [m.kind for m in session.misses] == [MissKind.EXTRA]
