"""The marker's `models`: one case and one set of cassettes for each, and what stays when a model is swapped."""

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..apps import APPS
from ..projects import project, rows, run, script

ASK = """
import os
import httpx2

def ask(model, messages):
    body = {"model": model, "messages": messages}
    answered = httpx2.post(os.environ["LOOKALIKE"] + "/v1/chat/completions", json=body, verify=False)
    return answered.json()["choices"][0]["message"]["content"]
"""
TEST = """
from ask import ask
from apps import careful

@pytest.mark.planguard(TICKET, models=["small", "large-2"])
@pytest.mark.parametrize("task", ["the printer", "the tomato"])
def test_task(task, planguard, planguard_model):
    assert planguard.model == planguard_model
    assert careful(lambda messages: ask(planguard_model, messages), task)
"""
FOLDER = "cassettes/test_app"


@pytest.fixture(scope="module")
def recorded() -> Example:
    """Two tasks recorded with two models; the app sent the model that the fixture named."""
    server = Lookalike()
    done = run(project(TEST, ask=ASK, apps=APPS), script(server), "--planguard-record=missing")
    server.stop()
    assert dict(done.outcomes) == {"passed": 4}, done.output
    assert {received.body["model"] for received in server.received} == {"small", "large-2"}
    return done.example


def test_each_model_is_a_case_with_recordings_of_its_own(recorded: Example) -> None:
    """Case key and names of the cassettes are the same for all models; folder and row tell them apart."""
    small, large = (
        {p.rpartition("/")[2] for p in recorded.paths(".yaml") if f"/{m}/" in p} for m in ("small", "large-2")
    )
    assert small == large
    assert len(small) == 2
    found = rows(recorded)
    told = [(r["test"].partition("[")[2], r["key"].partition("[")[2], r["variant"]) for r in found]
    assert sorted(told) == [
        ("the printer-large-2]", "the printer]", "large-2"),
        ("the printer-small]", "the printer]", "small"),
        ("the tomato-large-2]", "the tomato]", "large-2"),
        ("the tomato-small]", "the tomato]", "small"),
    ]
    assert len({r["inputs"] for r in found}) == 2


def test_swapping_a_model_keeps_the_older_recordings_unless_told(recorded: Example, lookalike: Lookalike) -> None:
    """Recording with a new model leaves the old variant; `--planguard-prune` removes it, and nothing else."""
    script(lookalike)
    swapped = recorded.replaced('"small"', '"tiny"')
    before = set(recorded.paths(".yaml"))
    kept = run(swapped, lookalike, "--planguard-record=missing", "-k", "printer")
    assert dict(kept.outcomes) == {"passed": 2, "deselected": 2}, kept.output
    assert set(kept.example.paths(".yaml")) > before
    pruned = run(swapped, lookalike, "--planguard-record=missing", "--planguard-prune", "-k", "printer")
    gone = before - set(pruned.example.paths(".yaml"))
    assert [path.rpartition("/")[0] for path in gone] == [f"{FOLDER}/small"]
    assert f"1 cassette of older variants removed:\n  {gone.pop()}\n" in pruned.stdout
    replayed = run(pruned.example, lookalike, "--planguard-prune", "-k", "printer")
    assert "nothing was pruned: --planguard-prune removes only while recording; add --planguard-rec" in replayed.stdout


@pytest.mark.parametrize(
    ("models", "told"),
    [
        ('"small"', "models='small': expected a list of names"),
        ('["a b", "a-b"]', "'a b' and 'a-b' would share a folder of cassettes"),
    ],
)
def test_models_that_cannot_be_end_the_run(models: str, told: str, lookalike: Lookalike) -> None:
    """The message names the argument, before any test runs."""
    text = f"@pytest.mark.planguard(TICKET, models={models})\ndef test_task(planguard): pass\n"
    refused = run(project(text), lookalike)
    assert refused.returncode == 4, refused.output
    assert told in refused.stderr
