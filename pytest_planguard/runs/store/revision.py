"""A git revision: its code, and its cassettes, which are written to a folder without touching the working tree."""

from __future__ import annotations

import contextlib
import os
import subprocess
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from ...errors import RunError
from .cassette_folders import CassetteFolders, settings_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


CODE_SUFFIXES = (".py", ".json", ".yaml", ".yml", ".toml")
_SHOWN = 12
"""Digits of a commit in a message."""
_SHOWN_PATH = 60
"""Maximum number of characters of a committed path in a message."""
_YAML = ("--", ":(top)*.yaml", ":(top)*.yml")


class Revision:
    """One revision of a repository."""

    def __init__(self, repository: Path, name: str) -> None:
        """Find the revision. Raises RunError if git, the repository or the revision is missing."""
        commit = run_git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        if commit is None:
            raise RunError(f"git knows no revision {name!r} in {repository.resolve()}. Fetch it: git fetch origin")
        self._repository = repository
        self.name = name
        self.commit = commit.decode().strip()

    def __str__(self) -> str:
        short = self.commit[:_SHOWN]
        return short if self.commit.startswith(self.name) else f"{self.name} ({short})"

    @cached_property
    def folders(self) -> CassetteFolders:
        """Its cassette folders, by the pytest settings in the same commit."""
        top = run_git(self._repository, "rev-parse", "--show-toplevel") or os.fsencode(self._repository)
        files = settings_files(self._paths)
        texts = (content.decode("utf-8-sig", "replace") for content in self._contents(files))
        return CassetteFolders.of(Path(os.fsdecode(top).rstrip("\n")), zip(files, texts, strict=True))

    def cassettes(self, folders: CassetteFolders) -> Mapping[str, str]:
        """Return its cassettes in these folders.

        The keys are their paths as if each folder were named `cassettes`, and the values their paths in the revision.
        """
        return {plain: path for path in self._paths if (plain := folders.plain(path)) is not None}

    def elsewhere(self) -> tuple[str, ...]:
        """Return the recorded files outside the cassette folders, for a revision that seems to have none."""
        from ...replay.files.interaction import HEAD

        found = run_git(self._repository, "grep", "-lz", "--full-name", "-e", f"^{HEAD}", self.commit, *_YAML) or b""
        names = (name.partition(":")[2] for name in found.decode(errors="surrogateescape").split("\0"))
        return tuple(shown(name) for name in names if name)

    def write(self, cassettes: Mapping[str, str], folder: Path) -> None:
        """Write cassettes below a folder, each at the path that is its key. Raises RunError."""
        for (plain, path), content in zip(cassettes.items(), self._contents([*cassettes.values()]), strict=True):
            _put(folder / plain, content, path)

    @cached_property
    def contents(self) -> Mapping[str, str]:
        """The id of every file's content, by path. Paths that lead out of the folder are left out."""
        listed = run_git(self._repository, "ls-tree", "-r", "-z", "--full-tree", self.commit) or b""
        entries = (line.partition("\t") for line in listed.decode(errors="surrogateescape").split("\0") if line)
        # `cat-file --batch` takes one name a line: a name with a line break would shift all further answers.
        names = {name: about.rpartition(" ")[2] for about, _, name in entries if "\n" not in name}
        return {n: content for n, content in names.items() if not n.startswith("/") and ".." not in n.split("/")}

    @property
    def _paths(self) -> Sequence[str]:
        return [*self.contents]

    def text(self, path: str) -> str | None:
        """Return the text of a file, or None if it does not exist."""
        return self.texts([path]).get(path)

    def texts(self, paths: Iterable[str]) -> Mapping[str, str]:
        """Return the texts of the existing files, by path."""
        known = [path for path in paths if path in self.contents]
        return {
            path: content.decode("utf-8", "replace") for path, content in zip(known, self._contents(known), strict=True)
        }

    def _contents(self, paths: Sequence[str]) -> Iterator[bytes]:
        """Yield the contents of files in the order of their names, using one process."""
        asked = "".join(f"{self.commit}:{path}\n" for path in paths).encode(errors="surrogateescape")
        output = (run_git(self._repository, "cat-file", "--batch", given=asked) or b"") if paths else b""
        at = 0
        for _ in paths:
            end = output.index(b"\n", at)
            size = int(output[at:end].split()[-1])
            yield output[end + 1 : end + 1 + size]
            # git writes a line break after each content, which is no part of it.
            at = end + 1 + size + 1


def shown(path: str) -> str:
    """Return a committed path for a message: its beginning, with everything but ASCII escaped."""
    return ascii(path.encode(errors="backslashreplace").decode()[:_SHOWN_PATH])


def _put(path: Path, content: bytes, name: str) -> None:
    """Write a committed file below the temporary folder. Raises RunError for a path that is not possible there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise RunError(
            f"a committed cassette cannot be read at its path ({error.strerror or error}): got {shown(name)} of "
            f"{len(name):,} characters; give it a shorter path"
        ) from None


def differing_code(repository: Path, revision: str) -> tuple[str, ...]:
    """Return the files of the working tree that contracts may use and that differ from a revision, sorted.

    These are Python files, and data files that may hold a schema. Cassettes and ignored files don't count.
    """
    tracked = run_git(repository, "diff", "--name-only", "-z", "--no-ext-diff", "--end-of-options", revision, "--")
    fresh = run_git(repository, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":(top)*.py")
    names = {name for found in (tracked, fresh) for name in (found or b"").decode(errors="replace").split("\0")}
    code = sorted(name for name in names if _is_code(name))
    folders = Revision(repository, revision).folders if code else CassetteFolders()
    return tuple(name for name in code if folders.plain(name) is None)


def _is_code(name: str) -> bool:
    from .cassette_folders import SKIPPED

    return name.lower().endswith(CODE_SUFFIXES) and not SKIPPED.intersection(PurePosixPath(name).parts[:-1])


COMMIT_TIMEOUT_S = 2.0
"""Maximum number of seconds that the end of a run waits for git. If a very large tree takes longer, the commit is left
out."""
OID = b"# branch.oid "


class Commit(NamedTuple):
    """The commit of a working tree."""

    name: str | None = None
    """The full commit id; None outside a repository, before its first commit, and without git."""
    dirty: bool | None = None
    """True if a tracked file differs from the commit; None if the commit is unknown."""


class AskedCommit:
    """The commit of a folder at the time it was requested."""

    def __init__(self, folder: Path) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        # Optional locks would make another git process fail if it runs at the same time.
        environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
        command = ["git", "status", "--porcelain=v2", "--branch", "--untracked-files=no", "--ignore-submodules=dirty"]
        if not _may_be_repository(folder):
            return
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )

    def answer(self) -> Commit:
        """Return the commit, with unknown fields if git did not answer in time."""
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
    """Return True if a git process may find a repository: a parent has `.git`, or the environment names one."""
    return "GIT_DIR" in os.environ or any((here / ".git").exists() for here in (folder, *folder.parents))


def read_status(output: bytes) -> Commit:
    """Return the commit from git's output. Header lines begin with "#", all others are changes."""
    lines = output.splitlines()
    name = next((line.removeprefix(OID).decode("ascii", "replace") for line in lines if line.startswith(OID)), "")
    if not name or name == "(initial)":
        return Commit()
    return Commit(name, any(not line.startswith(b"#") for line in lines))


TIMEOUT_S = 120.0
"""Maximum number of seconds for git to list or export a revision. A very large repository takes a minute."""


def run_git(repository: Path, *args: str, given: bytes | None = None) -> bytes | None:
    """Return the output of a git command; None if it fails. Raises RunError if it can't run or takes too long."""
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
