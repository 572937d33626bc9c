"""The git work tree that a folder is in: whether it has changes that nobody has committed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection
from pathlib import Path

_TIMEOUT_S = 30.0


def uncommitted(folder: Path, *, below: Path | None = None, own: Collection[Path] = ()) -> str | None:
    """Return the first uncommitted change of the work tree that a folder is in, as 'git status' names it.

    None where there is none, and where the folder is in no work tree. A work tree whose root is at `below` or above it
    does not count. `own` are files that count as committed.
    """
    root = work_tree(folder, below)
    if root is None:
        return None
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(root), "status", "--porcelain", "-z", "--no-renames"]
    environment = {**{n: v for n, v in os.environ.items() if not n.startswith("GIT_")}, "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(
            [*command, "--untracked-files=all", "--ignore-submodules=none"],
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=True,
            env=environment,
        )
    except (OSError, subprocess.SubprocessError):
        return f"{root}, of which git does not tell"
    written = {path.resolve() for path in own}
    for entry in filter(None, done.stdout.split(b"\0")):
        path = os.fsdecode(entry[3:])
        if (root / path).resolve() not in written:
            return path
    return None


def work_tree(folder: Path, below: Path | None = None) -> Path | None:
    """Return the root of the git work tree that a folder is in; None where it is in none, or that begins too high."""
    end = None if below is None else below.resolve()
    for place in (resolved := folder.resolve(), *resolved.parents):
        if place == end:
            return None
        if (place / ".git").exists() or (place / ".git").is_symlink():
            return place
    return None
