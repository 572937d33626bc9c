"""Run pytest on a small project in a separate folder, as a user would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TIMEOUT_S = 120.0
"""Seconds after which a run counts as hanging."""
LEFT_BEHIND = ("__pycache__", ".pytest_cache")
"""Folders that a run leaves behind and that are not part of the project."""
HOST_ONLY = re.compile(r"(CI|BUILD_NUMBER|PYTEST_.*|PLANGUARD_.*|COV_.*|COVERAGE_.*|COLUMNS|FORCE_COLOR|PY_COLORS)")
"""Environment variables of the outer run that must not affect the inner one."""
# "2 passed", "1 error": one count of pytest's last line.
NOUNS = re.compile(r"(\d+) (passed|failed|errors?|skipped|xfailed|xpassed|warnings?|deselected|rerun)\b")
# "== 1 failed, 2 passed in 0.12s ==", and with -q without the signs.
SUMMARY = re.compile(r"^=*\s*(?:\d+ [a-z]+(?:, )?|no tests ran)+ in [\d.]+s.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of one run of pytest."""

    returncode: int
    stdout: str
    stderr: str
    example: Example
    """The project as the run left it, with written cassettes and changed files. Use it for the next run."""
    outcomes: Mapping[str, int] = field(default_factory=dict)
    """The counts in pytest's last line: {"passed": 2, "failed": 1}. "error" and "warning" are always singular."""

    @property
    def output(self) -> str:
        """Standard output and standard error, for assertion messages."""
        return f"{self.stdout}\n{self.stderr}"


@dataclass(frozen=True, slots=True)
class Example:
    """An immutable project: maps relative paths to content. Every change returns a new project.

    >>> example = Example({"test_a.py": "def test_a(): pass"})
    >>> run = example.run_pytest("-q")        # doctest: +SKIP
    >>> run.outcomes                          # doctest: +SKIP
    {'passed': 1}
    """

    files: Mapping[str, str | bytes]

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", MappingProxyType({k: self.files[k] for k in sorted(self.files)}))

    def with_files(self, files: Mapping[str, str | bytes]) -> Example:
        """Return the project with these files added or replaced."""
        return replace(self, files={**self.files, **files})

    def without(self, *paths: str) -> Example:
        """Return the project without these files."""
        return replace(self, files={k: v for k, v in self.files.items() if k not in paths})

    def replaced(self, old: str, new: str, *, suffix: str = ".py") -> Example:
        """Return the project with `old` replaced by `new` in text files with that suffix; cassettes are not changed.

        Raises ValueError if no such file contains it.
        """
        changed = {
            k: v.replace(old, new) if isinstance(v, str) and k.endswith(suffix) else v for k, v in self.files.items()
        }
        if changed == dict(self.files):
            raise ValueError(f"no file of the example contains {old!r}")
        return replace(self, files=changed)

    def read(self, path: str) -> str:
        """Return the content of a text file. Raises KeyError if there is no such file."""
        content = self.files[path]
        return content if isinstance(content, str) else content.decode()

    def paths(self, suffix: str = "") -> list[str]:
        """Return the paths that end in `suffix`, sorted."""
        return [path for path in self.files if path.endswith(suffix)]

    def write(self, folder: Path) -> None:
        """Write the project into a folder."""
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def run_pytest(
        self,
        *args: str,
        env: Mapping[str, str] | None = None,
        plugins: Sequence[str] | None = ("planguard",),
        timeout_s: float = TIMEOUT_S,
    ) -> Run:
        """Run pytest on the project in a new process and a fresh folder.

        Args:
            args: arguments of pytest.
            env: variables to add to the environment, from which CI and PYTEST_* variables are removed.
            plugins: entry-point names of the plugins to load. None loads all installed plugins.
            timeout_s: seconds after which the run is killed.

        Raises:
            subprocess.TimeoutExpired: the run took longer.
        """
        with tempfile.TemporaryDirectory(prefix="example-") as name:
            folder = Path(name).resolve()
            self.write(folder)
            named = [arg for plugin in (*(plugins or ()), "no:cacheprovider") for arg in ("-p", plugin)]
            arguments = ["pytest", f"--rootdir={folder}", *named, *args]
            done = self._start(arguments, folder, _environment(env, plugins), timeout_s)
            files = _read(folder)
        stdout, stderr = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
        return Run(done.returncode, stdout, stderr, replace(self, files=files), outcomes_of(stdout))

    def _start(
        self, args: Sequence[str], folder: Path, env: Mapping[str, str], timeout_s: float
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a module with arguments in a new process, and wait for its end."""
        command = [sys.executable, "-m", *args]
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=timeout_s, check=False)


def outcomes_of(stdout: str) -> dict[str, int]:
    """Return the counts in pytest's last summary line; {} without one."""
    lines = SUMMARY.findall(stdout)
    found = NOUNS.findall(lines[-1]) if lines else []
    return {noun.removesuffix("s") if noun in ("errors", "warnings") else noun: int(n) for n, noun in found}


def _environment(extra: Mapping[str, str] | None, plugins: Sequence[str] | None) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not HOST_ONLY.fullmatch(k)}
    only = {} if plugins is None else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    # pytest cuts its summary at the width of the terminal, which a test's machine need not have.
    return {**kept, "COLUMNS": "120", "PYTHONDONTWRITEBYTECODE": "1", **only, **(extra or {})}


def _read(folder: Path) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not set(LEFT_BEHIND) & set(path.relative_to(folder).parts):
            content = path.read_bytes()
            files[path.relative_to(folder).as_posix()] = _text(content)
    return files


def _text(content: bytes) -> str | bytes:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content
