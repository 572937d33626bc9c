"""A child process asks models through the endpoint: recorded there, replayed without the upstream, judged as usual."""

import os
import shutil

import pytest

from pytest_planguard.testing.example import Run
from tools.clients.environment import PROGRAMS

from ..support.lookalike import Lookalike
from .projects import project, rows, run, script

TEST = """
import os, subprocess, sys

@pytest.mark.planguard(TICKET, key="ticket {how}")
@pytest.mark.parametrize("how", ["json", "stream"])
def test_child(how):
    words = [sys.executable, "child.py", how, *os.environ.get("BLIND", "").split()]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "OWN": "1"})
    assert "planguard" not in os.environ.get("OPENAI_BASE_URL", ""), "this process keeps what it had"
    print(done.stdout, done.stderr)
"""
PYTHON = (PROGRAMS / "agent.py").read_text(encoding="utf-8")


def recorded(server: Lookalike) -> Run:
    """Record the project's child; the user has set the upstream."""
    return run(
        project(TEST, child=PYTHON), script(server), "--planguard-record=missing", OPENAI_BASE_URL=server.base_url
    )


def test_a_child_is_recorded_and_replayed(lookalike: Lookalike) -> None:
    """JSON and SSE: the cassette holds the real address, and the replay sends nothing and names no child."""
    done = recorded(lookalike)
    assert dict(done.outcomes) == {"passed": 2}, done.output
    cassettes = [path for path in done.example.paths(".yaml") if "cassettes" in path]
    assert len(cassettes) == 2
    for recording in cassettes:
        text = done.example.read(recording)
        assert text.count(f'uri: "{lookalike.base_url}/chat/completions"\n') == 2
        assert "Bearer" not in text
    asked = len(lookalike.received)
    lookalike.stop()
    for workers in ((), ("-n", "2")):
        plugins = ("planguard", "xdist") if workers else ("planguard",)
        replayed = run(done.example, lookalike, *workers, plugins=plugins)  # the upstream is not even set
        assert dict(replayed.outcomes) == {"passed": 2}, replayed.output
        assert [row["outcome"] for row in rows(replayed.example)] == ["converged", "converged"]
        assert not any(row["untracked"] for row in rows(replayed.example))
    assert len(lookalike.received) == asked


FORKED = """
import multiprocessing, subprocess, sys
from concurrent.futures import ProcessPoolExecutor

@pytest.mark.planguard(TICKET, prove=False)
@pytest.mark.parametrize("number", [1, 2])
def test_forked(number):
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        pool.submit(subprocess.run, [sys.executable, "child.py", "json"]).result(60)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_of_a_forked_child_is_served(lookalike: Lookalike) -> None:
    """The second test forks after the first one's children were served; no child is named."""
    made = project(FORKED, child=PYTHON)
    done = run(made, script(lookalike), "--planguard-record=missing", OPENAI_BASE_URL=lookalike.base_url)
    lookalike.stop()
    for result in (done, run(done.example, lookalike)):
        assert dict(result.outcomes) == {"passed": 2}, result.output
        assert [row["untracked"] for row in rows(result.example)] == [[], []]


def test_a_child_that_drops_the_findings_fails(lookalike: Lookalike) -> None:
    """Both findings are named, with the retry served after reruns or refused at once."""
    done = recorded(lookalike)
    lookalike.stop()
    for prove in ("auto", "never"):
        blind = run(done.example, lookalike, "-o", f"planguard_prove={prove}", BLIND="blind")
        assert dict(blind.outcomes) == {"failed": 2}
        assert "missing feedback: the retry feeds back no finding of the attempt before it" in blind.stdout
        for place in ("priority", "steps"):
            assert f"  missing:   {place}" in blind.stdout
        assert ("HTTP Error 424" in blind.stdout) == (prove == "never")


@pytest.mark.parametrize(
    ("test", "says"),
    [
        ('@pytest.mark.planguard(TICKET, mode="check")', 'mode="check" opens no cassette, so no model can be asked'),
        ("@pytest.mark.planguard(TICKET)", "nothing is recorded for this test yet"),
    ],
)
def test_a_child_without_a_recording_is_refused(lookalike: Lookalike, test: str, says: str) -> None:
    """The request reaches no server, and the test fails with the next step, even though it checked a good answer."""
    body = f"""
import subprocess, sys

{test}
def test_child(planguard):
    subprocess.run([sys.executable, "child.py"], capture_output=True)
    planguard.check(GOOD)
"""
    done = run(project(body, child=PYTHON), script(lookalike), OPENAI_BASE_URL=lookalike.base_url)
    assert dict(done.outcomes) == {"failed": 1}
    assert says in done.stdout
    assert lookalike.received == []


