"""Recorded latency: measured once, kept in the file, served to nobody, changed by no replay."""

import http.client
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
import yaml
from vcr.cassette import Cassette
from vcr.persisters.filesystem import FilesystemPersister
from vcr.request import Request
from vcr.serialize import deserialize
from vcr.serializers import yamlserializer

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.replay.session.rekey import SentRequest, rekey
from pytest_planguard.wire.exchange import LATENCY_HEADER

from ..support.exchanges import URL, chat, send, user, write
from ..support.lookalike import Lookalike

SLOW_S = 0.15
ANSWER = {"status": {"code": 200, "message": ""}, "headers": {}, "body": {"string": b"{}"}}


@pytest.fixture
def recorded(lookalike: Lookalike, tmp_path: Path) -> Path:
    """Two tasks asked at once, of which the first was answered late."""
    lookalike.script({"a": 1}, {"a": 1}, when="slow", delay_s=SLOW_S)
    lookalike.script({"a": 2}, {"a": 2}, when="fast")
    url = f"{lookalike.base_url}/chat/completions"
    with open_cassette(tmp_path / "a.yaml", mode="all"), ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda task: send([user(task)], url), ["slow", "fast"]))
    lookalike.stop()
    return tmp_path / "a.yaml"


def latencies(path: Path) -> dict[str, float | None]:
    """Latency by the words of the request."""
    return {e.request[0].text: e.latency_s for e in read_cassette(path).exchanges}


def test_parallel_exchanges_have_each_their_own(recorded: Path, tmp_path: Path) -> None:
    """The answer that came late is the one that took long; one that is asked for later and comes sooner took less."""
    assert (latencies(recorded)["slow"] or 0) >= SLOW_S
    with open_cassette(tmp_path / "b.yaml", mode="all") as session:
        cassette = _open()
        early, late = (Request("POST", URL, b"{}", {}) for _ in range(2))
        assert not cassette.can_play_response_for(early)
        time.sleep(SLOW_S)
        assert not cassette.can_play_response_for(late)
        for request in (late, early):
            cassette.append(request, ANSWER)
    second, first = (p.exchange.latency_s or 0 for p in session.recorded)
    assert first - second >= SLOW_S - 0.001


def test_a_replay_neither_measures_nor_serves_it(recorded: Path) -> None:
    """The recorded seconds stand in the exchange, the file keeps its bytes, and the app's answer has no such header."""
    before, known = recorded.read_bytes(), latencies(recorded)
    with open_cassette(recorded) as session:
        body = {"model": "m", "messages": [user("slow")]}
        answer = httpx2.post("http://127.0.0.1:9/v1/chat/completions", json=body, verify=False)
    assert LATENCY_HEADER not in answer.headers
    assert session.played[0].exchange.latency_s == known["slow"]
    assert recorded.read_bytes() == before


def test_other_readers_of_the_file_keep_it(recorded: Path, tmp_path: Path) -> None:
    """Plain vcrpy loads the file and writes it back with every latency.

    A reader that takes all parts of an interaction for messages, as those with parsed bodies do, finds nothing else.
    """
    requests, responses = FilesystemPersister.load_cassette(recorded, yamlserializer)
    copy = tmp_path / "copy.yaml"
    FilesystemPersister.save_cassette(copy, {"requests": requests, "responses": responses}, yamlserializer)
    assert latencies(copy) == latencies(recorded)
    assert len(deserialize(recorded.read_text(encoding="utf-8"), yamlserializer)[0]) == 2
    loaded = yaml.safe_load(recorded.read_text(encoding="utf-8"))
    assert all(set(one) == {"request", "response"} for one in loaded["interactions"])


def test_what_a_server_claims_does_not_count(lookalike: Lookalike, tmp_path: Path) -> None:
    """A header of that name that comes over the wire is replaced by what was measured."""
    lookalike.script({}, {}, failures=((429, {LATENCY_HEADER: "987654"}),))
    with open_cassette(tmp_path / "a.yaml", mode="all"), pytest.raises(httpx2.HTTPStatusError):
        send([user("x")], f"{lookalike.base_url}/chat/completions")
    text = (tmp_path / "a.yaml").read_text(encoding="utf-8")
    assert (text.count(LATENCY_HEADER), text.count("987654")) == (1, 0)


def test_a_recording_without_it_is_not_known(tmp_path: Path) -> None:
    """An older cassette, or somebody else's, has no latency: that is None and never 0."""
    path = write(tmp_path / "a.yaml", chat([user("x")], "y"))
    assert latencies(path) == {"x": None}


def test_an_answer_that_nobody_announced_has_none(recorded: Path) -> None:
    """A redirect of aiohttp is recorded without being asked for first: its time is not known."""
    with open_cassette(recorded.with_name("b.yaml"), mode="all") as session:
        _open().append(Request("POST", URL, b"{}", {}), ANSWER)
    assert session.recorded[0].exchange.latency_s is None


def _open() -> Cassette:
    found: Cassette = http.client.HTTPConnection.cassette  # type: ignore[attr-defined]  # vcrpy's, while it is open
    return found


def test_it_stays_where_requests_are_taken_over(tmp_path: Path) -> None:
    """Rewriting a request offline leaves the answer, and so its latency, as it was."""
    one = chat([user("x")], "y")
    path = write(tmp_path / "a.yaml", replace(one, response_headers=((LATENCY_HEADER, ("1.500",)),)))
    sent = replace(one.request, headers={**one.request.headers, "user-agent": "sdk/2"})
    path.write_text(rekey(path, [SentRequest(1, sent)]), encoding="utf-8")
    assert latencies(path) == {"x": 1.5}
