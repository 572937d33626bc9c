"""A release has the version of its tag and a changelog, and the sdist has what the suite needs."""

from __future__ import annotations

import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools.release_check import unlicensed, untold

from ..support.paths import ROOT

LEFT_OUT = {".ci", ".git-blame-ignore-revs", "tools"}
"""What makes sense in a clone alone; .gitignore and LICENSE are packed without being named."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that is ready for the release of 0.2.0."""
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "README.md").touch()
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0 (2030-01-02)\n\nWords.\n", encoding="utf-8")
    return tmp_path


def test_a_release_that_is_ready_has_nothing_untold(project: Path) -> None:
    """Tag, version and changelog agree, and no fragment waits."""
    assert list(untold("v0.2.0", "0.2.0", project)) == []


def test_another_tag_is_told(project: Path) -> None:
    """A tag that was set before the version was raised would publish the old version."""
    assert list(untold("v0.3.0", "0.2.0", project)) == ["tag v0.3.0 is not v0.2.0, the version of the package"]


@pytest.mark.parametrize("heading", ["## 0.2.0 (unreleased)", "## 0.20.0 (2030-01-02)", "### 0.2.0 (2030-01-02)"])
def test_a_changelog_without_the_release_is_told(project: Path, heading: str) -> None:
    """Its section has a date."""
    (project / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", encoding="utf-8")
    assert list(untold("v0.2.0", "0.2.0", project)) == ["no dated section in CHANGELOG.md: ## 0.2.0 (2026-01-01)"]


def test_a_fragment_that_waits_is_told(project: Path) -> None:
    """It would be missing from the section of its release."""
    (project / "changelog.d" / "+words.added.md").touch()
    assert list(untold("v0.2.0", "0.2.0", project)) == ["not yet in CHANGELOG.md: changelog.d/+words.added.md"]


@pytest.mark.parametrize(("text", "lacks"), [(None, True), ("Another licence.", True), ("ours", False)])
def test_an_archive_has_the_licence_of_the_project(tmp_path: Path, text: str | None, lacks: bool) -> None:
    """A wheel without it, or with another one, is no release."""
    wheel = tmp_path / "it-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("it/__init__.py", "")
        if text is not None:
            ours = (ROOT / "LICENSE").read_text(encoding="utf-8")
            packed.writestr("it-1.dist-info/licenses/LICENSE", ours if text == "ours" else text)
    assert unlicensed(wheel) is lacks


def test_the_sdist_has_all_that_the_repository_has() -> None:
    """A new file or folder at the top is packed, or named here as left out."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("needs git and a clone")
    tops = {path.partition("/")[0] for path in listed.stdout.splitlines()} - {".gitignore", "LICENSE", "pyproject.toml"}
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = {path.strip("/") for path in settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]}
    assert packed == tops - LEFT_OUT
