"""Snapshots that wait for a decision."""

import json
from pathlib import Path

import pytest

from pytest_planguard.errors import RunError
from pytest_planguard.runs.snapshots import PendingSnapshot, PendingStore, is_expected, write_expected

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


def test_pending_snapshots_come_by_test_and_path(tmp_path: Path) -> None:
    """Whatever their files are called. To forget one that is not there is no error."""
    store = PendingStore(tmp_path)
    assert store.all() == ()
    store.drop("a.pgsnap")
    found = [PendingSnapshot(test, f"{test}{path}.pgsnap", None, "1\n") for test in "ba" for path in "zyx"]
    for pending in found:
        store.keep(pending)
    assert store.all() == tuple(found[::-1])


def test_expected_values_of_one_file_wait_beside_each_other(tmp_path: Path) -> None:
    """Each case of a file has its own."""
    store = PendingStore(tmp_path)
    cases = [PendingSnapshot("t", "cases.jsonl", "1\n", "2\n", case=case) for case in ("a", "b")]
    for pending in cases:
        store.keep(pending)
    assert sorted(store.all(), key=lambda one: one.case) == cases
    store.drop("cases.jsonl", "a")
    assert store.all() == (cases[1],)


CASES = '{"name": "a", "input": 1, "expected": 1}\r\n\n{"name": "b", "expected": {"x": "ü"}, "input": 2}'


@pytest.mark.parametrize(
    ("case", "before", "after", "content"),
    [
        ("a", "1\n", '{"y": "é"}\n', CASES.replace('"expected": 1', '"expected": {"y": "é"}')),
        ("b", '{\n  "x": "ü"\n}\n', "null\n", CASES.replace('{"x": "ü"}', "null")),
    ],
)
def test_an_expected_value_is_written_into_its_line_alone(
    tmp_path: Path, case: str, before: str, after: str, content: str
) -> None:
    """The other lines keep their bytes, ends of lines too. One that has changed is not written over."""
    file = tmp_path / "cases.jsonl"
    file.write_bytes(CASES.encode())
    store, pending = PendingStore(tmp_path), PendingSnapshot("t", "cases.jsonl", before, after, case=case)
    assert store.is_current(pending)
    assert store.accept(pending) == file
    assert file.read_bytes() == content.encode()
    with pytest.raises(
        RunError, match=rf"^cases\.jsonl: the expected value of '{case}' has changed since its test ran"
    ):
        store.accept(pending)


def test_a_case_that_is_gone_is_named(tmp_path: Path) -> None:
    """So that its test runs again."""
    file = tmp_path / "cases.jsonl"
    file.write_bytes(CASES.encode())
    assert not is_expected(file, "c", "1\n")
    assert not is_expected(file, "a", None)
    assert not is_expected(tmp_path / "none.jsonl", "a", "1\n")
    with pytest.raises(RunError, match=rf"^{file}: there is no case 'c' any more\. Run its test again\.$"):
        write_expected(file, "c", "1\n")


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
    with pytest.raises(RunError, match=rf"the field 'path' must name a \.pgsnap file, got {path!r}\. Delete it"):
        store.all()


@pytest.mark.parametrize(("path", "after"), [("a.pgsnap", "1"), ("cases.json", "1"), ("cases.jsonl", "{")])
def test_only_json_is_written_into_a_file_of_cases(tmp_path: Path, path: str, after: str) -> None:
    """The file has one case a line."""
    store = PendingStore(tmp_path)
    file = store.keep(PendingSnapshot("t", path, None, after, case="a"))
    with pytest.raises(RunError) as error:
        store.all()
    wrong = f"the field 'path' must name a .jsonl or .ndjson file, got '{path}'"
    assert str(error.value).startswith(f"{file}: {wrong if after == '1' else 'Expecting property name'}")
