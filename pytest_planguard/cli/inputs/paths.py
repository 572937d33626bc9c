"""Paths on the command line: a file that is not there, or a folder in a file's place, is answered with what is."""

from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import nearest
from ...printable import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOKED_AT = 1_000
"""Entries of a folder that are looked at for a name that was meant."""
NAMED = 3
"""Files that are offered in place of a folder."""


class ExistingPath(click.Path):
    """A file or folder that exists, as a `Path`; where it does not, the nearest name beside it is offered.

    With `files_in`, the end of a file's name, a folder is refused, and files in it that end so are offered.
    """

    def __init__(self, *, allow_dash: bool = False, files_in: str = "") -> None:
        super().__init__(path_type=Path, allow_dash=allow_dash)
        self._files_in = files_in

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Raises click.BadParameter where there is none, or a folder in a file's place."""
        if not (self.allow_dash and value == "-") and not os.path.exists(value):  # noqa: PTH110  # "" is no path
            self.fail(f"{str(value)!r} does not exist.{_offered(Path(value))}", param, ctx)
        if value != "-" and _is_device(value):
            self.fail(f"{str(value)!r} is a device, which may have no end. Name a file.", param, ctx)
        if self._files_in and os.path.isdir(value):  # noqa: PTH112
            files = [str(file) for file in islice(sorted(Path(value).rglob(f"*{self._files_in}")), NAMED)]
            hint = f"Name one file of it: {', '.join(files)}." if files else f"No {self._files_in} file is in it."
            self.fail(f"{str(value)!r} is a folder. {visible(hint)}", param, ctx)
        return super().convert(value, param, ctx)


def _is_device(value: Any) -> bool:
    """Return whether a path leads to a device: a link in a checkout may lead to `/dev/zero`."""
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
    except (OSError, ValueError):  # it is not there, cannot be read, or is no name of a folder
        return
