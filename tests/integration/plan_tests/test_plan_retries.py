"""Retries about plans: the driven loop and an app's own, recorded against a look-alike, replayed with it stopped.

Every structural issue of a plan must reach the next request, with its line; where one is dropped the test fails.
"""

import json
import re

import pytest

from ...support.lookalike import Lookalike
from ...support.plans import text_of
from ...support.warm import WarmExample
from ..projects import rows, run

TASKS = text_of("spec-kit-tasks")[1]
BAD_TASKS = TASKS.replace("] T002 [P]", "] T001 [P]").replace("(depends on T003-T004)", "(depends on T003, T040)")
STEPS = json.loads(text_of("atomicguard")[1])
BAD_STEPS = json.loads(text_of("atomicguard")[1])
BAD_STEPS["steps"][0]["dependencies"] = ["stor"]
BAD_STEPS["steps"][1]["retry_budget"] = "three"

PLANNER = '''
import json
import os

import httpx2

from pytest_planguard import Contract, Verdict, validation_feedback
from pytest_planguard.plans.judging.contract_rules import plan_rules

RULES = plan_rules("spec-kit", ignore=["parallel-safe"])
STEPS = Contract(None, name="steps", rules=plan_rules("atomicguard"))
TASKS = Contract(None, name="tasks", format="markdown", rules=RULES, judged="write_plan", argument="plan_markdown")
TEXT = Contract(None, name="text", format="markdown", rules=RULES)
TOOL = {"type": "function", "function": {"name": "write_plan", "parameters": {"type": "object"}}}


def post(messages, **more):
    body = {"model": "m", "messages": messages, **more}
    answered = httpx2.post(os.environ["LOOKALIKE"] + "/v1/chat/completions", json=body, verify=False)
    return answered.json()["choices"][0]["message"]


def ask(messages):
    return post(messages)["content"]


def write_plan(tell):
    """The app's own loop: the model calls a tool with the plan in Markdown, the tool's result says what is wrong."""
    messages = [{"role": "user", "content": "Plan the token refresh with write_plan."}]
    for _ in range(3):
        said = post(messages, tools=[TOOL])
        (call,) = said["tool_calls"]
        verdict = TEXT.check(json.loads(call["function"]["arguments"])["plan_markdown"])
        if verdict.ok:
            return verdict.data
        result = {"role": "tool", "tool_call_id": call["id"], "content": tell(verdict)}
        messages += [said, result]
    raise RuntimeError("no plan")


def everything(verdict):
    return "plan_markdown is invalid.\\n" + validation_feedback(verdict)


def worst_only(verdict):
    return everything(Verdict(verdict.contract, verdict.text, verdict.errors[:1]))
'''
TESTS = """
import pytest

from planner import STEPS, TASKS, ask, everything, worst_only, write_plan


@pytest.mark.planguard(STEPS)
def test_driven(planguard):
    plan = planguard.converge(ask, "Plan the refresh as steps in JSON.")
    assert plan["steps"][0]["dependencies"] == []


@pytest.mark.planguard(STEPS)
def test_driven_but_the_feedback_is_cut(planguard):
    planguard.converge(lambda messages: ask(cut(messages)), "Plan the refresh as steps in JSON.")


def cut(messages):
    lines = messages[-1]["content"].split("\\n")
    kept = [line for line in lines if not line.startswith("2. ")]
    return [*messages[:-1], {**messages[-1], "content": "\\n".join(kept)}]


@pytest.mark.planguard(TASKS)
def test_observed():
    assert "T002" in write_plan(everything)


@pytest.mark.planguard(TASKS)
def test_observed_but_one_issue_is_dropped():
    write_plan(worst_only)
"""


@pytest.fixture
def server(lookalike: Lookalike) -> Lookalike:
    """A model whose first plans have two structural issues each; it fixes what the request names."""
    lookalike.script(STEPS, BAD_STEPS, when="steps in JSON")
    lookalike.script({"plan_markdown": TASKS}, {"plan_markdown": BAD_TASKS}, when="write_plan", tool="write_plan")
    return lookalike


def test_a_retry_about_a_plan_converges_only_where_every_issue_is_carried(server):
    """Live and from the cassette: both issues reach the next request and it converges; a dropped one fails."""
    live = run(WarmExample({"planner.py": PLANNER, "test_app.py": TESTS}), server, "--planguard-record=missing")
    assert dict(live.outcomes) == {"passed": 2, "failed": 2}, live.output
    told = [str(request.body["messages"][-1]["content"]) for request in server.received]
    assert any("/steps/0/dependencies/0 (line 1)" in text and "/steps/1/retry_budget (line 1)" in text for text in told)
    assert any('T001 #2" (line 10): ' in text and "/T040 (line 18): " in text for text in told)
    server.stop()
    replayed = run(live.example, server)
    assert dict(replayed.outcomes) == {"passed": 2, "failed": 2}, replayed.output
    for done in (live, replayed):
        found = {row["test"].partition("::")[2]: row for row in rows(done.example)}
        for name, result in (("test_driven", "passed"), ("test_observed", "passed")):
            (conversation,) = found[name]["judged"]
            assert (found[name]["result"], conversation["outcome"]) == (result, "converged")
            first, last = conversation["attempts"]
            assert [f["severity"] for f in first["findings"]].count("retry") == len(first["fed_back"]) == 2
            assert {graded["how"] or graded["grade"] for graded in first["fed_back"]} <= {
                "verbatim",
                "located",
                "proven",
            }
            assert last["ok"]
        for name in ("test_driven_but_the_feedback_is_cut", "test_observed_but_one_issue_is_dropped"):
            assert found[name]["result"] == "failed"
            grades = [
                graded["how"] or graded["grade"] for graded in found[name]["judged"][0]["attempts"][0]["fed_back"]
            ]
            assert sum(grade in ("missing", "wrong") for grade in grades) == 1
        assert len(re.findall("MISSING|WRONG", done.stdout)) == 2
