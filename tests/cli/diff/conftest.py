"""What compares two trees of code asks processes that start warm; tests/integration/results/test_ci_gate.py is cold."""

import os
from pathlib import Path

import pytest

from pytest_planguard.cli.diff import code_changes

from ...support.warm import run_module


def run_probe(asked: Path, answered: Path, tree: Path) -> str:
    """Do as `code_changes.run_probe` does, in a fork."""
    named = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_planguard.plugin"}
    words = ["pytest_planguard.plugin.probe", str(asked), str(answered)]
    return "" if run_module(words, tree, {**os.environ, **named}).returncode == 0 else "its process ended"


@pytest.fixture(autouse=True)
def _warm_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_changes, "run_probe", run_probe)
