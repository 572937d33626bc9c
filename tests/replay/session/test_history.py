"""What a session tells of its exchanges, its misses and the hosts that a test has asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_planguard.replay.files.reader import RawInteraction
from pytest_planguard.replay.matching.drift import Drift
from pytest_planguard.replay.matching.refusal import MatchMode
from pytest_planguard.replay.network.guard import Bypass, NetworkGuard
from pytest_planguard.replay.session.history import SessionHistory
from pytest_planguard.replay.session.playback import CassetteSettings, Play
from pytest_planguard.wire.exchange import Message

from ...support.exchanges import URL, chat, user


def raw(text: str) -> RawInteraction:
    """One interaction of a cassette."""
    one = chat([user(text)], text)
    return RawInteraction(one.request, one.response, {"response": {}})


def history(*texts: str, match: MatchMode = "gated", guard: NetworkGuard | None = None) -> SessionHistory:
    """A session of a cassette with these exchanges."""
    return SessionHistory(Path("a.yaml"), map(raw, texts), CassetteSettings(match=match), guard or NetworkGuard())


def play(number: int, status: int = 200, url: str = URL, method: str = "POST", **more: object) -> Play:
    """One exchange of the test."""
    body = json.dumps({"messages": [user("x")]}).encode() if method == "POST" else b""
    return Play(number, Message(body=body, method=method, url=url), Message(status=status), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statuses", "unanswered", "answered"),
    [
        ([], False, False),
        ([199], True, False),
        ([200], False, True),
        ([299], False, True),
        ([300], True, False),
        ([500, 200], False, True),
        ([200, 500], False, False),
        ([500, 429], True, False),
    ],
)
def test_a_recording_is_answered_by_its_last_exchange(statuses: list[int], unanswered: bool, answered: bool) -> None:
    """And unanswered if all were errors; an SDK that asks again may still succeed."""
    session = history()
    session.recorded += [play(number, status) for number, status in enumerate(statuses, 1)]
    assert (session.unanswered, session.answered) == (unanswered, answered)
    session._awaited.add(("POST", URL, b""))
    assert not session.answered


@pytest.mark.parametrize(
    ("match", "order"),
    [("gated", [(1, 1), (2, 2), (3, 3)]), ("strict", [(1, 1), (2, 2), (3, 3)]), ("lenient", [(1, 3), (2, 1), (3, 2)])],
)
def test_exchanges_are_in_the_order_of_the_cassette(match: MatchMode, order: list[tuple[int, int]]) -> None:
    """If they were chosen by meaning; else in the order in which they were served."""
    session = history("a", "b", "c", match=match)
    session.played += [play(number, position=position) for number, position in ((1, 3), (2, 1), (3, 2))]
    session.recorded.append(play(9))
    assert [(one.number, one.position) for one in session.exchanges] == [*order, (9, None)]
    assert [one.position for one, _ in session.replayed] == [position for _, position in order]
    assert [part.request.body for _, part in session.replayed] == [
        raw("abc"[position - 1]).request.body for _, position in order
    ]


@pytest.mark.parametrize("match", ["gated", "strict", "ordered", "lenient"])
def test_only_a_gated_replay_is_stale(match: MatchMode) -> None:
    """The other modes serve reworded requests on purpose, or never."""
    session = history("a", match=match)
    assert (session.stale, session.drifts) == (False, ())
    drift = Drift(1, (), 0.5)
    session.played.append(play(1, position=1, drift=drift))
    assert (session.stale, session.drifts) == (match == "gated", (drift,))


def test_a_cassette_is_known_by_its_requests() -> None:
    """Size, addresses, answers, and the command that records them again; nothing is left while it is recorded."""
    session = history("a", "b")
    assert (session.size, session.urls) == (2, (URL, URL))
    assert [message.status for message in session.responses] == [200, 200]
    assert [exchange.answer_text for exchange in session.unplayed] == ["a", "b"]
    assert [exchange.answer_text for exchange in session.kept[0]] == ["a", "b"]
    assert session.kept[1] == (None, None)
    assert str(session.rerecord) == "pytest --planguard-record=all # about 2 calls"
    assert not session.recording
    session._watching = True
    assert (session.recording, session.unplayed) == (True, ())


def test_hosts_that_are_not_in_the_recording_are_told() -> None:
    """First those of which nothing is recorded, then recorded places that others asked; calls that pass are none."""
    guard = NetworkGuard(blocking=False)
    guard.bypasses.append(Bypass("refused.test", 1, "app"))
    guard.contacted |= {"silent.test", "passed.test", "a.test"}
    guard.passed.add("passed.test")
    guard.places["a.test", 8443] = {"app"}
    guard.unrecorded["a.test", 443] = "other"
    session = history(guard=guard)
    assert session.bypasses == (Bypass("refused.test", 1, "app"),)
    session._watching = True
    session.recorded.append(play(1, url="https://a.test/v1"))
    assert session.bypasses == (
        Bypass("silent.test", None, "a client"),
        Bypass("a.test", 443, "other"),
        Bypass("a.test", 8443, "app"),
    )
    guard.clients["silent.test"] = "requests"
    assert session.bypasses[0] == Bypass("silent.test", None, "requests")
    guard.reached.update({"db.test:5432": None})
    assert session.reached == ("db.test:5432",)


@pytest.mark.parametrize(("method", "noted"), [("GET", True), ("get", True), ("POST", False)])
def test_a_download_is_noted_by_its_host(method: str, noted: bool) -> None:
    """Once, however often it is asked."""
    session = history()
    for path in ("one", "two"):
        session._note_download(play(1, url=f"https://a.test:8080/{path}", method=method))
    assert session.notes == noted * [
        "a.test was asked for something other than an answer; to leave it out: planguard_allowed_hosts = a.test"
    ]
