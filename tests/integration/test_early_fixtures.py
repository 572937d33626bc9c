"""Fixtures that are set up before the recording opens may not ask a model: nothing would record it."""

import re
from collections.abc import Iterator

import pytest

from pytest_planguard.testing.example import Run

from ..support.lookalike import Lookalike
from .projects import app, run, script

CONFTEST = """
import pytest, apps, ask

def ticket():
    return ask.plain(apps.first("the printer"))

@pytest.fixture(scope="session")
def of_the_session():
    return ticket()

@pytest.fixture(scope="module")
def swallowing():
    try:
        return ticket()
    except Exception:
        return GOOD_ENOUGH

@pytest.fixture(scope="module")
def wrapping(of_the_session):
    return of_the_session

@pytest.fixture
def narrow():
    return ask.plain(apps.first("a ticket about the printer"))

@pytest.fixture(scope="class")
def parting():
    yield "no call"
    try:
        ticket()
    except Exception:
        pass

GOOD_ENOUGH = '{"title": "Printer", "priority": "high", "steps": ["look"]}'
"""
TESTS = """
def test_unmarked_and_first(of_the_session):
    pass

@pytest.mark.planguard(TICKET)
def test_of_the_session(planguard, of_the_session):
    planguard.check(of_the_session)

@pytest.mark.planguard(TICKET)
def test_of_the_session_again(planguard, wrapping):
    planguard.check(wrapping)

def test_unmarked_may_fall_back(swallowing):
    pass

@pytest.mark.planguard(TICKET)
def test_swallowing(planguard, swallowing):
    planguard.check(swallowing)

@pytest.mark.planguard(TICKET)
class TestClass:
    @classmethod
    def setup_class(cls):
        cls.text = ask.plain(apps.first("the printer"))

    def test_in_a_class(self):
        pass

@pytest.mark.planguard(TICKET)
class TestAutouse:
    @pytest.fixture(autouse=True)
    def always(self):
        ask.plain(apps.first("the printer"))

    def test_autouse(self):
        pass

@pytest.mark.planguard(TICKET, mode="check")
def test_that_only_checks(planguard):
    try:
        ask.plain(apps.first("the printer"))
    except Exception:
        planguard.check(GOOD)

@pytest.mark.planguard(TICKET)
def test_narrow(narrow, parting):
    apps.careful(lambda messages: narrow if len(messages) == 1 else ask.plain(messages), "a ticket about the printer")
"""
EARLY = ("test_of_the_session", "test_of_the_session_again", "test_swallowing", "test_in_a_class", "test_autouse")


@pytest.fixture(scope="module")
def live() -> Iterator[tuple[Run, int]]:
    """A run that records a project with everything that may go wrong, and how many requests arrived."""
    server = script(Lookalike())
    done = run(app(TESTS).with_files({"conftest.py": CONFTEST}), server, "-rA", "--planguard-record=missing")
    yield done, len(server.received)
    server.stop()


def line(done: Run, test: str) -> str:
    """The line of a test in the short summary."""
    summary = done.stdout.partition("short test summary info")[2]
    return next(text for text in summary.splitlines() if text.endswith(test) or f"{test} - " in text)


def test_no_fixture_reaches_a_model_before_the_recording_opens(live):
    """Session, module and class scope, `setup_class` and autouse: each is refused, and what it swallowed fails it."""
    done, received = live
    assert dict(done.outcomes) == {"error": 8, "passed": 1, "failed": 1}, done.stdout
    for test in (*EARLY, "test_unmarked_and_first", "test_unmarked_may_fall_back"):
        assert line(done, test).startswith("ERROR "), line(done, test)
    assert line(done, "test_narrow").startswith("PASSED ")
    assert received == 2  # the two attempts of the test with a function-scoped fixture


def test_the_message_names_the_fixture_and_the_way_out(live):
    """Which fixture, where it stands, whose recording it precedes, why nothing records it, what to do."""
    done, _ = live
    said = re.sub(r"127\.0\.0\.1:\d+", "HOST", done.stdout)
    assert (
        "planguard: session-scoped fixture of_the_session opened a connection to HOST "
        "before the test's recording was open\n"
        "  fixture:   conftest.py:7\n"
        "  needed by: test_app.py::test_of_the_session\n"
        "  It is set up before that test's recording opens, and other tests share it: what a model answers there is\n"
        "  recorded nowhere, and could not be replayed.\n"
        "  to do:     give the fixture function scope, or call the model in the test itself;\n"
        "             a host that is no model, such as a database: planguard_allowed_hosts = HOST\n"
    ) in said
    assert "setup_class opened a connection" in said
    assert "autouse fixture always opened a connection" in said


def test_a_teardown_reaches_no_model_either(live):
    """It runs when the recordings are closed: the refusal, swallowed or not, is an error of the last test."""
    said = re.sub(r"127\.0\.0\.1:\d+", "HOST", live[0].stdout)
    for words in (
        "class-scoped fixture parting opened a connection to HOST while it was torn down\n",
        "fixture:   conftest.py:26\n",
        "That test's recording is closed by then: what a model answers there is recorded nowhere",
        "to do:     call the model in the test itself;\n",
    ):
        assert words in said, words


def test_a_test_that_only_checks_reaches_no_model(live):
    """With mode="check" a connection is refused as in a replay, and fails the test whatever it made of the error."""
    done, _ = live
    assert 'test_that_only_checks - planguard: mode="check" opens no recording' in line(done, "test_that_only_checks")


def test_in_workers_and_with_an_allowed_host(live):
    """Two workers refuse the same fixtures, whichever test comes first there; an allowed host is let through."""
    example = live[0].example
    server = script(Lookalike())
    spread = run(example, server, "-n", "2", "-rA", plugins=("planguard", "xdist"))
    assert spread.outcomes["error"] == 8, spread.stdout
    assert not server.received
    allowed = run(
        example, server, "-rA", "-o", "planguard_allowed_hosts=127.0.0.1", "-k", "of_the_session or swallowing or class"
    )
    assert "opened a connection" not in allowed.stdout, allowed.stdout
    server.stop()


SET_UP = """
def setup_function():
    try:
        ask.plain(apps.first("the printer"))
    except Exception:
        pass

@pytest.mark.planguard(TICKET, mode="check")
@pytest.mark.parametrize("answer", [GOOD])
def test_before(planguard, answer):
    planguard.check(answer)

class TestAfter:
    def teardown_method(self):
        ask.plain(apps.first("the printer"))

    @pytest.mark.planguard(TICKET, mode="check")
    def test_after(self, planguard):
        planguard.check(GOOD)
"""


def test_what_sets_up_one_test_alone_reaches_no_model(lookalike):
    """`setup_function` and its like are watched also where no other fixture is: pytest makes fixtures of them.

    What one test's asked fails no other: pytest sets the fixture of `setup_function` up for methods too, and skips it.
    """
    done = run(app(SET_UP), script(lookalike), "-rA")
    assert dict(done.outcomes) == {"error": 2, "passed": 1}, done.stdout
    assert "planguard: setup_function opened a connection to 127.0.0.1" in done.stdout
    assert lookalike.received == []
