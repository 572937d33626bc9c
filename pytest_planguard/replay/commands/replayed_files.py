"""Write recorded files again without destroying work: check all of them before writing the first."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import CassetteError
from ..paths import replace_file
from .taped_run import WrittenFile
from .work_folder import ABSENT, FolderNames, is_recorded_path, state_of


class RefusedFile(CassetteError):
    """A recorded file may not be written here. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A file that the replay of this test wrote."""

    state: str
    """State of the written file, with the paths of this run in it."""
    before: str
    """State of the file before the recorded run."""
    position: int
    """Position of the run in the cassette: runs are recorded in the order in which they ended."""


class OwnFiles:
    """The files that were written for one test: by its replay, and by the test's own loop."""

    def __init__(self) -> None:
        self.committed: set[Path] = set()
        """Files to treat as committed."""
        self._replayed: dict[Path, _Replayed] = {}

    def keep(self, path: Path, content: bytes, one: WrittenFile, position: int) -> None:
        """Note that the replay wrote a file for the run at a position of the cassette."""
        self.committed.add(path)
        self._replayed[path] = _Replayed(state_of(content), one.before, position)

    def is_untouched(self, path: Path) -> bool:
        """Return True if a file is still as the replay wrote it, so that no other changes are lost."""
        known = self._replayed.get(path)
        return known is not None and path.exists() and state_of(path.read_bytes()) == known.state

    def has_later(self, path: Path, one: WrittenFile, position: int) -> bool:
        """Return True if a later run wrote the file, and did not start from this run's version.

        Of two concurrent runs, one may have recorded the file of the other when it was half-written.
        """
        known = self._replayed.get(path)
        later = known is not None and known.position > position and known.before != state_of(one.content)
        return later and self.is_untouched(path)


def write_again(
    folder: Path,
    files: Sequence[WrittenFile],
    names: FolderNames,
    temporary: Path | None,
    own: OwnFiles,
    position: int,
) -> list[Path]:
    """Write the files of a recorded run into the folder in which the command runs now, and return their paths.

    Args:
        folder: the folder in which the command runs.
        files: the files that it wrote.
        names: the folders of this run.
        temporary: the temporary folder of the test session; a git work tree above it does not count.
        own: the files that were written for this test before; these are added.
        position: position of the run in the cassette, starting at 1.

    Raises:
        RefusedFile: one of them is outside of the folder, or the file there differs from the recorded one, or the
            folder is in a git work tree with uncommitted changes.
    """
    if not files:
        return []
    targets = [(_target(folder, one, names, own), one) for one in files]
    # Also each nearest existing folder, because a folder further down may be a separate git work tree.
    near = (next(p for p in path.parents if p.is_dir()) for path, _ in targets)
    for place in dict.fromkeys([folder, *near]):
        _refuse_dirty(place, temporary, own)
    targets = [(path, one) for path, one in targets if not own.has_later(path, one, position)]
    for path, one in targets:
        content = names.spelt_out(one.content)
        _write(path, content)
        own.keep(path, content, one, position)
    return [path for path, _ in targets]


def _target(folder: Path, one: WrittenFile, names: FolderNames, own: OwnFiles) -> Path:
    if not is_recorded_path(one.path):
        raise RefusedFile(
            f"a recorded file leads out of the work folder, or is hidden or run by itself: got {one.path!r}; "
            "record the test again"
        )
    path = folder / one.path
    for part in (path, *path.parents):
        if part == folder:
            break
        if part.is_symlink():
            raise RefusedFile(
                f"{part} is a link, and a replay does not write through links: got {one.path!r}; remove the link"
            )
        if part != path and part.exists() and not part.is_dir():
            raise RefusedFile(f"{part} is a file where a folder is recorded: got {one.path!r}; move it away")
    _refuse_changed(path, one, names, own)
    return path


def _refuse_changed(path: Path, one: WrittenFile, names: FolderNames, own: OwnFiles) -> None:
    """Raise RefusedFile if writing would lose something.

    The file may be overwritten if it is as it was before the recorded run, has the same content, or was written by this
    replay.
    """
    if not path.exists():
        return
    if path.is_dir():
        raise RefusedFile(f"{path} is a folder where a file is recorded: got {one.path!r}; move it away")
    present = names.shortened(path.read_bytes())
    if present != one.content and state_of(present) != one.before and not own.is_untouched(path):
        was = "not there" if one.before == ABSENT else "another one"
        raise RefusedFile(
            f"{path} would be overwritten, and was {was} when the run was recorded; "
            "run the command in a fresh folder (tmp_path), or move the file away"
        )


def _refuse_dirty(folder: Path, temporary: Path | None, own: OwnFiles) -> None:
    changed = uncommitted(folder, below=temporary, own=own.committed)
    if changed:
        raise RefusedFile(
            f"{folder} is in a git work tree with uncommitted changes, which a replay does not touch: got {changed}; "
            "run the command in a fresh folder (tmp_path), or commit them"
        )


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all, without the permission to execute it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        replace_file(path, content)
    except OSError as error:
        raise RefusedFile(
            f"{path} cannot be written: got {error.strerror or error}; make its folder writable"
        ) from None


_TIMEOUT_S = 30.0
"""Maximum number of seconds for git, which may wait for a file system or a lock."""


def uncommitted(folder: Path, *, below: Path | None = None, own: Collection[Path] = ()) -> str | None:
    """Return the first uncommitted change of the work tree that a folder is in, as 'git status' names it.

    None without changes, and if the folder is not in a work tree. A work tree that contains `below` does not count.
    `own` are files that count as committed.
    """
    root = work_tree(folder, below)
    if root is None:
        return None
    # A repository may name a program as its monitor of files, and `status` would run it.
    command = ["git", "-c", "core.fsmonitor=false", "-C", str(root), "status", "--porcelain", "-z", "--no-renames"]
    # In a hook of git, GIT_DIR names another repository. Without the last one, `status` may write the index.
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
        return f"{root}, which git does not know"
    written = {path.resolve() for path in own}
    for entry in filter(None, done.stdout.split(b"\0")):
        path = os.fsdecode(entry[3:])  # behind "?? " or " M "
        if (root / path).resolve() not in written:
            return path
    return None


def work_tree(folder: Path, below: Path | None) -> Path | None:
    """Return the root of the git work tree that contains a folder; None without one, or if it contains `below`."""
    end = None if below is None else below.resolve()
    for place in (resolved := folder.resolve(), *resolved.parents):
        if place == end:
            return None
        if (place / ".git").exists() or (place / ".git").is_symlink():
            return place
    return None
