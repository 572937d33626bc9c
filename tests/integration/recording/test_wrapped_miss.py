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
