"""A replay writes what was recorded, below its folder, and destroys no work."""

import os
import resource
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.commands import work_folder
from pytest_planguard.replay.commands.replayed_files import OwnFiles, RefusedFile, uncommitted, write_again
from pytest_planguard.replay.commands.taped_run import WrittenFile
from pytest_planguard.replay.commands.work_folder import ABSENT, FolderNames, changes, is_recorded_path, look, state_of


def write(
    folder: Path, *files: WrittenFile, own: OwnFiles | None = None, temporary: Path | None = None, position: int = 1
) -> list[Path]:
    """Write recorded files again."""
    return write_again(folder, files, FolderNames(folder), temporary, own or OwnFiles(), position)


def plan(path: str = "plan.md", content: bytes = b"new\n", before: str = ABSENT) -> WrittenFile:
    """A recorded file."""
    return WrittenFile(path, content, before)


def tree(folder: Path) -> dict[str, bytes | str]:
    """Everything below a folder, hidden things, links and rights included."""
    return {
        f"{p.relative_to(folder)} {p.lstat().st_mode:o}": f"-> {p.readlink()}" if p.is_symlink() else p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if (p.is_file() or p.is_symlink()) and ".git" not in p.relative_to(folder).parts[:-1]
    }


@pytest.mark.parametrize(
    "path",
    [
        "../plan.md", "/etc/plan.md", "a/../../plan.md", "..", ".", "", "a//b", "./plan.md", "a/./b",
        "C:/plan.md", "a\\..\\b",
        ".env", ".git/config", "a/.hidden/b", ".github/workflows/x.yml", ".claude/settings.json", "conftest.py",
        "a/CONFTEST.py", "x.pth", "x.PTH", "sitecustomize.py", "a\0b",
    ],
)  # fmt: skip
def test_no_path_escapes(tmp_path: Path, path: str) -> None:
    """Nor does a replay write what is hidden, or what Python and pytest run by themselves; it changes nothing."""
    (tmp_path / "work").mkdir()
    with pytest.raises(RefusedFile, match=r"^a recorded file leads out of the work folder, or is hidden"):
        write(tmp_path / "work", plan("good.md"), plan(path))
    assert [*tmp_path.rglob("*")] == [tmp_path / "work"]


@given(st.text(st.sampled_from("a./\\~:é"), max_size=12))
def test_whatever_may_be_recorded_stays_below(path: str) -> None:
    """A path that is let through is relative, and leads to no other place than it says."""
    if is_recorded_path(path):
        assert not path.startswith("/")
        assert Path("/base", path).resolve(strict=False).is_relative_to("/base")


@pytest.mark.parametrize("inside", ["link/plan.md", "plan.md", "a/link/b/plan.md"])
def test_no_link_leads_out(tmp_path: Path, inside: str) -> None:
    """A link in the way, to a folder or a file, is refused, wherever it leads."""
    work, outside = tmp_path / "work", tmp_path / "outside"
    (work / "a").mkdir(parents=True)
    outside.mkdir()
    (outside / "plan.md").write_bytes(b"old\n")
    for link in (work / "link", work / "a" / "link"):
        link.symlink_to(outside)
    (work / "plan.md").symlink_to(outside / "plan.md")
    before = tree(tmp_path)
    with pytest.raises(RefusedFile, match="is a link"):
        write(work, plan("good.md"), plan(inside, before=state_of(b"old\n")))
    assert tree(tmp_path) == before


def test_only_what_was_there_is_overwritten(tmp_path: Path) -> None:
    """The state before the run, or its own outcome; anything else is work of somebody."""
    target = tmp_path / "plan.md"
    changed = plan(content=b"new\n", before=state_of(b"old\n"))
    for present in (b"old\n", b"new\n"):
        target.write_bytes(present)
        assert write(tmp_path, changed, temporary=tmp_path.parent) == [target]
        assert target.read_bytes() == b"new\n"
    for present, file in ((b"mine\n", changed), (b"mine\n", plan())):
        target.write_bytes(present)
        with pytest.raises(RefusedFile, match=r"plan\.md would be overwritten, and was (another one|not there)"):
            write(tmp_path, plan("first.md"), file)
        assert tree(tmp_path) == {"plan.md 100644": present}


WHOLE, HALF = plan(content=b"whole\n"), plan(content=b"ha")
BEGUN = plan(content=b"half", before=state_of(b"ha"))
FIRST, SECOND = plan(content=b"1\n"), plan(content=b"2\n", before=state_of(b"1\n"))


