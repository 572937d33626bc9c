"""Colours of `planguard check` and `planguard show`: on a terminal alone, and the text is the same without them."""

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ...support.commands import run as planguard

SGR = re.compile(r"\x1b\[[0-9;]*m")
CONTRACTS = """
from pydantic import BaseModel

class Out(BaseModel):
    title: str

class Other(BaseModel):
    title: int
"""
CASSETTE = Path(__file__).parents[3] / "cassettes" / "clients" / "go-json.yaml"


def on_a_terminal(folder: Path, *arguments: str, **settings: str) -> str:
    """Run the command in a process whose output is a terminal, and return what it prints."""
    ours, theirs = pty.openpty()
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | settings
    command = [sys.executable, "-m", "pytest_planguard", *arguments]
    with subprocess.Popen(command, cwd=folder, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        raw = b""
        while part := _read(ours):
            raw += part
    os.close(ours)
    assert process.returncode == (arguments[0] == "check")
    return raw.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end is closed
        return b""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a contract, and a bad answer."""
    (tmp_path / "models.py").write_text(CONTRACTS, encoding="utf-8")
    (tmp_path / "a.jsonl").write_text('{"title": 1}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


CHECK = ("check", "a.jsonl", "-c", "models.py:Out")


@pytest.mark.slow
def test_a_terminal_gets_colors_and_a_pipe_none(here: Path) -> None:
    """The place is bold, what fails is red; without colours the words are the same, also by NO_COLOR."""
    plain = planguard(*CHECK).stdout
    painted = on_a_terminal(here, *CHECK)
    assert painted.startswith("\x1b[1ma.jsonl:1\x1b[0m: \x1b[31mnot a valid Out\x1b[0m: 1 finding\n")
    assert SGR.sub("", painted) == plain
    assert on_a_terminal(here, *CHECK, NO_COLOR="1") == plain


@pytest.mark.slow
def test_show_paints_the_same_words(here: Path) -> None:
    """Headlines are bold and findings red; the messages between them are as they are."""
    show = ("show", str(CASSETTE), "-c", "models.py:Other")
    plain = planguard(*show).stdout
    painted = on_a_terminal(here, *show)
    assert "\x1b[1mattempt 1\x1b[0m: exchange 1" in painted
    assert "\x1b[31mx\x1b[0m" in painted
    assert SGR.sub("", painted) == plain
