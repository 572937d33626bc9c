"""The tapes in cassettes/command_agents: an agent that asks a real, small model and writes what it says to a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_planguard.replay.commands.command_server import CommandServer, shims
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.matching.refusal import MissKind
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.replay.session.session import CassetteSession
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions

from ...support.paths import ROOT
from .ticket_loop import MAX_RUNS, TASKS, TICKET, write_ticket

FOLDER = ROOT / "cassettes" / "command_agents"
RUNS = {path.stem: len(read_cassette(path).exchanges) for path in sorted(FOLDER.glob("*.yaml"))}
"""Tape to the runs that it has."""


@contextmanager
def replayed(name: str, folder: Path) -> Iterator[CassetteSession]:
    """Replay a tape on a machine that has no such agent."""
    with open_cassette(FOLDER / f"{name}.yaml", contracts=[TICKET]) as session:
        server = CommandServer(folder)
        with shims(["ticket-agent"], server.port, server.token):
            yield session
        server.close()
        assert server.problems == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_a_tape_replays_as_it_was_recorded(name: str, tmp_path: Path) -> None:
    """Each run has its answer, the ticket is the recorded one, and the judgement is the loop's own."""
    with replayed(name, tmp_path) as session:
        runs = write_ticket(tmp_path, TASKS[name])
    assert not session.misses
    assert len(session.exchanges) == RUNS[name]
    last = session.exchanges[-1].exchange.calls[0]
    assert (tmp_path / "ticket.json").read_text(encoding="utf-8") == last.text
    options = JudgeOptions(MAX_RUNS)
    (conversation,) = judge([play.exchange for play in session.exchanges], [TICKET], options=options).conversations
    assert conversation.ok == (runs is not None)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, runs in RUNS.items() if runs > 1])
def test_a_loop_that_forgets_what_was_wrong_is_refused(name: str, tmp_path: Path) -> None:
    """The second run gets no answer, and what it lost is named."""
    with replayed(name, tmp_path) as session:
        assert write_ticket(tmp_path, TASKS[name], tells=False) is None
    (miss,) = session.misses
    assert miss.kind is MissKind.MISSING
    assert miss.refusal.missing


def test_there_are_tapes_with_retries() -> None:
    """Else nothing is shown of what a model does with its errors."""
    assert max(RUNS.values()) > 1
