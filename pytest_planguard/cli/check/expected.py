"""Cassettes that are broken on purpose: a file `expected.yaml` beside them lists the checks that must fail."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from ...errors import CassetteError, nearest
from ...printable import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ..inputs.sources import Source
    from .file_report import FileReport

NAME = "expected.yaml"
MARK, FAILS = "planguard", "fails"
KIND = "expected"
"""Value of `MARK` in a file that belongs to planguard. A file of that name without it may be an answer."""
Patterns = tuple[tuple[str, tuple[str, ...]], ...]
"""Pattern of a file's name, and the checks that fail in it. The last matching pattern counts."""
HOLDS = "expected to fail {checks}, and {found}: fix " + NAME + ", or find out what is overlooked"


class Expectations:
    """The expectations in a command's folders. Each file of expectations is read once."""

    def __init__(self) -> None:
        self._folders: dict[Path, Patterns] = {}

    def without_own(self, sources: Iterable[Source]) -> tuple[Source, ...]:
        """Return the sources without files of expectations, which are not answers. Raises CassetteError."""
        return tuple(source for source in sources if source.path.name != NAME or not self._of(source.path.parent))

    def held_against(self, report: FileReport) -> FileReport:
        """Return the report of a cassette, compared with its expectations. Raises CassetteError."""
        expected = self._checks(report.path)
        if not expected:
            return report
        failed = report.failed_checks
        if set(expected) <= failed:
            return replace(report, on_purpose=True)
        found = f"only {', '.join(sorted(failed))} failed" if failed else "it holds"
        return replace(report, surprise=HOLDS.format(checks=", ".join(expected), found=found))

    def _checks(self, path: Path) -> tuple[str, ...]:
        fitting = [checks for pattern, checks in self._of(path.parent) if fnmatch(path.name, pattern)]
        return fitting[-1] if fitting else ()

    def _of(self, folder: Path) -> Patterns:
        if folder not in self._folders:
            self._folders[folder] = read_expected(folder / NAME)
        return self._folders[folder]


def read_expected(path: Path) -> Patterns:
    """Return the expectations in a file; () if it doesn't exist or is not ours.

    Raises CassetteError if it is ours but invalid.
    """
    import yaml

    from ...replay.files.safe_yaml import load_plain

    try:
        value = load_plain(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        return ()
    if not isinstance(value, dict) or value.get(MARK) != KIND:
        return ()
    fails = value.get(FAILS)
    if not isinstance(fails, dict) or not fails:
        got = one_line(str(fails), 80)
        ask = 'write "*.broken.yaml": [feedback]'
        raise CassetteError(f"{path}: {FAILS} must map file names to checks: got {got}; {ask}")
    return tuple((str(pattern), _named_checks(path, str(pattern), checks)) for pattern, checks in fails.items())


def _named_checks(path: Path, pattern: str, checks: object) -> tuple[str, ...]:
    from ...retry.judging.outcome import CHECK_NAMES

    names = checks if isinstance(checks, list) else [checks]
    for name in names:
        if name not in CHECK_NAMES:
            near = nearest(str(name), CHECK_NAMES)
            offer = f"did you mean {near!r}?" if near else f"name one of {', '.join(CHECK_NAMES)}"
            where = f"{path}: {one_line(pattern, 80)}"
            raise CassetteError(f"{where}: no check has this name: got {one_line(str(name), 40)}; {offer}")
    return tuple(map(str, names))
