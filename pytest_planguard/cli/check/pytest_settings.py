"""The plan settings of the ini file that pytest would read, so that both front doors judge plans alike."""

from __future__ import annotations

import os
import shlex
import tomllib
from collections.abc import Iterable, Iterator
from configparser import ConfigParser
from configparser import Error as ConfigError
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError

NAME = "planguard_plan_rules"
_NAMED = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
"""Files in which pytest looks for its settings, in its order."""
_OWN = frozenset({"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"})
"""Files that are pytest's even without a section."""


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """How plan files are judged by a project's settings."""

    root: Path
    """The folder of the file, which paths in it are relative to."""
    words: tuple[str, ...] = ()

    def relative(self, path: str) -> str:
        """Return a path as globs in the settings know it: from the root folder, with forward slashes."""
        return Path(os.path.relpath(path, self.root)).as_posix()


def plan_settings(paths: Iterable[Path]) -> PlanSettings:
    """Return the settings for some files and folders; no words where no file configures pytest.

    The first folder counts that has such a file, from the one that holds all the paths upwards, as for pytest.

    Raises:
        UsageError: the file cannot be read.
    """
    start = _common(paths)
    for folder in (start, *start.parents):
        for name in _NAMED:
            words = _words(folder / name) if (folder / name).is_file() else None
            if words is not None:
                return PlanSettings(folder, words)
    return PlanSettings(start)


def _common(paths: Iterable[Path]) -> Path:
    """Return the folder that holds all the paths; the working folder where there are none, or only "-"."""
    folders = [path.absolute() if path.is_dir() else path.absolute().parent for path in paths if str(path) != "-"]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def _words(path: Path) -> tuple[str, ...] | None:
    """Return the words of a file; None where it has no section for pytest."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        value = next(_toml(text) if path.suffix == ".toml" else _ini(text, path.name), None)
    except (OSError, UnicodeDecodeError, ConfigError, tomllib.TOMLDecodeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"{path}: the settings of pytest cannot be read: got {reason}; correct the file") from None
    if value is None:
        return () if path.name in _OWN else None
    return tuple(shlex.split(value, comments=False)) if isinstance(value, str) else tuple(map(str, value))


def _ini(text: str, name: str) -> Iterator[str]:
    """Yield the value of a section for pytest, "" where the section does not set it."""
    parser = ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    section = "tool:pytest" if name == "setup.cfg" else "pytest"
    if parser.has_section(section):
        yield parser.get(section, NAME, fallback="")


def _toml(text: str) -> Iterator[str | list[str]]:
    """As `_ini`, for `[pytest]`, `[tool.pytest]` and `[tool.pytest.ini_options]`."""
    data = tomllib.loads(text)
    tool = data.get("tool", {}).get("pytest") if isinstance(data.get("tool"), dict) else None
    for table in (data.get("pytest"), (tool or {}).get("ini_options"), tool):
        if isinstance(table, dict):
            yield table.get(NAME, "")
            return
