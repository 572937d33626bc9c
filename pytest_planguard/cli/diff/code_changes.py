"""Compare the code of both sides for `planguard diff`: contracts, tests and settings, each in a process of its tree."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import CassetteError, RunError
from ...runs.gate.known_failures import Baseline, parse_baseline
from ...runs.gate.tree_changes import (
    FILES,
    TreeChanges,
    case_changes,
    cassette_changes,
    renamed_cases,
    shown_schemas,
    tree_changes,
    workflow_changes,
)
from ...runs.gate.tree_facts import Question, TreeFacts
from ...runs.gate.weakening import Weakening, baseline_changes, with_acceptance
from ...runs.model.codec import RowError, read_row, row_text
from ...runs.store.revision import Revision, differing_code, run_git
from .sides import HEAD

if TYPE_CHECKING:
    from ...replay.files.reader import Cassette
    from ...runs.compare.run_diff import RunDiff
    from ...runs.gate.schema_changes import SchemaChange
    from ...runs.gate.tree_facts import ContractChange
    from ...runs.model.run import CaseRow, Run


TIME_LIMIT_S = 120.0
"""Maximum number of seconds to import and judge a tree. pytest takes a minute to collect a large project."""
_PROBE = "pytest_planguard.plugin.probe"


@contextmanager
def checked_out(revision: Revision, root: Path) -> Iterator[Path]:
    """Provide a temporary folder with the files of a revision, at the position of `root`.

    The folder is a git worktree whose hooks do not run.

    Raises:
        RunError: git cannot create it.
    """
    with tempfile.TemporaryDirectory(prefix="planguard-") as folder:
        tree = Path(folder).resolve() / "tree"
        command = ("-c", f"core.hooksPath={os.devnull}", "worktree")
        if run_git(root, *command, "add", "--quiet", "--detach", str(tree), revision.commit) is None:
            raise RunError(f"git cannot check {revision} out: is there room, and may .git be written?")
        try:
            top = top_of(root)
            yield tree / root.resolve().relative_to(top) if root.resolve().is_relative_to(top) else tree
        finally:
            # Twice: with one, git refuses to remove a worktree that is locked.
            run_git(root, *command, "remove", "--force", "--force", str(tree))


def top_of(root: Path) -> Path:
    """Return the root folder of a repository."""
    found = run_git(root, "rev-parse", "--show-toplevel") or os.fsencode(root)
    return Path(os.fsdecode(found).rstrip("\n")).resolve()


def paths_in(tree: Path, root: Path) -> tuple[str, ...]:
    """Return the folders in `sys.path` that belong to the project, as paths in another tree of it."""
    top, installed = top_of(root), Path(sys.prefix).resolve()
    above = len(root.resolve().relative_to(top).parts)
    other = tree.parents[above - 1] if above else tree
    paths = [path for entry in sys.path if entry and (path := Path(entry).resolve()).is_relative_to(top)]
    found = (str(other / path.relative_to(top)) for path in paths if not path.is_relative_to(installed))
    return tuple(dict.fromkeys((str(tree), *found)))


def ask(question: Question, tree: Path) -> TreeFacts:
    """Return the facts from a process that imports this tree. Without an answer, return only that problem."""
    with tempfile.TemporaryDirectory(prefix="planguard-") as folder:
        asked, answered = Path(folder) / "question.json", Path(folder) / "answer.json"
        asked.write_text(row_text(question), encoding="utf-8")
        why = run_probe(asked, answered, tree)
        try:
            return TreeFacts(problems=(why,)) if why else read_row(TreeFacts, answered.read_bytes())
        except (OSError, RowError) as error:
            return TreeFacts(problems=(f"its process gave no answer: {error}",))


def run_probe(asked: Path, answered: Path, tree: Path) -> str:
    """Run the process. Return why there is no answer, or ""."""
    command = [sys.executable, "-m", _PROBE, str(asked), str(answered)]
    # No __pycache__ in the user's tree.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": os.pathsep.join(_own_path())}
    with asked.with_suffix(".err").open("w+b") as errors:  # not a pipe, which a grandchild could keep open for ever
        try:
            done = subprocess.run(
                command,
                cwd=tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                timeout=TIME_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"importing it took more than {TIME_LIMIT_S:.0f} s"
        except OSError as error:
            return f"its process cannot be started: {error}"
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip().rpartition("\n")[2][:200]
    if done.returncode or not answered.exists():
        return f"its process ended with exit code {done.returncode}{f': {said}' if said else ''}"
    return ""


def _own_path() -> list[str]:
    """Return planguard's own path, and those in the environment."""
    own = str(Path(__file__).resolve().parents[3])
    return [own, *filter(None, [os.environ.get("PYTHONPATH")])]


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
    lost = {_coordinates(row): row for row in last.rows if row.feedback_is_missing}
    here = set(map(_coordinates, candidate.rows))
    # Another variant of the case may feed back. A row that fits none, such as that of a new model, speaks for all.
    of_case = {row.key: row for where, row in lost.items() if where not in here}
    rows = (lost.get(_coordinates(row)) or of_case.get(row.key, row) for row in candidate.rows)
    return replace(candidate, rows=tuple(rows)) if lost else candidate


def _coordinates(row: CaseRow) -> tuple[str, str | None, str | None]:
    return row.key, row.variant, row.for_model or row.model
