"""Write new files into a project. Existing files stay, and a line reports each file."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import RunError
from ...printable import one_line
from ..framework.output import say

if TYPE_CHECKING:
    from collections.abc import Iterable


class Done(StrEnum):
    """The result for a file."""

    WRITTEN = "written"
    SAME = "is there already"
    OTHER = "exists with other content: nothing was written"


@dataclass(frozen=True, slots=True)
class NewFile:
    """A file that a command puts into a project."""

    path: Path
    text: str

    def write(self) -> Done:
        """Write the file if it doesn't exist. Raises RunError if it can't be written or checked."""
        try:
            if self.path.exists():
                return Done.SAME if self.path.read_text(encoding="utf-8") == self.text else Done.OTHER
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(self.text, encoding="utf-8", newline="\n")
        except (OSError, UnicodeDecodeError) as error:
            raise RunError(f"{self.path}: cannot be written: got {error}; check the path and its rights") from error
        return Done.WRITTEN


def write_all(files: Iterable[NewFile]) -> list[NewFile]:
    """Write the missing files, print a line for each, and return those that exist with other content."""
    others = []
    for file in files:
        done = file.write()
        say(f"{one_line(file.path.as_posix(), 200)}: {done}")
        others += [file] if done is Done.OTHER else []
    return others


def text_of(name: str) -> str:
    """Return the text of a shipped file that is written into a project."""
    return (Path(__file__).parent / "files" / f"{name}.txt").read_text(encoding="utf-8")
