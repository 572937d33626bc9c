"""The results of experiments in kept runs, for findings that reading alone leaves unclear.

`planguard check` and `planguard show` judge by reading. What an experiment has settled is shown beside the verdict, and
never changes it. The digest of a cassette identifies its rows. Only those are parsed; the others are searched as bytes.
"""

from __future__ import annotations

import os
import re
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import RunError
from ...printable import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...contract import Contract
    from ...document import path as document_path
    from ...retry.results import Convergence
    from ..model.run import CaseRow, ProofRow, RunHeader
    from .store import Store

IN_DOUBT = frozenset(("missing", "wrong", "unclear", "weak", "partial"))
"""Grades from reading that an experiment may improve. Runs are searched only for these."""
BY_READING = "by reading alone: experiments run in tests, and what a kept run has of them is shown"
"""The note on how both commands judge retries."""
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
_SETTLES_NOTHING = frozenset(("unproven", "not judged"))
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
"""A commit as git writes it, such as "0f42468…". The header of a run is not trusted."""
Key = tuple[str, int, str, "document_path.Path"]
"""A finding in a cassette: its conversation, its attempt from 1, code, path."""


class KeptProof(NamedTuple):
    """The result of an experiment about one finding, with its run."""

    proof: ProofRow
    answer: str
    """The text of the answer that has the finding."""
    contract: str
    """The digest of the contract that reported it."""
    run: RunHeader

    @property
    def finding(self) -> Key:
        """The finding that the experiment is about."""
        return (self.proof.conversation, self.proof.attempt, self.proof.code, self.proof.path)

    @property
    def date(self) -> str | None:
        """The day the run was written, as ISO 8601; None if unknown."""
        when = written(self.run)
        return when.date().isoformat() if when else None

    @property
    def commit(self) -> str | None:
        """The commit of the run; None if its header has none, or another text."""
        return self.run.commit if _COMMIT.fullmatch(self.run.commit or "") else None

    @property
    def text(self) -> str:
        """A text such as 'proven by an experiment in the run of 2026-11-20, commit abc1234: …'."""
        when = f"the run of {self.date}" if self.date else f"the run {one_line(self.run.name, 80)}"
        commit = f", commit {self.commit[:7]}" if self.commit else ""
        changed = " with changes" if self.commit and self.run.dirty else ""
        result = self.proof.result
        said = "proven by an experiment" if result == "proven" else f"{one_line(result, 40)}, says an experiment"
        return f"{said} in {when}{commit}{changed}: {one_line(self.proof.reason, 200)}"

    @property
    def data(self) -> dict[str, Any]:
        """The proof as plain values."""
        conversation, attempt, code, path = self.finding
        finding = {"conversation": conversation, "attempt": attempt, "code": code, "path": list(path)}
        run = {"name": self.run.name, "date": self.date, "commit": self.commit, "dirty": self.run.dirty}
        return {**finding, "result": self.proof.result, "reason": self.proof.reason, "run": run}


class ProofsOfRuns:
    """Finds proofs in the kept runs of the project that a cassette belongs to."""

    def __init__(self, contracts: Iterable[Contract]) -> None:
        """Take the named contracts. One that was made from a request belongs to no test, and has no proofs."""
        self._contracts = tuple(contracts)
        self._stores: dict[Path, _KeptRuns] = {}

    def of(self, cassette: Path, conversations: Sequence[Convergence]) -> tuple[KeptProof, ...]:
        """Return the results of experiments about the unclear findings, in their order."""
        doubted = dict(_doubted(conversations)) if self._contracts else {}
        folder = _project_of(cassette) if doubted else None
        if folder is None:
            return ()
        kept = self._kept(folder)
        digest = _digest_of(cassette)
        found: dict[Key, list[KeptProof]] = {}
        for proof in kept.of(digest) if digest else ():
            if self._is_of(proof, *doubted.get(proof.finding, ("", ""))):
                found.setdefault(proof.finding, []).append(proof)
        return tuple(found[key][0] for key in doubted if key in found and _agree(found[key]))

    def notes(self) -> list[str]:
        """Return the unreadable parts of the kept runs as notes. They don't make the command fail."""
        return [note for kept in self._stores.values() for note in kept.notes]

    def _is_of(self, kept: KeptProof, contract: str, answer: str) -> bool:
        """Return True if a proof settles something for this answer, with the contract of this name."""
        if kept.proof.result in _SETTLES_NOTHING or kept.answer != answer:
            return False
        return [one.digest for one in self._contracts if one.name == contract] == [kept.contract]

    def _kept(self, folder: Path) -> _KeptRuns:
        if folder not in self._stores:
            from .store import Store

            self._stores[folder] = _KeptRuns(Store(folder))
        return self._stores[folder]


def _agree(proofs: Sequence[KeptProof]) -> bool:
    """Return True if the newest run has one result. Two tests may run two apps on one cassette."""
    newest = proofs[0]
    return all(other.proof.result == newest.proof.result for other in proofs if other.run == newest.run)


def beside(proofs: Iterable[KeptProof], conversation: str) -> dict[tuple[int, tuple[str, document_path.Path]], str]:
    """Return the remarks beside one conversation's findings, as `render_conversation` takes them."""
    return {(p.finding[1], p.finding[2:]): p.text for p in proofs if p.finding[0] == conversation}


def _doubted(conversations: Iterable[Convergence]) -> Iterator[tuple[Key, tuple[str, str]]]:
    """Yield every unclear finding, with the name of its contract and the text of its answer."""
    for found in conversations:
        for attempt in found.attempts:
            for fed_back in attempt.fed_back:
                if fed_back.label in IN_DOUBT:
                    key = (found.conversation, attempt.number, fed_back.finding.code, fed_back.finding.path)
                    yield key, (found.contract, attempt.verdict.text)


def _project_of(cassette: Path) -> Path | None:
    """Return the nearest folder with kept runs, from the cassette upwards, else the working folder if it has some."""
    from .store import FOLDER

    here = cassette.absolute().parent
    folders = (here, *here.parents, Path.cwd())
    return next((folder for folder in folders if os.path.isdir(folder / FOLDER)), None)  # noqa: PTH112 - never raises


def _digest_of(cassette: Path) -> str | None:
    """Return the cassette's sha256; None if it can no longer be read."""
    import hashlib  # this loads OpenSSL

    try:
        with cassette.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


class _Found(NamedTuple):
    """The position of a row."""

    path: Path
    offset: int


class _KeptRuns:
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
        from .run_file import header_of

        rows: dict[str, list[_Found]] = {}
        with path.open("rb") as file:
            header = header_of(path, file.readline(MAX_ROW))
            offset = file.tell()
            while line := file.readline(min(MAX_ROW, self._left)):
                self._left -= len(line)
                # A line without an end was cut by a limit here, or by a session that was killed.
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
