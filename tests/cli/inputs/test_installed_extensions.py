"""Extensions of installed packages are found wherever importlib.metadata finds them."""

from __future__ import annotations

import sys
import zipfile
from importlib.metadata import Distribution, DistributionFinder, EntryPoint
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.runs.load.contracts import installed_extensions

TEXT = "[console_scripts]\nx = y:main\n\n[planguard]\nshouting = shouting_rules\n"
METADATA = "Metadata-Version: 2.1\nName: shouting\nVersion: 1\n"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One folder of packages, and Python's own finder of them."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    monkeypatch.setattr(sys, "meta_path", [f for f in sys.meta_path if getattr(f, "__name__", "") == "PathFinder"])


def names() -> list[str]:
    """The modules that are found."""
    return [point.value for point in installed_extensions()]


@pytest.mark.parametrize("folder", ["shouting-1.dist-info", "shouting.egg-info", "EGG-INFO"])
def test_a_package_of_a_folder(folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In each form of metadata; one that names other groups is none."""
    home = tmp_path / "shouting.egg" if folder == "EGG-INFO" else tmp_path
    (home / folder).mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(home)])
    (home / folder / ("PKG-INFO" if "egg" in folder.lower() else "METADATA")).write_text(METADATA, encoding="utf-8")
    assert names() == []
    (home / folder / "entry_points.txt").write_text("[pytest11]\nplanguard = x\n", encoding="utf-8")
    assert names() == []
    (home / folder / "entry_points.txt").write_text(TEXT, encoding="utf-8")
    assert names() == ["shouting_rules"]


def test_a_package_of_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which `sys.path` calls ""."""
    (tmp_path / "shouting-1.dist-info").mkdir()
    (tmp_path / "shouting-1.dist-info" / "METADATA").write_text(METADATA, encoding="utf-8")
    (tmp_path / "shouting-1.dist-info" / "entry_points.txt").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [""])
    assert names() == ["shouting_rules"]


def test_a_package_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is read by importlib.metadata."""
    archive = tmp_path / "packages.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("shouting-1.dist-info/METADATA", METADATA)
        packed.writestr("shouting-1.dist-info/entry_points.txt", TEXT)
    monkeypatch.setattr(sys, "path", [str(archive)])
    assert names() == ["shouting_rules"]


def test_a_package_that_only_a_finder_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As build tools have them: the finder is asked."""

    class Built(Distribution):
        metadata: Any = {"Name": "shouting"}  # noqa: RUF012 - as the base class has it

        @property
        def entry_points(self) -> Any:
            return [EntryPoint("shouting", "shouting_rules", "planguard")]

        def read_text(self, filename: str) -> None: ...

        def locate_file(self, path: Any) -> Any: ...

    class Finder(DistributionFinder):
        def find_distributions(self, context: Any = None) -> Any:
            return [Built()]

        def find_spec(self, *_: Any) -> None: ...

    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder()])
    assert names() == ["shouting_rules"]
