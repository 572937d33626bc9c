"""Two sessions that record one test: the second is told who records, and nobody's file is touched."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import (
    CassetteJournal,
    holder,
    is_locked,
    is_same_file,
    journals_of,
    lock,
    recover,
)
from pytest_planguard.replay.files.reader import read_cassette

from ...support.exchanges import chat, part_of, unfinished, user

FIRST, SECOND = chat([user("a")], "one"), chat([user("b")], "two")
CHILD = """
import sys
from pathlib import Path
from pytest_planguard.replay.files.cassette_journal import CassetteJournal
journal = CassetteJournal(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def answers(path: Path) -> list[str]:
    """What a cassette answers."""
    return [exchange.answer_text for exchange in read_cassette(path).exchanges]


def test_the_second_session_is_told_who_records(tmp_path: Path) -> None:
    """It opens no journal; the first one's becomes the cassette."""
    path = tmp_path / "a.yaml"
    journal = CassetteJournal(path)
    journal.append(FIRST)
    with pytest.raises(CassetteError) as told:
        CassetteJournal(path)
    assert str(told.value) == (
        f"{journal.part}: another session records this test now: got process {os.getpid()}; wait until it ends, then "
        "record again. No finished cassette was changed"
    )
    assert journal.finish()
    assert answers(path) == ["one"]
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_a_dead_process_holds_nothing(tmp_path: Path) -> None:
    """While another process records, this one may not; once that is killed, it may, and the other's file stays."""
    path = tmp_path / "a.yaml"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    with pytest.raises(CassetteError, match=f"got process {child.pid};"):
        CassetteJournal(path)
    left = part_of(path)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    journal = CassetteJournal(path)
    assert journal.interrupted == (left,)
    journal.append(SECOND)
    assert journal.finish()
    assert journals_of(path) == [left]


def test_a_running_session_is_not_recovered_from(tmp_path: Path) -> None:
    """What it writes is its own until it ends."""
    path = tmp_path / "a.yaml"
    journal = CassetteJournal(path)
    journal.append(FIRST)
    with pytest.raises(CassetteError, match=r"another session records this test now: got process \d+; wait"):
        recover(path)
    journal.abandon()
    assert recover(path) == 1
    assert answers(path) == ["one"]


def test_without_locks_each_session_keeps_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sessions overlap on a file system without locks: neither renames the other's file, finished or not."""
    monkeypatch.setattr("pytest_planguard.replay.files.cassette_journal.lock", lambda _file: None)
    path = tmp_path / "a.yaml"
    one, two = CassetteJournal(path), CassetteJournal(path)
    assert not one.locked
    assert two.interrupted == (one.part,)
    one.append(FIRST)
    two.append(SECOND)
    assert one.finish()
    assert answers(path) == ["one"]
    assert two.part.read_text("utf-8") == unfinished(SECOND)
    assert two.finish()
    assert answers(path) == ["two"]


def test_a_journal_that_was_moved_is_not_renamed(tmp_path: Path) -> None:
    """Where something else stands under its name, a session refuses to make that the cassette."""
    path = tmp_path / "a.yaml"
    path.write_text("old", "utf-8")
    journal = CassetteJournal(path)
    journal.append(FIRST)
    journal.part.rename(tmp_path / "b.yaml.part")
    journal.part.write_text("foreign", "utf-8")
    with pytest.raises(CassetteError) as told:
        journal.finish()
    assert str(told.value) == (
        f"{journal.part}: is no longer the file of this session; it was moved or removed. "
        "Record the test again. No finished cassette was changed"
    )
    assert path.read_text("utf-8") == "old"


def test_the_last_journal_comes_first(tmp_path: Path) -> None:
    """Journals of earlier versions count; those of other cassettes do not."""
    path = tmp_path / "a.yaml"
    names = ["a.yaml.part.1", "a.yaml.00000001.part", "a.yaml.part", "a.yaml.ffffffff.part"]
    for age, name in enumerate(names):
        (tmp_path / name).write_text("", "utf-8")
        os.utime(tmp_path / name, (1_000 - age, 1_000 - age))
    for name in ("a.yaml", "a.yaml2.part", "b.yaml.part", "a.yaml.1234567.part", "a.yaml.part.new", "xa.yaml.part"):
        (tmp_path / name).write_text("", "utf-8")
    assert [part.name for part in journals_of(path)] == names
    assert journals_of(tmp_path / "none" / "a.yaml") == []


def test_whoever_holds_a_file_is_named_where_that_is_known(tmp_path: Path) -> None:
    """By the number of its process; nobody is known of a file that is not there, or that is not locked."""
    path = tmp_path / "a.part"
    assert holder(path) == "another process"
    with path.open("w", encoding="utf-8") as file:
        assert (holder(path), is_locked(path)) == ("another process", False)
        assert lock(file) is True
        assert holder(path) in (f"process {os.getpid()}", "another process")  # locks are not listed everywhere
        assert is_locked(path)
        assert is_same_file(path, file)
        path.unlink()
        assert not is_same_file(path, file)
    assert not is_locked(path)
