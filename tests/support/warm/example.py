"""An `Example` whose runs start warm."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import CompletedProcess

from pytest_planguard.testing.example import Example

from .parent import parent

PREPARED = {"PYTHONDONTWRITEBYTECODE"}
"""Variables that Python reads at its start, and that the parent has read as every run wants them."""
ALREADY = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
"""Plugins whose modules, or the modules of their names, are imported before pytest could rewrite their assertions."""


class WarmExample(Example):
    """The same project; the runs of its runs start warm too. Where a run cannot, it starts cold."""

    __slots__ = ()

    def _start(
        self, args: Sequence[str], folder: Path, env: Mapping[str, str], timeout_s: float
    ) -> CompletedProcess[bytes]:
        if not _can_fork(env):
            return super()._start(args, folder, env, timeout_s)
        module, *rest = args
        with tempfile.TemporaryDirectory(prefix="warm-") as name:
            out, err = Path(name, "out"), Path(name, "err")
            code = parent().run([module, *ALREADY, *rest], folder, env, (out, err), timeout_s)
            return CompletedProcess(list(args), code, out.read_bytes(), err.read_bytes())


def _can_fork(env: Mapping[str, str]) -> bool:
    """Whether Python would start with these variables as the parent did, and all plugins are named.

    Plugins that load themselves may be among what is imported already, where pytest cannot rewrite their assertions.
    """
    read = {key for key in env if key.startswith("PYTHON")} - PREPARED
    same = all(env[key] == os.environ.get(key) for key in read)
    # Elsewhere a forked child may crash in the libraries of the system that its parent has loaded.
    return sys.platform == "linux" and same and "PYTEST_DISABLE_PLUGIN_AUTOLOAD" in env
