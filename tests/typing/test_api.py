"""The public names as type checkers see them."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import pytest_planguard

from ..support.paths import ROOT

API = Path(__file__).with_name("api.py")


def test_both_checkers_read_the_uses() -> None:
    """`make types` holds the right uses, and each `type: ignore` beside a wrong one, for the oldest Python."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    api = API.relative_to(ROOT).as_posix()
    assert api in tools["mypy"]["files"]
    assert api in tools["pyright"]["include"]
    assert tools["mypy"]["strict"]
    assert API.read_text(encoding="utf-8").startswith("# pyright: strict, reportUnnecessaryTypeIgnoreComment=true\n")


@pytest.mark.slow
def test_pyright_accepts_right_uses_and_refuses_wrong_ones() -> None:
    """The same for the newest Python."""
    pytest.importorskip("pyright")
    command = ["pyright", "--pythonpath", sys.executable, "--pythonversion", "3.14", str(API)]
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_is_used() -> None:
    """A name without a typed use would be held by nothing."""
    tree = ast.parse(API.read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert set(pytest_planguard.__all__) - used == set()
