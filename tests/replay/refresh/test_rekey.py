"""Requests of a recording rewritten offline, where only their envelope changed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.reader import read_recording
from pytest_planguard.replay.privacy.redaction import Redaction
from pytest_planguard.replay.refresh.rekey import NOTE_HEADER, SentRequest, rekey, rekeyed, write_rekeyed
from pytest_planguard.replay.refresh.sent_file import keep_sent, read_sent
from pytest_planguard.wire.exchange import Message

from ...support.envelopes import BODY, HEADERS, URL, message, write_twice


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """Two interactions of one request."""
    return write_twice(tmp_path)


@pytest.mark.parametrize(
    ("sent", "changes"),
    [
        (message(), []),
        (message({"user-agent": "sdk/2", "x-new": "1"}), ["header user-agent changed", "header x-new added"]),
        (message(parallel_tool_calls=True, n=1), ["n added: 1", "parallel_tool_calls added: true"]),
        (message(user="me", stream=False), ["stream added: false", 'user added: "me"']),
        (
            message(url="https://eu.example.com/v1/chat/completions"),
            ["url changed: https://eu.example.com/v1/chat/completions"],
        ),
    ],
)
def test_an_envelope_may_change(recording: Path, sent: Message, changes: list[str]) -> None:
    """Headers, hosts, members without meaning, and members that state what the provider does anyway."""
    told = rekeyed(read_recording(recording).interactions[0].request, SentRequest(1, sent))
    assert (list(told.changes), told.allowed) == (changes, True)


@pytest.mark.parametrize(
    "sent",
    [
        message(temperature=None),
        message(temperature=1),
        message(model="m2"),
        message(n=2),
        message(n=True),
        message(parallel_tool_calls=False),
        message(messages=[{"role": "user", "content": "Write!"}]),
        message(url="https://api.example.com/v1/responses"),
        Message(HEADERS, b"no JSON", "POST", URL),
    ],
)
def test_anything_else_is_refused_and_nothing_is_changed(recording: Path, sent: Message) -> None:
    """Another question has another answer."""
    before = recording.read_bytes()
    with pytest.raises(CassetteError, match="request 2 asks something else now; record the test again"):
        rekey(recording, [SentRequest(1, message()), SentRequest(2, sent)])
    assert recording.read_bytes() == before


def test_answers_stay_and_the_request_says_what_was_taken_over(recording: Path) -> None:
    """Only the request that changed is another one; its note tells how; the file can be read and rewritten again."""
    before = read_recording(recording).interactions
    write_rekeyed(
        recording, rekey(recording, [SentRequest(1, message()), SentRequest(2, message({"user-agent": "sdk/2"}, n=1))])
    )
    after = read_recording(recording).interactions
    assert after[0].raw == before[0].raw
    assert after[1].raw["response"] == before[1].raw["response"]
    assert json.loads(after[1].request.body) == {**BODY, "n": 1}
    assert after[1].request.headers[NOTE_HEADER] == "header user-agent changed; n added: 1"
    assert rekey(recording, [SentRequest(2, message({"user-agent": "sdk/2"}, n=1))]) == recording.read_text(
        encoding="utf-8"
    )


def test_a_file_that_planguard_did_not_write_is_left_alone(recording: Path) -> None:
    """Of another form something could be lost."""
    recording.write_text(recording.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")
    with pytest.raises(CassetteError, match="was not written by planguard"):
        rekey(recording, [SentRequest(1, message(n=1))])


def test_what_was_edited_by_hand_is_known_as_that_when_it_is_rewritten(recording: Path) -> None:
    """An answer that no model gave does not become a recorded one by a new envelope."""
    text = recording.read_text(encoding="utf-8")
    recording.write_text(text.replace('"n": 2', '"n": 3'), encoding="utf-8")
    notes = read_recording(recording).notes
    assert len(notes) == 1
    write_rekeyed(recording, rekey(recording, [SentRequest(1, message(n=1))]))
    after = read_recording(recording)
    assert after.notes == notes
    assert json.loads(after.interactions[0].request.body)["n"] == 1


def test_what_was_sent_is_kept_without_its_secrets(recording: Path) -> None:
    """Credentials are dropped before the disk; the requests come back for this very recording only."""
    secret = {"authorization": "Bearer sk-planted-0001"}
    keep_sent(recording.parent, recording, [SentRequest(2, message(secret, n=1))], Redaction())
    (kept,) = read_sent(recording)
    assert (kept.position, json.loads(kept.request.body)["n"]) == (2, 1)
    assert "planted" not in next(recording.parent.rglob("*.json")).read_text(encoding="utf-8")
    recording.write_text("version: 1\ninteractions: []\n", encoding="utf-8")
    with pytest.raises(CassetteError, match="has changed since the replay"):
        read_sent(recording)


@pytest.mark.parametrize("damage", [lambda f: f.unlink(), lambda f: f.write_text("{"), lambda f: f.write_text("[]")])
def test_a_missing_or_broken_file_of_requests(recording: Path, damage: Callable[[Path], Any]) -> None:
    """One clear message, with the way out."""
    keep_sent(recording.parent, recording, [SentRequest(1, message())], Redaction())
    damage(next(recording.parent.rglob("*.json")))
    with pytest.raises(CassetteError, match=r"run (?:its|the) test"):
        read_sent(recording)
