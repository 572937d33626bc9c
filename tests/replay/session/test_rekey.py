"""Requests of a cassette rewritten offline, where only their envelope changed."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.privacy.redaction_rules import Redaction
from pytest_planguard.replay.session.playback import with_header
from pytest_planguard.replay.session.rekey import (
    NOTE_HEADER,
    Rekeyed,
    SentRequest,
    keep_sent,
    read_sent,
    rekey,
    rekeyed,
    write_rekeyed,
)
from pytest_planguard.wire.exchange import MODEL_HEADER, Message

from ...support.envelopes import BODY, HEADERS, URL, message, write_twice


@pytest.fixture
def cassette(tmp_path: Path) -> Path:
    """Two interactions of one request."""
    return write_twice(tmp_path)


@pytest.mark.parametrize(
    ("sent", "changes"),
    [
        (message(), []),
        (message({"user-agent": "sdk/2", "x-new": "1"}), ["header user-agent changed", "header x-new added"]),
        (message(parallel_tool_calls=True, n=1), ["n added: 1", "parallel_tool_calls added: true"]),
        (message(metadata="m" * 90), ['metadata added: "' + "m" * 79]),
        (message(user="me", stream=False), ["stream added: false", 'user added: "me"']),
        (
            message(url="https://eu.example.com/v1/chat/completions"),
            ["url changed: https://eu.example.com/v1/chat/completions"],
        ),
    ],
)
def test_an_envelope_may_change(cassette: Path, sent: Message, changes: list[str]) -> None:
    """Headers, hosts, members without meaning, and members that state what the provider does anyway."""
    told = rekeyed(read_cassette(cassette).interactions[0].request, SentRequest(1, sent))
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
def test_anything_else_is_refused_and_nothing_is_changed(cassette: Path, sent: Message) -> None:
    """Another question has another answer."""
    before = cassette.read_bytes()
    with pytest.raises(CassetteError, match=r"request 2 has changed; record the test again$"):
        rekey(cassette, [SentRequest(1, message()), SentRequest(2, sent)])
    assert cassette.read_bytes() == before


def test_answers_stay_and_the_request_says_what_was_taken_over(cassette: Path) -> None:
    """Only the request that changed is another one; its note tells how; the file can be read and rewritten again."""
    before = read_cassette(cassette).interactions
    write_rekeyed(
        cassette, rekey(cassette, [SentRequest(1, message()), SentRequest(2, message({"user-agent": "sdk/2"}, n=1))])
    )
    after = read_cassette(cassette).interactions
    assert after[0].raw == before[0].raw
    assert after[1].raw["response"] == before[1].raw["response"]
    assert json.loads(after[1].request.body) == {**BODY, "n": 1}
    assert after[1].request.headers[NOTE_HEADER] == "header user-agent changed; n added: 1"
    assert rekey(cassette, [SentRequest(2, message({"user-agent": "sdk/2"}, n=1))]) == cassette.read_text(
        encoding="utf-8"
    )


def test_the_model_that_the_test_names_outlives_a_new_envelope(cassette: Path) -> None:
    """It was not sent, so the new request lacks it."""
    named = [with_header(raw.as_recorded, MODEL_HEADER, "fast") for raw in read_cassette(cassette).interactions]
    cassette.write_text(render(named), encoding="utf-8")
    sent = [SentRequest(number, message({"user-agent": "sdk/2"})) for number in (1, 2)]
    write_rekeyed(cassette, rekey(cassette, sent))
    after = read_cassette(cassette)
    assert after.for_model == "fast"
    assert [raw.request.headers[NOTE_HEADER] for raw in after.interactions] == ["header user-agent changed"] * 2


def test_a_file_that_planguard_did_not_write_is_left_alone(cassette: Path) -> None:
    """Of another form something could be lost."""
    cassette.write_text(cassette.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")
    with pytest.raises(CassetteError, match="was not written by planguard"):
        rekey(cassette, [SentRequest(1, message(n=1))])


def test_what_was_edited_by_hand_is_known_as_that_when_it_is_rewritten(cassette: Path) -> None:
    """An answer that no model gave does not become a recorded one by a new envelope."""
    text = cassette.read_text(encoding="utf-8")
    cassette.write_text(text.replace('"n": 2', '"n": 3'), encoding="utf-8")
    notes = read_cassette(cassette).notes
    assert len(notes) == 1
    write_rekeyed(cassette, rekey(cassette, [SentRequest(1, message(n=1))]))
    after = read_cassette(cassette)
    assert after.notes == notes
    assert json.loads(after.interactions[0].request.body)["n"] == 1


def test_what_was_sent_is_kept_without_its_secrets(cassette: Path) -> None:
    """Credentials are dropped before the disk; the requests come back for this very recording only."""
    secret = {"authorization": "Bearer sk-planted-0001"}
    keep_sent(cassette.parent, cassette, [SentRequest(2, message(secret, n=1))], Redaction())
    (kept,) = read_sent(cassette)
    assert (kept.position, json.loads(kept.request.body)["n"]) == (2, 1)
    assert "planted" not in next(cassette.parent.rglob("*.json")).read_text(encoding="utf-8")
    cassette.write_text("version: 1\ninteractions: []\n", encoding="utf-8")
    with pytest.raises(CassetteError, match="has changed since the replay"):
        read_sent(cassette)


@pytest.mark.parametrize("damage", [lambda f: f.unlink(), lambda f: f.write_text("{"), lambda f: f.write_text("[]")])
def test_a_missing_or_broken_file_of_requests(cassette: Path, damage: Callable[[Path], Any]) -> None:
    """One clear message, with the way out."""
    keep_sent(cassette.parent, cassette, [SentRequest(1, message())], Redaction())
    damage(next(cassette.parent.rglob("*.json")))
    with pytest.raises(CassetteError, match=r"run (?:its|the) test"):
        read_sent(cassette)


@pytest.mark.parametrize(
    ("recorded", "sent", "same"),
    [
        (b'{"a": 1}', b'{"a": 1, "n": 1}', True),
        (b'{"a": 1}', b'{"a": 1, "n": 2}', False),
        (b'{"a": 1}', b'{"a": 1, "n": true}', False),
        (b'{"a": "\xed\xa0\x80"}', b'{"a": "\xed\xa0\x80", "n": 1}', True),
        (b'{"a": "\xff"}', b'{"a": "\xff", "n": 1}', False),
        (b"[1]", b"[1]", True),
        (b"", b"", True),
        (b"", b"{}", False),
        (b"{", b"{", True),
    ],
)
def test_what_says_the_same(recorded: bytes, sent: bytes, same: bool) -> None:
    """A default that is sent now says nothing; a body that is no object is compared as it is."""
    before, now = (replace(message(), body=body) for body in (recorded, sent))
    assert rekeyed(before, SentRequest(1, now)).allowed == same


def test_changes_are_told_by_name_and_in_order() -> None:
    """First the address, then headers without their values, then members; what planguard itself added is none."""
    own = {"x-planguard-conversation": "a", "x-planguard-rekeyed": "before", "x-planguard-state": "{}"}
    recorded = Message({"a": "1", "b": "1", **own}, b'{"a": 1, "b": 1, "c": 1}', "POST", "https://a.test/v1")
    sent = Message({"b": "2", "c": "1"}, b'{"b": [2], "c": 1, "d": {"e": null}}', "POST", "https://b.test/v1")
    assert rekeyed(recorded, SentRequest(7, sent)) == Rekeyed(
        7,
        (
            "url changed: https://b.test/v1",
            "header a removed",
            "header b changed",
            "header c added",
            "a removed",
            "b changed",
            'd added: {"e": null}',
        ),
        allowed=False,
    )


def test_a_long_note_of_changes_is_cut(cassette: Path) -> None:
    """A header of a thousand characters holds enough of them."""
    sent = message({f"x-header-number-{number:03}": "1" for number in range(60)})
    write_rekeyed(cassette, rekey(cassette, [SentRequest(1, sent)]))
    note = read_cassette(cassette).interactions[0].request.headers[NOTE_HEADER]
    assert len(note) == 1_000
    assert note.startswith("header x-header-number-000 added; header x-header-number-001 added; ")


def test_what_is_wrong_with_requests_that_were_kept(cassette: Path, tmp_path: Path) -> None:
    """The file that is missing, old or damaged is named, with what to run."""
    with pytest.raises(CassetteError) as told:
        read_sent(cassette)
    assert str(told.value) == (
        f"{cassette}: no replayed requests found; run its test in replay mode, then run this command again"
    )
    keep_sent(tmp_path, cassette, [SentRequest(1, message())], Redaction())
    (kept,) = (tmp_path / ".planguard" / "sent").iterdir()
    text = kept.read_text("utf-8")
    kept.write_text(text.replace('"position"', '"place"'), "utf-8")
    with pytest.raises(CassetteError) as told:
        read_sent(cassette)
    assert str(told.value) == f"{kept}: the list of replayed requests is damaged ('position'); run the test again"
    kept.write_text(text, "utf-8")
    cassette.write_text(cassette.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(CassetteError) as told:
        read_sent(cassette)
    assert str(told.value) == (
        f"{cassette}: the cassette has changed since the replay; run its test, then this command again"
    )
    with pytest.raises(CassetteError) as told:
        write_rekeyed(tmp_path / "absent" / "a.yaml", "")
    assert str(told.value) == (
        f"{tmp_path / 'absent' / 'a.yaml'}: cannot be written (No such file or directory); nothing was changed"
    )
