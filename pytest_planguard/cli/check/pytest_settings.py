"""The plan settings of the ini file that pytest would read, so that both front ends judge plans alike."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError
from ...runs.store.pytest_settings import NAMES, settings_in, words

NAME = "planguard_plan_rules"


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """A project's settings for judging plan files."""

    root: Path
    """The folder of the file. Paths in it are relative to this folder."""
    words: tuple[str, ...] = ()

    def relative(self, path: str) -> str:
        """Return a path in the form that globs in the settings match: from the root folder, with forward slashes."""
        return Path(os.path.relpath(path, self.root)).as_posix()


def plan_settings(paths: Iterable[Path]) -> PlanSettings:
    """Return the settings for some files and folders; no words if no file configures pytest.

    As in pytest, the first folder with such a file counts, from the one that holds all the paths upwards.

    Raises:
        UsageError: the file cannot be read.
    """
    start = _common(paths)
    for folder in (start, *start.parents):
        for name in NAMES:
            found = _words(folder / name) if (folder / name).is_file() else None
            if found is not None:
                return PlanSettings(folder, found)
    return PlanSettings(start)


def _common(paths: Iterable[Path]) -> Path:
    """Return the folder that holds all local paths. Without any, or for "-" only, that is the working folder."""
    local = [path.absolute() for path in paths if isinstance(path, Path) and str(path) != "-"]
    folders = [path if path.is_dir() else path.parent for path in local]
    return Path(os.path.commonpath(folders)) if folders else Path.cwd()


def _words(path: Path) -> tuple[str, ...] | None:
    """Return the words of a file; None if it has no section for pytest."""
    try:
        settings = settings_in(path.name, path.read_text(encoding="utf-8-sig"))
        return None if settings is None else tuple(words(settings.get(NAME, "")))
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise UsageError(f"{path}: the settings of pytest cannot be read: got {reason}; correct the file") from None
