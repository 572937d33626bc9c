"""Recorded apps of many shapes, replayed through the plugin: outcomes, kinds and the advice that a failure gives."""

from __future__ import annotations

from pathlib import Path

from ..projects import project, rows

SHAPES = Path(__file__).parents[3] / "cassettes" / "shapes"
APP = f"""
import contextlib, urllib.error, urllib.request
from pytest_planguard.replay.files.reader import read_cassette

def send(name):
    for one in read_cassette(f"{SHAPES.as_posix()}/{{name}}.yaml").interactions:
        asked = urllib.request.Request(one.request.url, one.request.body, {{"content-type": "application/json"}})
        with contextlib.suppress(urllib.error.HTTPError):
            urllib.request.urlopen(asked).read()
"""
TEST = f"""
import shapes
from pydantic import BaseModel, Field
from typing import Literal

class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]

TICKET, WHOLE = Contract(Ticket), Contract(Ticket, extract="whole")

def case(name, contract=TICKET, **more):
    # What is sent was recorded and does not react to answers, so that running it again would tell nothing.
    marks = pytest.mark.planguard(contract, prove=False, cassette="{SHAPES.as_posix()}/" + name + ".yaml", **more)
    return pytest.param(name, id=name + ("-whole" if contract is WHOLE else ""), marks=marks)

@pytest.mark.parametrize("name", [
    case("closing.correct"), case("closing.broken"), case("stricter.correct", WHOLE), case("stricter.broken"),
    case("stricter.broken", WHOLE),
    case("escalated", escalates="hand this over"), case("no_progress"), case("loop"), case("auth"), case("transport"),
    case("laxer.broken"),
])
def test_shape(name):
    shapes.send(name)

@pytest.mark.planguard(Contract(Plan), cassette="{SHAPES.as_posix()}/closing_at_once.correct.yaml")
def test_calls_only():
    one = shapes.read_cassette("{SHAPES.as_posix()}/closing_at_once.correct.yaml").interactions[0].request
    shapes.urllib.request.urlopen(
        shapes.urllib.request.Request(one.url, one.body, {{"content-type": "application/json"}})
    ).read()
"""


def test_every_shape_is_judged_rightly_through_the_plugin() -> None:
    """Correct apps pass, broken ones fail; hand-overs pass with a warning; what no model answered is named by kind."""
    run = project(TEST, shapes=APP).run_pytest("-q")
    found = {row["key"].rpartition("[")[2].rstrip("]"): row for row in rows(run.example)}
    passed = {name for name, row in found.items() if row["result"] == "passed"}
    assert passed == {"closing.correct", "stricter.correct-whole", "escalated"}
    outcomes = {name: [c["outcome"] for c in row["judged"]] for name, row in found.items()}
    assert outcomes["escalated"] == ["escalated"]
    assert outcomes["no_progress"] == ["no_progress"]
    assert found["loop"]["judged"][0]["attempts"][0]["kind"] == "loop"
    assert "planguard: Ticket: missing on the way to attempt 2: (whole answer)" in run.stdout
    assert "(auth: HTTP 401: Incorrect API key provided.)" in run.stdout
    assert "(transport: HTTP 503: The server is overloaded.)" in run.stdout
    assert "next: record again when the model answers: pytest 'test_app.py::test_shape[transport]'" in run.stdout
    assert 'agreed: the app rejects an answer that the contract accepts: set extract="whole", or' in run.stdout
    assert (
        'next: Contract(..., extract="whole") if the app parses the whole answer; otherwise put the app\'s'
        in run.stdout
    )
    assert "agreed: the app accepts an answer that the contract rejects: validate it in the app" in run.stdout
    assert 'next: name the tool whose arguments are the answer: Contract(..., judged="save_ticket");' in run.stdout
