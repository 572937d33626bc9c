"""An `Example` whose runs start warm."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess

from pytest_planguard.testing.example import HOST_ONLY, Example

from .parent import parent

TIMEOUT_S = 300.0
PREPARED = {"PYTHONDONTWRITEBYTECODE", "PYTHONPATH"}
"""Variables that Python reads at its start, and that a fork follows all the same."""


class WarmExample(Example):
    """An `Example` whose runs start warm, including the runs that they start. A run that can't starts cold."""

    __slots__ = ()

    def _start(
        self, args: Sequence[str], folder: Path, env: Mapping[str, str], timeout_s: float
    ) -> CompletedProcess[bytes]:
        env = {**_own_temporary_folders(), **env}
        return run_warm(args, folder, env, timeout_s) or super()._start(args, folder, env, timeout_s)


def run_warm(
    args: Sequence[str], folder: Path, env: Mapping[str, str], timeout_s: float
) -> CompletedProcess[bytes] | None:
    """Run a module with its arguments to its end; None if it must start cold, and was not started.

    Raises:
        subprocess.TimeoutExpired: the run took longer; it is killed.
    """
    if not _can_fork(env):
        return None
    with tempfile.TemporaryDirectory(prefix="warm-") as name:
        out, err = Path(name, "out"), Path(name, "err")
        code = parent().run(args, folder, env, (out, err), timeout_s)
        return CompletedProcess(list(args), code, out.read_bytes(), err.read_bytes())


def run_module(args: Sequence[str], folder: Path, env: Mapping[str, str]) -> CompletedProcess[bytes]:
    """Run `python -m` with a module and its arguments to its end, warm where that is possible.

    Raises:
        subprocess.TimeoutExpired: the run took longer than `TIMEOUT_S`; it is killed.
    """
    done = run_warm(args, folder, env, TIMEOUT_S)
    if done is not None:
        return done
    command = [sys.executable, "-m", *args]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=TIMEOUT_S, check=False)


def inner_environment(**more: str) -> dict[str, str]:
    """Return the environment without the settings of the outer run; pytest loads only the named plugins."""
    kept = {key: value for key, value in os.environ.items() if not HOST_ONLY.fullmatch(key)}
    own = _own_temporary_folders()
    return {
        **kept,
        "COLUMNS": "120",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        **own,
        **more,
    }


def _own_temporary_folders() -> dict[str, str]:
    """Have pytest keep the folders of `tmp_path` apart from those of other runs of this user.

    Two that clean up at once warn of a folder that is not empty.
    """
    return {"PYTEST_DEBUG_TEMPROOT": os.environ["HOME"]}


def _can_fork(env: Mapping[str, str]) -> bool:
    """Return whether Python would start with these variables as the parent did, and all plugins are named.

    Plugins that load themselves may be imported already, and then pytest can't rewrite their assertions.
    """
    read = {key for key in env if key.startswith("PYTHON")} - PREPARED
    same = all(env[key] == os.environ.get(key) for key in read)
    # Elsewhere a forked child may crash in the libraries of the system that its parent has loaded.
    return sys.platform == "linux" and same and "PYTEST_DISABLE_PLUGIN_AUTOLOAD" in env
