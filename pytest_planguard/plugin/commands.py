"""Commands for a person to type, where pytest was started."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

from .options import settings_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def record_command(config: pytest.Config, nodeid: str, mode: str) -> str:
    """The command that records one test, or all of them for the id "", in the variant of this run."""
    file, separator, rest = nodeid.partition("::")
    test = f"{shlex.quote(shown_path(config, config.rootpath / file) + separator + rest)} " if file else ""
    variant = settings_of(config).variant
    return f"pytest {test}--planguard-record={mode}" + (f" --planguard-variant={variant}" if variant else "")


def prove_command(config: pytest.Config, nodeid: str) -> str:
    """The command that runs one test with its experiments."""
    return record_command(config, nodeid, "none").replace(" --planguard-record=none", " --planguard-prove")


def shown_path(config: pytest.Config, path: Path) -> str:
    """A path relative to where pytest was started, with forward slashes; as it is where that is no shorter."""
    try:
        relative = os.path.relpath(path, config.invocation_params.dir)
    except ValueError:  # another drive
        return path.as_posix()
    return path.as_posix() if relative.startswith(f"..{os.sep}..{os.sep}..") else relative.replace(os.sep, "/")
