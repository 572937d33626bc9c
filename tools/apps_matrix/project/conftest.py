"""Keeps what each test takes, in seconds of this process, which other jobs on the machine do not lengthen."""

from __future__ import annotations

import json
import time
from collections.abc import Generator
from pathlib import Path

import pytest

TIMES = Path("times.jsonl")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measure the body with everything that follows on it."""
    began = time.process_time()
    try:
        return (yield)
    finally:
        with TIMES.open("a", encoding="utf-8") as file:
            file.write(json.dumps([item.nodeid, time.process_time() - began]) + "\n")
