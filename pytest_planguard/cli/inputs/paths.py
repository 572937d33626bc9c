"""Paths on the command line. If one is missing or is a folder instead of a file, the error offers alternatives."""

from __future__ import annotations

import os
import stat
from glob import has_magic, iglob
from importlib import import_module
from itertools import islice, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import UsageError, nearest
from ...printable import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOKED_AT = 1_000
"""Maximum number of entries of a folder to compare with a misspelt name."""
NAMED = 3
"""Maximum number of files to suggest instead of a folder."""


class ExistingPath(click.Path):
    """A file or folder that exists, as a `Path`. If it does not, the error offers the nearest name beside it.

    With `patterns` it may be a pattern that some file fits, such as `logs/**/*.jsonl`, for shells that expand none.

    With `files_in`, a suffix, a folder is rejected, and the error offers files in it with that suffix.
    """

    def __init__(self, *, allow_dash: bool = False, files_in: str = "", patterns: bool = False) -> None:
        super().__init__(path_type=Path, allow_dash=allow_dash)
        self._files_in, self._patterns = files_in, patterns

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Raises click.BadParameter if it is missing, or a folder instead of a file."""
        if self._patterns and "://" in str(value):
            if next(stored(str(value)), None) is None:
                self.fail(f"{str(value)!r} does not exist.", param, ctx)
            return import_module("upath").UPath(value)
        if self._patterns and next(fitting(value), None):
            return Path(value)
        if not (self.allow_dash and value == "-") and not os.path.exists(value):  # noqa: PTH110  # "" is no path
            self.fail(f"{str(value)!r} does not exist.{_offered(Path(value))}", param, ctx)
        if value != "-" and _is_device(value):
            self.fail(f"{str(value)!r} is a device, which may have no end. Name a file.", param, ctx)
        if self._files_in and os.path.isdir(value):  # noqa: PTH112
            files = [str(file) for file in islice(sorted(Path(value).rglob(f"*{self._files_in}")), NAMED)]
            hint = f"Name one file of it: {', '.join(files)}." if files else f"No {self._files_in} file is in it."
            self.fail(f"{str(value)!r} is a folder. {visible(hint)}", param, ctx)
        return super().convert(value, param, ctx)


def fitting(pattern: str) -> Iterator[str]:
    """Yield the files that a pattern names; none if a file has that name itself. Hidden ones are left out."""
    if not os.path.exists(pattern):  # noqa: PTH110
        yield from (name for name in iglob(pattern, recursive=True) if os.path.isfile(name))  # noqa: PTH113, PTH207


def stored(address: str) -> Iterator[Path]:
    """Yield the files that an address in a store names, such as `s3://bucket/logs` or `gs://bucket/*.jsonl.gz`.

    Raises UsageError if the extra, or the store's package, is not installed.
    """
    try:
        system, path = import_module("fsspec.core").url_to_fs(address)
        names = system.glob(path) if has_magic(path) else system.find(path)
        yield from (import_module("upath").UPath(system.unstrip_protocol(name)) for name in sorted(names))
    except (ImportError, ValueError) as error:
        what = "pip install 'pytest-planguard[logs]' and the store's package, such as s3fs or gcsfs"
        raise UsageError(f"{address} cannot be read: {error}; {what}") from None


def fixed_part(pattern: Path) -> Path:
    """Return the folder of all files that a pattern can name: `logs` for `logs/**/*.jsonl`."""
    return Path(*takewhile(lambda part: not has_magic(part), pattern.parts))


def _is_device(value: Any) -> bool:
    """Return True if a path leads to a device. A link in a checkout may lead to `/dev/zero`."""
    try:
        mode = os.stat(value).st_mode  # noqa: PTH116
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def _offered(path: Path) -> str:
    near = nearest(path.name, _names(path.parent))
    if near is not None:
        return f" Did you mean {str(path.with_name(near))!r}?"
    return f" Looked in {visible(os.path.abspath(path.parent))}."  # noqa: PTH100  # `resolve` raises in a loop of links


def _names(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as found:
            yield from (entry.name for entry in islice(found, LOOKED_AT))
    except (OSError, ValueError):  # it is missing, unreadable, or not a valid folder name
        return
