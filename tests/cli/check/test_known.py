"""`planguard check` shows what is known: retries that no contract judges, steps, arguments, unanswered requests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from ...support.commands import run

SHAPES = Path(__file__).parents[3] / "cassettes" / "shapes"
MODELS = """
from typing import Literal
from pydantic import BaseModel, Field

class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
"""


@pytest.fixture
def ticket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The contract of the cassettes."""
    (tmp_path / "ticket.py").write_text(MODELS)
    monkeypatch.chdir(tmp_path)
    return "ticket.py:Ticket"


def known(name: str, *arguments: str) -> dict[str, Any]:
    """What the JSON says of one cassette, and its figures."""
    result = run("check", str(SHAPES / f"{name}.yaml"), "--format", "json", *arguments)
    found = json.loads(result.output)
    return {**found["files"][0], "summary": found["summary"], "exit": result.exit_code}


def test_a_retry_without_a_contract_is_shown_with_its_words_and_the_reason() -> None:
    """An ordinary tool's arguments break the declared schema, and the next request says so; nothing fails."""
    path = str(SHAPES / "closing.correct.yaml")
    result = run("check", path)
    assert result.exit_code == 3
    why = "not judged: the request demands no schema; name a contract to judge it"
    assert result.output.splitlines()[:2] == [
        f"{path} request 2 rejects answer 1 ({why}): priority: expected one of low, medium, high",
        f"{path} answer 1 calls save_ticket with bad arguments: priority [enum]",
    ]
    found = known("closing.correct")
    assert found["retries"] == [
        {
            "request": 2,
            "answer": 1,
            "known": "findings",
            "says": ["priority: expected one of low, medium, high"],
            "judged": False,
            "why_not": "the request demands no schema; name a contract to judge it",
            "findings": found["retries"][0]["findings"],
        }
    ]
    assert found["steps"] == {"probable retry": 1, "tool step": 1}
    assert [(call["tool"], call["answer"]) for call in found["argument_findings"]] == [("save_ticket", 1)]
    figures = {name: found["summary"][name] for name in ("retries_found", "calls_checked", "calls_with_bad_arguments")}
    assert figures == {"retries_found": 1, "calls_checked": 2, "calls_with_bad_arguments": 1}


def test_a_judged_retry_is_part_of_its_conversation(ticket: str) -> None:
    """With a contract the figures count it, and no line repeats it."""
    found = known("closing.correct", "-c", ticket)
    assert [(one["judged"], one["known"]) for one in found["retries"]] == [(True, "findings")]
    assert found["exit"] == 0
    assert "rejects answer" not in run("check", str(SHAPES / "closing.correct.yaml"), "-c", ticket).output
    assert found["not_judged"] == {"the closing message after an accepted call: no answer was expected": 1}


def test_outcomes_and_kinds_are_reached(ticket: str) -> None:
    """Escalated, no progress, a loop at the limit, and requests that no model answered."""
    handed = known("escalated", "-c", ticket, "--escalates", "hand this over")
    assert (handed["exit"], handed["summary"]["outcomes"]) == (0, {"escalated": 1})
    assert known("no_progress", "-c", ticket)["summary"]["outcomes"] == {"no_progress": 1}
    assert known("loop", "-c", ticket)["summary"]["kinds"] == {"loop": 1}
    for kind, reason in (
        ("auth", "auth: HTTP 401: Incorrect API key provided."),
        ("transport", "transport: HTTP 503: The server is overloaded."),
    ):
        found = known(kind, "-c", ticket)
        assert (found["summary"]["kinds"], found["not_judged"]) == ({kind: 1}, {reason: 1})


def test_the_shared_recordings_have_no_wrong_loss_and_all_their_retries(shared_data: Path) -> None:
    """Without options: nothing missing, nothing failed, 65 retries in 48 cassettes, none in the other 413."""
    result = run("check", str(shared_data / "recordings"), "--format", "json")
    found = json.loads(result.output)
    assert found["summary"]["findings_fed_back"]["missing"] == 0
    assert found["summary"]["checks_failed"] == {}
    retries = {file["path"]: len(file["retries"]) for file in found["files"] if file["retries"]}
    assert (len(retries), sum(retries.values())) == (48, 65)


def test_with_a_contract_the_finer_reason_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prose before the demand for JSON is no answer of the contract, and the figures say why."""
    monkeypatch.chdir(tmp_path)
    schema = "class Meta(BaseModel):\n  mood: str\n  lines: int\n"
    (tmp_path / "meta.py").write_text(f"from pydantic import BaseModel\n{schema}")
    result = run("check", str(SHAPES / "critic.correct.yaml"), "-c", "meta.py:Meta")
    reason = "1 × the request demands no schema, but other requests in the cassette demand the contract's schema"
    assert reason in result.output
    assert "no named contract judges" not in result.output
    (tmp_path / "other.py").write_text("from pydantic import BaseModel\nclass Other(BaseModel):\n  colour: str\n")
    result = run("check", str(SHAPES / "critic.correct.yaml"), "-c", "other.py:Other")
    assert "1 × the request demands a schema that is not the contract's" in result.output


def test_a_recording_of_two_lists_is_no_broken_plan(tmp_path: Path) -> None:
    """LangChain's serializer writes all requests, then all responses, and packs the file."""
    interactions = yaml.safe_load((SHAPES / "critic.correct.yaml").read_text())["interactions"]
    halves = {half: [one[half[:-1]] for one in interactions] for half in ("requests", "responses")}
    (tmp_path / "plain.yaml").write_text(yaml.safe_dump(halves))
    (tmp_path / "packed.yaml.gz").write_bytes(gzip.compress(yaml.safe_dump(halves).encode()))
    found = json.loads(run("check", str(tmp_path), "--format", "json").output)
    assert [Path(one["path"]).name for one in found["files"]] == ["packed.yaml.gz", "plain.yaml"]
    assert {one["exchanges"] for one in found["files"]} == {len(interactions)}
