"""Hooks, allowed hosts and bypasses: the parts that a project adds or opens."""

import socket

import pytest

from .projects import app, project, rows, run

CONFTEST = """
import re

def no_shouting(scene, *_):
    return iter(())

def pytest_planguard_register(registry):
    registry.constraint("no_shouting", no_shouting)
    registry.normaliser("ticket numbers", lambda text: re.sub(r"T-[0-9]+", "T-0", text))
"""
NUMBERED = """
import os
from pytest_planguard.contract.constraints.constraint import ContentConstraint

QUIET = Contract(Ticket, constraints=[ContentConstraint("title", "no_shouting", {}, "retry")])

@pytest.mark.planguard(QUIET)
def test_printer():
    assert apps.careful(ask.plain, f"the printer of T-{os.getpid()}")
"""


def test_a_conftest_adds_constraints_and_normalisers(server):
    """A conftest's registrations are in place before test modules are imported, and volatile text is no drift."""
    example = app(NUMBERED).with_files({"conftest.py": CONFTEST})
    live = run(example, server, "-q", "--planguard-record=missing")
    assert dict(live.outcomes) == {"passed": 1}, live.output
    server.stop()
    replayed = run(live.example, server, "-q")
    assert dict(replayed.outcomes) == {"passed": 1}, replayed.output
    assert rows(replayed.example)[0]["outcome"] == "converged"
    without = live.example.with_files({"conftest.py": CONFTEST.partition("    registry.normaliser")[0]})
    assert rows(run(without, server, "-q").example)[0]["outcome"] == "stale"


DATABASE = """
import os, socket

@pytest.mark.planguard(TICKET)
def test_own_database(planguard):
    socket.create_connection(("127.0.0.1", int(os.environ["DB"]))).close()
    planguard.check(GOOD)
"""


@pytest.fixture
def database():
    """Open a port that accepts connections, like a test's database."""
    with socket.create_server(("127.0.0.1", 0)) as listening:  # the system accepts, as long as nobody has to answer
        yield str(listening.getsockname()[1])


def test_a_connection_is_refused_and_an_allowed_one_is_not(database):
    """Without a cassette, a marked test can connect only to hosts that the project allows."""
    refused = project(DATABASE).run_pytest(env={"DB": database})
    assert dict(refused.outcomes) == {"failed": 1}
    assert f"sent:      a connection to 127.0.0.1:{database}" in refused.stdout
    ini = "[pytest]\nplanguard_allowed_hosts = 127.0.0.1\n"
    allowed = project(DATABASE).with_files({"pytest.ini": ini}).run_pytest(env={"DB": database})
    assert dict(allowed.outcomes) == {"passed": 1}, allowed.output


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("planguard_match = gate", "ini value planguard_match = 'gate'. Did you mean 'gated'?"),
        (
            "planguard_record = once",
            "ini value planguard_record = 'once'. Did you mean 'none'? Known: none, missing, stale, all",
        ),
        ("planguard_stale = maybe", "ini value planguard_stale = 'maybe'. Known: fail, warn"),
        ("planguard_max_attempts = none", "planguard_max_attempts = 'none': expected a whole number of at least 1"),
        ("planguard_variant = ../up", "planguard_variant: '../up' is not a valid variant"),
    ],
)
def test_a_wrong_ini_value_ends_the_run(line, message):
    """A typo in the ini file is reported before any test runs."""
    done = project("def test_it(): pass\n").with_files({"pytest.ini": f"[pytest]\n{line}\n"}).run_pytest("-q")
    assert done.returncode == 4
    assert message in done.stderr


def test_the_help_shows_examples():
    """--help names every option with an example to type."""
    said = project("").run_pytest("--help").stdout
    for option in ("--planguard-record", "--planguard-match", "--planguard-variant", "--planguard-stale"):
        assert option in said
    assert "--planguard-record=missing" in said
    assert "planguard_cassette_dir (string):" in said
