"""The commit of a run: asked of a real git, and unknown where there is none to ask."""

from pathlib import Path

from pytest_planguard.runs.store.revision import AskedCommit, Commit, differing_code, read_status

from ...support.git import git


def test_the_commit_and_whether_tracked_files_differ_from_it(tmp_path: Path) -> None:
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
