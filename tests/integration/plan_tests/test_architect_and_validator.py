"""A plan loop as amelia builds one: an architect revises its plan, a model extracts its parts, a person decides.

planguard has no such loop. It records the functions that ask the models, and judges what they were asked and answered.
"""

import json
from typing import Any

import pytest
import yaml

from pytest_planguard.testing.example import Example, Run

from ...support.plans import text_of
from ...support.warm import WarmExample
from ..projects import rows

PLAN = text_of("superpowers")[1]
LOOP = f"""
import os

from pydantic import BaseModel, Field

from pytest_planguard import Contract, plan_rules, validation_feedback

PLAN = {PLAN!r}


class Extracted(BaseModel):
    goal: str = Field(min_length=1)
    plan_markdown: str
    key_files: list[str]


ARCHITECT = Contract(None, name="architect", format="markdown", rules=plan_rules("amelia"))
VALIDATOR = Contract(Extracted, name="validator", rules=plan_rules("amelia", at="plan_markdown"))
PROMPT = os.environ.get("PROMPT", "Extract the plan.") + "\\n<plan>\\n{{}}\\n</plan>"


class Refused(RuntimeError):
    pass


REFUSED = Refused("the model refused")


def architect(messages):
    if not os.environ.get("MODEL"):
        raise RuntimeError("the architect was called in a replay")
    if "decides" in messages[-1]["content"]:
        return "A person decides."
    if "stubborn" in messages[0]["content"]:
        return "# Plan " + str(len(messages))
    return PLAN if "headers" in messages[-1]["content"] else "No plan at all."


def validator(prompt, model):
    if "refuse" in prompt:
        raise REFUSED
    lost = {{"goal": "", "key_files": None}} if os.environ.get("MODEL") == "lossy" else {{}}
    return {{"goal": "Renew it.", "plan_markdown": PLAN, "key_files": ["src/auth/store.py"], **lost}}


def plan(architect, validator, task):
    messages = [{{"role": "user", "content": task}}]
    for _ in range(3):
        text = architect(messages)
        found = ARCHITECT.check(text)
        if found.ok:
            return validator(PROMPT.format(text), os.environ.get("VALIDATOR") or "large")
        told = {{"role": "user", "content": validation_feedback(found)}}
        messages += [{{"role": "assistant", "content": text}}, told]
    return architect([*messages, {{"role": "user", "content": "Who decides?"}}])
"""
TESTS = """
import pytest

import loop


@pytest.fixture
def write(planguard):
    return lambda task: loop.plan(planguard.recorded(loop.architect), planguard.recorded(loop.validator), task)


@pytest.mark.planguard(loop.ARCHITECT, loop.VALIDATOR)
@pytest.mark.parametrize("key", ["ABC-1", "../../etc/x"])
def test_plan(write, key):
    write(f"Plan {key}.")


@pytest.mark.planguard(loop.ARCHITECT, escalates="a person decides")
def test_person(write):
    write("Plan this, stubborn one.")


@pytest.mark.planguard(loop.VALIDATOR)
def test_extract(planguard):
    extract = planguard.recorded(loop.validator)
    with pytest.raises(loop.Refused) as caught:
        extract("refuse", "large")
    assert caught.value is loop.REFUSED
    extract(loop.PROMPT.format(loop.PLAN), "large")
"""


def session(example: Example, *args: str, **env: str) -> Run:
    """Run the tests of the loop."""
    return example.run_pytest(*args, env=env, plugins=("planguard",))


def judged(run: Run, test: str) -> list[dict[str, Any]]:
    """The conversations of a test, in the last run."""
    (row,) = [row for row in rows(run.example) if row["test"].endswith(test)]
    found: list[dict[str, Any]] = row["judged"]
    return found


@pytest.fixture(scope="module")
def live() -> Run:
    """The loop with its models, recorded."""
    run = session(WarmExample({"loop.py": LOOP, "test_app.py": TESTS}), "--planguard-record=missing", MODEL="1")
    assert dict(run.outcomes) == {"passed": 4}, run.output
    return run


