"""`planguard strength` on files: lines, a cassette, a prompt, an exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..support.commands import run
from ..wire.logs.forms import FEEDBACK, litellm

MODELS = """
from pydantic import BaseModel
from pytest_planguard import Contract, distinct

class Ticket(BaseModel):
    title: str
    steps: list[str]

WEAK = Contract(Ticket)
"""
ANSWER = {"title": "Printer on fire at the desk", "steps": ["Cut the power", "Call for help"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a contract, and answers of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strength_models.py").write_text(MODELS, encoding="utf-8")
    lines = [json.dumps({"output": json.dumps(ANSWER)}), json.dumps({"output": "no ticket"})]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_lines_with_a_field_are_measured(folder: Path) -> None:
    """The field is found by its name; the line that is no ticket is left out and named."""
    result = run("strength", "answers.jsonl", "-c", "strength_models.py:WEAK", "--format", "json")
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert data["answers"] == 1
    assert data["notes"] == ["left out, for the contract rejects them: 1 answer: answers.jsonl line 2"]
    assert data["operators"]["drop"] == {"made": 2, "killed": 2}
    assert 'distinct("steps")' in data["python"]


def test_a_log_takes_the_name_of_its_field(folder: Path) -> None:
    """Its rows aren't answers, for init too."""
    (folder / "log.jsonl").write_text(json.dumps(litellm(FEEDBACK)[0]), encoding="utf-8")
    for command in (("strength", "log.jsonl", "-c", "strength_models.py:WEAK"), ("init", "--from", "log.jsonl")):
        result = run(*command)
        assert result.exit_code == 2
        assert "log.jsonl: it is a log of calls, not of answers: name the field of the answer" in result.stderr


def test_below_the_demanded_share_the_exit_code_is_1(folder: Path) -> None:
    """And 0 where it is reached; the page goes to a file."""
    arguments = ("strength", "answers.jsonl", "-c", "strength_models.py:WEAK", "-o", "out.html", "--format", "html")
    assert run(*arguments, "--at-least", "0.99").exit_code == 1
    assert run(*arguments, "--at-least", "0.1").exit_code == 0
    assert "<h2>Mutants by operator</h2>" in (folder / "out.html").read_text(encoding="utf-8")


def test_a_prompt_and_an_example_can_be_copied_from(folder: Path) -> None:
    """Without them there is no mutant of `glued`; with them there is."""
    (folder / "prompt.txt").write_text("Write a ticket about the old printer.", encoding="utf-8")
    base = ("strength", "answers.jsonl", "-c", "strength_models.py:WEAK", "--format", "json")
    assert "glued" not in json.loads(run(*base).stdout)["operators"]
    assert json.loads(run(*base, "--prompt", "prompt.txt").stdout)["operators"]["glued"]["made"] == 3


def test_equivalent_mutants_are_read_from_a_file(folder: Path) -> None:
    """Those of the list are left out of the figures."""
    (folder / "known.txt").write_text("duplicate steps -- a step may be done twice\n", encoding="utf-8")
    base = ("strength", "answers.jsonl", "-c", "strength_models.py:WEAK", "--format", "json")
    assert json.loads(run(*base).stdout)["operators"]["duplicate"]["made"] == 1
    listed = json.loads(run(*base, "--equivalent", "known.txt").stdout)
    assert listed["operators"]["duplicate"]["made"] == 0
    assert listed["notes"][0] == "listed as equivalent: 1 surviving mutant"


def test_auto_is_no_contract_to_measure(folder: Path) -> None:
    """Exit code 2, and what to name."""
    result = run("strength", "answers.jsonl", "-c", "auto")
    assert result.exit_code == 2
    assert result.stderr == (
        "planguard: --contract auto has no contract to measure; name one: module:NAME or file.py:NAME\n"
    )
