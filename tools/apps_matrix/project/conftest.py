"""What nearly every project has: fixtures that all tests take. And the CPU seconds of each test, for `--times`."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

TIMES = Path("times.jsonl")


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


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the body with everything that follows on it."""
    began = time.process_time()
    try:
        return (yield)
    finally:
        with TIMES.open("a", encoding="utf-8") as file:
            file.write(json.dumps([item.nodeid, time.process_time() - began]) + "\n")
