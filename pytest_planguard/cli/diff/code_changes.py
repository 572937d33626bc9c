"""Compare the code of both sides for `planguard diff`: contracts, tests and settings, each from its own tree."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import CassetteError
from ...runs.gate.known_failures import Baseline, parse_baseline
from ...runs.gate.weakening import Weakening, baseline_changes, with_acceptance
from ...runs.store.revision import Revision, differing_code
from ...runs.weakened.cassette_changes import case_changes, cassette_changes, renamed_cases, shown_schemas
from ...runs.weakened.tree_changes import TreeChanges, tree_changes
from ...runs.weakened.tree_facts import Question
from ...runs.weakened.workflow_changes import FILES, workflow_changes
from .sides import HEAD
from .trees import ask, checked_out, paths_in, top_of

if TYPE_CHECKING:
    from ...replay.files.reader import Cassette
    from ...runs.compare.run_diff import RunDiff
    from ...runs.model.run import Run
    from ...runs.weakened.contract_changes import ContractChange
    from ...runs.weakened.schema_changes import SchemaChange


@dataclass(frozen=True, slots=True)
class CodeChanges:
    """The changes in the code and in the schemas of recorded requests."""

    weakenings: tuple[Weakening, ...] = ()
    contracts: tuple[ContractChange, ...] = ()
    shown: tuple[tuple[str, SchemaChange], ...] = ()
    """Changes in the schemas that requests show the model, with the owner of the schema: "tool book"."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides to compare."""

    root: Path
    base: Revision
    candidate: Revision
    contracts: tuple[str, ...]
    """Contracts of the candidate, as typed."""
    base_contracts: tuple[str, ...]
    """Contracts of the base, if they have a different name there, else ()."""
    baseline: Path | None


def recorded_answers(runs: Sequence[Run]) -> tuple[str, ...]:
    """Return every distinct recorded answer of the runs."""
    found = (attempt.answer for run in runs for row in run.rows for judged in row.judged for attempt in judged.attempts)
    return tuple(dict.fromkeys(found))


def of_contracts(base: Sequence[str], candidate: Sequence[str], runs: Sequence[Run]) -> CodeChanges:
    """Compare two versions of contracts in the working folder, each imported by its own process."""
    here, answers = Path.cwd().resolve(), recorded_answers(runs)
    before = ask(Question(tuple(base), answers, collect=False), here)
    after = ask(Question(tuple(candidate), answers, before, collect=False), here)
    found = tree_changes(before, after, {})
    return CodeChanges(with_acceptance(found.weakenings, Baseline(), Baseline(), ""), found.contracts)


def of_revisions(sides: Sides, found: RunDiff, runs: Sequence[Run], listed: Baseline, today: str) -> CodeChanges:
    """Compare two revisions. Raises RunError if git fails."""
    old, new = (revision.contents for revision in (sides.base, sides.candidate))
    renamed = renamed_cases(found.cases, old, new)
    before, after = _cassettes(sides)
    code = _code(sides, runs, renamed) if _differ(sides) else TreeChanges()
    weakenings = [
        *code.weakenings,
        *case_changes(found.cases, renamed),
        *cassette_changes(before, after),
        *workflow_changes(_builds(sides.base), _builds(sides.candidate)),
    ]
    known = Baseline()
    if sides.baseline is not None:
        known = _baseline_before(sides.base, sides.root / sides.baseline)
        weakenings += baseline_changes(listed, known, sides.baseline.as_posix())
    accepted = with_acceptance(weakenings, listed, known, today)
    return CodeChanges(accepted, code.contracts, shown_schemas(before, after))


def _builds(revision: Revision) -> Mapping[str, str]:
    return revision.texts(path for path in revision.contents if FILES.fullmatch(path))


def _differ(sides: Sides) -> bool:
    """Return True if anything but cassettes differs. Otherwise both trees have the same demands."""
    old, new = (
        {p: c for p, c in r.contents.items() if r.folders.plain(p) is None} for r in (sides.base, sides.candidate)
    )
    return old != new or (sides.candidate.name == HEAD and bool(differing_code(sides.root, HEAD)))


def _code(sides: Sides, runs: Sequence[Run], renamed: Mapping[str, str]) -> TreeChanges:
    """Compare the base in a worktree with the candidate, which is the working tree if it is checked out."""
    answers, top = recorded_answers(runs), str(top_of(sides.root))
    here = Revision(sides.root, HEAD).commit == sides.candidate.commit
    with checked_out(sides.base, sides.root) as tree:
        specs = sides.base_contracts or sides.contracts
        before = ask(Question(specs, answers, None, paths_in(tree, sides.root), top), tree)
    with nullcontext(sides.root.resolve()) if here else checked_out(sides.candidate, sides.root) as tree:
        paths = () if here else paths_in(tree, sides.root)
        after = ask(Question(sides.contracts, answers, before, paths, "" if here else top), tree)
    return tree_changes(before, after, renamed)


def _cassettes(sides: Sides) -> tuple[Mapping[str, Cassette], Mapping[str, Cassette]]:
    """Return the cassettes that differ between the revisions, by their names in the candidate."""
    old = sides.base.cassettes(sides.base.folders) or sides.base.cassettes(sides.candidate.folders)
    new = sides.candidate.cassettes(sides.candidate.folders)
    changed = [
        n for n, path in new.items() if sides.base.contents.get(old.get(n, "")) != sides.candidate.contents[path]
    ]
    moved = {sides.base.contents[path] for path in old.values()}
    changed = [name for name in changed if sides.candidate.contents[new[name]] not in moved]
    return (
        dict(_read(sides.base, {name: old[name] for name in changed if name in old}, new)),
        dict(_read(sides.candidate, {name: new[name] for name in changed}, new)),
    )


def _read(revision: Revision, paths: Mapping[str, str], names: Mapping[str, str]) -> Iterator[tuple[str, Cassette]]:
    """Yield the readable cassettes. The comparison itself reports the others."""
    from ...replay.files.reader import read_cassette

    with tempfile.TemporaryDirectory(prefix="planguard-") as folder:
        revision.write(paths, Path(folder))
        for plain in paths:
            try:
                yield names[plain], read_cassette(Path(folder) / plain)
            except CassetteError:
                continue


def _baseline_before(base: Revision, path: Path) -> Baseline:
    """Return the base's list of known failures; an empty one if it has none. Raises RunError."""
    top = top_of(path.parent if path.parent.is_dir() else Path.cwd())
    resolved = path.resolve()
    text = base.text(resolved.relative_to(top).as_posix()) if resolved.is_relative_to(top) else None
    return Baseline() if text is None else parse_baseline(text, f"{path} of {base}")


def with_lost_feedback(candidate: Run, last: Run | None) -> Run:
    """Return the candidate with the lost feedback that the last run found, if that run was of this commit.

    A cassette holds the requests from when it was recorded. Only its test sees that the app no longer feeds back.
    """
    if last is None or last.header.commit != candidate.header.commit or last.header.dirty:
        return candidate
    lost = {row.key: row for row in last.rows if row.feedback_is_missing}
    return replace(candidate, rows=tuple(lost.get(row.key, row) for row in candidate.rows)) if lost else candidate
