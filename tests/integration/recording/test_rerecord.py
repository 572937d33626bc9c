"""--planguard-record=stale where only a later request no longer fits: the whole conversation is recorded again."""

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..projects import app, rows, run, script

SYNC = """
@pytest.mark.planguard(TICKET)
def test_printer():
    assert apps.careful(ask.plain, "the printer is on fire")
"""
ASYNCIO = """
@pytest.mark.asyncio
@pytest.mark.planguard(TICKET)
async def test_printer():
    assert apps.careful(ask.plain, "the printer is on fire")
"""
ANYIO = """
@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.anyio
@pytest.mark.planguard(TICKET)
async def test_printer():
    assert apps.careful(ask.plain, "the printer is on fire")
"""
UNITTEST = """
import unittest

@pytest.mark.planguard(TICKET)
class TestTickets(unittest.TestCase):
    def test_printer(self):
        assert apps.careful(ask.plain, "the printer is on fire")
"""
PLUGINS = {SYNC: (), ASYNCIO: ("asyncio",), ANYIO: ("anyio",), UNITTEST: ()}
FORGETFUL = (".careful(", ".resends(")


@pytest.mark.parametrize("test", PLUGINS, ids=["sync", "asyncio", "anyio", "unittest"])
def test_mending_the_retry_and_recording_once_is_enough(test: str, lookalike: Lookalike) -> None:
    """The cassette of an app that dropped the feedback does not fit the fixed one: one command replaces it."""
    script(lookalike)
    plugins = ("planguard", *PLUGINS[test])
    broken = run(app(test).replaced(*FORGETFUL), lookalike, "--planguard-record=missing", plugins=plugins)
    assert dict(broken.outcomes) == {"failed": 1}, broken.output
    repaired = broken.example.replaced(*reversed(FORGETFUL))
    sent = len(lookalike.received)
    done = run(repaired, lookalike, "--planguard-record=stale", plugins=plugins)
    assert dict(done.outcomes) == {"passed": 1}, done.output
    assert len(lookalike.received) == sent + 2
    lookalike.stop()
    later = run(done.example, lookalike, "--planguard-stale=fail", plugins=plugins)
    assert dict(later.outcomes) == {"passed": 1}, later.output
    assert rows(later.example)[0]["outcome"] == "converged"


@pytest.fixture
def broken(lookalike: Lookalike) -> Example:
    """A project whose app dropped the feedback when it was recorded, and does so no more."""
    done = run(app(SYNC).replaced(*FORGETFUL), script(lookalike), "--planguard-record=missing")
    return done.example.replaced(*reversed(FORGETFUL))


def test_a_run_that_fails_keeps_its_recording_and_the_old_one(broken: Example, lookalike: Lookalike) -> None:
    """The second run is judged like any other, and a bad conversation is the evidence of what failed."""
    (path,) = broken.paths(".yaml")
    before = broken.read(path)
    worse = broken.replaced("the printer is on fire", "the mule")
    failed = run(worse, lookalike, "--planguard-record=stale")
    assert dict(failed.outcomes) == {"failed": 1}, failed.output
    assert "the mule" in failed.example.read(path)
    assert failed.example.read(f".planguard/replaced/{path}/1.kept") == before


def test_a_replay_says_that_one_command(broken: Example, lookalike: Lookalike) -> None:
    """Without recording, the fixed app is told what no longer fits and what to type; its answers are not blamed."""
    lookalike.stop()
    later = run(broken, lookalike, "--planguard-stale=fail")
    assert dict(later.outcomes) == {"failed": 1}
    assert "planguard: the cassette is stale: it no longer fits what is sent (and 1 more problem)\n" in later.stdout
    assert "next: pytest test_app.py::test_printer --planguard-record=stale" in later.stdout
    assert "breaks the contract" not in later.stdout


def test_lost_feedback_is_not_to_be_recorded(lookalike: Lookalike) -> None:
    """An app that drops the feedback and sends another prompt, too, is not told to record: that would keep the bug."""
    done = run(app(SYNC).replaced(*FORGETFUL), script(lookalike), "--planguard-record=missing")
    lookalike.stop()
    later = run(done.example.replaced("is on fire", "is burning"), lookalike, "--planguard-stale=fail")
    assert "planguard: the cassette is stale" in later.stdout
    assert "missing feedback: the retry feeds back no finding of the attempt before it" in later.stdout
    assert "next: pytest" not in later.stdout
    section = later.stdout.partition("1 stale cassette: convergence is unproven\n")[2]
    assert "    fix the retry first; re-recording would only capture the same missing feedback\n" in section, (
        later.stdout
    )
    assert "--planguard-record" not in section
    assert rows(later.example)[0]["rerecord"] is None
