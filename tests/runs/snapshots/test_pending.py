"""Snapshots that wait for a decision."""

import json

import pytest

from pytest_planguard.errors import RunError
from pytest_planguard.runs.snapshots import PendingSnapshot, PendingStore

PATH = "__snapshots__/test_a/test_x.pgsnap"
NEW = PendingSnapshot("test_a.py::test_x", PATH, None, "1\n", "  1")
CHANGED = PendingSnapshot("test_a.py::test_x", PATH, "1\n", "2\n", "  1 → 2\ud800")


def test_keeps_what_it_was_given(tmp_path):
    """Any text, a lone surrogate too, in a folder that version control leaves alone."""
    store = PendingStore(tmp_path)
    store.keep(CHANGED)
    assert store.all() == (CHANGED,)
    assert (tmp_path / ".planguard" / ".gitignore").read_text().endswith("\n*\n")


def test_the_last_result_of_a_snapshot_replaces_the_one_before(tmp_path):
    """One entry a snapshot; another snapshot has its own."""
    store = PendingStore(tmp_path)
    other = PendingSnapshot("test_a.py::test_y", "b.pgsnap", None, "3\n")
    for pending in (NEW, other, CHANGED):
        store.keep(pending)
    assert store.all() == (CHANGED, other)


def test_accepting_writes_the_snapshot_and_forgets(tmp_path):
    """Also where neither folder nor file was there."""
    store = PendingStore(tmp_path)
    store.keep(NEW)
    store.accept(NEW)
    assert (tmp_path / PATH).read_text() == "1\n"
    assert store.all() == ()
    store.accept(CHANGED)
    assert (tmp_path / PATH).read_text() == "2\n"


@pytest.mark.parametrize("now", [None, "3\n"])
def test_a_snapshot_that_changed_since_is_not_written_over(tmp_path, now):
    """A pull, an update or a deletion in between: the test has to run again."""
    store = PendingStore(tmp_path)
    store.keep(CHANGED)
    if now is not None:
        (tmp_path / PATH).parent.mkdir(parents=True)
        (tmp_path / PATH).write_text(now)
    with pytest.raises(RunError, match=r"test_x\.pgsnap: the snapshot has changed since its test ran"):
        store.accept(CHANGED)
    assert (tmp_path / PATH).exists() == (now is not None)
    assert store.all() == (CHANGED,)


@pytest.mark.parametrize("content", ["", "[]", '{"planguard": "snapshot", "format": 2}', '{"planguard": "run"}'])
def test_a_file_that_is_none_is_named(tmp_path, content):
    """Broken, foreign, or from a later version: the message names the file and the way out."""
    store = PendingStore(tmp_path)
    store.keep(NEW).write_text(content)
    with pytest.raises(RunError, match=r"pending.*\.json: .*Delete it, and run the tests again"):
        store.all()


def test_a_field_of_another_type_is_named(tmp_path):
    """Nothing of it is taken for a text."""
    store = PendingStore(tmp_path)
    file = store.keep(NEW)
    file.write_text(json.dumps({**json.loads(file.read_text()), "after": 1}))
    with pytest.raises(RunError, match="'after' must be text, got 1"):
        store.all()


@pytest.mark.parametrize("path", ["../.bashrc", "conftest.py", "/etc/passwd", "a.pgsnap/../b.py", ""])
def test_only_snapshots_can_be_written(tmp_path, path):
    """A file that somebody else put there cannot make a review write anything but a snapshot."""
    store = PendingStore(tmp_path)
    store.keep(PendingSnapshot("test_a.py::test_x", path, None, "import os\n"))
    with pytest.raises(RunError, match=r"the field 'path' must name a \.pgsnap file"):
        store.all()
