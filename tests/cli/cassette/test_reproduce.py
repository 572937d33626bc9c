"""`planguard cassette reproduce`: what it writes of a log, and what it says about it."""

import json
from pathlib import Path

import pytest
import yaml

from ...support.commands import run
from ...wire.logs.forms import FORMS

CONTRACT = """
from typing import Literal
from pydantic import BaseModel, Field
from pytest_planguard import Contract

class Ticket(BaseModel):
    title: str
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)

TICKET = Contract(Ticket)
"""
KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a contract."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "app.py").write_text(CONTRACT, encoding="utf-8")
    return tmp_path


def logged(feedback: str, form: str = "litellm payload 2026") -> None:
    """Write a log of one conversation of two attempts."""
    text = "".join(f"{json.dumps(record)}\n" for record in FORMS[form][0](feedback))
    Path("log.jsonl").write_text(text, encoding="utf-8")


def reproduce(*options: str) -> tuple[int, str, str]:
    """Return exit code, output and errors."""
    done = run("cassette", "reproduce", "log.jsonl", "-c", "app.py:TICKET", "-o", "out", *options)
    return done.exit_code, done.stdout, done.stderr


TEST = """\
\"\"\"A conversation of production: log.jsonl:2, read as wire.\"\"\"

import pytest
from app import {names}


@pytest.mark.planguard(TICKET, cassette="cassettes/log_task_1.yaml")
def test_log_task_1():
    {function}("the printer is on fire")
"""
LOST = "a retry did not say what was wrong: let the app pass on the findings, and the test is green"
GOOD = "the conversation is good: the test keeps it so"


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("feedback", "advice"),
    [("try again", LOST), ("priority: expected one of low, medium, high; got 'urgent'\nsteps: at least 2 items", GOOD)],
)
def test_without_an_app_the_test_is_printed(feedback: str, advice: str) -> None:
    """With its advice and what the log lacks, and the task becomes a case."""
    logged(feedback)
    said = (
        "task-1: out/cassettes/log_task_1.yaml, out/cases.jsonl\n"
        f"  {advice}\n"
        "  invented: headers, the endpoint; read as wire\n"
    )
    shown = TEST.format(names="TICKET, YOUR_FUNCTION", function="YOUR_FUNCTION")
    assert reproduce("--trace", "task-1") == (0, f"{said}{shown}\n", "")
    assert Path("out/cases.jsonl").read_text(encoding="utf-8") == (
        '{"name": "log_task_1", "input": "the printer is on fire", "source": "log.jsonl:2 task-1"}\n'
    )


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("call", "names", "function"),
    [
        ("app.py:App.ask", "App, TICKET", "App.ask"),
        ("src/api.py:ask", "TICKET\nfrom src.api import ask", "ask"),
    ],
)
def test_with_an_app_the_test_is_written(call: str, names: str, function: str) -> None:
    """It imports the contract and the function, from one module or from two, and nothing is printed of it."""
    logged("try again")
    code, said, errors = reproduce("--worst", "1", "--call", call)
    assert (code, errors) == (0, "")
    assert said.splitlines()[0] == "task-1: out/cassettes/log_task_1.yaml, out/test_log_task_1.py"
    assert said.splitlines()[1:] == [f"  {LOST}", "  invented: headers, the endpoint; read as wire"]
    text = Path("out/test_log_task_1.py").read_text(encoding="utf-8")
    assert text == TEST.format(names=names, function=function)
    assert sorted(path.name for path in Path("out").iterdir()) == ["cassettes", "test_log_task_1.py"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("form", "url", "source"),
    [
        (
            "litellm payload 2026",
            "https://api.openai.com/v1/chat/completions",
            "log.jsonl:2; fidelity=wire; trace=task-1",
        ),
        ("anthropic batch 2026", "https://api.anthropic.com/v1/messages", "log.jsonl:1; fidelity=wire; trace=task-1"),
        (
            "bedrock 1.0",
            "https://bedrock-runtime.us-east-1.amazonaws.com/model/model/converse",
            "log.jsonl:1; fidelity=wire; trace=task-ab82aba591d09b34",
        ),
        (
            "langfuse trace 2025",
            "https://api.openai.com/v1/chat/completions",
            "log.jsonl:1; fidelity=messages; trace=t1",
        ),
    ],
)
def test_a_recording_names_its_source(form: str, url: str, source: str) -> None:
    """A response header has the place, how much of the traffic the log kept, and the group; the rest is plain."""
    logged("try again", form)
    code, said, _ = reproduce("--worst", "1")
    lacks = "headers, the endpoint"
    lacks += (
        "; read as wire" if "wire" in source else ", sampling settings and ids that were not logged; read as messages"
    )
    assert (code, f"\n  invented: {lacks}\n" in said) == (0, True)
    (path,) = Path("out/cassettes").iterdir()
    first = yaml.safe_load(path.read_text(encoding="utf-8"))["interactions"][0]
    assert (first["request"]["method"], first["request"]["uri"]) == ("POST", url)
    assert first["request"]["headers"] == {"content-type": ["application/json"]}
    assert first["response"]["headers"] == {"content-type": ["application/json"], "x-planguard-source": [source]}
    assert first["response"]["status"] == {"code": 200, "message": "OK"}


@pytest.mark.usefixtures("here")
def test_a_log_with_secrets_is_refused_with_their_places() -> None:
    """And the two ways to go on; nothing is written."""
    logged(f"try again with {KEY}")
    code, said, errors = reproduce("--worst", "1")
    assert (code, errors) == (1, "")
    assert said.splitlines() == [
        "Nothing was written: these places hold secrets.",
        "task-1: request body messages[3].content: API key (sk-…)",
        "Redact the copies with --redacted, or remove the secrets from the log.",
    ]
    assert not Path("out").exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--worst", "1"), "no conversation in the logs is bad; there is nothing to reproduce"),
        (
            ("--trace", "task-2"),
            "the logs have no calls of 'task-2'; `planguard check` prints the names of bad conversations",
        ),
    ],
)
def test_logs_without_such_a_conversation_are_a_wrong_use(options: tuple[str, ...], message: str) -> None:
    """Exit code 2, and nothing is written."""
    logged("priority: expected one of low, medium, high; got 'urgent'\nsteps: at least 2 items")
    assert reproduce(*options) == (2, "", f"planguard: {message}\n")
    assert not Path("out").exists()
