"""planguard owns the loop: `converge` asks, judges, feeds back and asks again."""

import re

from ..projects import PRINTER, app, project, rows, run

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

@pytest.mark.planguard(TICKET, max_attempts=2)
def test_half_way(planguard):
    asked = iter([BAD, BAD.replace('"hi"', '"high"'), GOOD])
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
    assert dict(done.outcomes) == {"passed": 2, "failed": 3}
    assert "FAILED test_app.py::test_does_not - planguard: Ticket: " in done.stdout
    assert "attempt 2 (exchange 2): 2 findings" in done.stdout
    assert 'mode="observed" says that the app owns the loop' in done.stdout
    found = {r["test"].rpartition("::")[2]: r for r in rows(done.example)}
    assert found["test_converges"]["outcome"] == "converged"
    assert len(found["test_converges"]["judged"][0]["attempts"]) == 2
    assert found["test_does_not"]["outcome"] == "no_progress"
    assert found["test_half_way"]["outcome"] == "exhausted"
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
        (conversation,) = row["judged"]
        assert (conversation["name"], conversation["outcome"]) == ("driven-1", "converged")
        assert [len(a["findings"]) for a in conversation["attempts"]] == [2, 0]


DEAF = """
@pytest.mark.planguard(TICKET)
def test_deaf(planguard):
    planguard.converge(lambda messages: ask.plain(messages[:1]), "the printer is on fire")
"""


def test_an_ask_that_drops_the_feedback_is_caught(server):
    """The loop did its part; the requests that were sent show that `ask` did not."""
    done = run(app(DEAF), server, "--planguard-record=missing")
    assert dict(done.outcomes) == {"failed": 1}
    assert "MISSING" in done.stdout
    assert "planguard: Ticket: missing on the way to attempt 2: priority, steps" in done.stdout


SWINGING = """
import json

def function(messages):
    turn = messages[-1]["content"]
    answer = {"title": "Printer", "priority": "low", "steps": ["look", "restart"]}
    if "Attempt 1 of 3" in turn:
        return json.dumps({**answer, "title": "P"})
    return json.dumps({**answer, "priority": "higher" if "Attempt 2 of 3" in turn else "hi"})

@pytest.mark.planguard(TICKET)
def test_http(planguard):
    planguard.converge(ask.plain, "swing", placement="inject")

@pytest.mark.planguard(TICKET)
def test_function(planguard):
    planguard.converge(function, "swing", placement="inject")
"""


def test_one_outcome_everywhere(server):
    """A-B-A over HTTP and from a function: failure text, summary and row say oscillating, live and replayed."""
    first, second = {**PRINTER, "priority": "hi"}, {**PRINTER, "priority": "low", "title": "P"}
    third = {**PRINTER, "priority": "higher"}
    for answer, when in ((second, "Attempt 1 of 3"), (third, "Attempt 2 of 3"), (first, "swing")):
        server.script(answer, answer, when=when)
    live = run(app(SWINGING), server, "--planguard-record=missing", "-rf")
    server.stop()
    for done in (live, run(live.example, server, "-rf")):
        assert dict(done.outcomes) == {"failed": 2}, done.output
        assert "2 cases: 2 oscillating; 6 attempts; " in done.stdout, done.stdout
        assert done.stdout.count(": oscillating after 3 of 3 attempts") == 2
        assert len(re.findall(r"^oscillating +3 +(?:\d+|-)  failed  valid ", done.stdout, re.MULTILINE)) == 2
        assert [row["outcome"] for row in rows(done.example)] == ["oscillating", "oscillating"]
        assert [[c["outcome"] for c in row["judged"]] for row in rows(done.example)] == [["oscillating"]] * 2


def test_what_the_recording_knows_stands_in_the_failure(server):
    """`ask` returns a text without a token count; the cassette has the count, and the failure does not deny it."""
    server.script({**PRINTER, "priority": "hi"}, {**PRINTER, "priority": "hi"}, when="count")
    test = '@pytest.mark.planguard(TICKET)\ndef test_counts(planguard):\n    planguard.converge(ask.plain, "count")\n'
    done = run(app(test), server, "--planguard-record=missing")
    assert "stuck after 2 of 3 attempts" in done.stdout
    assert re.search(r"; 2 attempts; \d+ tokens", done.stdout)
    assert "has no token count" not in done.stdout


BOUNDED = """
from pytest_planguard import Budget

@pytest.mark.planguard(TICKET, max_attempts=2)
def test_more(planguard):
    planguard.converge(ask.plain, "swing", placement="inject", budget=Budget(attempts=3))
"""


def test_the_limits_of_the_loop_hold_for_its_recording(server):
    """Three attempts that a budget allows are none too many, whatever the marker allows an app."""
    first, second = {**PRINTER, "priority": "hi", "steps": ["look"]}, {**PRINTER, "title": "P", "priority": "low"}
    server.script(second, second, when="Attempt 1 of 3")
    server.script(PRINTER, PRINTER, when="Attempt 2 of 3")
    server.script(first, first, when="swing")
    done = run(app(BOUNDED), server, "--planguard-record=missing")
    assert dict(done.outcomes) == {"passed": 1}, done.output
