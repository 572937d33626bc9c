"""The sides of a comparison: determine the runs, and load them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ...contract.phrasing import plural
from ...errors import RunError, UsageError
from ...runs.store.cassette_folders import SETTING

if TYPE_CHECKING:
    from ...runs.load.source import LoadOptions
    from ...runs.model.run import Run
    from ...runs.store.revision import Revision

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

    Raises UsageError if there are fewer than two.
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
    if twice is not None and (len(sides) > 2 or any(side.name != side.source for side in sides)):
        raise UsageError(f"two sides are called {twice!r}; give each its own name: base=DIR candidate=DIR")
    return sides


def load_sides(sides: Sequence[Side], options: LoadOptions, tasks: Sequence[str]) -> tuple[Run, ...]:
    """Return the runs, limited to the named tasks. Raises RunError or UsageError."""
    from ...runs.load.load import load_run

    runs = [load_run(side.source, options, side.name) for side in sides]
    return tuple(_called(run, side.name) for run, side in zip(_only(runs, tasks), sides, strict=True))


class NothingBefore(RunError):  # the name describes the state
    """The base has no cassettes to compare with."""


def load_revisions(base: str, candidate: str, options: LoadOptions, tasks: Sequence[str]) -> tuple[Run, ...]:
    """Return the committed cassettes of two git revisions as runs.

    Raises:
        NothingBefore: the base has no cassettes.
        RunError: only the base has cassettes, or a revision cannot be read.
    """
    from ...runs.load.load import load_run
    from ...runs.store.revision import Revision

    before, after = Revision(options.root, base), Revision(options.root, candidate)
    recorded = _cassettes(before, after)
    names = {**recorded[0], **recorded[1]}  # common cassettes have the candidate's names
    runs = []
    for revision, own in zip((before, after), recorded, strict=True):
        with tempfile.TemporaryDirectory(prefix="planguard-") as folder:
            revision.write(own, Path(folder))
            run = _without(load_run(folder, options, revision.name), folder, own, names)
            runs.append(_called(run, revision.name, revision.commit))
    return _only(runs, tasks)


def _cassettes(before: Revision, after: Revision) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the cassettes of both, each from the folders in its own settings. Raises as `load_revisions`.

    If the base's settings lack the folder, for example because a command line named it, the candidate's settings apply.
    """
    old, new = before.cassettes(before.folders) or before.cassettes(after.folders), after.cassettes(after.folders)
    if old and new:
        return old, new
    lacking = after if old else before
    message = f"{lacking} has no committed cassette: no YAML file below {lacking.folders.shown}"
    others = before.elsewhere() if not old else ()
    others = others or (() if new else after.elsewhere())
    if others:
        message += f"; {plural(len(others), 'cassette')} in other folders, first {others[0]}: name the folder in the "
        raise RunError(f"{message}settings of pytest, as {SETTING}")
    if old:
        raise RunError(f"{message}, and {before} has {len(old):,}. Restore them, or record again")
    found = f"; the tests judge the {plural(len(new), 'cassette')} of {after}" if new else ""
    raise NothingBefore(f"{message}: there is nothing to compare with{found}")


def tree_notes(revision: str, root: Path) -> Iterator[str]:
    """Yield a note if the contracts come from a working tree that differs from the candidate."""
    from ...runs.store.revision import differing_code

    files = differing_code(root, revision)
    if files:
        named = ", ".join(files[:NAMED]) + (f" and {len(files) - NAMED:,} more" if len(files) > NAMED else "")
        yield (
            f"both sides are judged by the contracts of the working tree, which differs from {revision} in {named}. "
            f"Check {revision} out without changes to judge by its own"
        )


def _side(text: str) -> Side:
    """Return the side that a text names: `blind=DIR` is DIR named "blind".

    An existing path is a side, even with "=" in it.
    """
    name, equals, source = text.partition("=")
    if equals and name and source and not Path(text).exists():
        return Side(source, name)
    return Side(text, text)


def _only(runs: Sequence[Run], tasks: Sequence[str]) -> tuple[Run, ...]:
    from ...runs.load.load import only_tasks

    return only_tasks(runs, tasks) if tasks else tuple(runs)


def _called(run: Run, name: str, commit: str | None = None) -> Run:
    return replace(run, header=replace(run.header, name=name, commit=commit or run.header.commit))


def _without(run: Run, folder: str, own: Mapping[str, str], names: Mapping[str, str]) -> Run:
    """Return the run with the paths of its revision instead of those in a temporary folder.

    `own` and `names` map paths below that folder to paths in this revision and in both.
    """
    keys = {_stem(plain): _stem(path) for plain, path in names.items()}

    def place(path: str) -> str:
        below = path.removeprefix(folder).lstrip("/")
        return own.get(below, below)

    rows = tuple(
        replace(
            row,
            key=keys.get(row.key, row.key),
            test=place(row.test),
            cassette=place(row.cassette) if row.cassette else None,
        )
        for row in run.rows
    )
    return replace(run, rows=rows, problems=tuple(_in_revision(problem, folder, own) for problem in run.problems))


def _in_revision(problem: str, folder: str, own: Mapping[str, str]) -> str:
    """Return a message that begins with the revision's path instead of the cassette's path."""
    # The temporary folder is gone when the message is read.
    found = problem.replace(f"{folder}/", "")
    plain = next((plain for plain in own if found.startswith(f"{plain}:")), "")
    return own[plain] + found.removeprefix(plain) if plain else found


def _stem(path: str) -> str:
    return PurePosixPath(path).with_suffix("").as_posix()
