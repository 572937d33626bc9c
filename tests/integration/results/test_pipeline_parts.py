"""The parts of a pipeline in a marked test: streams, gates and models, and what the row says of them."""

from pytest_planguard.runs.model.codec import read_row
from pytest_planguard.runs.model.run import CaseRow

from ...support.warm import WarmExample

TESTS = """
import pytest
from pydantic import BaseModel
from pytest_planguard import Contract, redline
from pytest_planguard.pipeline.gate import GateOutcome

class Verdict(BaseModel):
    go: str

VERDICT = Contract(Verdict, constraints=[*redline("go:Do Not Execute")])

@pytest.mark.planguard(VERDICT, task="Expert")
def test_stream(planguard):
    watched = planguard.watch(f"Sentence {n} about nothing. " for n in range(1_000))
    for piece in watched:
        pass
    assert watched.aborted.code == "prose"

@pytest.mark.planguard(VERDICT)
def test_redline(planguard, tmp_path):
    gate = planguard.gate(tmp_path, webhook="https://hooks.example/pause")
    verdict = VERDICT.check('{"go": "I would say: do not execute"}')
    result = gate.check("Expert", verdict.value, findings=verdict.findings)
    assert result.outcome is GateOutcome.PAUSED
    assert result.event["event"] == "pipeline.paused"
    assert (tmp_path / "pause.json").exists()
    assert gate.check("Expert", {"go": "Go"}, findings=VERDICT.check('{"go": "Go"}').findings) is None

@pytest.mark.planguard(VERDICT)
def test_condition(planguard, tmp_path):
    assert planguard.gate(tmp_path, "Expert:blocked").check("Expert", state="blocked").pause.value == "blocked"

@pytest.mark.planguard(VERDICT)
def test_models(planguard):
    def ask(model, messages):
        if model == "down":
            raise TimeoutError
        return '{"go": "Go"}' if model == "good" else "{}"

    found = planguard.ask_models("Expert", ["down", "bad", "good"], ask, messages="go?", sleep=None)
    assert (found.ok, found.model) == (True, "good")
"""


def test_what_the_parts_saw_is_in_the_rows() -> None:
    """Nothing waits, nothing is sent, and a model that fails is no failure of the test."""
    run = WarmExample({"test_a.py": TESTS}).run_pytest()
    assert run.outcomes == {"passed": 4}, run.output
    rows = [read_row(CaseRow, line) for line in run.example.read(".planguard/last.jsonl").splitlines()[1:]]
    parts = {row.test.partition("::")[2]: row.pipeline for row in rows}
    (stream,) = parts["test_stream"]
    assert (stream.part, stream.outcome, stream.task) == ("stream", "aborted", "Expert")
    assert stream.notes[0].startswith("prose at character ")
    paused, opened = parts["test_redline"]
    assert (paused.part, paused.outcome, paused.task) == ("gate", "paused", "Expert")
    assert paused.notes[0].startswith("go:")
    assert paused.notes[1] == "event pipeline.paused, not sent"
    assert (opened.outcome, opened.notes) == ("open", ())
    (models,) = parts["test_models"]
    assert (models.outcome, models.notes) == (
        "good",
        ("down: TimeoutError", "bad: stuck after 2 attempts", "good: converged after 1 attempt"),
    )
    (model_row,) = (row for row in rows if row.test.endswith("test_models"))
    assert [judged.name for judged in model_row.judged] == ["Expert by bad", "Expert by good"]
