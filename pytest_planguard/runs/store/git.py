"""Git asked: for the commit that a run was made on, and by commands for what reads a revision."""

from __future__ import annotations

import contextlib
import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from ...errors import RunError

if TYPE_CHECKING:
    from pathlib import Path

COMMIT_TIMEOUT_S = 2.0
"""Seconds for which the end of a run waits for git; where a very large tree takes longer, the commit is left out."""
OID = b"# branch.oid "


class Commit(NamedTuple):
    """The commit of a working tree."""

    name: str | None = None
    """The commit in full; None outside a repository, before its first commit, and without git."""
    dirty: bool | None = None
    """Whether a file that git tracks differs from it; None where the commit is unknown."""


class AskedCommit:
    """The commit of a folder at the time when it was asked for."""

    def __init__(self, folder: Path) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        # Optional locks would make a second git that runs at the same time fail.
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
        command = ["git", "status", "--porcelain=v2", "--branch", "--untracked-files=no", "--ignore-submodules=dirty"]
        if not _may_be_repository(folder):
            return
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )

    def answer(self) -> Commit:
        """Return the commit; nothing known where git did not answer in time."""
        process, self._process = self._process, None
        if process is None:
            return Commit()
        try:
            output, _ = process.communicate(timeout=COMMIT_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Commit()
        return read_status(output) if process.returncode == 0 else Commit()


def _may_be_repository(folder: Path) -> bool:
    """Return whether it is worth a process to ask: a folder above has `.git`, or the environment names a repository."""
    return "GIT_DIR" in os.environ or any((here / ".git").exists() for here in (folder, *folder.parents))


def read_status(output: bytes) -> Commit:
    """Return the commit from what git prints: lines of the header begin with "#", all others are changes."""
    lines = output.splitlines()
    name = next((line.removeprefix(OID).decode("ascii", "replace") for line in lines if line.startswith(OID)), "")
    if not name or name == "(initial)":
        return Commit()
    return Commit(name, any(not line.startswith(b"#") for line in lines))


TIMEOUT_S = 120.0
"""Seconds for which git may take to list or export a revision: a very large repository takes a minute."""


def run_git(repository: Path, *args: str, given: bytes | None = None) -> bytes | None:
    """Return what a git command prints; None where it fails. Raises RunError where it cannot run, or takes too long."""
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *args],
            input=given,
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise RunError("git is not installed; --git needs it. Compare two folders instead.") from error
    except subprocess.TimeoutExpired as error:
        raise RunError(f"git {args[0]} took longer than {TIMEOUT_S:.0f} s") from error
    return done.stdout if done.returncode == 0 else None
