"""The sides of a comparison: which runs are meant, and loading them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import UsageError

if TYPE_CHECKING:
    from ...runs.load.load import LoadOptions
    from ...runs.model.run import Run

HEAD = "HEAD"
NAMED = 3
"""Files that a note names."""


@dataclass(frozen=True, slots=True)
class Side:
    """One run as the user named it."""

    source: str
    name: str


def sides_of(named: Sequence[str], run_a: str | None, run_b: str | None) -> tuple[Side, ...]:
    """Return the sides that the arguments and options name, in order.

    Raises UsageError where they are not two or more.
    """
    given = [*([run_a] if run_a else []), *([run_b] if run_b else []), *named]
    if len(given) < 2:
        raise UsageError(
            f"a comparison needs two runs, got {len(given)}. Write: planguard diff BASE CANDIDATE, "
            "or --run-a BASE --run-b CANDIDATE, or --git REVISION."
        )
    sides = tuple(_side(text) for text in given)
    names = [side.name for side in sides]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None and any(side.name != side.source for side in sides):
        raise UsageError(f"two sides are called {twice!r}; give each its own name: base=DIR candidate=DIR")
    return sides


def load_sides(sides: Sequence[Side], options: LoadOptions, tasks: Sequence[str]) -> tuple[Run, ...]:
    """Return the runs, with the tasks only that are named. Raises RunError or UsageError."""
    from ...runs.load.load import load_run

    runs = [load_run(side.source, options, side.name) for side in sides]
    return tuple(_called(run, side.name) for run, side in zip(_only(runs, tasks), sides, strict=True))


def load_revisions(base: str, candidate: str, options: LoadOptions, tasks: Sequence[str]) -> tuple[Run, ...]:
    """Return the committed recordings of two git revisions as runs."""
    from ...runs.load.load import load_run
    from ...runs.store.git import export_recordings

    runs = []
    for revision in (base, candidate):
        with tempfile.TemporaryDirectory(prefix="planguard-") as folder:
            commit = export_recordings(options.root, revision, Path(folder))
            run = load_run(folder, options, revision)
            runs.append(_without(_called(run, revision, commit), folder))
    return _only(runs, tasks)


def tree_notes(revision: str, root: Path) -> Iterator[str]:
    """That the contracts are not those of the candidate, where the working tree, from which they come, is not it."""
    from ...runs.store.git import differing_code

    files = differing_code(root, revision)
    if files:
        named = ", ".join(files[:NAMED]) + (f" and {len(files) - NAMED:,} more" if len(files) > NAMED else "")
        yield (
            f"both sides are judged by the contracts of the working tree, which differs from {revision} in {named}. "
            f"Check {revision} out without changes to judge by its own"
        )


def _side(text: str) -> Side:
    """Return the side: `blind=DIR` is DIR called "blind"; a path that exists is itself, even with "=" in its name."""
    name, equals, source = text.partition("=")
    if equals and name and source and not Path(text).exists():
        return Side(source, name)
    return Side(text, text)


def _only(runs: Sequence[Run], tasks: Sequence[str]) -> tuple[Run, ...]:
    from ...runs.load.tasks import only_tasks

    return only_tasks(runs, tasks) if tasks else tuple(runs)


def _called(run: Run, name: str, commit: str | None = None) -> Run:
    return replace(run, header=replace(run.header, name=name, commit=commit or run.header.commit))


def _without(run: Run, folder: str) -> Run:
    """Return the run without the temporary folder in its places and messages."""
    rows = tuple(
        replace(row, test=_cut(row.test, folder), recording=_cut(row.recording, folder) if row.recording else None)
        for row in run.rows
    )
    return replace(run, rows=rows, problems=tuple(problem.replace(f"{folder}/", "") for problem in run.problems))


def _cut(path: str, folder: str) -> str:
    return path.removeprefix(folder).lstrip("/")
