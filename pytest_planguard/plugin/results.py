"""Where the run is controlled: the rows of all tests, written at the end, and the terminal's section."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pytest

FOLDER = ".planguard"
FILE = "last.jsonl"
IGNORE = "# Written by planguard: what the last run found. Nothing here belongs into version control.\n*\n"


class Results:
    """The rows of this run by test id. A row that comes again, after a rerun, replaces the one before."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._texts: dict[str, str] = {}

    def add(self, test: str, text: str) -> None:
        """Take the row that a test's report carries. It stays text: thousands of parsed rows slow a run down."""
        self._texts[test] = text

    @property
    def texts(self) -> list[str]:
        """All rows as JSON, sorted by test id, whatever the order of tests or the number of workers."""
        return [self._texts[test] for test in sorted(self._texts)]

    def finish(self) -> None:
        """Write `.planguard/last.jsonl`, whole or not at all."""
        folder = self._config.rootpath / FOLDER
        try:
            write_rows(folder, self.texts)
        except OSError as error:
            self._config.issue_config_time_warning(_not_written(folder, error), stacklevel=2)

    @property
    def orphans(self) -> list[str]:
        """Recordings that no collected test uses; [] unless this process collected the whole suite."""
        from .orphans import ORPHANS

        return self._config.stash.get(ORPHANS, [])

    def print(self, reporter: Any) -> None:
        """The section at the end of the run."""
        from .terminal import write_section

        write_section(reporter, [json.loads(text) for text in self.texts], self._config, self.orphans)


def write_rows(folder: Path, rows: Iterable[str]) -> Path:
    """Write rows, one line of JSON each, into a folder that ignores itself; returns the file's path."""
    folder.mkdir(parents=True, exist_ok=True)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text(IGNORE, encoding="utf-8")
    path = folder / FILE
    part = folder / f"{FILE}.{os.getpid()}.part"
    part.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    part.replace(path)
    return path


def _not_written(folder: Path, error: OSError) -> UserWarning:
    from ..errors import PlanguardWarning

    return PlanguardWarning(f"the rows of this run were not written to {folder / FILE}: {error}")