@pytest.mark.parametrize(
    ("runs", "order", "content"),
    [
        ((HALF, WHOLE), (1, 2), b"whole\n"),
        ((HALF, WHOLE), (2, 1), b"whole\n"),
        ((BEGUN, WHOLE), (2, 1), b"whole\n"),
        ((FIRST, SECOND), (1, 2), b"2\n"),
        ((FIRST, SECOND), (2, 1), b"1\n"),
    ],
    ids=["half first", "whole first", "begun half", "one after the other", "asked in another order"],
)
def test_what_the_replay_wrote_itself_is_no_work(
    tmp_path: Path, runs: tuple[WrittenFile, ...], order: tuple[int, ...], content: bytes
) -> None:
    """Of runs at once the file stays as the last left it; of runs in turn it is that of the run asked for last."""
    own = OwnFiles()
    for position in order:
        write(tmp_path, runs[position - 1], own=own, temporary=tmp_path.parent, position=position)
    assert (tmp_path / "plan.md").read_bytes() == content


RUNS = st.tuples(st.integers(1, 3), st.sampled_from([ABSENT, "a", "b", "c"]), st.sampled_from("abc"))
"""Place in the cassette, what was in the file before, and what the run wrote."""


@given(st.lists(RUNS | st.sampled_from("abcd"), max_size=8))
def test_work_is_never_lost(steps: list[tuple[int, str, str] | str]) -> None:
    """Runs are replayed in any order, and somebody writes the file meanwhile: a word is a step of theirs.

    A replay overwrites what the recorded run found or wrote, and what the replay wrote last, and nothing else.
    """
    with TemporaryDirectory() as name:
        own, last = OwnFiles(), None
        target = Path(name, "plan.md")
        for step in steps:
            if isinstance(step, str):
                target.write_text(step, encoding="utf-8")
                continue
            position, before, content = step
            present = target.read_text(encoding="utf-8") if target.exists() else None
            known = {None, before, content, last}
            state = before if before == ABSENT else state_of(before.encode())
            with suppress(RefusedFile):
                write(target.parent, plan(content=content.encode(), before=state), own=own, position=position)
                last = target.read_text(encoding="utf-8")
            assert target.read_text(encoding="utf-8") == present or present in known


def test_no_right_to_be_executed(tmp_path: Path) -> None:
    """A script that was there as a program is none after a replay."""
    (tmp_path / "run.sh").write_bytes(b"old\n")
    (tmp_path / "run.sh").chmod(0o755)
    write(tmp_path, plan("run.sh", before=state_of(b"old\n")), temporary=tmp_path.parent)
    assert not (tmp_path / "run.sh").stat().st_mode & 0o111


