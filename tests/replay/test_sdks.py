"""Every SDK call that we promise: recorded against the look-alike, replayed with it stopped."""

import json
from pathlib import Path

import pytest
import vcr

from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.wire.exchange import LATENCY_HEADER

from ..support.lookalike import Lookalike
from .apps import APPS, BAD, GOOD

NOWHERE = "http://127.0.0.1:9"


@pytest.mark.slow
@pytest.mark.parametrize("name", APPS)
def test_a_recorded_loop_replays_without_its_server(name: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """A correct two-attempt loop replays with the server stopped, another port, and everything played."""
    lookalike.script(GOOD, BAD)
    path = tmp_path / "loop.yaml"
    with open_cassette(path, mode="missing") as recording:
        recorded = APPS[name](lookalike.origin)
    lookalike.stop()
    assert json.loads(recorded) == GOOD
    assert len(lookalike.received) == len(recording.recorded) == 2
    assert all(p.exchange.latency_s is not None for p in recording.recorded)

    with open_cassette(path) as session:
        replayed = APPS[name](NOWHERE)
    assert replayed == recorded
    assert [p.exchange.answer_text for p in session.played] == [json.dumps(BAD), recorded]
    assert (session.unplayed, session.misses, session.drifts, session.bypasses) == ((), [], (), ())
    assert not session.stale
    assert [p.exchange.latency_s for p in session.played] == [p.exchange.latency_s for p in recording.recorded]


@pytest.mark.slow
@pytest.mark.parametrize("name", APPS)
def test_plain_vcrpy_replays_our_file(name: str, lookalike: Lookalike, tmp_path: Path) -> None:
    """The file stays plain vcrpy, latencies included: vcrpy alone replays it, in order, and writes nothing."""
    lookalike.script(GOOD, BAD, gzip=True)
    path = tmp_path / "loop.yaml"
    with open_cassette(path, mode="all"):
        recorded = APPS[name](lookalike.origin)
    origin = lookalike.origin
    lookalike.stop()
    before = path.read_bytes()
    assert before.count(LATENCY_HEADER.encode()) == 2
    with vcr.VCR(record_mode="none", match_on=("method", "uri", "body")).use_cassette(str(path)) as cassette:
        assert APPS[name](origin) == recorded
    assert cassette.all_played
    assert path.read_bytes() == before


def test_a_recording_reads_as_blocks(lookalike: Lookalike, tmp_path: Path) -> None:
    """A reviewer sees JSON over lines, real characters, no credentials, no binary and no aliases."""
    lookalike.script(GOOD, BAD, gzip=True)
    path = tmp_path / "loop.yaml"
    with open_cassette(path, mode="all"):
        APPS["openai_chat"](lookalike.origin)
    text = path.read_text(encoding="utf-8")
    assert '            "content": "Make a ticket: the printer is on fire"\n' in text
    assert "Zoë" in text
    assert "🔥" in text
    for unwanted in ("!!binary", "&id", "authorization", "s3cr3t", "content-encoding"):
        assert unwanted not in text.lower()
    assert [e.dialect for e in read_cassette(path).exchanges] == ["openai.chat", "openai.chat"]
