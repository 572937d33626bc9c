"""A source distribution has the tests and no tools/: what needs that folder is left out, and the rest is collected."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from ..conftest import NEEDS_TOOLS
from ..support.nightly import drawn
from ..support.paths import ROOT, copy_with_byte_code
from ..support.warm import inner_environment, run_module

HAS_TESTS = re.compile(r"\bdef test_|^test_\w+ = ", re.MULTILINE)
"""A test as a function, or one that another module makes: "test_an_output_is_as_before = as_before(…)"."""


@pytest.mark.slow
def test_its_tests_are_collected(tmp_path: Path) -> None:
    """Everything but the files that import tools/; by day, in a third of the folders."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name in [*settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"], "/pyproject.toml"]:
        source, copy = ROOT / name[1:], tmp_path / name[1:]
        if source.is_dir():
            copy_with_byte_code(source, copy)
        else:
            shutil.copy(source, copy)
    assert not (tmp_path / "tools").exists()
    plugins = "pytest_planguard.plugin,pytest_asyncio.plugin,pytest_timeout"
    names = sorted(path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "__pycache__")
    folders = [f"tests/{name}" for name in drawn(names, 3, 1)]  # "tools" is among them
    words = ["pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", *folders]
    done = run_module(words, tmp_path, inner_environment(PYTEST_PLUGINS=plugins))
    stdout = done.stdout.decode()
    assert done.returncode == 0, stdout[-4000:] + done.stderr.decode()
    collected = {line.partition(":")[0] for line in stdout.splitlines() if line.startswith("tests/")}
    there = (path for folder in folders for path in (ROOT / folder).rglob("test_*.py"))
    files = [path for path in there if HAS_TESTS.search(path.read_text("utf-8"))]
    needing = {path for path in files if NEEDS_TOOLS.search(path.read_text(encoding="utf-8"))}
    assert needing
    assert collected == {path.relative_to(ROOT).as_posix() for path in files if path not in needing}