def git(folder: Path, *words: str) -> None:
    """Run git in a folder."""
    own = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *own, *words], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    """A work tree with one commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init")
    (folder / "kept.md").write_bytes(b"kept\n")
    (folder / "plan.md").write_bytes(b"old\n")
    (folder / ".gitignore").write_bytes(b"ignored/\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    return folder


def _dirty(change: Callable[[Path], object]) -> Callable[[Path], Path]:
    def made(base: Path) -> Path:
        root = repository(base / "repo")
        change(root)
        return root

    return made


def _in_folder(name: str) -> Callable[[Path], Path]:
    def made(base: Path) -> Path:
        root = repository(base / "repo")
        (root / name).mkdir(parents=True, exist_ok=True)
        (root / "kept.md").write_bytes(b"changed\n")
        return root / name

    return made


def _linked(base: Path) -> Path:
    root = repository(base / "repo")
    (root / "kept.md").write_bytes(b"changed\n")
    (base / "link").symlink_to(root)
    return base / "link"


def _worktree(base: Path) -> Path:
    root = repository(base / "repo")
    git(root, "worktree", "add", str(base / "other"))
    (base / "other" / "kept.md").write_bytes(b"changed\n")
    return base / "other"


def _submodule(base: Path) -> Path:
    inner, outer = repository(base / "inner"), repository(base / "repo")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", str(inner), "sub")
    git(outer, "commit", "-m", "second")
    (outer / "sub" / "kept.md").write_bytes(b"changed\n")
    return outer


def _in_submodule(base: Path) -> Path:
    return _submodule(base) / "sub"


def _nested(base: Path) -> Path:
    work = base / "work"
    inner = repository(work / "out")
    (inner / "kept.md").write_bytes(b"changed\n")
    return work


def _conflict(base: Path) -> Path:
    root = repository(base / "repo")
    git(root, "checkout", "-b", "other")
    (root / "kept.md").write_bytes(b"theirs\n")
    git(root, "commit", "-am", "theirs")
    git(root, "checkout", "main")
    (root / "kept.md").write_bytes(b"ours\n")
    git(root, "commit", "-am", "ours")
    subprocess.run(["git", "merge", "other"], cwd=root, check=False, capture_output=True)
    return root


def _no_commit(base: Path) -> Path:
    (base / "repo").mkdir()
    git(base / "repo", "init")
    (base / "repo" / "kept.md").write_bytes(b"kept\n")
    return base / "repo"


def _broken(base: Path) -> Path:
    root = repository(base / "repo")
    (root / ".git" / "HEAD").unlink()
    return root


def _untracked_hidden_by_config(base: Path) -> Path:
    root = repository(base / "repo")
    git(root, "config", "status.showUntrackedFiles", "no")
    (root / "mine.md").write_bytes(b"mine\n")
    return root


LAYOUTS: dict[str, Callable[[Path], Path]] = {
    "modified": _dirty(lambda root: (root / "kept.md").write_bytes(b"changed\n")),
    "the very file modified": _dirty(lambda root: (root / "plan.md").write_bytes(b"mine\n")),
    "staged": _dirty(lambda root: [(root / "kept.md").write_bytes(b"changed\n"), git(root, "add", ".")]),
    "staged and modified": _dirty(
        lambda root: [
            (root / "kept.md").write_bytes(b"1\n"),
            git(root, "add", "."),
            (root / "kept.md").write_bytes(b"2\n"),
        ]
    ),
    "untracked": _dirty(lambda root: (root / "mine.md").write_bytes(b"mine\n")),
    "untracked folder": _dirty(lambda root: [(root / "new").mkdir(), (root / "new" / "x").write_bytes(b"x")]),
    "untracked by config": _untracked_hidden_by_config,
    "deleted": _dirty(lambda root: (root / "kept.md").unlink()),
    "deletion staged": _dirty(lambda root: git(root, "rm", "kept.md")),
    "renamed": _dirty(lambda root: git(root, "mv", "kept.md", "moved.md")),
    "mode": _dirty(lambda root: (root / "kept.md").chmod(0o755)),
    "became a link": _dirty(lambda root: [(root / "kept.md").unlink(), (root / "kept.md").symlink_to("plan.md")]),
    "odd names": _dirty(lambda root: (root / 'a\nb "é.md').write_bytes(b"mine\n")),
    "folder of it": _in_folder("docs"),
    "deep folder of it": _in_folder("a/b/c/d"),
    "ignored folder of it": _in_folder("ignored"),
    "link to it": _linked,
    "other work tree": _worktree,
    "submodule is dirty": _submodule,
    "in a dirty submodule": _in_submodule,
    "work tree below": _nested,
    "conflict": _conflict,
    "no commit yet": _no_commit,
    "git cannot tell": _broken,
}


def test_a_work_tree_whose_repository_is_gone_is_not_changed(tmp_path: Path) -> None:
    """A link of a moved checkout: git knows nothing of what is committed there."""
    (tmp_path / ".git").symlink_to(tmp_path / "moved away")
    with pytest.raises(RefusedFile, match="which git does not know"):
        write(tmp_path, plan("plan.md"))
    assert not (tmp_path / "plan.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_dirty_work_tree_is_never_changed(tmp_path: Path, layout: str) -> None:
    """Whatever is uncommitted, and wherever in the tree the command runs."""
    folder = LAYOUTS[layout](tmp_path)
    before = tree(tmp_path)
    with pytest.raises(RefusedFile, match=r"is in a git work tree with uncommitted changes|would be overwritten"):
        write(folder, plan("out/plan.md"), plan("plan.md", before=state_of(b"old\n")))
    assert tree(tmp_path) == before


def test_a_clean_work_tree_is_written(tmp_path: Path) -> None:
    """A second run finds what the first has written, which counts as its own."""
    root = repository(tmp_path / "repo")
    own = OwnFiles()
    write(root, plan("out/spec.md"), own=own)
    with pytest.raises(RefusedFile, match=r"uncommitted changes, which a replay does not touch: got out/spec\.md;"):
        write(root, plan("out/plan.md"))
    assert write(root, plan("out/plan.md"), own=own) == [root / "out" / "plan.md"]


def test_a_work_tree_above_the_temporary_folder_does_not_count(tmp_path: Path) -> None:
    """A project may keep pytest's temporary folders within itself."""
    root = repository(tmp_path / "repo")
    (root / "kept.md").write_bytes(b"changed\n")
    work = root / "tmp" / "test_a0"
    work.mkdir(parents=True)
    assert write(work, plan(), temporary=root / "tmp") == [work / "plan.md"]


