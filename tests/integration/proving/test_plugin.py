"""The two doors to experiments, `planguard.prove_feedback` and `--planguard-prove`, and what they leave alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.testing.example import Example, Run

from ...support.warm import WarmExample
from ..projects import rows_by_test
from . import apps
from .test_apps import recorded

TESTS = """
import asyncio
import unittest

import httpx2
import pytest

from apps import TICKET, german, wrong

URL = "https://api.example.com/v1/chat/completions"
RUNS = []
right = pytest.mark.planguard(TICKET, cassette="right.yaml")
lossy = pytest.mark.planguard(TICKET, cassette="lossy.yaml")


def ask(messages):
    answered = httpx2.post(URL, json={"model": "m", "messages": messages}, verify=False)
    answered.raise_for_status()
    return answered.json()["choices"][0]["message"]["content"]


@right
def test_named(planguard):
    proofs = planguard.prove_feedback(lambda: german(ask))
    assert {p.finding.path[0]: p.result for p in proofs} == {"priority": "reacts", "steps": "proven", "hours": "proven"}
    assert len(planguard.judge("1").attempts) == 2
    assert [c.label for c in planguard.judge("1").attempts[0].fed_back] == ["reacts", "proven", "proven"]


@right
def test_named_after_the_apps_own_run(planguard):
    german(ask)
    RUNS.clear()
    planguard.prove_feedback(lambda: (RUNS.append(1), german(ask)))
    assert len(RUNS) == 4  # without a change, and for three findings


@right
def test_awaited(planguard):
    async def app():
        return german(ask)

    assert len(asyncio.run(planguard.aprove_feedback(app))) == 3


@right
def test_body(planguard):
    RUNS.append("body")
    text = german(ask)
    planguard.check(text)
    planguard.score("runs", len(RUNS))
    if len(RUNS) > 6:
        pytest.skip("what a further run does is its own affair")


@right
class TestCase(unittest.TestCase):
    def test_body(self):
        self.assertEqual(wrong(german(ask)), [])


@lossy
def test_lost():
    german(ask, "steps")


@pytest.mark.planguard(TICKET, mode="check")
def test_asks_nothing(planguard):
    planguard.check('{"title": "Printer", "priority": "high", "steps": ["look"], "hours": 2}')


@lossy
def test_fails_by_itself():
    german(ask, "steps")
    raise ValueError("mine")
"""
Row = dict[str, Any]


@pytest.fixture(scope="module")
def project() -> Example:
    """The project with its cassettes."""
    source = Path(apps.__file__).read_text(encoding="utf-8")
    cassettes = {"right.yaml": recorded(apps.german), "lossy.yaml": recorded(apps.german, "steps")}
    return WarmExample({"apps.py": source, "test_app.py": TESTS, **cassettes})


@pytest.fixture(scope="module")
def run(project: Example) -> Run:
    """All tests with `--planguard-prove`."""
    return project.run_pytest("--planguard-prove")


@pytest.fixture(scope="module")
def rows(run: Run) -> dict[str, Row]:
    """The rows by the test's name."""
    return rows_by_test(run.example)


RIGHT = ["test_named", "test_named_after_the_apps_own_run", "test_awaited", "test_body", "TestCase::test_body"]


@pytest.mark.parametrize("name", RIGHT)
def test_an_app_is_run_again_however_it_is_called(name: str, rows: dict[str, Row], run: Run) -> None:
    """By name, awaited, as a test's body, as a unittest method: each finding is shown to be fed back, and it passes."""
    row = rows[name]
    assert row["result"] == "passed", run.stdout
    assert [(p["attempt"], p["path"], p["result"]) for p in row["proofs"]] == [
        (1, ["priority"], "reacts"),
        (1, ["steps"], "proven"),
        (1, ["hours"], "proven"),
    ]


def test_further_runs_tell_planguard_nothing(rows: dict[str, Row]) -> None:
    """What a test checks and measures is counted once; what a further run raises is forgotten, a skip too."""
    assert sum(one["single"] for one in rows["test_body"]["judged"]) == 1
    assert rows["test_body"]["scores"] == {"runs": 5}


def test_a_lost_finding_is_told_with_its_place_and_the_next_command(run: Run, rows: dict[str, Row]) -> None:
    """In the failure and in the row. The section at the end counts it, and does not say it again."""
    done = 'planguard changed the answer and ran the app again: [] became ["look"]'
    reason = f'{done}, and request 2 stayed the same. It ends with "'
    assert f"-> request of attempt 2: MISSING: {reason}" in run.stdout
    assert '-> request of attempt 2: fed back (proven) "Die Dauer muss eine ganze Zahl sein."\n' in run.stdout
    unclear = '-> request of attempt 2: reacts in words that were not understood "Die Dringlichkeit ist keine'
    assert unclear in run.stdout
    assert "then again: pytest test_app.py::test_lost --planguard-prove" in run.stdout
    assert "planguard: Ticket: missing on the way to attempt 2: steps" in run.stdout
    missing = {"conversation": "1", "attempt": 1, "code": "length", "path": ["steps"], "result": "missing"}
    proof = rows["test_lost"]["proofs"][1]
    assert proof == {**missing, "reason": proof["reason"], "said": ""}
    assert proof["reason"].startswith(f"{reason}Bitte verbessern: ")
    assert "21 findings tried by experiment: 12 proven, 7 reacts, 2 missing" in run.stdout
    assert "  missing: test_app.py::test_lost" not in run.stdout


def test_what_cannot_be_tried_is_left_alone(rows: dict[str, Row], run: Run) -> None:
    """A test that asks nothing has nothing to try."""
    assert (rows["test_asks_nothing"]["result"], rows["test_asks_nothing"]["proofs"]) == ("passed", [])
    assert dict(run.outcomes) == {"passed": 6, "failed": 2}


def test_a_body_that_raises_is_tried_as_well(rows: dict[str, Row], run: Run) -> None:
    """An app raises when it gives up: its own failure stays what is seen, with what was missing below it."""
    row = rows["test_fails_by_itself"]
    assert [proof["result"] for proof in row["proofs"]] == ["reacts", "missing", "proven"]
    assert row["result"] == "failed"
    assert "ValueError: mine" in run.stdout


def test_snapshots_may_not_be_updated_meanwhile(project: Example) -> None:
    """Tests run on answers that no model gave: a snapshot of those would be wrong."""
    done = project.run_pytest("--planguard-prove", "--snapshot-update", plugins=("planguard", "syrupy"))
    assert done.returncode == 4
    assert "update snapshots in a run of its own" in done.output
