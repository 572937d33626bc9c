"""The replay as such, without any HTTP client: its laws, and the odd forms that clients hand over."""

import io
import json
from contextlib import suppress
from contextvars import Context, ContextVar
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import CassetteJournal
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.files.reader import RawInteraction
from pytest_planguard.replay.matching.cassette_index import RecordedEntry
from pytest_planguard.replay.matching.refusal import Miss, MissKind
from pytest_planguard.replay.network.guard import NetworkGuard
from pytest_planguard.replay.session.cassette import CassetteMiss, open_cassette
from pytest_planguard.replay.session.history import as_lived
from pytest_planguard.replay.session.playback import CassetteSettings, Play
from pytest_planguard.replay.session.replayed_response import as_interaction, as_message
from pytest_planguard.replay.session.rerecord import newest_answer
from pytest_planguard.replay.session.session import CassetteSession, finishing
from pytest_planguard.retry.judging.retry_listing import RetryFeedback, evidence
from pytest_planguard.wire.exchange import Exchange, Message

from ...support.exchanges import assistant, chat, part_of, send, user, write


def session(*interactions: Interaction, **settings: Any) -> CassetteSession:
    """A replay of these exchanges."""
    raw = [RawInteraction(i.request, i.response, {"response": {}}) for i in interactions]
    return CassetteSession(Path("a.yaml"), raw, CassetteSettings(**settings), NetworkGuard())


def conversation(task: int, attempts: int) -> list[Interaction]:
    """A task that is asked, rejected and asked again, its answers its own."""
    turns = [user(f"task number {task}")]
    exchanges = []
    for attempt in range(attempts):
        exchanges.append(chat(turns, f"answer {task}.{attempt}"))
        turns = [*turns, assistant(f"answer {task}.{attempt}"), user(f"title: expected a string; got {attempt}")]
    return exchanges


