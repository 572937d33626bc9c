"""What a test writes that outlives it, as the audit events of Python tell."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from pytest_planguard.plugin.rerun.writes import Opened, Writes

from .conftest import begin, fill


def _opens(flags: int) -> None:
    os.close(os.open("a.txt", flags))


def _in_a_new_folder() -> None:
    folder = tempfile.mkdtemp()
    Path(folder, "x.txt").write_text("x")
    Path(folder, "deep").mkdir()
    Path(folder, "deep/y.txt").write_text("x")
    Path(folder, "x.txt").unlink()


def _in_a_new_folder_of_its_own() -> None:
    Path("../own/test_a0").mkdir()
    Path("../own/test_a0/x.txt").write_text("x")


def _beside_a_new_folder() -> None:
    Path("../temporary/a").mkdir()
    Path("../temporary/ab.txt").write_text("x")


def _in_a_new_file() -> None:
    descriptor, name = tempfile.mkstemp()
    os.close(descriptor)
    Path(name).write_text("x")


def _out_of_a_new_file() -> None:
    descriptor, name = tempfile.mkstemp()
    os.close(descriptor)
    Path(name).rename("moved.txt")


def _from_a_folder() -> None:
    folder = os.open("../elsewhere", os.O_RDONLY)
    try:
        os.remove("e.txt", dir_fd=folder)
    finally:
        os.close(folder)


def _in_a_folder_of_a_tool(name: str) -> None:
    Path(name).mkdir(exist_ok=True)
    Path(name, "x").write_text("x")


CASES: dict[str, tuple[Callable[[], object], str | None]] = {
    "reads": (lambda: Path("a.txt").read_text(), None),
    "opens to read": (lambda: _opens(os.O_RDONLY), None),
    "opens to write": (lambda: _opens(os.O_WRONLY), "a.txt"),
    "opens to read and write": (lambda: _opens(os.O_RDWR), "a.txt"),
    "opens to add": (lambda: _opens(os.O_WRONLY | os.O_APPEND), "a.txt"),
    "opens to cut": (lambda: _opens(os.O_TRUNC), "a.txt"),
    "writes": (lambda: Path("data/out.txt").write_text("x"), "data/out.txt"),
    "writes elsewhere": (lambda: Path("../elsewhere/f.txt").write_text("x"), "{}/elsewhere/f.txt"),
    "writes in a kept temporary folder": (
        lambda: Path("../temporary/kept/k.txt").write_text("x"),
        "{}/temporary/kept/k.txt",
    ),
    "renames": (lambda: Path("a.txt").rename("z.txt"), "a.txt"),
    "renames out of a new file": (_out_of_a_new_file, "moved.txt"),
    "removes": (lambda: Path("a.txt").unlink(), "a.txt"),
    "removes in an open folder": (_from_a_folder, "{}/elsewhere/e.txt"),
    "removes a folder": (lambda: Path("data").rmdir(), "data"),
    "links": (lambda: Path("new.txt").hardlink_to("a.txt"), "new.txt"),
    "links by name": (lambda: Path("new.txt").symlink_to("a.txt"), "new.txt"),
    "truncates": (lambda: os.truncate("a.txt", 0), "a.txt"),
    "makes a folder": (lambda: Path("fresh").mkdir(), None),
    "works in a new folder": (_in_a_new_folder, None),
    "works in a new folder of its own": (_in_a_new_folder_of_its_own, None),
    "works beside a new folder": (_beside_a_new_folder, "{}/temporary/ab.txt"),
    "works in a new file": (_in_a_new_file, None),
    "records": (lambda: Path("cassette.yaml").write_text("x"), None),
    "writes nowhere": (lambda: Path(os.devnull).write_text("x"), None),
    "Python's own folder": (lambda: _in_a_folder_of_a_tool("__pycache__"), None),
    "pytest's own folder": (lambda: _in_a_folder_of_a_tool(".pytest_cache"), None),
    "Hypothesis's own folder": (lambda: _in_a_folder_of_a_tool(".hypothesis"), None),
    "planguard's own folder": (lambda: Path(".planguard/x").write_text("x"), None),
    "another hidden folder": (lambda: _in_a_folder_of_a_tool(".app"), ".app/x"),
    "the first of two": (lambda: (Path("one").write_text("x"), Path("two").write_text("x")), "one"),
}


def test_what_outlives_a_test_is_named(places: Path, opened: Opened) -> None:
    """By the path from the working folder, or the whole path of what is not below it."""
    for name, (does, found) in CASES.items():
        opened.watched = None
        shutil.rmtree("../temporary")
        for path in (*Path().rglob("*.txt"), *Path("../own").glob("*/*")):
            path.unlink()
        fill(places)
        writes = begin(opened, places)
        does()
        assert writes.found == (None if found is None else found.format(places)), name


@pytest.mark.usefixtures("places")
def test_only_the_function_of_a_test_is_watched(opened: Opened) -> None:
    """Each run sets its fixtures up and tears them down."""
    writes = opened.watched = Writes(opened, lambda _: False)
    Path("before.txt").write_text("x")
    writes.begin_body()
    assert writes.found is None
    Path("during.txt").write_text("x")
    writes.end_body()
    Path("after.txt").write_text("x")
    assert writes.found == "during.txt"
    quiet = opened.watched = Writes(opened, lambda _: False)
    quiet.begin_body()
    quiet.end_body()
    Path("after.txt").write_text("x")
    assert quiet.found is None


def test_a_temporary_folder_of_a_shared_fixture_is_shared(watched: Writes, opened: Opened) -> None:
    """Other tests find what is written there."""
    with opened.by("store"):
        folder = tempfile.mkdtemp()
    Path(folder, "x.txt").write_text("x")
    assert watched.found == f"{folder}/x.txt"


def connect(path: str) -> closing[sqlite3.Connection]:
    """A connection that is closed after a `with` block."""
    return closing(sqlite3.connect(path))


def test_a_database_is_written_by_a_commit(watched: Writes, places: Path) -> None:
    """A new database counts at once, since it is a new file; its other files are none of their own."""
    path = str(places / "project/app.db")
    with connect("app.db") as base:
        base.execute("CREATE TABLE t (n)")
        base.execute("INSERT INTO t VALUES (1)")
        base.commit()
    assert (watched.databases, watched.found) == ([path], None)


def test_a_database_that_a_fixture_opened_is_watched(places: Path, opened: Opened) -> None:
    """From the beginning of the function on, also where it is written to a log first; not a query or a rollback."""
    with opened.by("store"):
        base = sqlite3.connect("app.db")
    with closing(base):
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("CREATE TABLE t (n)")
        base.commit()
        path = str(places / "project/app.db")
        assert opened.databases == {path: "store"}
        writes = opened.watched = Writes(opened, lambda _: False)
        writes.begin_body()
        base.execute("SELECT * FROM t").fetchall()
        base.execute("INSERT INTO t VALUES (1)")
        base.rollback()
        assert writes.databases == []
        base.execute("INSERT INTO t VALUES (1)")
        base.commit()
        assert writes.databases == [path]
        assert writes.found is None


def test_databases_without_a_file(watched: Writes, opened: Opened) -> None:
    """A shared one in memory is noted with its fixture; that of a test is its own."""
    with connect(":memory:"):
        assert (opened.in_memory, opened.databases, watched.databases) == (set(), {}, [])
    with opened.by("store"), connect(":memory:"):
        assert opened.in_memory == {"store"}
    assert opened.setting_up is None


def test_a_database_in_a_new_folder_is_the_tests_own(watched: Writes) -> None:
    """It is made anew in each run."""
    with connect(f"{tempfile.mkdtemp()}/app.db") as base:
        base.execute("CREATE TABLE t (n)")
    assert watched.databases == []
