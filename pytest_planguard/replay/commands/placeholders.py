"""Names of folders that differ between machines and runs, as a cassette has them: `<work-folder>/plan.md`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

WORK = "<work-folder>"
"""The folder in which a command runs."""
TEMPORARY = "<test-folder>"
"""The temporary folder of the test."""


class FolderNames:
    """Shortens the paths of one run, and spells them out again."""

    def __init__(self, work: Path, temporary: Path | None = None) -> None:
        folders = [(work, WORK), *([] if temporary is None else [(temporary, TEMPORARY)])]
        self._pairs = [
            (os.fsencode(spelling), name.encode()) for folder, name in folders for spelling in _spellings(folder)
        ]

    def shortened(self, content: bytes) -> bytes:
        """Return the content with placeholders for the folders."""
        for folder, name in self._pairs:
            content = content.replace(folder, name)
        return content

    def shortened_text(self, text: str) -> str:
        """Return an argument with placeholders for the folders."""
        return os.fsdecode(self.shortened(os.fsencode(text)))

    def spelt_out(self, content: bytes) -> bytes:
        """Return the content with the folders of this run for the placeholders."""
        for folder, name in self._pairs:
            content = content.replace(name, folder)
        return content


def _spellings(folder: Path) -> Iterable[Path]:
    """Return the folder as it is named and as it really is, the longer first: one may be the beginning of the other."""
    return sorted({folder, folder.resolve()}, key=lambda path: -len(str(path)))
