"""The public names as type checkers see them."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import pytest_planguard
import pytest_planguard.extend
import pytest_planguard.testing

from ..support.nightly import at_night
from ..support.paths import ROOT

API = Path(__file__).with_name("api.py")
EXTENSION = Path(__file__).with_name("extension.py")
USES = pytest.mark.parametrize("uses", [API, EXTENSION], ids=lambda path: path.stem)


@USES
def test_both_checkers_read_the_uses(uses: Path) -> None:
    """`make types` holds the right uses, and each `type: ignore` beside a wrong one, for the oldest Python."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    name = uses.relative_to(ROOT).as_posix()
    assert name in tools["mypy"]["files"]
    assert name in tools["pyright"]["include"]
    assert tools["mypy"]["strict"]
    assert uses.read_text(encoding="utf-8").startswith("# pyright: strict, reportUnnecessaryTypeIgnoreComment=true\n")


@pytest.mark.slow
@pytest.mark.skipif(not at_night(), reason="pyright takes seconds, and `make checks` runs it for the oldest Python")
def test_pyright_accepts_right_uses_and_refuses_wrong_ones() -> None:
    """The same for the newest Python."""
    pytest.importorskip("pyright")
    command = ["pyright", "--pythonpath", sys.executable, "--pythonversion", "3.14", str(API), str(EXTENSION)]
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("uses", "modules"),
    [(API, [pytest_planguard]), (EXTENSION, [pytest_planguard.extend, pytest_planguard.testing])],
    ids=["api", "extension"],
)
def test_every_public_name_is_used(uses: Path, modules: list[ModuleType]) -> None:
    """A name without a typed use would be held by nothing."""
    tree = ast.parse(uses.read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert {name for module in modules for name in module.__all__} - used == set()
