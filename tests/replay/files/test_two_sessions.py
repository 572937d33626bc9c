"""Two sessions that record one test: the second is told who records, and nobody's file is touched."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.reader import read_recording
from pytest_planguard.replay.files.recording_journal import RecordingJournal

from ...support.exchanges import chat, user

FIRST, SECOND = chat([user("a")], "one"), chat([user("b")], "two")
CHILD = """
import sys
from pathlib import Path
from pytest_planguard.replay.files.recording_journal import RecordingJournal
journal = RecordingJournal(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def test_the_second_session_is_told_who_records(tmp_path: Path) -> None:
    """It opens no journal; the first one's becomes the recording."""
    path = tmp_path / "a.yaml"
    journal = RecordingJournal(path)
    journal.append(FIRST)
    with pytest.raises(CassetteError) as told:
        RecordingJournal(path)
    assert str(told.value) == (
        f"{path}.part: another session records this test now: got process {os.getpid()}; wait until it ends, then "
        "record again. No finished recording was changed"
    )
    assert journal.finish()
    assert [e.answer_text for e in read_recording(path).exchanges] == ["one"]
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_a_dead_process_holds_nothing(tmp_path: Path) -> None:
    """While another process records, this one may not; once that is killed, its journal is set aside."""
    path = tmp_path / "a.yaml"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "open\n"
    with pytest.raises(CassetteError, match=f"got process {child.pid};"):
        RecordingJournal(path)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    journal = RecordingJournal(path)
    assert journal.moved == tmp_path / "a.yaml.part.1"
    journal.append(SECOND)
    assert journal.finish()


def test_a_foreign_journal_never_becomes_the_recording(tmp_path: Path) -> None:
    """Where locks do not hold and another session took the name, the first one refuses to rename its file."""
    path = tmp_path / "a.yaml"
    path.write_text("old", "utf-8")
    journal = RecordingJournal(path)
    journal.append(FIRST)
    journal.part.rename(tmp_path / "a.yaml.part.1")
    journal.part.write_text("foreign", "utf-8")
    with pytest.raises(CassetteError) as told:
        journal.finish()
    assert str(told.value) == (
        f"{path}.part: is no longer the file of this session; another one recorded the same test. "
        "Record it again, one session at a time. No finished recording was changed"
    )
    assert path.read_text("utf-8") == "old"
