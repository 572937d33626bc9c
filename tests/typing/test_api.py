"""The public names as type checkers see them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_planguard

ROOT = Path(__file__).parents[2]
API = Path(__file__).with_name("api.py")


def run(*command: str) -> str:
    """What a checker prints; "" where it is content."""
    done = subprocess.run([sys.executable, "-m", *command, str(API)], cwd=ROOT, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def test_mypy_accepts_right_uses_and_refuses_wrong_ones() -> None:
    """Strict mypy is content with every public name, and needs each `type: ignore` beside a wrong use."""
    pytest.importorskip("mypy")
    assert run("mypy", "--strict", "--follow-imports=silent") == ""


@pytest.mark.parametrize("version", ["3.11", "3.14"])
def test_pyright_accepts_right_uses_and_refuses_wrong_ones(version: str) -> None:
    """The same for strict pyright, for the oldest and the newest Python."""
    pytest.importorskip("pyright")
    assert run("pyright", "--pythonpath", sys.executable, "--pythonversion", version) == ""


def test_every_public_name_is_used() -> None:
    """A name without a typed use would be held by nothing."""
    tree = ast.parse(API.read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert set(pytest_planguard.__all__) - used == set()
