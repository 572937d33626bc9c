"""The results of experiments in kept runs, for findings that reading alone leaves unclear.

`planguard check` and `planguard show` judge by reading. If a run of the tests is kept, an experiment may have settled
what reading leaves unclear. Its result is shown beside the verdict, and never changes it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...printable import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...contract import Contract
    from ...document import path as document_path
    from ...report.conversation import Beside
    from ...retry.results import Convergence
    from ...runs.store.kept_proofs import KeptProof, KeptProofs

IN_DOUBT = frozenset(("missing", "wrong", "unclear", "weak", "partial"))
"""Grades from reading that an experiment may improve. Runs are searched only for these."""
BY_READING = "by reading alone: experiments run in tests, and what a kept run has of them is shown"
"""The note on how both commands judge retries."""
_SETTLES_NOTHING = frozenset(("unproven", "not judged"))
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
"""A commit as git writes it, such as "0f42468…". The header of a run is not trusted."""
Key = tuple[str, int, str, "document_path.Path"]
"""A finding in a cassette: its conversation, its attempt from 1, code, path."""


@dataclass(frozen=True, slots=True)
class ShownProof:
    """The result of one experiment about one finding, with its run."""

    finding: Key
    result: str
    """"proven", "missing", or another result of a proof."""
    reason: str
    run: str
    date: str | None
    """The day the run was written, as ISO 8601 in UTC; None if unknown."""
    commit: str | None
    dirty: bool | None
    """True if the working tree had changes that are not in `commit`."""

    @property
    def text(self) -> str:
        """A text such as 'proven by an experiment in the run of 2026-11-20, commit abc1234: …'."""
        when = f"the run of {self.date}" if self.date else f"the run {one_line(self.run, 80)}"
        commit = f", commit {self.commit[:7]}" if self.commit else ""
        changed = " with changes" if self.commit and self.dirty else ""
        said = (
            "proven by an experiment" if self.result == "proven" else f"{one_line(self.result, 40)}, says an experiment"
        )
        return f"{said} in {when}{commit}{changed}: {one_line(self.reason, 200)}"

    @property
    def data(self) -> dict[str, Any]:
        """The proof as plain values."""
        conversation, attempt, code, path = self.finding
        finding = {"conversation": conversation, "attempt": attempt, "code": code, "path": list(path)}
        run = {"name": self.run, "date": self.date, "commit": self.commit, "dirty": self.dirty}
        return {**finding, "result": self.result, "reason": self.reason, "run": run}


class ProofsOfRuns:
    """Finds proofs in the kept runs of the project that a cassette belongs to."""

    def __init__(self, contracts: Iterable[Contract]) -> None:
        """Take the named contracts. One that was made from a request belongs to no test, and has no proofs."""
        self._contracts = tuple(contracts)
        self._stores: dict[Path, KeptProofs] = {}

    def of(self, cassette: Path, conversations: Sequence[Convergence]) -> tuple[ShownProof, ...]:
        """Return the results of experiments about the unclear findings, in their order."""
        doubted = dict(_doubted(conversations)) if self._contracts else {}
        folder = _project_of(cassette) if doubted else None
        if folder is None:
            return ()
        kept = self._kept(folder)
        digest = _digest_of(cassette)
        found: dict[Key, list[KeptProof]] = {}
        for proof in kept.of(digest) if digest else ():
            key = (proof.proof.conversation, proof.proof.attempt, proof.proof.code, proof.proof.path)
            if self._is_of(proof, *doubted.get(key, ("", ""))):
                found.setdefault(key, []).append(proof)
        return tuple(_shown(key, found[key][0]) for key in doubted if key in found and _agree(found[key]))

    def notes(self) -> list[str]:
        """Return the unreadable parts of the kept runs as notes. They don't make the command fail."""
        return [note for kept in self._stores.values() for note in kept.notes]

    def _is_of(self, kept: KeptProof, contract: str, answer: str) -> bool:
        """Return True if a proof settles something for this answer, with the contract of this name."""
        if kept.proof.result in _SETTLES_NOTHING or kept.answer != answer:
            return False
        digests = [one.digest for one in self._contracts if one.name == contract]
        return digests == [kept.contract]

    def _kept(self, folder: Path) -> KeptProofs:
        if folder not in self._stores:
            from ...runs.store.kept_proofs import KeptProofs
            from ...runs.store.store import Store

            self._stores[folder] = KeptProofs(Store(folder))
        return self._stores[folder]


def _agree(proofs: Sequence[KeptProof]) -> bool:
    """Return True if the newest run has one result. Two tests may run two apps on one cassette."""
    newest = proofs[0]
    return all(other.proof.result == newest.proof.result for other in proofs if other.run == newest.run)


def beside(proofs: Iterable[ShownProof], conversation: str) -> Beside:
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
    from ...runs.store.store import FOLDER

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


def _shown(key: Key, kept: KeptProof) -> ShownProof:
    from ...runs.store.kept_proofs import written

    when = written(kept.run)
    commit = kept.run.commit if _COMMIT.fullmatch(kept.run.commit or "") else None
    date = when.date().isoformat() if when else None
    return ShownProof(key, kept.proof.result, kept.proof.reason, kept.run.name, date, commit, kept.run.dirty)
