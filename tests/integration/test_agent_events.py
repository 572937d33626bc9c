"""Agents that print events: the judged part of a run, required calls, and conversations without a request."""

from ..support.lookalike import Lookalike
from ..wire.agent_streams import claude, codex
from .projects import project, rows, run
from .test_commands import with_agent

PLAN = '{"goal": "Print again"}'
WRITES = ("write_file", {"path": "plan.json", "content": PLAN})
EMPTY = ("write_file", {"path": "plan.json", "content": "{}"})
CHECKS = ("Bash", {"command": "make check-plan"})
STAGE = """
from pytest_planguard import called, tool_arg

THE_PLAN = Contract(
    Plan, judged=tool_arg("write_file", "content"), calls=called("Bash", "make check-plan"), name="Plan"
)

@pytest.mark.planguard(THE_PLAN, commands="agent")
@pytest.mark.parametrize("form", ["claude", "codex"])
def test_plan(planguard, tmp_path, form):
    plan = planguard.stage(["agent", form, "{prompt}"], "Write a plan.", cwd=tmp_path)
    assert plan.goal == "Print again"
"""


def program(**streams: str) -> str:
    """Stand in for an agent: print the first stream of a form, and the second after it gets the errors."""
    texts = "\n".join(f"{name}() {{ cat <<'END'\n{text}END\n}}" for name, text in streams.items())
    return f'#!/bin/sh\n{texts}\ncase "$2" in\n  *check-plan*) "${{1}}_good" ;;\n  *) "${{1}}_bad" ;;\nesac\n'


def test_a_stage_by_its_events(lookalike: Lookalike) -> None:
    """Two agents have the same outcomes and findings, live and replayed; a bad line is counted."""
    streams = {
        f"{name}_{kind}": make("Done.", *calls, prints="not an event")
        for name, make in (("claude", claude), ("codex", codex))
        for kind, calls in (("bad", (EMPTY,)), ("good", (WRITES, CHECKS)))
    }
    live = with_agent(STAGE, "--planguard-record=missing", server=lookalike, script=program(**streams))
    again = run(live.example, lookalike, PATH="/usr/bin:/bin")
    for done in (live, again):
        assert dict(done.outcomes) == {"passed": 2}, done.output
        judged = [[a["findings"] for a in row["judged"][0]["attempts"]] for row in rows(done.example)]
        assert judged[0] == judged[1]
        assert [finding["code"] for finding in judged[0][0]] == ["missing", "call_not_made"]
        assert judged[0][1] == []


def test_an_agent_that_does_not_validate(lookalike: Lookalike) -> None:
    """A missing call is named, even if the plan is good."""
    streams = {f"claude_{kind}": claude("Done.", WRITES) for kind in ("bad", "good")}
    test = STAGE.replace('"claude", "codex"', '"claude"')
    done = with_agent(test, "--planguard-record=missing", server=lookalike, script=program(**streams))
    assert dict(done.outcomes) == {"failed": 1}
    assert (
        "planguard: stage Plan: the argument content of write_file breaks its contract after 2 runs of agent"
        in done.stdout
    )
    assert 'expected a call of Bash with "make check-plan"; got calls of write_file' in done.stdout


OBSERVED = """
from pytest_planguard import Conversation

ASKED = {"role": "user", "content": "A plan for the printer."}
BAD = {"role": "assistant", "content": "{}"}
GOOD = {"role": "assistant", "content": '{"goal": "Print again"}'}

@pytest.mark.planguard(PLAN)
def test_right(planguard):
    said = {"role": "user", "content": "goal: Field required. Answer again."}
    for _ in range(2):
        planguard.observe(Conversation.from_messages([ASKED, BAD, said, GOOD], name="trace"))
    assert len(planguard.judge("trace 2").attempts) == 2

@pytest.mark.planguard(PLAN)
def test_blind(planguard):
    planguard.observe(Conversation.from_messages([ASKED, BAD, {"role": "user", "content": "Again."}, GOOD]))

@pytest.mark.planguard(PLAN)
def test_expected(planguard):
    planguard.observe(Conversation.from_messages([ASKED, BAD]))
    planguard.judge("messages", expect="stopped")
"""


def test_conversations_without_a_request(lookalike: Lookalike) -> None:
    """They are judged when the test ends, and its row has them."""
    done = run(project(OBSERVED), lookalike)
    assert dict(done.outcomes) == {"passed": 2, "failed": 1}, done.output
    found = {row["test"]: [c["name"] for c in row["judged"]] for row in rows(done.example)}
    assert sorted(found.values()) == [["messages"], ["messages"], ["trace", "trace 2"]]
    assert "planguard: Plan: missing on the way to attempt 2: goal" in done.stdout
