"""Which changed files and which variables a run of a command is recorded with."""

import json
from pathlib import Path

import pytest
import yaml

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.commands.taped_run import EVERYTHING, tape_scope

from ...support.one_item import in_one_item
from .tape import Tape


@in_one_item
@pytest.mark.parametrize(
    ("patterns", "path", "is_recorded"),
    [
        ((), "out/plan.md", True),
        (("*.md",), "plan.md", True),
        (("*.md",), "out/plan.md", True),
        (("*.md",), "plan.mdx", False),
        (("out/*.md",), "out/plan.md", True),
        (("out/*.md",), "out/deep/plan.md", False),
        (("out/*.md",), "about/out/plan.md", False),
        (("out/**/*.md",), "out/plan.md", True),
        (("out/**/*.md",), "out/a/b/plan.md", True),
        (("out/**",), "out/a/b/plan.md", True),
        (("out/**",), "output/plan.md", False),
        (("plan.md", "task?.json"), "task1.json", True),
        (("task[0-9].json",), "task1.json", True),
        (("task[!0-9].json",), "task1.json", False),
        (("!*.log",), "run.log", False),
        (("!*.log",), "plan.md", True),
        (("*.md", "!drafts/**"), "drafts/plan.md", False),
        (("*.md", "!drafts/**"), "plan.md", True),
        (("a.b",), "aXb", False),
    ],
)
def test_patterns(patterns: tuple[str, ...], path: str, is_recorded: bool) -> None:
    """A name without a slash counts in any folder; one star stays within a name; two cross folders."""
    assert tape_scope(patterns, ()).records(path) == is_recorded


@pytest.mark.parametrize(
    "pattern", ["", "/etc/passwd", "../x", "a/../b", "./a", ".kiro/*.md", "!.git/**", "a\\b", "a//b"]
)
def test_a_pattern_that_leads_elsewhere_is_refused(pattern: str) -> None:
    """Neither outside of the work folder nor to hidden files."""
    with pytest.raises(UsageError) as raised:
        tape_scope([pattern], ())
    assert str(raised.value) == (
        f"tape_files: got {pattern!r}; write a pattern of files below the work folder that are not hidden, "
        "such as docs/**/*.md"
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (
            "ANTHROPIC_API_KEY",
            "got ANTHROPIC_API_KEY, which names a secret; leave it out, secrets are never recorded",
        ),
        ("VENDOR_TOKEN", "got VENDOR_TOKEN, which names a secret; leave it out, secrets are never recorded"),
        ("PATH", "got PATH, which planguard changes for its shims; leave it out"),
        ("A B", "got 'A B'; write the name of a variable, such as LANG"),
    ],
)
def test_a_variable_that_is_not_recorded(name: str, problem: str) -> None:
    """Secrets are refused by their name before anything runs."""
    with pytest.raises(UsageError) as raised:
        tape_scope((), [name])
    assert str(raised.value) == f"tape_environment: {problem}"


def test_a_broken_pattern_says_so() -> None:
    """What is no pattern is refused."""
    with pytest.raises(UsageError, match=r"^tape_files: got '\[z-a\]', which matches no file; correct it$"):
        tape_scope(["[z-a]"], ())


def test_only_the_files_of_the_patterns_are_recorded_and_written(tmp_path: Path) -> None:
    """What else the run wrote is in no cassette, and not there after a replay."""
    tape = Tape(tmp_path, scope=tape_scope(["*.md", "!drafts/**"], ())).install(
        agent="mkdir drafts; echo plan > plan.md; echo no > drafts/plan.md; echo no > noise.log; echo no > conftest.py"
    )
    for opening, left in (
        (tape.recorded, ["conftest.py", "drafts/plan.md", "noise.log", "plan.md"]),
        (tape.replayed, ["plan.md"]),
    ):
        with opening() as opened:
            opened.run("agent")
            written = [p.relative_to(opened.work).as_posix() for p in opened.work.rglob("*") if p.is_file()]
            assert sorted(written) == left
            assert opened.server.notes == []


def test_only_the_variables_of_the_list_are_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By name, without any other; a key in the value of one of them stays off the disk, and another value is noted."""
    key = "sk-proj-abcdEFGH1234567890abcdEFGH"
    for name, value in {"AGENT_MODEL": "small", "AGENT_NOTE": f"use {key}", "AGENT_OTHER": "not asked for"}.items():
        monkeypatch.setenv(name, value)
    tape = Tape(tmp_path, scope=tape_scope((), ["AGENT_MODEL", "AGENT_NOTE", "AGENT_UNSET"])).install(agent="echo done")
    with tape.recorded() as opened:
        opened.run("agent", "x")
    text = tape.file.read_text(encoding="utf-8")
    request = json.loads(yaml.safe_load(text)["interactions"][0]["request"]["body"])
    assert request["environment"] == {"AGENT_MODEL": "small", "AGENT_NOTE": "use [redacted]"}
    assert key not in text
    assert "not asked for" not in text
    monkeypatch.setenv("AGENT_MODEL", "large")
    with tape.replayed() as opened:
        assert opened.run("agent", "x").stdout == b"done\n"
        assert "agent: AGENT_MODEL is 'large', and was 'small' when the run was recorded" in opened.server.notes


def test_nothing_of_the_environment_is_recorded_by_default(tmp_path: Path) -> None:
    """No variable is asked for, none is kept."""
    assert (EVERYTHING.files, EVERYTHING.environment) == ((), ())
    tape = Tape(tmp_path).install(agent="echo done")
    with tape.recorded() as opened:
        opened.run("agent")
    assert "environment" not in tape.file.read_text(encoding="utf-8")
