"""The forms for issues and pull requests, and the security policy, ask for what exists."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
import yaml

from pytest_planguard.cli.commands import every_command
from pytest_planguard.cli.main import planguard

from .pages import ROOT, name

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
ASKING = [*FORMS, ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md", ROOT / "SECURITY.md"]
COMMAND = re.compile(r"`planguard ([^`\n]+)`")
PATH = re.compile(r"`([\w.-]+/[\w./-]*|[A-Z]+\.md)`")
"""`docs/guides/extend.md`, `changelog.d/`, `SECURITY.md`."""


COMMANDS = dict(every_command(planguard))


def unknown(line: str) -> list[str]:
    """The options of a command line that planguard does not have: ["--wholly"] of `show FILE --wholly`."""
    context = click.Context(planguard)
    known = {option for parameter in planguard.get_params(context) for option in parameter.opts}
    words = line.split()
    named = [word for word in words if not word.startswith("-")]
    command = COMMANDS.get(" ".join(named[:2])) or next((COMMANDS[word] for word in named if word in COMMANDS), None)
    if command is not None:
        known |= {option for parameter in command.get_params(context) for option in parameter.opts}
    return [word for word in words if word.startswith("-") and word not in known]


@pytest.mark.parametrize("page", ASKING, ids=name)
def test_every_command_that_is_asked_for_can_be_run(page: Path) -> None:
    """Its options are those of the command."""
    for line in COMMAND.findall(page.read_text(encoding="utf-8")):
        assert unknown(line) == [], line


@pytest.mark.parametrize("page", ASKING, ids=name)
def test_every_path_that_is_named_exists(page: Path) -> None:
    """Links do not work in a form, so it names paths."""
    for path in PATH.findall(page.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path


def test_what_does_not_exist_is_found() -> None:
    """An option of another command is none of this one's."""
    assert unknown("show a.yaml --whole") == []
    assert unknown("--debug check a.yaml --whole") == ["--whole"]


def test_a_bug_comes_with_version_output_and_recording() -> None:
    """What is always asked back otherwise; a verdict is first looked up."""
    texts = {form.stem: form.read_text(encoding="utf-8") for form in FORMS}
    assert all(
        words in texts["bug"] for words in ("planguard --version", "pytest -vv", "minimal cassette", "cassette secrets")
    )
    assert "docs/guides/disagree.md" in texts["verdict"]
    assert yaml.safe_load(texts["config"]) == {"blank_issues_enabled": False}
