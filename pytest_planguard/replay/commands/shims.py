"""The folder of shims that is first on PATH while a test runs."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .shim import CHILD, identity

_SHIM = Path(__file__).with_name("shim.py")


@contextmanager
def shims(commands: Iterable[str], port: int, token: str, variables: Iterable[str] = ()) -> Iterator[Path]:
    """Return a folder with a shim for each command, and put it first on this process' PATH, for a `with` block.

    `variables` are the names of those that a shim reports to the test.
    """
    variables = tuple(variables)
    with TemporaryDirectory(prefix="planguard-") as name:
        folder = Path(name)
        for command in commands:
            _write(folder / command, port, token, ",".join(variables))
        before = os.environ.get("PATH")
        os.environ["PATH"] = with_shims(folder, before)
        try:
            yield folder
        finally:
            _restore(folder, before)


def with_shims(folder: Path, path: str | None) -> str:
    """Return a PATH with the folder in front of `path`, or of the system's default without one."""
    rest = os.defpath if path is None else path
    return rest if rest.split(os.pathsep)[0] == str(folder) else f"{folder}{os.pathsep}{rest}"


def child_variables(folder: Path, child: str, own: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a child: its name, and a PATH with shims first, for any environment."""
    return {"PATH": with_shims(folder, own.get("PATH")), CHILD: child}


def _write(path: Path, port: int, token: str, variables: str) -> None:
    """Write a shell script: an interpreter's path may contain spaces, or be too long for a first line."""
    own = (str(port), token, identity(), variables, str(path.parent), path.name)
    words = (sys.executable, "-I", "-S", str(_SHIM), *own)
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    path.chmod(0o700)


def _restore(folder: Path, before: str | None) -> None:
    """Remove the folder from PATH, and keep any other change that the test made to it."""
    parts = [part for part in os.environ.get("PATH", "").split(os.pathsep) if part != str(folder)]
    left = os.pathsep.join(parts)
    if before is None and left in ("", os.defpath):  # as `with_shims` made it
        os.environ.pop("PATH", None)
    else:
        os.environ["PATH"] = left
