"""Files and folders are put back as they were before a rerun changed them."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import chdir, suppress
from pathlib import Path

import pytest

from pytest_planguard.plugin.rerun import file_changes
from pytest_planguard.plugin.rerun.file_changes import FileChanges


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with files, links and folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    root = tmp_path / "project"
    for folder in ("project/data/deep", "project/empty", "project/.pytest_cache", "temporary", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("a.txt", "b.txt", "data/c.txt", "data/deep/d.txt", ".pytest_cache/kept.txt"):
        (root / name).write_text(f"{name} as it was\n")
    (root / "a.txt").chmod(0o640)
    (root / "link.txt").symlink_to("a.txt")
    (root / "linked").symlink_to("data")
    return root


def state(root: Path) -> dict[str, object]:
    """Every file with its content and mode, every link with its target, every folder."""
    found: dict[str, object] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_symlink():
            found[name] = path.readlink()
        else:
            found[name] = path.is_dir() or (path.read_text(), stat.S_IMODE(path.stat().st_mode))
    return found


def _add(root: Path) -> None:
    with (root / "a.txt").open("a") as file:
        file.write("more\n")


def _link_to_another(root: Path) -> None:
    (root / "link.txt").unlink()
    (root / "link.txt").symlink_to("b.txt")


def _link_instead_of_file(root: Path) -> None:
    (root / "a.txt").unlink()
    (root / "a.txt").symlink_to("b.txt")


def _file_instead_of_link(root: Path) -> None:
    (root / "link.txt").unlink()
    (root / "link.txt").write_text("a file now\n")


def _replace(root: Path) -> None:
    (root / "new.txt").write_text("other\n")
    (root / "new.txt").replace(root / "a.txt")


def _rename_folders(root: Path) -> None:
    (root / "data").rename(root / "data2")
    (root / "data2").rename(root / "data3")
    (root / "data3/c.txt").write_text("changed after it\n")


def _folder_with_a_file(root: Path) -> None:
    (root / "x").mkdir()
    (root / "x/new.txt").write_text("x")


def _folder_removed_again(root: Path) -> None:
    (root / "x").mkdir()
    (root / "x").rmdir()


def _from_a_folder(root: Path) -> None:
    folder = os.open(root / "data", os.O_RDONLY)
    try:
        os.remove("c.txt", dir_fd=folder)
        os.mkdir("fresh", dir_fd=folder)
        os.symlink("x", "link", dir_fd=folder)
        os.rename("deep/d.txt", "e.txt", src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        os.close(folder)


def _folder_made_anew(root: Path) -> None:
    (root / "empty").rmdir()
    (root / "empty").mkdir()
    (root / "empty/new.txt").write_text("x")


def _under_two_names(root: Path) -> None:
    (root / "data/c.txt").write_text("first\n")
    (root / "linked/c.txt").write_text("second\n")
    (root / "linked/new.txt").write_text("x")
    (root / "data/new.txt").unlink()


def _in_vain(root: Path) -> None:
    (root / "empty").mkdir(exist_ok=True)
    for wrong in (root.rmdir, (root / "none").rmdir, (root / "none").unlink):
        with suppress(OSError):
            wrong()


def _by_relative_names(root: Path) -> None:
    with chdir(root):
        os.truncate("a.txt", 0)
        os.truncate("b.txt", 3)
        Path("data/c.txt").unlink()
        Path("empty").rmdir()


UNSEEN = ("new folder removed", "in vain")
"""Changes that leave nothing behind."""
CHANGES: dict[str, Callable[[Path], object]] = {
    "overwritten": lambda root: (root / "a.txt").write_text("x"),
    "longer": _add,
    "truncated": lambda root: os.truncate(root / "a.txt", 2),
    "removed": lambda root: (root / "a.txt").unlink(),
    "through a link": lambda root: (root / "link.txt").write_text("x"),
    "in a linked folder": lambda root: (root / "linked/c.txt").unlink(),
    "link removed": lambda root: (root / "link.txt").unlink(),
    "link to another file": _link_to_another,
    "link instead of a file": _link_instead_of_file,
    "file instead of a link": _file_instead_of_link,
    "replaced": _replace,
    "renamed": lambda root: (root / "a.txt").rename(root / "z.txt"),
    "renamed link": lambda root: (root / "linked").rename(root / "z"),
    "new": lambda root: (root / "new.txt").write_text("x"),
    "new link": lambda root: (root / "new.txt").symlink_to("a.txt"),
    "new hard link": lambda root: (root / "new.txt").hardlink_to(root / "a.txt"),
    "new folders": lambda root: (root / "x/y/z").mkdir(parents=True),
    "new folder with a file": _folder_with_a_file,
    "folder removed": lambda root: (root / "empty").rmdir(),
    "folders removed": lambda root: shutil.rmtree(root / "data"),
    "new folder removed": _folder_removed_again,
    "folders renamed": _rename_folders,
    "relative to a folder": _from_a_folder,
    "folder made anew": _folder_made_anew,
    "under two names": _under_two_names,
    "in vain": _in_vain,
    "by relative names": _by_relative_names,
}


def test_a_change_is_undone(project: Path) -> None:
    """Contents, modes, targets of links, and which files and folders there are."""
    before = state(project)
    for name, change in CHANGES.items():
        with FileChanges(str(project)).noted():
            change(project)
            assert (state(project) == before) is (name in UNSEEN), name
        assert state(project) == before, name


def test_a_changed_mode_is_put_back_with_the_content(project: Path) -> None:
    """Also if the app made the file anew."""
    with FileChanges(str(project)).noted():
        (project / "a.txt").unlink()
        (project / "a.txt").write_text("x")
        (project / "a.txt").chmod(0o600)
    assert stat.S_IMODE((project / "a.txt").stat().st_mode) == 0o640


def test_a_file_is_written_in_place(project: Path) -> None:
    """The app may keep it open, and adds to it later."""
    with (project / "a.txt").open("a") as kept:
        with FileChanges(str(project)).noted():
            (project / "a.txt").write_text("a much longer text than it was before\n")
        kept.write("later\n")
    assert (project / "a.txt").read_text() == "a.txt as it was\nlater\n"


def test_a_file_that_was_only_read_is_left_alone(project: Path) -> None:
    """Another process may have changed it meanwhile."""
    with FileChanges(str(project)).noted():
        (project / "a.txt").read_text()
        subprocess.run(["sh", "-c", "echo theirs > a.txt"], cwd=project, check=True)
    assert (project / "a.txt").read_text() == "theirs\n"


def test_nothing_is_noted_afterwards(project: Path) -> None:
    """A change after the `with` block stays, and a second restoration keeps it."""
    changes = FileChanges(str(project))
    with changes.noted():
        pass
    (project / "a.txt").write_text("later")
    changes.put_back()
    assert (project / "a.txt").read_text() == "later"


def test_folders_of_tools_are_left_alone(project: Path) -> None:
    """Their caches hold nothing of the app."""
    with FileChanges(str(project)).noted():
        (project / ".pytest_cache/kept.txt").write_text("newer")
        (project / ".pytest_cache/new.txt").write_text("new")
    assert (project / ".pytest_cache/kept.txt").read_text() == "newer"
    assert (project / ".pytest_cache/new.txt").exists()


def test_new_files_in_the_temporary_folder_stay(project: Path) -> None:
    """A thread may need them. New files elsewhere do not stay, nor do those of a project in that folder."""
    temporary, elsewhere = project.parent / "temporary", project.parent / "elsewhere"
    inner = temporary / "project"
    inner.mkdir()
    for root in (project, inner):
        with FileChanges(str(root)).noted():
            for folder in (temporary, elsewhere, inner):
                (folder / "new.txt").write_text("x")
        assert (temporary / "new.txt").exists()
        assert not (elsewhere / "new.txt").exists()
        assert (inner / "new.txt").exists() == (root is project)
        (inner / "new.txt").unlink(missing_ok=True)


def test_a_folder_in_which_another_process_has_written_stays(project: Path) -> None:
    """Only empty folders are removed."""
    changes = FileChanges(str(project))
    with changes.noted():
        (project / "x/y").mkdir(parents=True)
        subprocess.run(["touch", "x/theirs.txt"], cwd=project, check=True)
    assert [path.name for path in sorted((project / "x").iterdir())] == ["theirs.txt"]


def test_a_folder_that_is_there_again_stays(project: Path) -> None:
    """A folder was renamed, and another one took its place."""
    with FileChanges(str(project)).noted():
        (project / "data").rename(project / "old")
        (project / "data").mkdir()
        (project / "data/new.txt").write_text("x")
    assert (project / "data/c.txt").exists()
    assert not (project / "old").exists()


def test_large_files_are_only_cut_back(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The room is for all files together: what no longer fits is cut to its size, and is not written anew."""
    monkeypatch.setattr(file_changes, "MOST", 20)
    for name in ("a.txt", "b.txt"):
        (project / name).write_text("20 characters, each\n")
    with FileChanges(str(project)).noted():
        for name in ("a.txt", "b.txt"):
            (project / name).write_text("24 other characters here")
    assert (project / "a.txt").read_text() == "20 characters, each\n"
    assert (project / "b.txt").read_text() == "24 other characters "
    with FileChanges(str(project)).noted():
        (project / "a.txt").write_text("x")
        (project / "b.txt").write_text("short")
    assert (project / "a.txt").read_text() == "20 characters, each\n"
    assert (project / "b.txt").read_text() == "short"


@pytest.mark.parametrize(("worker", "left"), [("gw0", "a.txt as it was\nmore\n"), ("", "a.txt as it was\n")])
def test_a_log_that_workers_share_keeps_its_lines(
    project: Path, monkeypatch: pytest.MonkeyPatch, worker: str, left: str
) -> None:
    """Another worker may have added some; a file that is written otherwise is restored there too."""
    if worker:
        monkeypatch.setenv("PYTEST_XDIST_WORKER", worker)
    with FileChanges(str(project)).noted():
        _add(project)
        (project / "b.txt").write_text("x")
    assert (project / "a.txt").read_text() == left
    assert (project / "b.txt").read_text() == "b.txt as it was\n"
