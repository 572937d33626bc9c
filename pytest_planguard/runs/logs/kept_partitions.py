"""The summaries of judged partitions on disk, so that a stopped command doesn't judge them again."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ..store.whole_files import write_whole
from .summary import LogSummary

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class KeptPartitions:
    """A folder of summaries, each named by a digest of what was judged and how. A changed log or contract has none."""

    folder: Path
    how: str
    """Everything apart from the logs that the verdicts depend on: contracts, options, prices."""

    def split(self, files: Iterable[Path]) -> tuple[list[Path], list[LogSummary]]:
        """Return the partitions that are not judged yet, renamed to their digests, and the summaries of the others."""
        left: list[Path] = []
        done: list[LogSummary] = []
        for file in files:
            named = file.rename(file.with_name(self._digest(file)))
            try:
                done.append(_codec().validate_json((self.folder / named.name).read_bytes()))
            except (OSError, ValueError):
                left.append(named)
        return left, done

    def keep(self, file: Path, found: LogSummary) -> None:
        """Write the summary of a partition. Raises RunError if it cannot be written."""
        try:
            text = _codec().dump_json(found).decode()
        except ValueError:  # a lone surrogate in the name of a model: the partition is judged again
            return
        write_whole(self.folder / file.name, [text], "the summary of a partition")

    def discard(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _digest(self, file: Path) -> str:
        digest = hashlib.sha256(self.how.encode())
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
        return digest.hexdigest()


@cache
def _codec() -> TypeAdapter[LogSummary]:
    from pydantic import TypeAdapter

    return TypeAdapter(LogSummary)
