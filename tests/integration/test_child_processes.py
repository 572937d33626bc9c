"""A test that starts a child process reports it: in its failure, its row and the summary."""

from pytest_planguard.testing.example import Run

from ..support.lookalike import Lookalike
from .projects import project, rows, run

CHECKED = """
import subprocess

@pytest.mark.planguard(TICKET)
def test_cli(planguard):
    planguard.check(subprocess.run(["echo", GOOD], capture_output=True, text=True).stdout)
"""
SILENT = """
import subprocess

@pytest.mark.planguard(TICKET)
def test_cli(planguard):
    subprocess.run(["echo"], capture_output=True)
"""
NAMED = "child process: echo (subprocess)"
AT_THE_END = (
    "not replayed or refused: what these send (planguard_processes = fail lets no child process pass)\n"
    f"  {NAMED}: test_app.py::test_cli\n"
)


def _run(test: str, *args: str, **env: str) -> Run:
    return project(test).run_pytest(*args, env=env)


def test_a_child_is_noted() -> None:
    """By default, in CI too, the test passes, and the run and the row name the child."""
    for env in ({}, {"CI": "1"}):
        run = _run(CHECKED, **env)
        assert dict(run.outcomes) == {"passed": 1}
        assert AT_THE_END in run.stdout
        assert rows(run.example)[0]["untracked"] == [NAMED]


def test_a_child_fails_its_test_at_the_end() -> None:
    """With `planguard_processes = fail` the test fails, and the message says what to do."""
    run = _run(CHECKED, "-o", "planguard_processes=fail")
    assert dict(run.outcomes) == {"failed": 1}
    assert (
        "planguard: a child process ran: what it sends is not replayed or refused\n"
        "  echo (subprocess)\n"
        "\n"
        f"note: {NAMED}: what it sends is not replayed or refused\n"
        "next: ask the model from this process, or let children run: planguard_processes = note\n"
    ) in run.stdout


def test_an_allowed_child_is_not_named() -> None:
    """With `planguard_processes = allow` nothing is reported, and the row lacks the field."""
    run = _run(CHECKED, "-o", "planguard_processes=allow")
    assert dict(run.outcomes) == {"passed": 1}
    assert "child process" not in run.stdout
    assert rows(run.example)[0]["untracked"] == []


def test_nobody_says_that_no_request_was_sent() -> None:
    """After a child has run, no message claims that no request was sent: the child may have sent some."""
    run = _run(SILENT)
    assert "nothing was judged: no request was seen and no answer was checked" in run.stdout
    assert f"next: ask the model from this process by a client that is replayed; not seen here: {NAMED}" in run.stdout
    assert "no request was sent" not in run.stdout


def test_a_loaded_client_beyond_python_is_named() -> None:
    """The test that loads it names it, since planguard can't see if it was used."""
    client = project(CHECKED.replace("(planguard):\n", "(planguard):\n    import grpc\n"), grpc="")
    run = client.run_pytest("-o", "planguard_processes=fail", "-o", "planguard_processes=note")
    named = "client beyond Python: grpc (gRPC, a core in C)"
    assert f"  {named}: test_app.py::test_cli\n" in run.stdout
    assert rows(run.example)[0]["untracked"] == [NAMED, named]


def test_an_unknown_policy_ends_the_run() -> None:
    """The run ends before any test, and the message lists the known values."""
    run = _run(CHECKED, "-o", "planguard_processes=forbid")
    assert "ini value planguard_processes = 'forbid'" in run.output


POOLED = """
import os
import httpx2
LIVE = os.environ["LOOKALIKE"]
CLIENT = httpx2.Client(verify=False)
CLIENT.post(LIVE + "/v1/chat/completions", json={})

@pytest.mark.planguard(TICKET, mode="check")
def test_pooled(planguard):
    planguard.check(GOOD)
    assert CLIENT.post(LIVE + "/v1/chat/completions", json={}).status_code == 200
"""


def test_a_pooled_client_reaches_an_allowed_host_alone(lookalike: Lookalike) -> None:
    """A host is allowed by name, by name and port, or by a name that resolves to it; all others are refused."""
    port = lookalike.origin.rpartition(":")[2]
    example = project(POOLED)
    for allowed in ("127.0.0.1", f"127.0.0.1:{port}", "localhost"):
        done = run(example, lookalike, "-o", f"planguard_allowed_hosts={allowed}")
        assert dict(done.outcomes) == {"passed": 1}, allowed
    assert len(lookalike.received) == 6
    done = run(example, lookalike, "-o", "planguard_allowed_hosts=127.0.0.1:1")
    assert dict(done.outcomes) == {"failed": 1}
    assert f"sent:      a connection to 127.0.0.1:{port}" in done.output
    assert len(lookalike.received) == 7  # while the module was imported
