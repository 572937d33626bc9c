"""What a terminal shows: a further run prints nothing, however output is captured."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from .test_obstacles import project

TESTS = """
import logging
import os
import sys
from pathlib import Path

import pytest
from apps import TICKET, summary
from ask import ask


@pytest.fixture
def loud():
    print("up")
    logging.getLogger("app").warning("up in the log")
    yield
    print("down")
    logging.getLogger("app").warning("down in the log")


@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_loud(loud, request):
    print("body")
    print("body", file=sys.stderr)
    os.write(1, b"beneath Python\\n")
    logging.getLogger("app").warning("body in the log")
    summary(ask)


@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_disabled(capsys):
    with capsys.disabled():
        print("past the fixture")
    summary(ask)


@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_loud_and_red(loud):
    print("red body")
    summary(ask)
    raise ValueError("mine")
"""
FLAKY = """
from pathlib import Path

import pytest
from apps import TICKET, summary
from ask import ask

RUNS = []


@pytest.fixture
def number():
    RUNS.append(1)
    yield len(RUNS)


@pytest.mark.flaky(reruns=2)
@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_flaky(number, tmp_path):
    (tmp_path / "made").mkdir()
    summary(ask)
    assert number > 1
"""
SAMPLES = """
import pytest
from apps import TICKET, summary
from ask import ask


@pytest.fixture
def kept():
    kept = []
    yield kept
    print("at the end:", kept)


@pytest.mark.planguard(TICKET, cassette="summary.yaml", samples=2, min_pass_rate=1)
def test_two(kept):
    kept.append("once")
    summary(ask)
    assert kept == ["once"]
"""


def lines(stdout: str) -> list[str]:
    """What is printed, without times, folders and what further runs have shown."""
    steady = re.sub(r"\d+\.\d+s|pytest-\d+|/tmp/example-\w+", "", stdout)
    return [line for line in steady.splitlines() if line and not re.search("tried by experiment|unclear", line)]


@pytest.mark.parametrize(
    "args",
    [("-s",), ("--capture=tee-sys",), ("--capture=sys",), ("-rP",), ("-o", "log_cli=true")],
    ids=["no capture", "tee", "sys", "fd", "live log"],
)
def test_the_output_is_that_of_one_run(args: Sequence[str]) -> None:
    """Prints, what is written beneath Python, log records live and captured."""
    ini = "[pytest]\nplanguard_prove_seconds = 60\n"
    without, with_them = (
        project(TESTS, ini, "").run_pytest("-o", f"planguard_prove={mode}", *args) for mode in ("never", "auto")
    )
    assert "9 findings tried by experiment" in with_them.stdout
    assert lines(with_them.stdout) == lines(without.stdout)


def test_a_test_that_is_rerun_after_a_failure_is_run_again_each_time() -> None:
    """pytest-rerunfailures sets it up by itself, after what further runs have left."""
    run = project(FLAKY, "[pytest]\n", "").run_pytest(plugins=("planguard", "rerunfailures"))
    assert dict(run.outcomes) == {"passed": 1, "rerun": 1}, run.stdout


def test_each_sample_has_fixtures_of_its_own_where_the_one_before_was_run_again() -> None:
    """The first sample is torn down for its further runs."""
    example = project(SAMPLES, "[pytest]\n", "")
    example = example.with_files({"summary.2.yaml": example.read("summary.yaml")})
    run = example.run_pytest("-rP")
    assert dict(run.outcomes) == {"passed": 1}, run.stdout
    assert run.stdout.count("at the end: ['once']") == 2


GUARDED = """
import socket
import threading

import pytest
from apps import TICKET, summary
from ask import ask

SERVER = socket.create_server(("127.0.0.1", 0))
REFUSED = []
BODIES = []


def connect():
    try:
        socket.create_connection(SERVER.getsockname()).close()
    except Exception as error:
        REFUSED.append(str(error))


@pytest.fixture
def vcr_config():
    return {}


@pytest.fixture
def asks_late():
    yield
    connect()


@pytest.mark.planguard(TICKET, cassette="summary.yaml", samples=SAMPLES)
def test_in_the_teardown(asks_late):
    summary(ask)


@pytest.mark.planguard(TICKET, cassette="summary.yaml", samples=SAMPLES)
def test_in_a_thread():
    BODIES.append(1)
    thread = threading.Thread(target=connect)
    thread.start()
    thread.join()
    summary(ask)


def test_unmarked():
    seen = REFUSED[:]
    connect()
    assert REFUSED == seen, "a guard of a test before is still in place"
    assert sum("while it was torn down" in one for one in seen) >= SAMPLES
    assert len([one for one in seen if "while it was torn down" not in one]) >= len(BODIES) >= SAMPLES
