"""A recording that was opened is closed, also where the test's body is never reached."""

from .projects import project

TESTS = """
import socket

@pytest.fixture(autouse=True)
def not_run(request):
    if "blocked" in request.node.name:
        request.node.add_marker(pytest.mark.xfail(run=False, reason="not today"))

@pytest.mark.planguard(PLAN)
def test_blocked(planguard):
    planguard.check('{"goal": "mend it"}')

def test_later():
    assert socket.getaddrinfo.__module__ == "socket"
"""


def test_a_test_that_is_not_run_leaves_no_guard() -> None:
    """The network is refused for as long as the test lasts, not for those after it."""
    done = project(TESTS).run_pytest("-q")
    assert dict(done.outcomes) == {"passed": 1, "xfailed": 1}, done.output
