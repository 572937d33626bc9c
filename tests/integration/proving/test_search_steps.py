"""Steps of a plan search over real HTTP: what each request says is judged by the guard of its own step."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pytest_planguard.testing.example import Run

from ...support.commands import run as run_command
from ...support.lookalike import Lookalike
from ...support.lookalike.model import Answer
from ...support.lookalike.server import _Handler
from ...support.lookalike.spelling import Spelling
from ...support.warm import WarmExample
from ..projects import rows_by_test

SOUND = {
    "plan_id": "p",
    "initial_state": ["start"],
    "goal_state": ["served"],
    "total_retry_budget": 3,
    "steps": [{"step_id": "s", "name": "S", "guard": "syntax", "retry_budget": 3, "preconditions": ["start"]}],
}
PIPELINE = '''
import os
from hashlib import sha256

import httpx2
from pydantic import BaseModel, Field
from pytest_planguard import Contract, Step, StepBudget, level_guards


class Strategy(BaseModel):
    strategy: str = Field(min_length=2)
    phases: list[str]


ANALYSIS = Contract({"type": "object", "required": ["summary"]}, name="Analysis")
STRATEGY = Contract(Strategy)
OTHER = Contract({"type": "object", "required": ["colour"]}, name="Other")
GREETING = "Please plan"


def code(finding):
    """A word that nobody reads, one for each place and rule."""
    digest = sha256(f"{finding.path} {finding.code}".encode()).digest()
    return "".join("bdfgklmnprstvz"[byte % 14] + "aeiou"[byte % 5] for byte in digest[:6])


def blind(context, prompt):
    return prompt + (" That was not right. Try again." if context.own or context.downstream else "")


def made_up(context, prompt):
    failures = [*context.own[-1:], *context.downstream[-1:]]
    return prompt + "".join(f" {code(f)}" for failure in failures for f in failure.findings)


def own_alone(context, prompt):
    return prompt + "".join(f" {f.path}: {f.message}" for failure in context.own[-1:] for f in failure.findings)


def later_alone(context, prompt):
    failures = context.downstream[-1:]
    again = " Try again." if context.own else ""
    return prompt + again + "".join(f" {f.path}: {f.message}" for failure in failures for f in failure.findings)


def beside(context, prompt):
    """The later step's findings, said of a field that they are not about; its own as they are."""
    own = "".join(f" {f.path}: {f.message}." for failure in context.own[-1:] for f in failure.findings)
    later = [f for failure in context.downstream[-1:] for f in failure.findings]
    return prompt + own + "".join(f"\\nplan_id: {code(f)}" for f in later)


def numbered(context, prompt):
    """A word for the number of its own findings; the later step's as they are."""
    number = sum(len(failure.findings) for failure in context.own[-1:])
    later = [f for failure in context.downstream[-1:] for f in failure.findings]
    return prompt + ("", " gromil!", " brasut!")[number] + "".join(f" {f.path}: {f.message}" for f in later)


def whole(context, prompt):
    return context.messages(prompt)


def pipeline(tag, words):
    def asker(name):
        def ask(context):
            before = " ".join(artifact.answer for artifact in context.path)
            said = words(context, f"{GREETING}, task {tag}. STEP {name}. Before: {before}")
            messages = [{"role": "user", "content": said}] if isinstance(said, str) else said
            url = os.environ["LOOKALIKE"] + "/v1/chat/completions"
            done = httpx2.post(url, json={"model": "m", "messages": messages}, headers={"authorization": "Bearer test"})
            done.raise_for_status()
            return done.json()["choices"][0]["message"]["content"]
        return ask

    return [
        Step("g_analysis", asker("analysis"), ANALYSIS),
        Step("g_strategy", asker("strategy"), STRATEGY, StepBudget(3, 3)),
        Step("g_plan", asker("plan"), level_guards(), StepBudget(3, 0)),
    ]