def test_of_too_many_files_the_old_ones_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that nobody looked at before is no new one, though it comes into view once another is gone."""
    monkeypatch.setattr(work_folder, "MAX_FILES", 3)
    names = FolderNames(tmp_path)
    for name in "abcd":
        (tmp_path / name).write_bytes(b"old\n")
    before = look(tmp_path, names)
    (tmp_path / "a").unlink()
    (tmp_path / "b").write_bytes(b"new\n")
    found = changes(tmp_path, before, look(tmp_path, names), names)
    assert [file.path for file in found.files] == ["b"]
    assert found.notes[0] == "more than 3 files: the rest is not recorded"
    os.utime(tmp_path / "d", ns=(before.taken_ns, before.taken_ns))  # written since, so it counts as new
    found = changes(tmp_path, before, look(tmp_path, names), names)
    assert [(file.path, file.before) for file in found.files] == [("b", state_of(b"old\n")), ("d", ABSENT)]


def test_a_folder_with_as_many_files_as_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is complete, so what is removed is noted; nothing of hidden folders and of what tools make is in it."""
    monkeypatch.setattr(work_folder, "MAX_FILES", 2)
    names = FolderNames(tmp_path)
    for path in ("a", "b", "__pycache__/c", "node_modules/c", "venv/c", ".git/c"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(b"x")
    before = look(tmp_path, names)
    assert (sorted(before.files), before.complete) == (["a", "b"], True)
    (tmp_path / "b").unlink()
    assert changes(tmp_path, before, look(tmp_path, names), names).notes == ("b was removed: a replay removes no file",)


def test_files_are_recorded_up_to_their_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, and all files of a run, may just have as many bytes as are recorded. A large one is seen to change."""
    monkeypatch.setattr(work_folder, "MAX_SIZE", 4)
    monkeypatch.setattr(work_folder, "MAX_TOTAL", 8)
    names = FolderNames(tmp_path)
    (tmp_path / "large").write_bytes(b"12345")
    before = look(tmp_path, names)
    for name, content in (("a", b"1234"), ("b", b"1234"), ("large", b"123456")):
        (tmp_path / name).write_bytes(content)
    found = changes(tmp_path, before, look(tmp_path, names), names)
    assert [file.path for file in found.files] == ["a", "b"]
    assert found.notes == ("large is not recorded: got 6 bytes, a file may have 4",)
    assert (before.files["large"][2], look(tmp_path, names).files["large"][2]) == ("size:5", "size:6")


def test_a_file_that_is_left_out_takes_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next files are recorded, whether it was too large by itself or did not fit any more."""
    monkeypatch.setattr(work_folder, "MAX_SIZE", 4)
    monkeypatch.setattr(work_folder, "MAX_TOTAL", 7)
    names = FolderNames(tmp_path)
    before = look(tmp_path, names)
    for name, size in (("a", 99), ("b", 4), ("c", 4), ("d", 3)):
        (tmp_path / name).write_bytes(b"x" * size)
    found = changes(tmp_path, before, look(tmp_path, names), names)
    assert [file.path for file in found.files] == ["b", "d"]
    assert found.notes == (
        "a is not recorded: got 99 bytes, a file may have 4",
        "c is not recorded: got 4 bytes, a run may write 7 in all",
    )


def test_a_file_that_is_removed_while_it_is_recorded(tmp_path: Path) -> None:
    """A child of the command may outlive it and remove its files. All else of the run is recorded."""
    names = FolderNames(tmp_path)
    before = look(tmp_path, names)
    for name in ("draft.md", "plan.md"):
        (tmp_path / name).write_bytes(b"x")
    after = look(tmp_path, names)
    (tmp_path / "draft.md").unlink()
    found = changes(tmp_path, before, after, names)
    assert [file.path for file in found.files] == ["plan.md"]
    assert found.notes == ("draft.md is not recorded: it cannot be read (No such file or directory)",)


@pytest.mark.parametrize(
    ("folder", "said", "shortened"),
    [
        ("/app", "/app /app/a '/app' in /app.", "<work-folder> <work-folder>/a '<work-folder>' in <work-folder>."),
        ("/app", "/apple /app-2 /app_2 /app.bak", "/apple /app-2 /app_2 /app.bak"),
        ("/app", '{"at": "/app\\n"}', '{"at": "<work-folder>\\n"}'),
        ("/", "https://a.test/b /etc", "https://a.test/b /etc"),
    ],
)
def test_only_whole_names_stand_for_a_folder(folder: str, said: str, shortened: str) -> None:
    """A cassette of a container is replayed in another folder, where a part of a name would become a wrong path."""
    recorded = FolderNames(Path(folder)).shortened(said.encode())
    assert recorded.decode() == shortened
    assert FolderNames(Path("/home/me")).spelt_out(recorded).decode() == shortened.replace("<work-folder>", "/home/me")


def test_changes_are_seen_by_time_and_content(tmp_path: Path) -> None:
    """New, changed, written again with the same words; not what is hidden, linked, too large or removed."""
    names = FolderNames(tmp_path)
    for name in ("changed.md", "same.md", "kept.md", "removed.md"):
        (tmp_path / name).write_bytes(b"old\n")
    before = look(tmp_path, names)
    (tmp_path / "changed.md").write_bytes(f"{tmp_path}/x\n".encode())
    (tmp_path / "same.md").write_bytes(b"old\n")
    (tmp_path / "removed.md").unlink()
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.md").write_bytes(b"\xff\n")
    (tmp_path / ".env").write_bytes(b"hidden\n")
    (tmp_path / "link").symlink_to("kept.md")
    (tmp_path / "large.bin").write_bytes(b"0" * 1_000_001)
    found = changes(tmp_path, before, look(tmp_path, names), names)
    old = state_of(b"old\n")
    assert sorted((f.path, f.content, f.before) for f in found.files) == [
        ("changed.md", b"<work-folder>/x\n", old),
        ("new/a.md", b"\xff\n", ABSENT),
        ("same.md", b"old\n", old),
    ]
    assert found.notes == (
        "large.bin is not recorded: got 1,000,001 bytes, a file may have 1,000,000",
        "removed.md was removed: a replay removes no file",
    )


def test_what_is_in_the_way_is_named_with_what_to_do(tmp_path: Path) -> None:
    """A link on the way, a file where a folder is recorded, a folder where a file is."""
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    link, file, folder = (tmp_path / name for name in ("link", "file", "folder"))
    expected = {
        "link": f"{link} is a link, and a replay does not write through links: got 'link'; remove the link",
        "link/plan.md": f"{link} is a link, and a replay does not write through links: got 'link/plan.md'; remove the "
        "link",
        "file/plan.md": f"{file} is a file where a folder is recorded: got 'file/plan.md'; move it away",
        "folder": f"{folder} is a folder where a file is recorded: got 'folder'; move it away",
        ".git/config": "a recorded file leads out of the work folder, or is hidden or run by itself: "
        "got '.git/config'; record the test again",
    }
    for path, message in expected.items():
        with pytest.raises(RefusedFile) as refused:
            write(tmp_path, plan(path))
        assert str(refused.value) == message


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    """A disk that takes no more, here the system's own bound for files."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        with pytest.raises(RefusedFile) as refused:
            write(tmp_path, plan("a/plan.md"), temporary=tmp_path.parent)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    target = tmp_path / "a" / "plan.md"
    assert str(refused.value) == f"{target} cannot be written: got File too large; make its folder writable"
    assert [*target.parent.iterdir()] == []


def test_a_folder_that_is_gone_has_no_files(tmp_path: Path) -> None:
    """A command may remove the folder that it runs in."""
    snapshot = look(tmp_path / "gone", FolderNames(tmp_path))
    assert (snapshot.files, snapshot.complete) == ({}, True)


def test_a_repository_that_the_environment_names_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """GIT_DIR and GIT_WORK_TREE, as git sets them for its hooks, do not lead to another work tree."""
    for name in ("clean", "dirty"):
        subprocess.run(["git", "init", "-q", str(tmp_path / name)], check=True)
    (tmp_path / "dirty" / "new.md").write_text("x", encoding="utf-8")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "dirty" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "dirty"))
    assert uncommitted(tmp_path / "clean") is None
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "clean" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "clean"))
    assert uncommitted(tmp_path / "dirty") == "new.md"


def test_a_file_that_goes_while_the_folder_is_looked_at_is_passed_over(tmp_path: Path) -> None:
    """A child that outlives the command may remove it after the folder was listed."""

    class Removing(FolderNames):
        def shortened(self, content: bytes) -> bytes:
            (tmp_path / "b.txt").unlink(missing_ok=True)
            return super().shortened(content)

    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).write_text(name)
    assert [*look(tmp_path, Removing(tmp_path)).files] == ["a.txt", "c.txt"]
