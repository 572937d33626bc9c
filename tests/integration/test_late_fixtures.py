"""Fixtures that are torn down when the recording of their test is closed may not ask a model."""

import re
from collections.abc import Iterator

import pytest

from pytest_planguard.testing.example import Run

from ..support.lookalike import Lookalike
from .projects import app, rows, run, script

CONFTEST = """
import httpx2, os, pytest, socket, apps, ask
from urllib.parse import urlsplit

URL = os.environ["LOOKALIKE"] + "/v1/chat/completions"

@pytest.fixture
def client():
    with httpx2.Client() as kept_alive:
        yield kept_alive

@pytest.fixture
def swallowing():
    yield "no call"
    try:
        ask.plain(apps.first("the printer"))
    except Exception:
        pass

@pytest.fixture
def insisting(client):
    yield lambda messages: sent(client, messages, URL)
    sent(client, apps.first("the printer"), URL.replace("//", "//me:secret@"))

@pytest.fixture
def around_the_clients():
    yield
    at = urlsplit(URL)
    try:
        socket.create_connection((at.hostname, at.port)).close()
    except Exception:
        pass

@pytest.fixture(scope="module")
def of_another_test():
    yield
    ask.plain(apps.first("the printer"))

def sent(client, messages, url):
    answered = client.post(url, json={"model": "m", "messages": messages}, headers={"authorization": "Bearer test"})
    return answered.json()["choices"][0]["message"]["content"]
"""
TESTS = """
def test_unmarked(of_another_test):
    pass

@pytest.mark.planguard(TICKET)
def test_insisting(insisting):
    apps.careful(insisting, "a ticket about the printer")

@pytest.mark.planguard(TICKET)
def test_around_the_clients(around_the_clients):
    apps.careful(ask.plain, "a ticket about the printer")

@pytest.mark.planguard(TICKET)
def test_in_the_body(request):
    request.getfixturevalue("swallowing")
    assert ask.plain(apps.first("a ticket about the tomato"))

@pytest.mark.planguard(TICKET, min_pass_rate=0.5)
def test_swallowing(planguard, swallowing):
    planguard.check(GOOD)
"""


@pytest.fixture(scope="module")
def live() -> Iterator[tuple[Run, int]]:
    """A run that records, and how many requests arrived."""
    server = script(Lookalike())
    done = run(app(TESTS).with_files({"conftest.py": CONFTEST}), server, "-rA", "--planguard-record=missing")
    yield done, len(server.received)
    server.stop()


def test_no_teardown_reaches_a_model(live):
    """While recording, over a connection that is open or none of a client's, the error swallowed: each is an error."""
    done, received = live
    assert dict(done.outcomes) == {"passed": 4, "failed": 1, "error": 4}, done.stdout
    assert received == 6, "five attempts of three tests, and the fixture that no marked test uses"
    assert [row["result"] for row in rows(done.example)] == ["error"] * 4


def test_a_replay_refuses_the_same(live):
    """With the endpoint gone, the tests end as they did."""
    done = run(live[0].example, Lookalike(), "-rA", "-k", "swallowing or insisting or clients")
    assert dict(done.outcomes) == {"passed": 3, "error": 3, "deselected": 2}, done.stdout


def test_the_message_names_the_fixture_and_the_way_out(live):
    """Which fixture, where it stands, whose recording is closed, what to do; and no password of its address."""
    said = re.sub(r"127\.0\.0\.1:\d+", "HOST", live[0].stdout)
    assert (
        "planguard: a fixture opened a connection to HOST while it was torn down\n"
        "  fixture:   swallowing, conftest.py:12\n"
        "  needed by: test_app.py::test_swallowing\n"
        "  The recording of this test closed with its body: what a model answers there is recorded nowhere, and could\n"
        "  not be replayed.\n"
        "  to do:     ask inside the test, or in the fixture before it yields;\n"
        "             a host that is no model, such as a database: planguard_allowed_hosts = HOST\n"
    ) in said
    assert "  fixture:   insisting, conftest.py:20\n" in said
    assert "ERROR test_app.py::test_insisting - planguard: a fixture opened a connection to HOST while it was" in said
    assert "me:secret@127" not in live[0].stdout
