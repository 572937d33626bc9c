"""The commit of a run: asked of a real git, and unknown where there is none to ask."""

import os
from pathlib import Path

import pytest

from pytest_planguard.runs.store import revision
from pytest_planguard.runs.store.revision import AskedCommit, Commit, differing_code, read_status

from ...support.git import git


def test_the_commit_and_whether_tracked_files_differ_from_it(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unknown before the first commit; a file that git does not track changes nothing, one that it tracks does."""
    git(tmp_path, "init", "-q")
    assert AskedCommit(tmp_path).answer() == Commit()
    (tmp_path / "a").write_text("1")
    git(tmp_path, "add", "a")
    git(tmp_path, "commit", "-qm", "one")
    (tmp_path / "new").write_text("")
    head = git(tmp_path, "rev-parse", "HEAD")
    assert AskedCommit(tmp_path).answer() == Commit(head, dirty=False)
    (tmp_path / "a").write_text("2")
    assert AskedCommit(tmp_path).answer() == Commit(head, dirty=True)
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert AskedCommit(elsewhere).answer() == Commit()
    monkeypatch.setenv("GIT_DIR", str(tmp_path / ".git"))
    assert AskedCommit(elsewhere).answer().name == head


def test_a_git_that_does_not_answer_in_time_leaves_the_commit_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end of a run does not wait for a very large tree, nor take part of an answer or that of a failure."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "git"
    monkeypatch.setenv("PATH", f"{slow.parent}{os.pathsep}{os.environ['PATH']}")
    answers = {"sleep 0.2 >/dev/null": (0.01, Commit()), ":": (10.0, Commit("12ab", dirty=False))}
    for command, (limit, commit) in answers.items():
        slow.write_text(f"#!/bin/sh\n{command}\necho '# branch.oid 12ab'\n")
        slow.chmod(0o755)
        monkeypatch.setattr(revision, "COMMIT_TIMEOUT_S", limit)
        assert AskedCommit(tmp_path).answer() == commit
    slow.write_text("#!/bin/sh\necho '# branch.oid 12ab'\nexit 1\n")
    assert AskedCommit(tmp_path).answer() == Commit()


def test_code_that_differs_is_changed_or_new(tmp_path: Path) -> None:
    """Whether git knows it yet or not, from any folder of the tree; no other files, and none that git ignores."""
    git(tmp_path, "init", "-q")
    for name in ("app/a.py", "app/same.py", "schema.json", "notes.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1")
    (tmp_path / ".gitignore").write_text("built.py\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    for name in ("app/a.py", "schema.json", "notes.md", "app/new.py", "new.txt", "built.py"):
        (tmp_path / name).write_text("2")
    assert differing_code(tmp_path, "HEAD") == differing_code(tmp_path / "app", "HEAD")
    assert differing_code(tmp_path, "HEAD") == ("app/a.py", "app/new.py", "schema.json")


def test_outside_a_repository_nothing_is_known(tmp_path: Path) -> None:
    """Neither there nor in a folder that is missing does the question fail."""
    assert AskedCommit(tmp_path).answer() == Commit()
    assert AskedCommit(tmp_path / "missing").answer() == Commit()


def test_output_of_git_is_read_line_by_line() -> None:
    """Header lines begin with "#"; anything else is a change; a first commit that is not there is told by its word."""
    assert read_status(b"# branch.oid 12ab\n# branch.head main\n") == Commit("12ab", dirty=False)
    assert read_status(b"# branch.oid 12ab\nu UU N... file\n") == Commit("12ab", dirty=True)
    assert read_status(b"# branch.oid (initial)\n1 A. N... file\n") == Commit()
    assert read_status(b"") == Commit()
