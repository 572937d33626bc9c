"""Find the results of experiments about one cassette in the kept runs.

The digest of a cassette identifies its rows. Only those are parsed; the others are searched as bytes.
"""

from __future__ import annotations

import re
import stat
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from ...errors import RunError
from .run_file import header_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..model.run import CaseRow, ProofRow, RunHeader
    from .store import Store

MOST_RUNS = 50
"""Maximum number of kept runs to search, newest first."""
MOST_BYTES = 256 * 1024 * 1024
"""Maximum number of bytes to search in all runs together. It takes less than a second."""
MAX_ROW = 16 * 1024 * 1024
"""Maximum number of bytes of a row. A test of ten attempts takes about ten thousand."""
MOST_ROWS = 100
"""Maximum number of rows of one cassette in one run. A case has one; a test with many variants has dozens."""
_WITH_PROOFS = b'"proofs":[{'
_DIGEST = re.compile(rb'"cassette_digest":"([0-9a-f]{64})"')
"""The digest of a row's cassette. Inside a text, such as an answer, the quotes would be escaped."""
_NEVER = datetime.min.replace(tzinfo=UTC)


class KeptProof(NamedTuple):
    """The result of an experiment about one finding, with its run."""

    proof: ProofRow
    answer: str
    """The text of the answer that has the finding."""
    contract: str
    """The digest of the contract that reported it."""
    run: RunHeader


class _Found(NamedTuple):
    """The position of a row."""

    path: Path
    offset: int


class KeptProofs:
    """The proofs in the runs of one store. The files are searched once, for the first cassette."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: dict[str, list[tuple[RunHeader, list[_Found]]]] | None = None
        self._left = MOST_BYTES
        self.notes: list[str] = []
        """Notes about unreadable runs, which are not errors here."""

    def of(self, cassette: str) -> Iterator[KeptProof]:
        """Yield the proofs for the cassette with this sha256, the newest run's first. Broken rows are skipped."""
        if self._rows is None:
            self._rows = self._looked_through()
        for header, places in self._rows.get(cassette, ()):
            for place in places:
                row = self._row(place)
                if row is not None and row.cassette_digest == cassette:
                    yield from _proofs(row, header)

    def _looked_through(self) -> dict[str, list[tuple[RunHeader, list[_Found]]]]:
        """Return the positions of rows with proofs, by the digest of their cassette, newest run first."""
        found: dict[str, list[tuple[RunHeader, list[_Found]]]] = {}
        runs: list[tuple[RunHeader, dict[str, list[_Found]]]] = []
        for path in self._newest():
            try:
                runs.append(self._scanned(path))
            except (OSError, RunError) as error:
                self.notes.append(_why(path, error))
        for header, rows in sorted(runs, key=lambda run: written(run[0]) or _NEVER, reverse=True):
            for digest, places in rows.items():
                found.setdefault(digest, []).append((header, places))
        return found

    def _newest(self) -> list[Path]:
        timed = []
        for path in self._store.paths():
            try:
                timed.append((path.stat().st_mtime, path))
            except OSError as error:
                self.notes.append(_why(path, error))
        timed.sort(reverse=True)
        if len(timed) > MOST_RUNS:
            self.notes.append(f"{self._store.folder}: only the newest {MOST_RUNS} of {len(timed)} runs were looked at")
        return [path for _, path in timed[:MOST_RUNS]]

    def _scanned(self, path: Path) -> tuple[RunHeader, dict[str, list[_Found]]]:
        """Return a run's header, and the positions of its rows with proofs. Raises OSError, RunError."""
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe would never end
            raise RunError("it is not a file")
        rows: dict[str, list[_Found]] = {}
        with path.open("rb") as file:
            header = header_of(path, file.readline(MAX_ROW))
            offset = file.tell()
            while line := file.readline(min(MAX_ROW, self._left)):
                self._left -= len(line)
                if _WITH_PROOFS in line and line.endswith(b"\n"):
                    _note(rows, line, _Found(path, offset))
                offset += len(line)
            if file.read(1):
                self.notes.append(f"{path}: only a part was looked at: the runs have more than {MOST_BYTES:,} bytes")
        return header, rows

    def _row(self, place: _Found) -> CaseRow | None:
        from ..model.codec import RowError, read_row
        from ..model.run import CaseRow

        try:
            with place.path.open("rb") as file:
                file.seek(place.offset)
                return read_row(CaseRow, file.readline(MAX_ROW))
        except (OSError, RowError) as error:
            self.notes.append(_why(place.path, error))
            return None


def _note(rows: dict[str, list[_Found]], line: bytes, place: _Found) -> None:
    digest = _DIGEST.search(line)
    if digest is not None:
        places = rows.setdefault(digest[1].decode(), [])
        if len(places) < MOST_ROWS:
            places.append(place)


def _proofs(row: CaseRow, header: RunHeader) -> Iterator[KeptProof]:
    conversations = {judged.name: judged for judged in row.judged if not judged.single}
    for proof in row.proofs:
        judged = conversations.get(proof.conversation)
        if judged is not None and judged.digest and 0 < proof.attempt <= len(judged.attempts):
            yield KeptProof(proof, judged.attempts[proof.attempt - 1].answer, judged.digest, header)


def written(header: RunHeader) -> datetime | None:
    """Return when a run was written; None if its header has no valid time."""
    try:
        found = datetime.fromisoformat(header.created or "")
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _why(path: Path, error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return f"{path}: the kept run cannot be read: {(reason or type(error).__name__).removeprefix(f'{path}: ')}"
