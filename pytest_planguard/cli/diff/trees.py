"""Check out the code of a revision beside the working tree, and import it in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import RunError
from ...runs.model.codec import read_row, row_text
from ...runs.model.foreign_fields import RowError
from ...runs.store.revision import run_git
from ...runs.weakened.tree_facts import Question, TreeFacts

if TYPE_CHECKING:
    from ...runs.store.revision import Revision

TIME_LIMIT_S = 120.0
"""Maximum number of seconds to import and judge a tree. pytest takes a minute to collect a large project."""
_PROBE = "pytest_planguard.plugin.tree.probe"


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