"""


@pytest.mark.parametrize("samples", [1, 3])
def test_each_sample_is_guarded_and_no_later_test(samples: int) -> None:
    """The first two are torn down for reruns. The third finds no cassette, and is torn down by pytest."""
    example = project(GUARDED.replace("SAMPLES", str(samples)), "[pytest]\nplanguard_prove_seconds = 60\n", "")
    example = example.with_files({"summary.2.yaml": example.read("summary.yaml")})
    run = example.run_pytest("--planguard-prove")
    assert "ERROR test_app.py::test_in_the_teardown - planguard: a fixture opened a connection" in run.stdout
    failed = {1: 1, 3: 2}[samples]
    assert dict(run.outcomes) == {"passed": 3 - failed, "failed": failed, "error": 1}, run.stdout
    assert "FAILED test_app.py::test_unmarked" not in run.stdout


TIMERS = """
from collections import UserList

import pytest

SEEN = UserList()  # not put back after a rerun, as a list is


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_set_timer(item, settings):
    SEEN.append(f"set {settings.timeout:g}")


@pytest.hookimpl(tryfirst=True)
def pytest_timeout_cancel_timer(item):
    SEEN.append("cancel")


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"timers: {', '.join(SEEN)}")
"""
TIMED = """
import pytest
from apps import TICKET, summary
from ask import ask


@pytest.mark.timeout(90, func_only=True)
@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_timed():
    summary(ask)
"""


def test_each_further_run_has_the_time_that_the_first_had() -> None:
    """The timer of the first is stopped, each further run has its own, and what is left of the call another one."""
    run = project(TIMED, "[pytest]\nplanguard_prove_seconds = 60\n", TIMERS).run_pytest(
        "-p", "pytest_timeout", plugins=("planguard",)
    )
    assert dict(run.outcomes) == {"passed": 1}, run.output
    assert f"timers: {', '.join(['set 90', 'cancel'] * 6)}\n" in run.stdout


LASTING = """
import os
import shutil
import time
from pathlib import Path

import pytest
from apps import TICKET, summary
from ask import ask

SEEN, COUNT = [], 0
os.mkdir("real")
os.symlink("real", "data")


class Lazy:
    @property
    def __class__(self):
        raise RuntimeError("no key")


LAZY = Lazy()


def told(ticket):
    return ticket


on_ticket = told


class Store:
    tickets = {}
    last = None


def keep(ticket):
    global COUNT, on_ticket
    COUNT += 1
    if COUNT > 1:
        on_ticket = None
    SEEN.append(ticket)
    Store.tickets[COUNT] = Store.last = ticket
    with open("tickets.log", "a") as log:
        log.write("ticket\\n")
    Path("last.json.new").write_text(ticket)
    os.replace("last.json.new", "last.json")
    Path(f"tickets/{time.time_ns()}").mkdir(parents=True)
    shutil.rmtree("drafts", ignore_errors=True)
    Path("latest").unlink(missing_ok=True)
    Path("latest").symlink_to("last.json")
    Path("data/x").unlink(missing_ok=True)
    Path("data/x").write_text(ticket)
    if Path("out").exists():
        os.rename("out", "old")
    os.mkdir("out")
    Path("out/x").write_text(ticket)
    return ticket


@pytest.mark.planguard(TICKET, cassette="summary.yaml")
def test_app():
    Path("drafts").mkdir(exist_ok=True)
    Path("drafts/a.txt").write_text("draft")
    keep(summary(ask))
    Path("drafts").mkdir()
    Path("drafts/b.txt").write_text("next draft")


def test_all_is_as_one_run_leaves_it():
    (ticket,) = SEEN
    assert (COUNT, Store.tickets, Store.last) == (1, {1: ticket}, ticket)
    assert Path("tickets.log").read_text() == "ticket\\n"
    assert Path("last.json").read_text() == ticket
    assert not Path("last.json.new").exists()
    assert len(list(Path("tickets").iterdir())) == 1
    assert [path.name for path in Path("drafts").iterdir()] == ["b.txt"]
    assert [Path(name).read_text() for name in ("latest", "data/x", "out/x")] == [ticket] * 3
    assert not Path("old").exists()
    assert on_ticket is told
"""


def test_files_and_globals_of_the_project_are_as_one_run_leaves_them() -> None:
    """An app that keeps what it has made: a log, a file that replaces another, folders, links, a global."""
    run = project(LASTING, "[pytest]\nplanguard_prove_seconds = 60\n", "").run_pytest()
    assert dict(run.outcomes) == {"passed": 2}, run.output
    assert "findings tried by experiment" in run.stdout
