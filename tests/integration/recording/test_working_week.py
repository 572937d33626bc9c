"""A working week with cassettes: every command that a person types, and what it says."""

from pathlib import Path

import pytest

from pytest_planguard.testing.example import Example

from ...support.commands import run as planguard
from ...support.lookalike import Lookalike
from ..apps import APPS
from ..projects import PRINTER, project, rows, run, script

ASK = """
import os
import httpx2

def ask(model, messages):
    body, headers = {"model": model, "messages": messages}, {"user-agent": "sdk/1"}
    answered = httpx2.post(os.environ["LOOKALIKE"] + "/v1/chat/completions", json=body, headers=headers, verify=False)
    return answered.raise_for_status().json()["choices"][0]["message"]["content"]
"""
TEST = """
from ask import ask
from apps import careful

@pytest.mark.planguard(TICKET, models=["small", "large"])
def test_printer(planguard_model):
    assert careful(lambda messages: ask(planguard_model, messages), "the printer is on fire")
"""
SMALL, LARGE, NEW = (f"test_app.py::test_printer[{model}]" for model in ("small", "large", "new"))
RECORD = {test: f"pytest '{test}' --planguard-record=" for test in (SMALL, LARGE, NEW)}


def outcomes(example: Example) -> list[str]:
    """Test and outcome of every row."""
    return [f"{row['test'].partition('[')[2]} {row['outcome']}" for row in rows(example)]


def paths(example: Example) -> list[str]:
    """The cassettes, by variant."""
    return sorted(path.split("/")[2] for path in example.paths(".yaml"))


def test_a_working_week(lookalike: Lookalike, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is missing, nothing is called that was not asked for, and each message says the next command."""
    script(lookalike)

    # Monday: a new test. A replay asks for its cassette, the command records it.
    monday = run(project(TEST, ask=ASK, apps=APPS), lookalike)
    assert dict(monday.outcomes) == {"failed": 2}, monday.output
    assert "nothing is recorded for this test yet\n" in monday.stdout
    assert f"  to record: {RECORD[SMALL]}missing\n" in monday.stdout
    assert lookalike.received == []
    recorded = run(monday.example, lookalike, "--planguard-record=missing")
    assert "2 cases: 2 converged; 4 attempts" in recorded.stdout
    assert paths(recorded.example) == ["large", "small"]

    # Tuesday: the prompt is edited. Both cassettes are stale; one of the two variants is recorded again.
    edited = recorded.example.replaced("Write a ticket as JSON with", "Please write a ticket as JSON with")
    sent = len(lookalike.received)
    tuesday = run(edited, lookalike)
    assert dict(tuesday.outcomes) == {"passed": 2}, tuesday.output
    assert "2 cases: 2 stale; 4 attempts" in tuesday.stdout
    assert "2 stale cassettes: convergence is unproven\n" in tuesday.stdout
    assert "  1 change in 2 cassettes, messages[0].content: [-Write-]{+Please write+} a ticket as" in tuesday.stdout
    tokens = sum(a["input_tokens"] + a["output_tokens"] for a in rows(tuesday.example)[0]["judged"][0]["attempts"])
    both = f"pytest test_app.py::test_printer --planguard-record=stale # about 4 calls, {2 * tokens:,} tokens\n"
    assert f"    {both}    {LARGE}, {SMALL}\n" in tuesday.stdout
    assert "without a call" not in tuesday.stdout
    assert len(lookalike.received) == sent
    one = run(tuesday.example, lookalike, SMALL, "--planguard-record=stale")
    assert dict(one.outcomes) == {"passed": 1}, one.output
    assert len(lookalike.received) == sent + 2
    half = run(one.example, lookalike, "--planguard-stale=fail")
    assert outcomes(half.example) == ["large] stale", "small] converged"]
    assert "planguard: the cassette is stale: it no longer fits what is sent\n" in half.stdout
    assert f"next: {RECORD[LARGE]}stale # about 2 calls, {tokens:,} tokens\n" in half.stdout

    # Wednesday: a model is swapped. The new one is recorded, the old one's cassettes stay.
    swapped = half.example.replaced('"large"', '"new"')
    wednesday = run(swapped, lookalike)
    assert dict(wednesday.outcomes) == {"passed": 1, "failed": 1}, wednesday.output
    assert f"  to record: {RECORD[NEW]}missing\n" in wednesday.stdout
    recorded = run(wednesday.example, lookalike, "--planguard-record=missing")
    assert outcomes(recorded.example) == ["new] converged", "small] converged"]
    assert paths(recorded.example) == ["large", "new", "small"]

    # Thursday: the SDK is upgraded and states a default. The cassettes are fixed without a call.
    sent = len(lookalike.received)
    upgraded = recorded.example.replaced('"messages": messages}', '"messages": messages, "n": 1}').replaced(
        "sdk/1", "sdk/2"
    )
    thursday = run(upgraded, lookalike)
    assert outcomes(thursday.example) == ["new] stale", "small] stale"]
    told = "    or, since only the envelope changed, without a call: planguard show "
    commands = [line.removeprefix(told) for line in thursday.stdout.splitlines() if line.startswith(told)]
    assert [command.split("/")[2] for command in commands] == ["new", "small"]
    thursday.example.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    for command in commands:
        done = planguard("show", *command.split(), "--yes")
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines()[:3] == ["request 1:", "  header user-agent changed", "  n added: 1"]
        assert done.stdout.splitlines()[-1] == f"rewritten: {command.removesuffix(' --rekey')}"
    repaired = thursday.example.with_files({p: (tmp_path / p).read_bytes() for p in thursday.example.paths(".yaml")})
    fresh = run(repaired, lookalike, "--planguard-stale=fail")
    assert outcomes(fresh.example) == ["new] converged", "small] converged"]
    assert len(lookalike.received) == sent

    # Friday: the provider fails while everything is recorded again. The old cassettes stay, what was paid for too.
    before = {path: fresh.example.read(path) for path in fresh.example.paths(".yaml")}
    lookalike.scripts.clear()
    lookalike.script(PRINTER, PRINTER, when="printer", failures=[(503, {})] * 9)
    friday = run(fresh.example, lookalike, SMALL, "--planguard-record=all")
    assert dict(friday.outcomes) == {"failed": 1}, friday.output
    assert "503 Service Unavailable" in friday.stdout
    (part,) = friday.example.paths(".part")
    kept = part.rpartition("/")[2]
    assert f"note: the endpoint answered nothing but errors; its exchanges are kept in {kept}\n" in friday.stdout
    assert {path: friday.example.read(path) for path in friday.example.paths(".yaml")} == before
    lookalike.stop()
    weekend = run(friday.example, lookalike, "--planguard-stale=fail")
    assert outcomes(weekend.example) == ["new] converged", "small] converged"]