'''
TESTS = """
import pytest
import pipeline
from pipeline import OTHER

@pytest.mark.planguard(OTHER)
@pytest.mark.parametrize("words", ["whole", "made_up", "blind", "own_alone", "later_alone", "beside", "numbered"])
def test_search(planguard, words):
    result = planguard.search(pipeline.pipeline(words, getattr(pipeline, words)))
    assert result.succeeded
    assert result.total_calls == 6
"""


class _Planner(_Handler):
    """Forgets the phases first; its first whole strategy leads to a plan that does not reach its goal."""

    asked: ClassVar[Counter[str]] = Counter()

    def _answer(self, lookalike: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        del lookalike, stream
        text = "\n".join(turn.text for turn in spelling.turns(body))
        task, step = re.findall(r"task (\w+)\. STEP (\w+)", text)[0]
        if step == "analysis":
            answer: Any = {"summary": "a printer burns"}
        elif step == "strategy":
            self.asked[task] += 1
            first = {} if task == "numbered" else {"strategy": "half"}
            later = {"strategy": f"number {self.asked[task] - 1}", "phases": ["one"]}
            answer = first if self.asked[task] == 1 else later
        else:
            effects = ["served"] if "number 2" in text else ["stored"]
            answer = {**SOUND, "steps": [{**SOUND["steps"][0], "effects": effects}]}  # type: ignore[index]
        self._send(200, spelling.whole(Answer(json.dumps(answer)), body))


@pytest.fixture(scope="module")
def env() -> Iterator[dict[str, str]]:
    """Return where the pipelines ask."""
    server = Lookalike()
    _Planner.asked.clear()
    server._server.RequestHandlerClass = _Planner
    yield {"LOOKALIKE": server.origin}
    server.stop()


@pytest.fixture(scope="module")
def runs(env: dict[str, str]) -> dict[str, Run]:
    """Return the run that recorded, and the one that replayed."""
    example = WarmExample({"pipeline.py": PIPELINE, "test_search.py": TESTS})
    recorded = example.run_pytest("--planguard-record=missing", env=env, timeout_s=300)
    return {"recorded": recorded, "replayed": recorded.example.run_pytest(env=env, timeout_s=300)}


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_steps_that_say_what_was_wrong_pass(run: str, runs: dict[str, Run]) -> None:
    """In the words of `context.messages`, and in words that nobody reads: the step is asked once more to tell."""
    results = {name: row["result"] for name, row in rows_by_test(runs[run].example).items()}
    assert results["test_search[whole]"] == "passed", runs[run].output
    assert results["test_search[made_up]"] == "passed", runs[run].output


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_a_blind_step_fails(run: str, runs: dict[str, Run]) -> None:
    """It names the step, and what is missing."""
    output = runs[run].output
    assert rows_by_test(runs[run].example)["test_search[blind]"]["result"] == "failed", output
    assert "planguard: g_strategy: missing on the way to attempt 2: phases" in output
    assert "put the step's feedback into its request" in output


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_the_two_channels_are_kept_apart(run: str, runs: dict[str, Run]) -> None:
    """A step that is told its own findings and drops those of the later step fails, and the other way round."""
    rows = rows_by_test(runs[run].example)
    for words, missing in (
        ("own_alone", ["plan search 1: g_strategy after 1, sent back by g_plan"]),
        ("later_alone", ["plan search 1: g_strategy after 1"]),
    ):
        row = rows[f"test_search[{words}]"]
        assert row["result"] == "failed", runs[run].output
        assert [c["name"] for c in row["judged"] if not c["ok"]] == missing


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_a_step_that_tells_another_field_fails(run: str, runs: dict[str, Run]) -> None:
    """Its words come and go with the later step's finding, and are about something else."""
    row = rows_by_test(runs[run].example)["test_search[beside]"]
    assert row["result"] == "failed", runs[run].output
    codes = [c["reason_code"] for each in row["judged"] for a in each["attempts"] for c in a["fed_back"]]
    assert "something-else" in codes, codes


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_a_step_that_tells_a_number_of_findings_fails(run: str, runs: dict[str, Run]) -> None:
    """Its word for two of them becomes the word for one, whichever of the two is right instead."""
    output = runs[run].output
    assert rows_by_test(runs[run].example)["test_search[numbered]"]["result"] == "failed", output
    assert "planguard: g_strategy: missing on the way to attempt 2: strategy, phases" in output


def test_the_next_step_is_no_retry_of_the_one_before(runs: dict[str, Run], env: dict[str, str]) -> None:
    """A prompt that was reworded is stale, and recorded again by the command that is named; nothing is missing."""
    changed = runs["recorded"].example.replaced('"Please plan"', '"Kindly plan"')
    run = changed.run_pytest("-k", "whole", "--planguard-stale=fail", "-o", "planguard_prove=never", env=env)
    assert "missing feedback" not in run.output
    assert "the cassette is stale" in run.output
    assert "--planguard-record=" in run.output
    assert rows_by_test(run.example)["test_search[whole]"]["outcome"] == "stale"


def test_check_judges_no_step_by_another_contract(
    runs: dict[str, Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cassette tells which answers are of a search: only their own guards judge them."""
    runs["recorded"].example.write(tmp_path)
    (recording,) = tmp_path.glob("cassettes/*/*/*whole*.yaml")
    monkeypatch.setenv("LOOKALIKE", "unused")
    checked = run_command("check", str(recording), "--contract", f"{tmp_path}/pipeline.py:OTHER", "--verbose")
    assert checked.exit_code == 3, checked.output  # nothing was judged
    assert "not judged  6 exchanges" in checked.output
    assert "step of a plan search, which its own guard judges" in checked.output
    assert "colour" not in checked.output