def test_goal_and_key_files_are_extracted(live: Run) -> None:
    """Source row 24: the extraction has all three fields, the plan as it is; without goal or files it fails."""
    (one,) = judged(live, "test_extract")
    assert json.loads(one["attempts"][0]["answer"]) == {
        "goal": "Renew it.",
        "plan_markdown": PLAN,
        "key_files": ["src/auth/store.py"],
    }
    lossy = session(live.example, "--planguard-record=all", "-k", "extract", MODEL="lossy")
    assert dict(lossy.outcomes) == {"failed": 1, "deselected": 3}
    codes = {(one["code"], *one["path"]) for one in judged(lossy, "test_extract")[0]["attempts"][0]["findings"]}
    assert codes == {("length", "goal"), ("type", "key_files")}


def changed(live: Run, name: str, value: str, said: str) -> None:
    """A replay with another setting is stale, and says what has changed."""
    replayed = session(live.example, "-k", "test_plan", "--planguard-stale=fail", **{name: value})
    assert dict(replayed.outcomes) == {"failed": 2, "deselected": 2}, replayed.output
    assert said in replayed.stdout


def test_the_same_models_and_prompts_are_replayed(live: Run) -> None:
    """Without a model: the plans are as recorded, and nothing is stale."""
    replayed = session(live.example, "-k", "test_plan or person", "--planguard-stale=fail")
    assert dict(replayed.outcomes) == {"passed": 3, "deselected": 1}, replayed.output


def test_another_model_of_the_validator_makes_its_recording_stale(live: Run) -> None:
    """Source row 25: the recording knows which model was asked, the validator's or the one it falls back to."""
    changed(live, "VALIDATOR", "small", "arguments.model: [-large-]{+small+}")


def test_other_words_of_the_extraction_prompt_make_its_recording_stale(live: Run) -> None:
    """Source row 30: the prompt is recorded word for word, with the plan between its marks."""
    changed(live, "PROMPT", "Take it apart.", "arguments.prompt: [-Extract the plan.-]{+Take it apart.+}")
    (cassette,) = [live.example.read(path) for path in live.example.paths(".yaml") if "test_extract" in path]
    (interaction,) = yaml.safe_load(cassette)["interactions"]
    asked = json.loads(interaction["request"]["body"])["arguments"]["prompt"]
    assert asked == f"Extract the plan.\n<plan>\n{PLAN}\n</plan>"


def test_an_error_of_the_model_comes_through_as_it_is(live: Run) -> None:
    """Source row 26: `test_extract` has seen the very exception, and nothing was recorded of it."""
    assert len(judged(live, "test_extract")[0]["attempts"]) == 1


def test_the_key_of_a_plan_stays_in_its_folder(live: Run) -> None:
    """Source row 27: the file is named after the key, whatever the key."""
    names = [path for path in live.example.paths(".yaml") if "test_plan" in path]
    folder = "cassettes/test_app/default/test_plan-"
    assert [name[: -len("12345678.yaml")] for name in sorted(names)] == [f"{folder}abc-1-", f"{folder}etc-x-"]


def test_architect_then_validator(live: Run) -> None:
    """Source row 29: two plans of the architect, then the validator, by the numbers of their exchanges."""
    steps = [
        (attempt["exchange"], one["contract"])
        for one in judged(live, "test_plan[ABC-1]")
        for attempt in one["attempts"]
    ]
    assert sorted(steps) == [(1, "architect"), (2, "architect"), (3, "validator")]


def test_then_a_person(live: Run) -> None:
    """Source row 29: at the limit the plan goes to a person, which is no failure where it is declared."""
    (one,) = judged(live, "test_person")
    assert (one["outcome"], one["ok"], len(one["attempts"])) == ("escalated", True, 3)
