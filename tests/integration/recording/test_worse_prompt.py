"""A prompt that makes answers bad: its cassette is the evidence, the one before it is kept, and the case stays red."""

import json
from pathlib import Path

import pytest

from pytest_planguard.testing.example import Example, Run

from ...support.commands import run as planguard
from ...support.lookalike import Lookalike
from ..projects import PRINTER, app, run

TEST = """
import raising

@pytest.mark.planguard(TICKET)
def test_printer():
    raising.create(ask.plain, "printer on fire")
"""
RAISING = """
import apps

def create(ask, task):
    text = apps.careful(ask, task, attempts=2)
    if text is None:
        raise RuntimeError("no ticket")
    return text
"""
BAD = {**PRINTER, "priority": "urgent"}


@pytest.fixture
def worse(lookalike: Lookalike) -> Run:
    """Recorded well, then recorded again with a prompt for which the model's answers stay bad."""
    lookalike.script(BAD, BAD, when="Politely")
    lookalike.script(PRINTER, PRINTER, when="printer")
    example = app(TEST).with_files({"raising.py": RAISING})
    good = run(example, lookalike, "--planguard-record=missing")
    assert dict(good.outcomes) == {"passed": 1}, good.output
    edited = good.example.replaced("Write a ticket as JSON", "Politely write a ticket as JSON")
    return run(edited, lookalike, "--planguard-record=stale")


def cassettes(example: Example) -> dict[str, str]:
    """The cassettes of a project."""
    return {path: example.read(path) for path in example.paths(".yaml")}


def test_the_evidence_takes_the_place_of_the_good_recording(worse: Run, lookalike: Lookalike) -> None:
    """Red when it is recorded and at each replay, for its true reason; no journal is left behind."""
    assert dict(worse.outcomes) == {"failed": 1}, worse.output
    ((path, text),) = cassettes(worse.example).items()
    assert "Politely" in text
    assert not worse.example.paths(".part")
    assert f"note: the cassette before this one is kept: planguard cassette restore {path}\n" in worse.stdout
    lookalike.stop()
    again = run(worse.example, lookalike, "--planguard-stale=fail")
    assert dict(again.outcomes) == {"failed": 1}
    assert "planguard: Ticket: the last answer (attempt 2) is not valid: priority [enum]" in again.stdout
    assert "stale" not in again.stdout


def test_the_good_recording_comes_back_by_one_command(
    worse: Run, lookalike: Lookalike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the old prompt the case is green again."""
    worse.example.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    ((path, _),) = cassettes(worse.example).items()
    done = planguard("cassette", "restore", path)
    assert done.stdout == f"{path}: restored; the newer one is kept, the same command brings it back\n"
    back = worse.example.with_files({path: (tmp_path / path).read_bytes()})
    undone = back.replaced("Politely write a ticket", "Write a ticket")
    assert dict(run(undone, lookalike, "--planguard-stale=fail").outcomes) == {"passed": 1}


def test_the_failure_can_be_accepted(worse: Run, lookalike: Lookalike) -> None:
    """It is listed with the exception that follows from it, and excused."""
    listed = run(worse.example, lookalike, "--planguard-baseline=known.json", "--planguard-baseline-update")
    failures = json.loads(listed.example.read("known.json"))["failures"]
    assert [entry["rule"] for entry in failures] == ["enum", "gave_up:RuntimeError"]
    assert dict(run(listed.example, lookalike, "--planguard-baseline=known.json").outcomes) == {"xfailed": 1}


def test_an_endpoint_that_fails_half_way_leaves_the_good_recording(worse: Run, lookalike: Lookalike) -> None:
    """A conversation with a request that nobody answered well is no evidence: it stays beside the old one."""
    lookalike.scripts.clear()
    lookalike.script(BAD, BAD, when="not valid", failures=[(503, {})] * 9)
    lookalike.script(BAD, BAD, when="Politely")
    before = cassettes(worse.example)
    cut = run(worse.example, lookalike, "--planguard-record=all")
    assert dict(cut.outcomes) == {"failed": 1}, cut.output
    assert cassettes(cut.example) == before
    assert len(cut.example.paths(".part")) == 1
