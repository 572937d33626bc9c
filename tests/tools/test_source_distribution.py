"""A source distribution has the tests and no tools/: what needs that folder is left out, and the rest is collected."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ..conftest import NEEDS_TOOLS
from ..support.paths import ROOT
from ..support.warm import inner_environment


@pytest.mark.slow
def test_its_tests_are_collected(tmp_path: Path) -> None:
    """Everything but the files that import tools/."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for name in [*settings["tool"]["hatch"]["build"]["targets"]["sdist"]["include"], "/pyproject.toml"]:
        source, copy = ROOT / name[1:], tmp_path / name[1:]
        if source.is_dir():
            shutil.copytree(source, copy)  # with what is compiled already: its times are those of the sources
        else:
            shutil.copy(source, copy)
    assert not (tmp_path / "tools").exists()
    argv = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider", "--assert=plain"]
    plugins = "pytest_planguard.plugin,pytest_asyncio.plugin,pytest_timeout"
    env = inner_environment(PYTEST_PLUGINS=plugins)
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=240)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    collected = {line.partition(":")[0] for line in done.stdout.splitlines() if line.startswith("tests/")}
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if "def test_" in path.read_text("utf-8")]
    needing = {path for path in files if NEEDS_TOOLS.search(path.read_text(encoding="utf-8"))}
    assert needing
    assert collected == {path.relative_to(ROOT).as_posix() for path in files if path not in needing}
