"""Fragments become entries of CHANGELOG.md, built by towncrier as a release builds them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ..support.paths import ROOT

MARK = "<!-- towncrier release notes start -->\n"
TYPES = ("added", "changed", "fixed", "removed", "security")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What towncrier reads of the project, without the fragments that wait for a release."""
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changelog.d").mkdir()
    shutil.copy(ROOT / "changelog.d" / "README.md", tmp_path / "changelog.d")
    return tmp_path


def towncrier(folder: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run towncrier in a folder."""
    command = [sys.executable, "-m", "towncrier", *argv]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
def test_a_fragment_of_each_type_is_an_entry_above_the_older_releases(project: Path) -> None:
    """The section of the release has a heading for each type, and nothing below it changes."""
    for kind in TYPES:
        (project / "changelog.d" / f"+words.{kind}.md").write_text(f"`{kind}` in\ntwo lines.\n", encoding="utf-8")
    before, _, older = (project / "CHANGELOG.md").read_text(encoding="utf-8").partition(MARK)
    done = towncrier(project, "build", "--yes", "--version", "9.8.7", "--date", "2030-01-02")
    assert done.returncode == 0, done.stderr
    entries = "".join(f"### {kind.title()}\n\n- `{kind}` in\n  two lines.\n\n" for kind in TYPES)
    built = f"{before}{MARK}\n## 9.8.7 (2030-01-02)\n\n{entries}"
    text = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    assert (text[: len(built)], text[len(built) :].strip()) == (built, older.strip())
    assert [path.name for path in (project / "changelog.d").iterdir()] == ["README.md"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["+words.feature.md", "+added.md"])
def test_a_fragment_of_no_type_is_refused(project: Path, name: str) -> None:
    """It would be left out of the release without a word."""
    (project / "changelog.d" / name).write_text("Words.\n", encoding="utf-8")
    done = towncrier(project, "build", "--draft", "--version", "9.8.7")
    assert done.returncode != 0
    assert f"Invalid news fragment name: {name}" in done.stderr + done.stdout


@pytest.mark.slow
def test_the_fragments_that_wait_can_be_built() -> None:
    """Each has a type, and its text ends in a line break as an entry does."""
    done = towncrier(ROOT, "build", "--draft", "--version", "9.8.7")
    assert done.returncode == 0, done.stderr
    for path in (ROOT / "changelog.d").glob("*.md"):
        assert path.read_text(encoding="utf-8").endswith("\n"), path.name


def test_the_types_are_those_of_the_readme() -> None:
    """Someone who reads the table finds a type that towncrier knows."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    assert tuple(kind["directory"] for kind in settings["type"]) == TYPES
    page = (ROOT / "changelog.d" / "README.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"(?m)^\| `(\w+)` \|", page)) == TYPES


def test_the_changelog_has_releases_and_no_list_of_its_own() -> None:
    """Below the mark each section is a release; a line above it would wait for no release."""
    head, mark, releases = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition(MARK)
    assert mark
    assert re.findall(r"(?m)^(?:#+ |- ).*", head) == ["# Changelog"]
    headings = re.findall(r"(?m)^## (.*)", releases)
    assert headings
    assert [one for one in headings if not re.fullmatch(r"\d+\.\d+\.\d+ \((?:\d{4}-\d\d-\d\d|unreleased)\)", one)] == []
