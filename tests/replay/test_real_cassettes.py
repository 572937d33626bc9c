"""The same promises over real cassettes of many providers, where they stand beside the checkout."""

import json
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from pytest_planguard.contract.contract import Contract
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction, collect
from pytest_planguard.replay.files.reader import Cassette, RawInteraction, find_cassettes, read_cassette
from pytest_planguard.replay.matching.cassette_index import RecordedEntry
from pytest_planguard.replay.matching.refusal import Miss, MissKind
from pytest_planguard.replay.network.guard import NetworkGuard
from pytest_planguard.replay.privacy.redact import redact
from pytest_planguard.replay.privacy.redaction_rules import Redaction
from pytest_planguard.replay.session.playback import CassetteSettings
from pytest_planguard.replay.session.session import CassetteSession
from pytest_planguard.wire.exchange import Message

EVERY = 12
"""One recording in so many is read here: enough to meet every provider, few enough for every run of the suite."""


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2, max_length=6)


@pytest.fixture
def cassettes(shared_data: Path) -> list[Cassette]:
    """A sample of the real cassettes."""
    return [read_cassette(path) for path in list(find_cassettes([shared_data / "recordings"]))[::EVERY]]


def session(recording: Cassette, settings: CassetteSettings) -> CassetteSession:
    """A replay without any client."""
    return CassetteSession(recording.path, recording.interactions, settings, NetworkGuard())


def written(raw: RawInteraction) -> Interaction:
    """A recorded interaction as we would write it."""
    asked, said = raw.raw["request"], raw.raw["response"]
    return Interaction(
        raw.request.method,
        raw.request.url,
        collect((asked.get("headers") or {}).items()),
        raw.request.body,
        raw.response.status,
        "",
        collect((said.get("headers") or {}).items()),
        raw.response.body,
    )


@pytest.mark.slow
def test_every_recording_replays_itself(cassettes: list[Cassette]) -> None:
    """Its own requests, in order, find their own answers in the strictest mode, and all are played."""
    for recording in cassettes:
        replay = session(recording, CassetteSettings(match="strict"))
        served = [replay.answer(i.request) for i in recording.interactions]
        assert [e.position for e in served if isinstance(e, RecordedEntry)] == list(range(1, len(served) + 1)), (
            recording.path
        )
        assert replay.unplayed == ()


@pytest.mark.slow
def test_every_recording_means_the_same_in_our_form(cassettes: list[Cassette], tmp_path: Path) -> None:
    """Written in our form and read again, every exchange decodes to the same items."""
    path = tmp_path / "a.yaml"
    for recording in cassettes:
        path.write_bytes(render(map(written, recording.interactions)).encode())
        for one, other in zip(recording.exchanges, read_cassette(path).exchanges, strict=True):
            assert (one.dialect, one.request, one.answer) == (other.dialect, other.request, other.answer)
            assert (one.finish, one.usage, one.tools, one.error) == (
                other.finish,
                other.usage,
                other.tools,
                other.error,
            )


@pytest.mark.slow
def test_real_recordings_hold_few_secrets(cassettes: list[Cassette]) -> None:
    """Real traffic, media included, is not full of false alarms: at most one cassette in twenty has any."""
    alarms = [
        recording.path.name
        for recording in cassettes
        if any(redact(written(i), Redaction()).secrets for i in recording.interactions)
    ]
    assert len(alarms) <= len(cassettes) / 20


@pytest.mark.parametrize("strategy", ["feedback", "inject"])
def test_a_retry_without_its_feedback_gets_no_answer(shared_data: Path, strategy: str) -> None:
    """Loops of a real model: the recorded retry is served; with its feedback dropped it is refused as missing."""
    ticket = Contract(Ticket, extract="whole")
    retries = 0
    for path in sorted((shared_data / "local_model" / "cassettes" / strategy).glob("*.yaml"))[::4]:
        recording = read_cassette(path)
        if len(recording.interactions) < 2:
            continue
        first, second = (i.request for i in recording.interactions[:2])
        replay = session(recording, CassetteSettings(contracts=(ticket,)))
        assert isinstance(replay.answer(first), RecordedEntry)
        refused = replay.answer(without_feedback(first, second, strategy))
        assert isinstance(refused, Miss)
        assert refused.kind is MissKind.MISSING
        assert refused.refusal.missing
        assert isinstance(replay.answer(second), RecordedEntry)
        retries += 1
    assert retries >= 3


def without_feedback(first: Message, second: Message, strategy: str) -> Message:
    """The second request as a client would send it that drops its feedback."""
    body = json.loads(second.body)
    if strategy == "inject":
        return first
    body["messages"][-1]["content"] = "Try again."
    return Message(second.headers, json.dumps(body).encode(), second.method, second.url)
