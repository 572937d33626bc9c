"""Modes of recording, what the session tells, and what we rely on inside vcrpy."""

import asyncio
import contextlib
import functools
import http.client
import inspect
import pickle
import warnings
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import httpx2
import pytest
import vcr
import yaml
from vcr.cassette import Cassette
from vcr.patch import CassettePatcherBuilder
from vcr.request import Request
from vcr.stubs import VCRHTTPSConnection, httpx_stubs

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import count_exchanges, finished_exchanges
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.session.cassette import CassetteMiss, PlanguardCassette, open_cassette

from ...support.exchanges import assistant, chat, part_of, send, user, write
from ...support.lookalike import Lookalike
from ...support.warm import inner_environment, run_module
from ..apps import BAD, GOOD, openai_chat


@pytest.fixture
def live(lookalike: Lookalike) -> str:
    """URL of a live chat endpoint that answers `{"a": 1}`."""
    lookalike.script({"a": 1}, {"a": 1})
    return f"{lookalike.base_url}/chat/completions"


def test_missing_records_once_and_then_replays(live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """`missing` records an absent file; an existing one is only replayed and never appended to."""
    path = tmp_path / "sub" / "a.yaml"
    with open_cassette(path, mode="missing") as session:
        send([user("x")], live)
        assert (session.recording, len(session.recorded), session.played) == (True, 1, [])
    before = path.read_bytes()
    with open_cassette(path, mode="missing") as session, pytest.raises(CassetteMiss):
        send([user("something that was never recorded before")], live)
    assert path.read_bytes() == before
    assert len(lookalike.received) == 1


def test_a_request_that_is_cancelled_at_once_is_replayed_as_that(live: str, tmp_path: Path) -> None:
    """It gets no answer while the next one is recorded, so a replay must not look for one."""

    async def ask() -> tuple[bool, object]:
        async with httpx2.AsyncClient() as client:
            first = asyncio.create_task(client.post(live, json={"model": "m", "messages": [user("first")]}))
            await asyncio.sleep(0)
            first.cancel()
            await asyncio.wait([first])
            return first.cancelled(), (
                await client.post(live, json={"model": "m", "messages": [user("second")]})
            ).json()

    with open_cassette(tmp_path / "a.yaml", mode="missing") as recording:
        recorded = asyncio.run(ask())
    assert (recorded[0], len(recording.recorded)) == (True, 1)
    with warnings.catch_warnings(), open_cassette(tmp_path / "a.yaml") as session:
        warnings.simplefilter("error")  # "coroutine was never awaited" would point at the app
        assert asyncio.run(ask()) == recorded
    assert (session.misses, session.unplayed) == ([], ())


def test_a_request_without_an_answer_is_known(live: str, tmp_path: Path) -> None:
    """Its client may swallow the error, and the file would look complete."""
    with open_cassette(tmp_path / "a.yaml", mode="missing") as session:
        httpx2.post(live, json={"model": "m", "messages": [user("one")]})
        assert session.answered
        with contextlib.suppress(httpx2.ConnectError):
            httpx2.post("http://127.0.0.1:9/v1/chat/completions", json={"model": "m", "messages": [user("two")]})
        assert not session.answered


def test_all_records_anew_over_the_old(live: str, tmp_path: Path) -> None:
    """`all` replaces the file as a whole when the test ended well."""
    path = write(tmp_path / "a.yaml", chat([user("old")], "old"), chat([user("older")], "old"))
    with open_cassette(path, mode="all"):
        send([user("new")], live)
    assert [e.answer_text for e in read_cassette(path).exchanges] == ['{"a": 1}']


def test_stale_replays_what_fits_and_records_what_does_not(live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """`stale` sends nothing while the cassette fits, and records the whole conversation again when it does not."""
    path = write(tmp_path / "a.yaml", chat([user("first prompt")], "old"))
    with open_cassette(path, mode="stale") as session:
        assert send([user("first prompt")], live) == "old"
    assert (session.recording, session.outgrown, lookalike.received) == (False, False, [])
    with open_cassette(path, mode="stale") as session:
        assert send([user("second prompt")], live) == '{"a": 1}'
        assert send([user("first prompt")], live) == '{"a": 1}'
    assert (session.recording, session.outgrown, len(session.recorded)) == (True, False, 2)
    assert [e.answer_text for e in read_cassette(path).exchanges] == ['{"a": 1}'] * 2


def test_stale_never_splices(live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """Once an answer was served, a misfit does not go live: the cassette is outgrown and must be opened again."""
    path = write(tmp_path / "a.yaml", chat([user("first prompt")], "old"))
    before = path.read_bytes()
    with open_cassette(path, mode="stale") as session:
        send([user("first prompt")], live)
        with pytest.raises(CassetteMiss):
            send([user("first prompt"), assistant("old"), user("go on")], live)
    assert (session.outgrown, lookalike.received, path.read_bytes()) == (True, [], before)


def test_stale_is_decided_once_for_all_threads(tmp_path: Path) -> None:
    """A request that fits and one that does not may be the first at once: the cassette is replayed, or recorded."""
    path = write(tmp_path / "a.yaml", chat([user("first prompt")], "old"))
    known = read_cassette(path).interactions[0].request
    with open_cassette(path, mode="stale") as session:
        assert session.awaits_first
        assert session.fits(known)
        session.start_recording()  # by a thread that asked before, and whose request did not fit
        assert (session.recording, session.awaits_first) == (False, False)
    with open_cassette(path, mode="stale") as session:
        session.start_recording()
        session.start_recording()
        assert session.fits(known)
        assert session.recording
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_the_second_of_two_sessions_with_one_stale_cassette_is_refused(
    live: str, lookalike: Lookalike, tmp_path: Path
) -> None:
    """Both find it stale; the first records it whole, and the second sends nothing and changes nothing."""
    path = write(tmp_path / "a.yaml", chat([user("first prompt")], "old"))
    with open_cassette(path, mode="stale"):
        send([user("second prompt")], live)
        with (
            pytest.raises(CassetteError, match="another session records this test now"),
            open_cassette(path, mode="stale") as second,
        ):
            send([user("another prompt")], live)
        send([user("third prompt")], live)
    assert (second.recording, len(lookalike.received)) == (False, 2)
    assert [e.answer_text for e in read_cassette(path).exchanges] == ['{"a": 1}'] * 2
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_an_old_recording_is_expired(live: str, tmp_path: Path) -> None:
    """Age is counted from the newest answer's Date header: `expired` is told, and mode stale records again."""
    path = tmp_path / "a.yaml"
    with open_cassette(path, mode="all"):
        send([user("x")], live)
    recorded = read_cassette(path).interactions[0].response.headers["date"]
    made = 1795255200.0  # 2026-11-21T10:00:00Z
    path.write_text(path.read_text("utf-8").replace(recorded, "Sat, 21 Nov 2026 10:00:00 GMT"), "utf-8")
    for age, expired in ((59, False), (61, True), (-86_399, False), (-86_401, True)):  # the last is of the future
        with open_cassette(path, max_age_s=60, now=lambda age=age: made + age) as session:
            assert session.expired is expired
    with open_cassette(path, mode="stale", max_age_s=60, now=lambda: made + 61) as session:
        assert session.recording
    undated = write(tmp_path / "b.yaml", chat([user("x")], "y"))
    with open_cassette(undated, max_age_s=1) as session:
        assert not session.expired


def test_a_broken_recording_is_refused_before_the_test(tmp_path: Path) -> None:
    """A file that is no recording is one clear error, and is never treated as empty."""
    path = tmp_path / "a.yaml"
    path.write_text("interactions: [", encoding="utf-8")
    for mode in ("none", "missing", "stale"):
        with pytest.raises(CassetteError, match=r"a\.yaml"), open_cassette(path, mode=mode):
            raise AssertionError("must not be entered")
    assert path.read_text(encoding="utf-8") == "interactions: ["


def test_the_model_that_a_test_names_is_kept_in_the_file(live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """It is never sent, and changes no replay. A secret in it stays out of the file."""
    path, key = tmp_path / "a.yaml", "ghp_" + "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q7r8"
    for name, kept in (("fast", "fast"), ("größte: #1", "größte: #1"), (key, "[redacted]"), (None, None)):
        with open_cassette(path, mode="all", for_model=name):
            send([user("a")], live)
            send([user("b")], live)
        assert read_cassette(path).for_model == kept
        with open_cassette(path, for_model="another", match="strict") as session:
            send([user("a")], live)
        assert not session.misses
    assert "x-planguard-model" not in str(lookalike.received)
    assert "fast" not in str(lookalike.received)


def test_names_of_conversations_are_kept_in_the_file(live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """The app's names of conversations stand in the cassette, are never sent, and find their own answers."""
    path = tmp_path / "a.yaml"
    name: list[str | None] = [None]
    with open_cassette(path, mode="all", conversation_id=lambda: name[0]) as session:
        for now in ("t1", "t2", None):
            name[0] = now
            send([user("same prompt")], live)
    assert [p.conversation for p in session.recorded] == ["t1", "t2", None]
    assert "x-planguard-conversation" not in str(lookalike.received)
    text = path.read_text(encoding="utf-8").replace('\\"a\\": 1', '\\"a\\": 2', 1)
    path.write_text(text, encoding="utf-8")
    with open_cassette(path, conversation_id=lambda: name[0]) as session:
        name[0] = "t2"
        assert send([user("same prompt")], live) == '{"a": 1}'
        name[0] = "t1"
        assert send([user("same prompt")], live) == '{"a": 2}'
        with pytest.raises(CassetteMiss, match=r"completions \(conversation 't1'\)"):
            send([user("same prompt")], live)
    assert [p.conversation for p in session.played] == ["t2", "t1"]


def test_each_recorded_exchange_is_on_disk_at_once(live: str, tmp_path: Path) -> None:
    """It is in the journal before the app goes on."""
    path = tmp_path / "a.yaml"
    with open_cassette(path, mode="all") as session:
        send([user("x")], live)
        assert count_exchanges(finished_exchanges(part_of(path))) == 1
    assert [(p.number, p.position, p.exchange.answer_text) for p in session.recorded] == [(1, None, '{"a": 1}')]


def test_what_the_session_tells(tmp_path: Path) -> None:
    """Served exchanges in order, the request as sent now, and what was not played."""
    path = write(tmp_path / "a.yaml", chat([user("one")], "1"), chat([user("at 2026-01-01T00:00:00Z")], "2"))
    with open_cassette(path) as session:
        send([user("at 2027-07-07T07:07:07Z")], "https://else.test/v1/chat/completions")
    play = session.played[0]
    assert (play.number, play.position, play.drift) == (1, 2, None)
    assert play.exchange.url == "https://else.test/v1/chat/completions"
    assert play.exchange.request[0].text == "at 2027-07-07T07:07:07Z"
    assert [e.answer_text for e in session.unplayed] == ["1"]
    assert session.exchanges == (play,)


def test_a_cassette_inside_ours_wins(tmp_path: Path) -> None:
    """Inside another tool's cassette, or around one, the inner one answers and the outer one is restored."""
    ours = write(tmp_path / "ours.yaml", chat([user("x")], "ours"), chat([user("x")], "ours again"))
    theirs = write(tmp_path / "theirs.yaml", chat([user("x")], "theirs"), chat([user("x")], "theirs again"))
    plain = vcr.VCR(record_mode="none")
    with open_cassette(ours) as session:
        with plain.use_cassette(str(theirs)):
            assert send([user("x")]) == "theirs"
        assert send([user("x")]) == "ours"
    assert [e.answer_text for e in session.unplayed] == ["ours again"]
    with plain.use_cassette(str(theirs)) as outer:
        with open_cassette(ours):
            assert send([user("x")]) == "ours"
        assert send([user("x")]) == "theirs"
    assert outer.play_count == 1


BOTH = """
import httpx2, pytest
from pytest_planguard.replay.session.cassette import open_cassette

def ask():
    body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    answer = httpx2.post("https://api.example.com/v1/chat/completions", json=body, verify=False).json()
    return answer["choices"][0]["message"]["content"]

@pytest.mark.vcr
def test_both():
    with open_cassette("ours.yaml"):
        assert ask() == "ours"
    assert ask() == "theirs"
"""


@pytest.mark.slow
def test_pytest_recording_around_ours(tmp_path: Path) -> None:
    """A test marked for pytest-recording may open our cassette inside; a file of ours is one of its own, too."""
    write(tmp_path / "ours.yaml", chat([user("x")], "ours"))
    folder = tmp_path / "cassettes" / "test_both"
    folder.mkdir(parents=True)
    write(folder / "test_both.yaml", chat([user("x")], "theirs"))
    (tmp_path / "test_both.py").write_text(BOTH, encoding="utf-8")
    plugins = ["-p", "recording", "-p", "planguard", "-p", "no:cacheprovider"]
    words = ["pytest", "-q", *plugins, "--rootdir", str(tmp_path)]
    result = run_module(words, tmp_path, inner_environment())
    assert b"1 passed" in result.stdout, result.stdout


@pytest.mark.parametrize("client", ["urllib", "http.client"])
def test_standard_library_clients(client: str, live: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """Clients over http.client record and replay, a reused connection included."""
    import json
    import urllib.request

    bodies = [json.dumps({"model": "m", "messages": [user(f"task {n}")]}).encode() for n in range(3)]

    def run() -> list[bytes]:
        if client == "urllib":
            requests = [urllib.request.Request(live, b, {"content-type": "application/json"}) for b in bodies]
            return [urllib.request.urlopen(r).read() for r in requests]
        connection = http.client.HTTPConnection(lookalike.origin.removeprefix("http://"))
        answers = []
        for body in bodies:
            connection.request("POST", "/v1/chat/completions", body)
            answers.append(connection.getresponse().read())
        connection.close()
        return answers

    path = tmp_path / "a.yaml"
    with open_cassette(path, mode="all"):
        first = run()
    lookalike.stop()
    with open_cassette(path, match="strict") as session:
        assert [json.loads(a) for a in run()] == [json.loads(a) for a in first]
    assert session.unplayed == ()
    assert all(p.exchange.latency_s is not None for p in session.played)


def test_a_full_disk_is_one_clear_error(live: str, tmp_path: Path) -> None:
    """A full disk ends in one CassetteError, though the app swallowed it, and the old file is untouched."""
    path = write(tmp_path / "a.yaml", chat([user("old")], "old"))
    before = path.read_bytes()
    with pytest.raises(CassetteError, match="No space left on device"), open_cassette(path, mode="all") as session:
        _break_and_send(session, live)
    assert path.read_bytes() == before


def _break_and_send(session: object, live: str) -> None:
    session._journal._file.close()  # type: ignore[attr-defined]
    session._journal._file = _Full()  # type: ignore[attr-defined]
    with pytest.raises(CassetteError):
        send([user("x")], live)


class _Full:
    """A file on a full disk."""

    def write(self, _text: str) -> None:
        raise OSError(28, "No space left on device")

    def close(self) -> None:
        pass


def test_what_we_rely_on_in_vcrpy(tmp_path: Path) -> None:
    """The undocumented names of vcrpy that we override or call exist and have the shape that we rely on."""
    for name in ("_responses", "can_play_response_for", "play_response", "filter_request"):
        assert list(inspect.signature(getattr(Cassette, name)).parameters) == ["self", "request"], name
    assert list(inspect.signature(Cassette.append).parameters) == ["self", "request", "response"]
    assert isinstance(inspect.getattr_static(Cassette, "write_protected"), property)
    assert {"path", "record_mode", "custom_patches"} <= inspect.signature(Cassette.__init__).parameters.keys()
    assert list(inspect.signature(CassettePatcherBuilder.build).parameters) == ["self"]
    assert list(inspect.signature(CassettePatcherBuilder._build_cassette_subclass).parameters) == ["self", "base_class"]
    assert [*inspect.signature(CassettePatcherBuilder._build_patcher).parameters][:3] == [
        "self",
        "obj",
        "patched_attribute",
    ]
    assert VCRHTTPSConnection._baseclass is HTTPSConnection
    connection = VCRHTTPSConnection("a.test")
    connection.request("GET", "/x")
    assert isinstance(connection.real_connection, HTTPSConnection)
    assert (connection._vcr_request.uri, connection._url("https://a.test/x")) == ("https://a.test/x", "/x")
    assert list(inspect.signature(httpx_stubs._deserialize_response).parameters) == ["vcr_response", "httpx"]
    assert list(inspect.signature(vcr.stubs.VCRHTTPResponse.stream).parameters) == ["self", "amt", "decode_content"]
    request = Request("POST", "http://a.test/", b"x", {"A": "1"})
    assert (request.uri, request.body, dict(request.headers)) == ("http://a.test/", b"x", {"A": "1"})


def test_public_helpers_of_vcrpy_work(tmp_path: Path) -> None:
    """`in`, `len` and `responses_of` tell what would be served, without serving it."""
    path = write(tmp_path / "a.yaml", chat([user("x")], "y"))
    with open_cassette(path) as session:
        cassette = http.client.HTTPConnection.cassette  # type: ignore[attr-defined]  # vcrpy's, while it is open
        assert isinstance(cassette, PlanguardCassette)
        raw = read_cassette(path).interactions[0]
        request = Request("POST", raw.request.url, raw.request.body, {})
        assert request in cassette
        assert len(cassette) == 1
        assert cassette.responses_of(request)[0]["status"]["code"] == 200
        assert Request("POST", raw.request.url, b"{}", {}) not in cassette
        assert cassette.find_requests_with_most_matches(request) == [(request, [], [])]
    assert session.played == []


def test_the_app_may_be_streaming_while_it_records(lookalike: Lookalike, tmp_path: Path) -> None:
    """A recorded loop equals what the endpoint received, and the file loads with a plain YAML reader."""
    lookalike.script(GOOD, BAD)
    with open_cassette(tmp_path / "a.yaml", mode="all") as session:
        openai_chat(lookalike.origin)
    loaded = yaml.safe_load((tmp_path / "a.yaml").read_text(encoding="utf-8"))
    bodies = [yaml.safe_load(i["request"]["body"]) for i in loaded["interactions"]]
    assert bodies == [r.body for r in lookalike.received]
    assert [p.exchange.number for p in session.recorded] == [1, 2]


def test_a_miss_travels_as_its_text(tmp_path: Path) -> None:
    """What it holds of the cassette stays behind."""
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    with open_cassette(recorded), pytest.raises(CassetteMiss) as raised:
        send([user("another thing altogether")])
    travelled = pickle.loads(pickle.dumps(raised.value))  # our own
    assert type(travelled) is CassetteError
    assert str(travelled) == str(raised.value)


def test_a_method_that_is_only_wrapped_is_patched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenTelemetry and the like keep the module of what they wrap."""
    real = httpx2.HTTPTransport.handle_request

    @functools.wraps(real)
    def traced(*args: Any) -> Any:
        return real(*args)

    monkeypatch.setattr(httpx2.HTTPTransport, "handle_request", traced)
    with open_cassette(write(tmp_path / "a.yaml", chat([user("one")], "first"))):
        assert send([user("one")]) == "first"


def test_a_replay_notes_that_an_answer_was_edited(live: str, tmp_path: Path) -> None:
    """You may edit an answer to try something out. The reader of a failed test must see that it was edited."""
    path = tmp_path / "a.yaml"
    with open_cassette(path, mode="all"):
        send([user("x")], live)
    with open_cassette(path) as session:
        send([user("x")], live)
    assert session.notes == []
    path.write_text(path.read_text("utf-8").replace('\\"a\\": 1', '\\"a\\": 2'), "utf-8")
    with open_cassette(path) as session:
        assert send([user("x")], live) == '{"a": 2}'
    assert session.notes == ["changed by hand after it was recorded: its end mark has another digest"]
