"""A miss that a client or the app wraps in an error of its own is still the first thing that a reader sees."""

from ...support.lookalike import Lookalike
from ..projects import app, run

TESTS = """
@pytest.mark.planguard(TICKET)
def test_wraps():
    try:
        ask.plain(apps.first("the printer"))
    except Exception as error:
        raise ConnectionError("the model is down") from error

@pytest.mark.planguard(TICKET)
def test_other_failure():
    raise ConnectionError("the model is down")
"""


def test_the_reason_stands_first(lookalike: Lookalike) -> None:
    """The short summary names what planguard found; the error that the test saw is told below, without its frames."""
    done = run(app(TESTS), lookalike)
    assert dict(done.outcomes) == {"failed": 2}
    assert "FAILED test_app.py::test_wraps - planguard: nothing is recorded for this test yet" in done.stdout
    assert "the test saw it as ConnectionError: the model is down\n(--full-trace shows where)" in done.stdout
    assert "FAILED test_app.py::test_other_failure - ConnectionError: the model is down" in done.stdout
    assert 'raise ConnectionError("the model is down") from error' not in done.stdout
    shown = run(app(TESTS), lookalike, "--full-trace", "-k", "wraps")
    assert 'raise ConnectionError("the model is down") from error' in shown.stdout


AGAIN = """
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("times", [1, 2, 3])
def test_sends(times):
    for _ in range(times):
        try:
            ask.plain(apps.first("the printer"))
        except Exception as error:
            last = error
    raise ConnectionError("the model is down") from last
"""
NOTE = (
    "note: 2 connection attempts were refused; SDK retry back-off made this test slow; "
    "set max_retries=0 on the client in tests\n"
)


def test_a_request_that_is_sent_again_explains_the_time(lookalike: Lookalike) -> None:
    """Once a session, with the way out: with a cassette that does not fit, and without one."""
    unrecorded = run(app(AGAIN), lookalike)
    assert dict(unrecorded.outcomes) == {"failed": 3}, unrecorded.output
    assert unrecorded.stdout.count("connection attempts were refused") == unrecorded.stdout.count(NOTE) == 1
    lookalike.script({"title": "Tree"}, {"title": "Tree"}, when="tree")
    kept = run(app(AGAIN.replace("printer", "tree").replace("raise", "#")), lookalike, "--planguard-record=missing")
    misfit = run(kept.example.replaced("the tree", "something else").replaced("# C", "raise C"), lookalike)
    assert misfit.stdout.count("connection attempts were refused") == misfit.stdout.count(NOTE) == 1, misfit.stdout
