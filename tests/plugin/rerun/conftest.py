"""A session that watches what its tests open and write."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_planguard.plugin.rerun.writes import Opened, Writes

FOLDERS = ("project/data", "project/.planguard", "temporary/kept", "own", "elsewhere")
FILES = ("project/a.txt", "project/cassette.yaml", "elsewhere/e.txt", "temporary/kept/k.txt")


@pytest.fixture
def opened() -> Iterator[Opened]:
    """What a session has opened since it began."""
    session = Opened()
    session.begin(shared=True)
    yield session
    session.end()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project, which is the working folder, beside the system's folder for temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    fill(tmp_path)
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


def fill(root: Path) -> None:
    """Make the folders and files."""
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (root / name).write_text("some text\n")


def begin(opened: Opened, root: Path) -> Writes:
    """Watch a test that shares something, from the beginning of its function on."""
    writes = opened.watched = Writes(opened, lambda path: path.endswith("cassette.yaml"), (str(root / "own"),))
    writes.begin_body()
    return writes


@pytest.fixture
def watched(places: Path, opened: Opened) -> Writes:
    """A test of which nothing has been written yet."""
    return begin(opened, places)
