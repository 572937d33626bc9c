"""The working folder of most commands' tests."""

from pathlib import Path

import pytest

from ..support.cassettes import write_models


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with contracts in models.py."""
    write_models(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
