"""A source of a run: a folder, a file, or a name, with the parts of a file that reveal its format."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import RunError
from ..model.foreign_fields import parsed_json
from ..store.whole_files import LINE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model.run import CaseRow

ONLY = "answer"
"""Case key of a run's only file. If each side has one file, both are the same case, even with different names."""
MAX_FILE = 200 * 1024 * 1024
"""Maximum number of bytes of a file to read."""
MAX_FIRST_LINE = 4 * 1024 * 1024
"""Maximum number of bytes of the first line to read in order to recognise a format."""
MAX_HEAD = 4096
"""Maximum number of bytes at the start of a file to read in order to recognise a format."""


class Shape(Enum):
    """The kind of a source in the file system."""

    FOLDER = "folder"
    FILE = "file"
    NAME = "name"
    """The name of a kept run or of a variant, which is not a path."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How sources are read."""

    answer_field: str | None = None
    """Dotted name of a line's field with the answer. If None, planguard finds the field."""
    case_field: str | None = None
    """Dotted name of a line's field with the case key. If None, planguard finds the field."""
    root: Path = Path()
    """The folder with the kept runs and cassettes."""
    known: dict[bytes, CaseRow] = field(default_factory=dict)
    """Maps each line of a record to its parsed row, so that a line that two runs share is parsed once."""


@dataclass(frozen=True)
class Source:
    """A folder, a file, or a name. The content of a file is read on first use and kept."""

    name: str
    """The path, or the name of a kept run or variant."""
    options: ReadOptions = field(default_factory=ReadOptions)
    key: str = ONLY
    """The case key of a file with one case, or the prefix of the keys in a file of several."""
    variant: str | None = None
    in_folder: bool = False
    """True if the file was found in a folder; False if the user named it."""

    @cached_property
    def path(self) -> Path:
        """The name as a path."""
        return Path(self.name)

    @cached_property
    def shape(self) -> Shape:
        """The kind of the source: folder, file or name."""
        return Shape.FOLDER if self.path.is_dir() else Shape.FILE if self.path.is_file() else Shape.NAME

    @property
    def has_lines(self) -> bool:
        """True if the file's suffix means one JSON value per line."""
        return self.path.suffix.lower() in LINE_SUFFIXES

    @cached_property
    def first_line(self) -> bytes:
        """The first line, up to `MAX_FIRST_LINE` bytes. Raises RunError."""
        try:
            with self.path.open("rb") as file:
                return file.readline(MAX_FIRST_LINE)
        except OSError as error:
            raise unreadable(self.path, error) from error

    @cached_property
    def head(self) -> bytes:
        """The first `MAX_HEAD` bytes; b"" if the file cannot be read."""
        try:
            with self.path.open("rb") as file:
                return file.read(MAX_HEAD)
        except OSError:
            return b""

    @cached_property
    def content(self) -> bytes:
        """All bytes. Raises RunError for a file larger than `MAX_FILE`, and OSError."""
        if self.path.stat().st_size > MAX_FILE:
            raise RunError(f"{self.path}: larger than {MAX_FILE // 2**20} MB; split it.")
        return self.path.read_bytes()

    @cached_property
    def document(self) -> Any:
        """The file as one JSON value; None if it is not JSON or cannot be read."""
        try:
            return parsed_json(self.content)
        except OSError:  # the reader of plain answers reports it
            return None

    @cached_property
    def values(self) -> list[tuple[int, Any]]:
        """Each non-empty line: its 1-based number, and its JSON value or None."""
        return [(number, parsed_json(line)) for number, line in self.lines()]

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each non-empty line with its 1-based number. Raises RunError."""
        try:
            lines = self.content.split(b"\n")
        except OSError as error:
            raise unreadable(self.path, error) from error
        return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def unreadable(path: Path, error: OSError) -> RunError:
    """Return the error for a file that the system can't read."""
    return RunError(f"{path}: the run cannot be read: {error.strerror or error}. Check the path.")
