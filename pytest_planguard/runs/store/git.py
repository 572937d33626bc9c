"""What git knows: the commit that a run was made on, and the recordings that a revision has."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from ...errors import RunError

if TYPE_CHECKING:
    from collections.abc import Iterator
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


# The recordings that a git revision has: written to a folder, without touching the working tree.

REVISION_TIMEOUT_S = 120.0
"""Seconds for which git may take to list or export a revision: a very large repository takes a minute."""
CODE_SUFFIXES = (".py", ".json", ".yaml", ".yml", ".toml")
SHOWN = 12
"""Digits of a commit in a message."""
SHOWN_PATH = 60
"""Characters of a committed path in a message."""


def export_recordings(repository: Path, revision: str, folder: Path) -> str:
    """Write every committed recording of a revision below a folder, at its own path; returns the commit.

    Raises RunError where git is missing, there is no repository or revision, or it has no recordings.
    """
    commit = _git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise RunError(f"git knows no revision {revision!r} in {repository.resolve()}. Fetch it: git fetch origin")
    head = commit.decode().strip()
    listed = _git(repository, "ls-tree", "-r", "-z", "--name-only", "--full-tree", head) or b""
    names = [name for name in listed.decode(errors="surrogateescape").split("\0") if _is_recording(name)]
    if not names:
        from .variants import CASSETTES

        raise RunError(
            f"{revision} ({head[:SHOWN]}) has no committed recording: no YAML file below a {CASSETTES}/ folder"
        )
    for name, content in zip(names, _contents(repository, head, names), strict=True):
        _put(folder / name, content, name)
    return head


def _put(path: Path, content: bytes, name: str) -> None:
    """Write a committed file below the temporary folder. Raises RunError for a path that cannot stand there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        shown = name.encode(errors="backslashreplace").decode()[:SHOWN_PATH]
        raise RunError(
            f"a committed recording cannot be read at its path ({error.strerror or error}): got {shown!r} of "
            f"{len(name):,} characters; give it a shorter path"
        ) from None


def differing_code(repository: Path, revision: str) -> tuple[str, ...]:
    """Files of the working tree that contracts may be made of, and that are not those of a revision, sorted.

    Python, and the data that it may read a schema from; recordings and other files do not count, nor what git ignores.
    """
    tracked = _git(repository, "diff", "--name-only", "-z", "--no-ext-diff", "--end-of-options", revision, "--")
    fresh = _git(repository, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":(top)*.py")
    names = {name for found in (tracked, fresh) for name in (found or b"").decode(errors="replace").split("\0")}
    return tuple(sorted(name for name in names if _is_code(name)))


def _is_code(name: str) -> bool:
    from .variants import SKIPPED

    installed = SKIPPED.intersection(name.split("/")[:-1])
    return name.lower().endswith(CODE_SUFFIXES) and not installed and not _is_recording(name)


def _is_recording(name: str) -> bool:
    """Return whether a path of a tree is a recording.

    A path that leads out of the folder is none, whatever the tree says.
    """
    from .file_kind import YAML_SUFFIXES
    from .variants import CASSETTES

    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts or "\n" in name
    return not outside and path.suffix.lower() in YAML_SUFFIXES and CASSETTES in path.parts[:-1]


def _contents(repository: Path, commit: str, names: list[str]) -> Iterator[bytes]:
    """Yield the contents of files, in the order of their names, by one process."""
    asked = "".join(f"{commit}:{name}\n" for name in names).encode(errors="surrogateescape")
    output = _git(repository, "cat-file", "--batch", given=asked) or b""
    at = 0
    for _ in names:
        end = output.index(b"\n", at)
        size = int(output[at:end].split()[-1])
        yield output[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _git(repository: Path, *args: str, given: bytes | None = None) -> bytes | None:
    """Return what a git command prints; None where it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(repository), *args],
            input=given,
            capture_output=True,
            timeout=REVISION_TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise RunError("git is not installed; --git needs it. Compare two folders instead.") from error
    except subprocess.TimeoutExpired as error:
        raise RunError(f"git {args[0]} took longer than {REVISION_TIMEOUT_S:.0f} s") from error
    return done.stdout if done.returncode == 0 else None
