"""A streamed answer that is replayed comes in the events in which it was recorded, and is watched as a live one."""

from pytest_planguard.runs.model.codec import read_row
from pytest_planguard.runs.model.run import CaseRow

from ...pipeline.sse_server import streaming_server
from ...support.warm import WarmExample

TEST = """
import pytest
from openai import OpenAI
from pydantic import BaseModel
from pytest_planguard import Contract

class Plan(BaseModel):
    title: str

PLAN = Contract(Plan)

def stream(say):
    client = OpenAI(base_url="http://127.0.0.1:PORT/v1", api_key="unused", max_retries=0)
    return client.chat.completions.create(model="m", messages=[{"role": "user", "content": say}], stream=True)

@pytest.mark.planguard(PLAN)
def test_good(planguard):
    watched = planguard.watch(stream("a plan"))
    pieces = [chunk.choices[0].delta.content for chunk in watched]
    assert pieces == ['{"title"', ': "Move ', 'the offi', 'ce"}']
    assert watched.aborted is None
"""


def test_a_stream_is_replayed_in_its_events() -> None:
    """The same pieces live and replayed, without the server; the row says that it ended by itself."""
    with streaming_server() as server:
        server.answers = ['{"title": "Move the office"}']
        example = WarmExample({"test_a.py": TEST.replace("PORT", str(server.port))})
        live = example.run_pytest("--planguard-record=missing")
        assert live.outcomes == {"passed": 1}, live.output
    replayed = live.example.run_pytest()
    assert replayed.outcomes == {"passed": 1}, replayed.output
    (row,) = (read_row(CaseRow, line) for line in replayed.example.read(".planguard/last.jsonl").splitlines()[1:])
    assert [(part.part, part.outcome) for part in row.pipeline] == [("stream", "ended")]
