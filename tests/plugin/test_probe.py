"""The probe of a tree, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_planguard.runs.gate.tree_facts import Question, TreeFacts
from pytest_planguard.runs.model.codec import read_row, row_text

from ..support.warm import WarmExample
from .whole.probed import FILES


@pytest.mark.slow
def test_a_tree_that_turns_planguard_off_is_looked_at(tmp_path: Path) -> None:
    """With the plugin as it is installed: its tests are found without their settings, and the option is seen."""
    tree, asked, answered = (tmp_path / name for name in ("tree", "question", "answer"))
    ini = "[pytest]\naddopts = -p no:planguard\nmarkers = planguard\n"
    WarmExample({**FILES, "pytest.ini": ini}).without("test_broken.py").write(tree)
    asked.write_text(row_text(Question(contracts=("contracts.py:TICKET",))), encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest_planguard.plugin.probe", str(asked), str(answered)]
    done = subprocess.run(command, cwd=tree, env=env, capture_output=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr.decode()
    found = read_row(TreeFacts, answered.read_bytes())
    assert (found.problems, list(found.contracts)) == ((), ["-c 1"])
    assert found.settings["addopts"] == ["-p", "no:planguard"]
    assert "match" not in found.settings
    assert {name: test.contracts for name, test in found.tests.items()} == {
        f"test_app.py::{name}": () for name in ("test_marked", "test_skipped[1]", "test_skipped[2]", "test_cases")
    }