@given(st.lists(st.integers(1, 4), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_replay_is_a_function_of_the_recording(attempts: list[int], random: Any) -> None:
    """Law: however conversations are interleaved, recorded or replayed, each gets its own answers in order.

    The exchanges are in the order of the recording, so that no result depends on which thread came first.
    """
    conversations = [conversation(task, count) for task, count in enumerate(attempts)]
    replay = session(*_shuffled(conversations, random))
    for wanted in _shuffled(conversations, random):
        served = replay.answer(wanted.request)
        assert isinstance(served, RecordedEntry)
        assert served.raw.response.body == wanted.response_body
    assert (replay.unplayed, replay.misses, replay.drifts) == ((), [], ())
    assert [(play.position, play.number) for play in replay.exchanges] == [(n, n) for n in range(1, sum(attempts) + 1)]


def test_equal_requests_at_once_have_their_own_states(tmp_path: Path) -> None:
    """Two tasks ask the same, and the first one's answer comes after the second has asked."""
    name = ContextVar("name", default="")
    (exchange,) = conversation(1, 1)
    tasks = [Context(), Context()]
    cassette = open_cassette(tmp_path / "a.yaml", mode="missing", state=lambda: {"name": name.get()})
    with cassette as recording:
        for task, own in zip(tasks, "ab", strict=True):
            task.run(name.set, own)
            task.run(recording.expect, exchange.request)
            task.run(name.set, "later")
        for task in tasks:
            task.run(recording.record, exchange)
    assert [play.exchange.state["name"] for play in recording.exchanges] == ["a", "b"]


def _shuffled(conversations: list[list[Interaction]], random: Any) -> list[Interaction]:
    """One sequence of all exchanges that keeps the order within each conversation."""
    order = [number for number, turns in enumerate(conversations) for _ in turns]
    random.shuffle(order)
    left = [list(turns) for turns in conversations]
    return [left[number].pop(0) for number in order]


@pytest.mark.slow
@given(st.lists(st.integers(0, 2), max_size=8))
def test_a_miss_changes_nothing(order: list[int]) -> None:
    """Law: requests that are refused have no part in what the others get."""
    recorded = conversation(1, 3)
    stranger = chat([user("an entirely different thing")], "").request
    replay = session(*recorded)
    for wanted in recorded:
        for _ in order[:2]:
            assert isinstance(replay.answer(stranger), Miss)
        served = replay.answer(wanted.request)
        assert isinstance(served, RecordedEntry)
        assert served.raw.response.body == wanted.response_body
    assert len(replay.misses) == min(len(order), 1)
    assert sum(miss.count for miss in replay.misses) == 3 * min(len(order), 2)


def test_looking_ahead_changes_nothing() -> None:
    """`peek` and `fits` tell what would be served, as often as they are asked."""
    one, two = conversation(1, 1)[0], conversation(2, 1)[0]
    replay = session(one)
    for _ in range(3):
        entry = replay.peek(one.request)
        assert entry is not None
        assert entry.position == 1
        assert replay.fits(one.request)
    drifted = chat([user("task number one of them all")], "").request
    assert not session(one, match="strict").fits(two.request)
    assert session(one).peek(chat([user("entirely else")], "").request) is None
    assert session(one, match="lenient").fits(drifted)
    assert replay.played == []


def test_names_that_the_recording_does_not_have() -> None:
    """Named twins may begin with any of the recorded answers; how they go on is never guessed."""
    same = [user("the same prompt")]
    blind = [*same, user("title: expected a string; got 1")]
    recorded = [chat(same, "one"), chat(same, "two"), chat(blind, "after one"), chat(blind, "after two")]
    name: list[str | None] = [None]
    replay = session(*recorded, conversation_id=lambda: name[0])
    for now, position in (("a", 1), ("b", 2)):
        name[0] = now
        served = replay.answer(chat(same, "").request)
        assert isinstance(served, RecordedEntry)
        assert served.position == position
    refused = replay.answer(chat(blind, "").request)
    assert isinstance(refused, Miss)
    assert refused.kind is MissKind.AMBIGUOUS
    assert "around each task, then record again" in refused.message


def test_one_named_conversation_may_ask_the_same_again() -> None:
    """Sampling inside one named conversation is in order, not ambiguous."""
    same = [user("the same prompt")]
    replay = session(*(chat(same, str(n)) for n in range(3)), conversation_id=lambda: "a")
    served = [replay.answer(chat(same, "").request) for _ in range(3)]
    assert [e.position for e in served if isinstance(e, RecordedEntry)] == [1, 2, 3]


def test_ordered_keeps_to_named_conversations() -> None:
    """In mode ordered position counts within the conversation that the cassette knows by name."""
    interactions = [chat([user(f"t{n}")], f"a{n}") for n in range(4)]
    names = ["x", "y", "x", "y"]
    raw = [
        RawInteraction(Message({"x-planguard-conversation": n}, i.request_body, "POST", i.url), i.response, {})
        for i, n in zip(interactions, names, strict=True)
    ]
    now = "y"
    settings = CassetteSettings(match="ordered", conversation_id=lambda: now)
    replay = CassetteSession(Path("a.yaml"), raw, settings, NetworkGuard())
    served = [replay.answer(chat([user("any")], "").request) for _ in range(3)]
    assert [e.position for e in served if isinstance(e, RecordedEntry)] == [2, 4]
    assert isinstance(served[2], Miss)
    assert served[2].kind is MissKind.EXTRA
    empty = session(match="ordered").answer(interactions[0].request)
    assert isinstance(empty, Miss)
    assert empty.kind is MissKind.UNRECORDED


def test_who_asks_a_live_endpoint_blocks_nothing(tmp_path: Path) -> None:
    """A replay refuses connections; what records or holds answers against live ones lets them through."""
    for begins, blocks in (("", True), ("start_recording", False), ("watch", False)):
        guard = NetworkGuard()
        one = CassetteSession(tmp_path / "a.yaml", (), CassetteSettings("none"), guard)
        with finishing(one):
            if begins:
                getattr(one, begins)()
            assert (guard.blocking, one.recording) == (blocks, not blocks)


def test_a_live_exchange_is_kept_whole_for_a_further_run() -> None:
    """With the status, the reason and every header of its answer, as a cassette has them."""
    one = Interaction("POST", "http://a.test", (), b"{}", 201, "Made", (("X-A", ("1", "2")),), b"ok")
    play, raw = as_lived(one, Play(3, Message(), Message(), None, 2))
    assert (play.number, play.request, play.response) == (3, one.request, one.response)
    assert (raw.request, raw.response) == (one.request, one.response)
    assert raw.raw == {"response": {"status": {"code": 201, "message": "Made"}, "headers": {"X-A": ["1", "2"]}}}


def test_nothing_known_is_not_judged() -> None:
    """Without a contract there is no evidence, and that is told apart from a missing finding."""
    assert evidence(Exchange(1, "raw"), None, ()) == RetryFeedback()  # type: ignore[arg-type]
    assert not RetryFeedback().judged
    assert RetryFeedback(missing=("x",)).judged


@pytest.mark.parametrize(
    ("body", "plain"),
    [
        (None, b""),
        ("ö", "ö".encode()),
        (b"x", b"x"),
        (bytearray(b"x"), b"x"),
        ({"a": [1]}, b'{"a": [1]}'),
        (io.BytesIO(b"file"), b"file"),
        (iter([b"a", "b"]), b"ab"),
        (7, b"7"),
    ],
    ids=["none", "str", "bytes", "bytearray", "json", "file", "pieces", "number"],
)
def test_bodies_in_any_form(body: Any, plain: bytes) -> None:
    """Clients hand bodies over as text, bytes, values, files or pieces."""
    request = SimpleNamespace(method="POST", uri="http://a.test/", headers={"A": "1"}, body=body)
    assert as_message(request) == Message({"a": "1"}, plain, "POST", "http://a.test/")


def test_an_answer_without_body_or_reason() -> None:
    """A response without a body (204, HEAD) or a reason phrase is recorded as empty."""
    request = SimpleNamespace(method="GET", uri="http://a.test/", headers={}, body=None)
    made = as_interaction(request, {"status": {"code": 204, "message": None}, "headers": {"X": ["1", "2"]}, "body": {}})
    assert (made.response_body, made.reason, made.response_headers) == (b"", "", (("X", ("1", "2")),))


@pytest.mark.parametrize("moment", ["open", "append", "close", "finish"])
def test_every_write_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Whichever step the disk refuses, it is one CassetteError that names the file, and the old one is untouched."""

    def full(*_args: Any, **_kwargs: Any) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.yaml"
    path.write_text("old", encoding="utf-8")
    part_of(path).write_text("interrupted", encoding="utf-8")
    if moment == "open":
        monkeypatch.setattr(Path, "open", full)
        with pytest.raises(CassetteError, match=r"a\.yaml\.[0-9a-f]{8}\.part: cannot be written \(No space left"):
            CassetteJournal(path)
    else:
        journal = CassetteJournal(path)
        journal.append(chat([user("x")], "y"))
        real = journal._file
        if moment == "finish":
            monkeypatch.setattr(Path, "replace", full)
        else:
            stand_in = SimpleNamespace(write=real.write, flush=real.flush, fileno=real.fileno, close=real.close)
            setattr(stand_in, {"append": "flush"}.get(moment, moment), full)
            journal._file = stand_in  # type: ignore[assignment]
        with pytest.raises(CassetteError, match=r"No finished cassette was changed$"):
            journal.append(chat([user("x")], "y")) if moment == "append" else journal.finish()
        real.close()
    monkeypatch.undo()
    assert path.read_text(encoding="utf-8") == "old"


def test_an_abandoned_journal_without_exchange_leaves_nothing(tmp_path: Path) -> None:
    """A test that failed before its first request leaves no empty journal behind."""
    CassetteJournal(tmp_path / "a.yaml").abandon()
    assert list(tmp_path.iterdir()) == []


def test_the_newest_date_counts() -> None:
    """Headers without a date, or with a broken one, say nothing."""
    dates = ["", "nonsense", "Sat, 21 Nov 2026 10:00:00 GMT", "Fri, 20 Nov 2026 10:00:00 GMT"]
    assert newest_answer(Message({"date": d}) for d in dates) == 1795255200.0
    assert newest_answer([Message()]) is None


def test_json_that_was_recorded_stays_comparable() -> None:
    """A request whose body is no object is compared as a whole."""
    one = Interaction("POST", "http://a.test/v1", (), b'["a", "b"]', 200, "OK", (), b"")
    miss = session(one, match="strict").answer(Message({}, json.dumps(["a", "c"]).encode(), "POST", "http://a.test/v1"))
    assert isinstance(miss, Miss)
    assert "changed:   [1]: [-b-]{+c+}" in miss.message
    text = session(one, match="strict").answer(Message({}, b"plain", "POST", "http://a.test/v1"))
    assert isinstance(text, Miss)
    assert 'changed:   (whole body): [-["a", "b"]-]{+plain+}' in text.message


def test_a_recording_at_another_base_url_names_the_variable(tmp_path: Path) -> None:
    """An app may count tokens first at the default address, which it does not do at a gateway."""
    url = "http://127.0.0.1:9/gateway/v1/chat/completions"
    recorded = replace(chat([user("one")], "first"), url=url)
    with open_cassette(write(tmp_path / "a.yaml", recorded), match="strict") as session:
        with suppress(CassetteMiss):
            send([user("another")], "https://api.openai.com/v1/responses/input_tokens")
        with suppress(CassetteMiss):
            send([user("another")], url)
    far, near = (miss.message for miss in session.misses)
    assert "recorded at another base URL" in far
    assert "set OPENAI_BASE_URL=http://127.0.0.1:9/gateway/v1\n" in far
    assert "base URL" not in near
