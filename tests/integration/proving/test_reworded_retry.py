"""A retry in words that nobody can read, where no experiment runs: it is served, and the case is stale and unclear."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.testing.example import Run

from ...support.exchanges import chat
from ...support.warm import WarmExample
from ..projects import rows_by_test
from . import apps
from .test_apps import recorded

TESTS = """
import json

import httpx2
import pytest

from apps import BAD, GERMAN, TASK, TICKET, dialogue, german, user

URL = "https://api.example.com/v1/chat/completions"


def ask(messages, **more):
    answered = httpx2.post(URL, json={"model": "m", "messages": messages, **more}, verify=False)
    answered.raise_for_status()
    return answered.json()["choices"][0]["message"]["content"]


def streamed(messages):
    answered = httpx2.post(URL, json={"model": "m", "messages": messages, "stream": True}, verify=False)
    answered.raise_for_status()
    events = [line[6:] for line in answered.text.splitlines() if line.startswith("data: {")]
    return "".join(json.loads(event)["choices"][0]["delta"].get("content", "") for event in events)


def translated(messages):
    *before, last = messages
    return ask([*before, user(" ".join(GERMAN.values()))] if before else [user(last["content"])])


def blind(ask):
    dialogue(ask, lambda *_: "Try again.")


@pytest.fixture
def database():
    return []


def case(name="rewords", **more):
    return pytest.mark.planguard(TICKET, cassette=f"{name}.yaml", **more)


@case()
def test_observed(database):
    german(ask)


@case()
def test_blind(database):
    blind(ask)


@case("streamed")
def test_streamed(database):
    german(streamed)


@case("streamed")
def test_streamed_blind(database):
    blind(streamed)


@case(max_attempts=3)
def test_driven(planguard, database):
    planguard.converge(translated, TASK)


@case(match="strict")
def test_strict(database):
    german(ask)


@case(match="ordered")
def test_ordered(database):
    german(ask)


@case(match="lenient")
def test_lenient(database):
    german(ask)

"""
Row = dict[str, Any]
NEVER = "planguard_prove = never"
SERVED = ["observed", "streamed", "driven"]
BLIND = ["blind", "streamed_blind"]


def streamed_cassette() -> str:
    """The exchanges of `rewords`, each answered in two events."""
    plain = list(_exchanges(stream=True))
    return render(replace(one, response_headers=_EVENTS, response_body=_in_events(one.response_body)) for one in plain)


_EVENTS = (("content-type", ("text/event-stream",)),)


def _in_events(body: bytes) -> bytes:
    text = json.loads(body)["choices"][0]["message"]["content"]
    pieces = [{"role": "assistant", "content": text[:9]}, {"content": text[9:]}]
    chunks = [
        {"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": [{"index": 0, "delta": piece}]}
        for piece in pieces
    ]
    chunks[-1]["choices"][0]["finish_reason"] = "stop"  # type: ignore[index]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks).encode() + b"data: [DONE]\n\n"


def _exchanges(**extra: Any) -> Any:
    sent: list[Any] = []

    def ask(messages: list[dict[str, Any]]) -> str:
        answer = apps.GOOD if sent else apps.BAD
        sent.append(chat(messages, answer, **extra))
        return answer

    apps.rewords(ask)
    return sent


FILES = {
    "apps.py": Path(apps.__file__).read_text(encoding="utf-8"),
    "test_app.py": TESTS,
    "rewords.yaml": recorded(apps.rewords),
    "streamed.yaml": streamed_cassette(),
}


@pytest.fixture(scope="module", params=["planguard_prove_except = database", NEVER])
def run(request: pytest.FixtureRequest) -> Run:
    """All tests, with what keeps the app from being run again."""
    return WarmExample({**FILES, "pytest.ini": f"[pytest]\n{request.param}\n"}).run_pytest("-v")


@pytest.fixture(scope="module")
def rows(run: Run) -> dict[str, Row]:
    """The rows by the test's name."""
    return rows_by_test(run.example)


def grades(row: Row) -> set[str]:
    """What became of the first attempt's findings."""
    return {graded["how"] or graded["grade"] for graded in row["judged"][0]["attempts"][0]["fed_back"]}


@pytest.mark.parametrize("name", SERVED)
def test_words_that_nobody_reads_are_served(name: str, rows: dict[str, Row], run: Run) -> None:
    """The test passes; its case is stale, its findings are unclear, and the command that records it again is named."""
    row = rows[f"test_{name}"]
    assert (row["result"], row["outcome"], row["misses"]) == ("passed", "stale", []), run.stdout
    assert grades(row) == {"unclear"}
    assert row["stale"][0].startswith("request 2 ")
    assert "--planguard-record=stale" in row["rerecord"]["command"]
    checks = {check["name"]: check["status"] for check in row["judged"][0]["checks"]}
    assert checks["feedback"] == "warn"


@pytest.mark.parametrize("name", BLIND)
def test_a_stock_phrase_is_refused_as_lost(name: str, rows: dict[str, Row]) -> None:
    """There is evidence of the loss: the words name nothing."""
    row = rows[f"test_{name}"]
    assert row["result"] == "failed"
    assert row["misses"][0].startswith("missing feedback: the retry feeds back no finding of the attempt before it")
    assert row["rerecord"] is None


def test_the_other_modes_are_as_before(rows: dict[str, Row]) -> None:
    """`strict` refuses any other words, `ordered` and `lenient` serve them and call nothing stale."""
    assert (rows["test_strict"]["result"], rows["test_strict"]["outcome"]) == ("failed", "stale")
    for name in ("test_ordered", "test_lenient"):
        row = rows[name]
        assert (row["result"], row["stale"], row["misses"], grades(row)) == ("passed", [], [], {"unclear"})


def test_a_stale_case_fails_where_stale_recordings_fail() -> None:
    """In CI: as stale, with the command, and not as missing feedback."""
    done = WarmExample({**FILES, "pytest.ini": f"[pytest]\n{NEVER}\n"}).run_pytest(
        "--planguard-stale=fail", "-k", "test_observed"
    )
    assert done.returncode == 1
    assert "the cassette is stale: it no longer fits what is sent" in done.stdout
    assert "--planguard-record=stale" in done.stdout
    assert "missing feedback" not in done.stdout
