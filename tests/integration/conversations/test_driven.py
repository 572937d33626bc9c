"""planguard owns the loop: `converge` asks, judges, feeds back and asks again."""

from ..projects import app, project, rows, run

PLAIN = """
from pytest_planguard.errors import ContractFailed

def learns(messages):
    return GOOD if "priority" in messages[-1]["content"] and len(messages) > 1 else BAD

@pytest.mark.planguard(TICKET)
def test_converges(planguard):
    assert planguard.converge(learns, "a ticket").priority == "high"
    assert [c.outcome.value for c in planguard.judge()] == ["converged"]

@pytest.mark.planguard(TICKET, max_attempts=2)
def test_does_not(planguard):
    asked = iter([BAD, BAD.replace("Printer", "Other"), GOOD])
    planguard.converge(lambda messages: next(asked), "a ticket")

@pytest.mark.planguard(TICKET)
def test_seen_by_the_test(planguard):
    with pytest.raises(ContractFailed, match="an answer repeats|valid: "):
        planguard.converge(lambda messages: BAD, "a ticket")

@pytest.mark.planguard(TICKET, mode="observed")
def test_not_allowed(planguard):
    planguard.converge(learns, "a ticket")
"""


def test_a_plain_function_needs_no_recording():
    """`ask` may be any function; the value comes back, or the test fails with every attempt shown."""
    done = project(PLAIN).run_pytest("-rf")
    assert dict(done.outcomes) == {"passed": 2, "failed": 2}
    assert "FAILED test_app.py::test_does_not - planguard: Ticket: " in done.stdout
    assert "attempt 2 (exchange 2): 2 findings" in done.stdout
    assert 'mode="observed" says that the app owns the loop' in done.stdout
    found = {r["test"].rpartition("::")[2]: r for r in rows(done.example)}
    assert found["test_converges"]["outcome"] == "converged"
    assert len(found["test_converges"]["conversations"][0]["attempts"]) == 2
    assert found["test_does_not"]["outcome"] == "exhausted"
    assert found["test_seen_by_the_test"]["result"] == "passed"


LIVE = """
@pytest.mark.planguard(TICKET)
def test_sync(planguard):
    assert planguard.converge(ask.plain, "the printer is on fire").priority == "high"

@pytest.mark.asyncio
@pytest.mark.planguard(TICKET)
async def test_async(planguard):
    assert (await planguard.aconverge(ask.chat_async, "the printer is on fire")).priority == "high"
"""


def test_a_driven_conversation_is_recorded_and_replayed(server):
    """What was driven is judged once, from the requests as they were sent."""
    options = ("-q", "-o", "asyncio_default_fixture_loop_scope=function")
    plugins = ("planguard", "asyncio")
    live = run(app(LIVE), server, *options, "--planguard-record=missing", plugins=plugins)
    assert dict(live.outcomes) == {"passed": 2}, live.output
    server.stop()
    replayed = run(live.example, server, *options, plugins=plugins)
    assert dict(replayed.outcomes) == {"passed": 2}, replayed.output
    for row in rows(replayed.example):
        (conversation,) = row["conversations"]
        assert (conversation["conversation"], conversation["outcome"]) == ("driven-1", "converged")
        assert [len(a["findings"]) for a in conversation["attempts"]] == [2, 0]


DEAF = """
@pytest.mark.planguard(TICKET)
def test_deaf(planguard):
    planguard.converge(lambda messages: ask.plain(messages[:1]), "the printer is on fire")
"""


def test_an_ask_that_drops_the_feedback_is_caught(server):
    """The loop did its part; the requests that were sent show that `ask` did not (source row 85)."""
    done = run(app(DEAF), server, "--planguard-record=missing")
    assert dict(done.outcomes) == {"failed": 1}
    assert "LOST" in done.stdout
    assert "planguard: Ticket: lost on the way to attempt 2: priority, steps" in done.stdout
