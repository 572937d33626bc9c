"""What nearly every project has: fixtures that all tests take."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file that is there for all tests."""
    file = tmp_path_factory.mktemp("settings") / "app.ini"
    file.write_text("[app]\nmode = test\n", encoding="utf-8")
    yield file
    file.unlink()


@pytest.fixture(autouse=True)
def mode(monkeypatch: pytest.MonkeyPatch, settings: Path) -> None:
    """A variable that each test finds set."""
    monkeypatch.setenv("APP_SETTINGS", str(settings))