def test_what_a_child_asks_around_its_base_url_is_refused_and_noted(lookalike: Lookalike) -> None:
    """Clients that honour proxy variables are refused, and the test names the hosts that they asked."""
    child = "import urllib.request\nurllib.request.urlopen('http://telemetry.example.com/x')"
    body = """
import subprocess, sys

@pytest.mark.planguard(TICKET)
def test_child(planguard):
    done = subprocess.run([sys.executable, "child.py"], capture_output=True, text=True)
    assert "HTTP Error 424" in done.stderr
    planguard.check(BAD)
"""
    done = project(body, child=child).run_pytest()
    assert dict(done.outcomes) == {"failed": 1}
    assert (
        "note: a child process asked telemetry.example.com, which was refused: no cassette answers it "
        "(to let it pass: planguard_allowed_hosts = telemetry.example.com)"
    ) in done.stdout


def test_children_are_left_alone_where_they_are_allowed(lookalike: Lookalike) -> None:
    """They are allowed by `planguard_processes = allow`, by the marker, or by an allowed host."""
    body = """
import subprocess, sys

@pytest.mark.planguard(TICKET{endpoint})
def test_child(planguard):
    planguard.check(subprocess.run([sys.executable, "child.py"], capture_output=True, text=True).stdout)
"""
    example = project(body.format(endpoint=""), child=PYTHON)
    own = project(body.format(endpoint=", endpoint=False"), child=PYTHON)
    script(lookalike)
    for done in (
        run(example, lookalike, "-o", "planguard_processes=allow", OPENAI_BASE_URL=lookalike.base_url),
        run(example, lookalike, "-o", "planguard_allowed_hosts=127.0.0.1", OPENAI_BASE_URL=lookalike.base_url),
        run(own, lookalike, OPENAI_BASE_URL=lookalike.base_url),
    ):
        assert dict(done.outcomes) == {"passed": 1}, done.output
    assert len(lookalike.received) == 6


FIXTURE = """
import json, urllib.request

@pytest.mark.planguard(TICKET, max_attempts=3)
def test_fixture(planguard, planguard_endpoint):
    assert planguard_endpoint.environment["OPENAI_BASE_URL"] == planguard_endpoint.url()
    with pytest.raises(Exception, match="no variable 'OPENAI_URL'; it has OPENAI_BASE_URL, "):
        planguard_endpoint.url("OPENAI_URL")
    assert planguard_endpoint.url("OWN_URL").startswith("http://127.0.0.1:")
"""


def test_the_fixture_tells_the_addresses(lookalike: Lookalike) -> None:
    """The fixture has the addresses, for clients that take them as an argument; the ini file adds variables."""
    own = "planguard_endpoint_variables=OWN_URL=https://models.example.com/v2"
    done = run(project(FIXTURE), lookalike, "-o", own)
    assert "nothing was judged" in done.stdout
    wrong = run(project(FIXTURE), lookalike, "-o", "planguard_endpoint_variables=OWN_URL=models.example.com")
    assert (
        "planguard_endpoint_variables: got 'OWN_URL=models.example.com'; write NAME=https://HOST/PATH, or NAME alone"
        in wrong.output
    )


CONVERGE = """
import json, os, subprocess

@pytest.mark.planguard(TICKET)
def test_cli(planguard):
    def ask(messages):
        address = '$OPENAI_BASE_URL/chat/completions'
        line = f'curl -sS --fail-with-body -H "content-type: application/json" --data @- "{address}"'
        body = json.dumps({"model": "m", "messages": messages})
        answer = subprocess.run(line, shell=True, input=body, capture_output=True, text=True)
        return json.loads(answer.stdout)["choices"][0]["message"]["content"]
    planguard.converge(ask, "a ticket for the printer")
"""


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_planguard_drives_a_command_line(lookalike: Lookalike) -> None:
    """One child runs for each attempt, and together they are one conversation."""
    done = run(project(CONVERGE), script(lookalike), "--planguard-record=missing", OPENAI_BASE_URL=lookalike.base_url)
    assert dict(done.outcomes) == {"passed": 1}, done.output
    lookalike.stop()
    replayed = run(done.example, lookalike)
    assert dict(replayed.outcomes) == {"passed": 1}, replayed.output
    (row,) = rows(replayed.example)
    assert (row["outcome"], len(row["judged"][0]["attempts"])) == ("converged", 2)
