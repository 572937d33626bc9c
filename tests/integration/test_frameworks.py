"""planguard beside other plugins: asyncio, anyio, pytest-recording, syrupy."""

from .projects import project, rows

ASYNC = """
@pytest.mark.asyncio
@pytest.mark.planguard(TICKET)
async def test_good(planguard):
    assert planguard.check(GOOD).title == "Printer"

@pytest.mark.asyncio
@pytest.mark.planguard(TICKET)
async def test_nothing():
    pass
"""
ANYIO = ASYNC.replace("@pytest.mark.asyncio", "@pytest.mark.anyio")
BACKEND = '@pytest.fixture(params=["asyncio"])\ndef anyio_backend(request): return request.param\n'


def test_asyncio_strict():
    """Async tests are judged as part of the test, not after it."""
    run = project(ASYNC).run_pytest(
        "-q", "-o", "asyncio_default_fixture_loop_scope=function", plugins=("planguard", "asyncio")
    )
    assert dict(run.outcomes) == {"passed": 1, "failed": 1}
    assert "planguard: nothing was judged" in run.stdout


def test_anyio():
    """The same holds under anyio, and its backend is not part of the declared input."""
    run = project(BACKEND + ANYIO).run_pytest("-q", plugins=("planguard", "anyio"))
    assert dict(run.outcomes) == {"passed": 1, "failed": 1}
    assert len({r["inputs"] for r in rows(run.example)}) == 1


def test_everything_that_is_installed():
    """With all plugins of this environment loaded, a marked test still passes."""
    beside = (
        "@pytest.mark.planguard(TICKET)\ndef test_good(planguard, snapshot, vcr_config):\n    planguard.check(GOOD)\n"
    )
    run = project(beside).run_pytest("-q", "-W", "ignore", plugins=None)
    assert dict(run.outcomes) == {"passed": 1}


OWN_FAILURE = """
@pytest.mark.planguard(TICKET)
def test_fails():
    assert 1 == 2, "mine"

@pytest.mark.planguard(TICKET)
@pytest.mark.xfail(strict=True)
def test_expected():
    pass
"""


def test_the_tests_own_failure_stays_first():
    """The body's exception is reported unchanged, and an expected failure of ours stays expected."""
    run = project(OWN_FAILURE).run_pytest("-q", "-rf")
    assert dict(run.outcomes) == {"failed": 1, "xfailed": 1}
    assert "FAILED test_app.py::test_fails - AssertionError: mine" in run.stdout
    assert [row["result"] for row in rows(run.example)] == ["xfailed", "failed"]
