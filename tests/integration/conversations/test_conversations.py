"""Several conversations in one test: told apart by the traffic, or by name."""

from ..projects import app, rows, run

TWO = """
@pytest.mark.planguard(TICKET)
def test_two(planguard):
    with planguard.conversation("p"):
        apps.careful(ask.plain, "the printer")
    with planguard.conversation("t"):
        apps.careful(ask.plain, "a tomato")
    assert len(planguard.judge("p").attempts) == 2
    assert [c.conversation for c in planguard.judge()] == ["p", "t"]

@pytest.mark.planguard(TICKET)
def test_exhausted_as_declared(planguard):
    apps.careful(ask.plain, "a stubborn mule", attempts=2)
    planguard.judge("1", expect="stuck")

@pytest.mark.planguard(TICKET)
def test_declared_otherwise(planguard):
    apps.careful(ask.plain, "the printer")
    planguard.judge(expect="exhausted")

@pytest.mark.planguard(TICKET)
def test_unknown_name(planguard):
    apps.careful(ask.plain, "the printer")
    planguard.judge("nobody")

@pytest.mark.planguard(TICKET, PLAN)
def test_two_contracts(planguard):
    apps.careful(ask.plain, "the printer")
"""


def test_named_conversations_and_declared_outcomes(server):
    """A name is the test's own; an outcome other than converged is declared, or it fails."""
    live = run(app(TWO), server, "--planguard-record=missing")
    server.stop()
    replayed = run(live.example, server)
    for done in (live, replayed):
        assert dict(done.outcomes) == {"passed": 3, "failed": 2}, done.stdout
        assert "planguard: expected exhausted, got converged" in done.stdout
        assert "next: if that is right, write expect='converged'" in done.stdout
        assert "no conversation 'nobody' was judged; there are: '1'" in done.stdout
    found = {r["test"].rpartition("::")[2]: r for r in rows(replayed.example)}
    assert [c["name"] for c in found["test_two"]["judged"]] == ["p", "t"]
    assert [c["contract"] for c in found["test_two_contracts"]["judged"]] == ["Ticket"]


SECRET = """
@pytest.mark.planguard(TICKET)
def test_two(planguard):
    with planguard.conversation("of sk-proj-Zk3hV9qLx0TtB7wYp2RnA8cD5eF1gH6j"):
        apps.careful(ask.plain, "the printer")
"""


def test_a_secret_as_a_name_is_refused_before_it_is_written(server):
    """The name is in each recorded request, so even an unfinished recording would have the key."""
    done = run(app(SECRET), server, "--planguard-record=missing")
    assert dict(done.outcomes) == {"failed": 1}, done.stdout
    assert "the name contains a secret: got API key (sk-…). Recordings and reports show the name" in done.stdout
    assert not [path for path in done.example.paths() if "cassettes" in path]


PARALLEL = """
import asyncio

@pytest.mark.asyncio
@pytest.mark.planguard(TICKET)
async def test_parallel(planguard):
    async def one(name):
        with planguard.conversation(name):
            return await asyncio.create_task(apps.careful_async(ask.chat_async, "the printer"))
    assert all(await asyncio.gather(*(one(str(n)) for n in range(3))))
    assert sorted((c.conversation, len(c.attempts)) for c in planguard.judge()) == [("0", 2), ("1", 2), ("2", 2)]
"""


def test_tasks_inherit_the_name(server):
    """Identical prompts in parallel tasks are told apart by their names, recorded and replayed."""
    options = ("-q", "-o", "asyncio_default_fixture_loop_scope=function")
    live = run(app(PARALLEL), server, *options, "--planguard-record=missing", plugins=("planguard", "asyncio"))
    assert dict(live.outcomes) == {"passed": 1}, live.output
    server.stop()
    replayed = run(live.example, server, *options, plugins=("planguard", "asyncio"))
    assert dict(replayed.outcomes) == {"passed": 1}, replayed.output
