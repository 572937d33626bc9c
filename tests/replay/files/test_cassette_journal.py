"""A cassette in the making: nothing finished is lost, nothing finished is touched."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import (
    CassetteJournal,
    count_exchanges,
    finished_exchanges,
    journals_of,
    recover,
)
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.exchanges import chat, part_of, send, unfinished, user, write
from ...support.lookalike import Lookalike
from ...support.nightly import drawn

ONE = chat([user("one")], "first")
TWO = chat([user("two")], "a line\nwith message: OK\n      message: OK\n")

RECORDER = """
import os, sys
from pytest_planguard.replay.session.cassette import open_cassette
import httpx2
for path in map(str.strip, sys.stdin):  # imports are paid once: each cassette is a forked child
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        print("gone", flush=True)
        continue
    print(os.getpid(), flush=True)
    with open_cassette(path, mode="all"), httpx2.Client(verify=False) as client:
        for number in range(1000):
            body = {"model": "m", "messages": [{"role": "user", "content": f"task {number} " + "word " * 200}]}
            client.post(sys.argv[1] + "/v1/chat/completions", json=body)
            print(number, flush=True)
"""


def test_a_finished_journal_is_the_recording(tmp_path: Path) -> None:
    """Appending one by one and renaming gives the same bytes as writing the whole cassette."""
    path = tmp_path / "a.yaml"
    journal = CassetteJournal(path)
    assert journal.count == 0
    journal.append(ONE)
    assert not path.exists()
    assert finished_exchanges(journal.part) == unfinished(ONE)
    journal.append(TWO)
    assert journal.count == 2
    assert journal.finish()
    assert path.read_text(encoding="utf-8") == render([ONE, TWO])
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_every_exchange_is_on_the_disk_before_its_answer_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each append waits for the disk, with the whole exchange handed over: a power cut loses nothing that was paid."""
    synced: list[str] = []
    real = os.fsync

    def counting(descriptor: int) -> None:
        real(descriptor)
        assert os.fstat(descriptor).st_ino == part_of(path).stat().st_ino
        synced.append(part_of(path).read_text(encoding="utf-8"))

    path = tmp_path / "a.yaml"
    monkeypatch.setattr(os, "fsync", counting)
    journal = CassetteJournal(path)
    for number, interaction in enumerate([ONE, TWO], 1):
        journal.append(interaction)
        assert synced[number - 1 :] == [unfinished(*[ONE, TWO][:number])]
    journal.finish()
    assert synced[2:] == [render([ONE, TWO])]


@pytest.mark.parametrize("cut", range(0, 40, 3))
def test_a_cut_journal_keeps_its_whole_exchanges(tmp_path: Path, cut: int) -> None:
    """Wherever the second exchange is cut, the first is whole; a half one is never taken for whole."""
    whole, both = unfinished(ONE), unfinished(ONE, TWO)
    end = len(whole) + (len(both) - len(whole)) * cut // 40
    part = tmp_path / "a.yaml.part"
    part.write_text(both[:end], encoding="utf-8")
    assert finished_exchanges(part) == whole
    assert recover(tmp_path / "a.yaml") == 1
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == render([ONE])
    assert not part.exists()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_loses_no_finished_exchange(lookalike: Lookalike, tmp_path: Path) -> None:
    """Kill -9 while recording, 20 times at night: every exchange that the app saw answered is on disk."""
    command = [sys.executable, "-c", RECORDER, lookalike.origin]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as recorder:
        for attempt in drawn(range(20), 5):
            _kill_one(recorder, write(tmp_path / f"{attempt}.yaml", ONE), after=attempt % 7 + 1)


def _kill_one(recorder: "subprocess.Popen[str]", path: Path, after: int) -> None:
    assert recorder.stdin is not None
    assert recorder.stdout is not None
    before = path.read_bytes()
    recorder.stdin.write(f"{path}\n")
    child = int(recorder.stdout.readline())
    answered = [recorder.stdout.readline() for _ in range(after)]
    os.kill(child, signal.SIGKILL)
    while (line := recorder.stdout.readline()) != "gone\n":
        answered.append(line)
    whole = [line for line in answered if line.endswith("\n")]
    kept = finished_exchanges(part_of(path))
    assert len(yaml.safe_load(kept)["interactions"]) == count_exchanges(kept) >= len(whole) >= after
    assert path.read_bytes() == before


def test_an_interrupted_recording_is_kept_and_told(lookalike: Lookalike, tmp_path: Path) -> None:
    """The next recording leaves an interrupted one alone and says where; nothing paid for is overwritten."""
    path = tmp_path / "a.yaml"
    part_of(path).write_text(unfinished(ONE), encoding="utf-8")
    with open_cassette(path, mode="missing") as session:
        send([user("x")], f"{lookalike.origin}/v1/chat/completions")
    assert session.notes == [
        "there is an interrupted cassette here; its finished exchanges are kept in a.yaml.0badcafe.part"
    ]
    assert part_of(path).read_text(encoding="utf-8") == unfinished(ONE)
    assert len(read_cassette(path).interactions) == 1


def test_a_replay_without_file_points_at_the_interrupted_one(tmp_path: Path) -> None:
    """A replay that finds only a half-written cassette says so, with the number of finished exchanges."""
    path = tmp_path / "a.yaml"
    part_of(path).write_text(unfinished(ONE) + "- request:\n    bo", encoding="utf-8")
    with (
        open_cassette(path) as session,
        pytest.raises(Exception, match=r"a\.yaml\.0badcafe\.part holds 1 finished exchange of"),
    ):
        send([user("x")])
    assert len(session.misses) == 1


def test_an_error_in_the_test_leaves_the_old_recording(lookalike: Lookalike, tmp_path: Path) -> None:
    """A test that fails while it records keeps the old file; what was recorded stays beside it."""
    path = write(tmp_path / "a.yaml", ONE)
    before = path.read_bytes()
    cassette = open_cassette(path, mode="all")
    session = cassette.__enter__()
    send([user("x")], f"{lookalike.origin}/v1/chat/completions")
    assert not cassette.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
    assert path.read_bytes() == before
    assert count_exchanges(finished_exchanges(part_of(path))) == 1
    assert session.notes == [f"the cassette did not end well; its exchanges are kept in {part_of(path).name}"]


def test_recording_nothing_changes_nothing(tmp_path: Path) -> None:
    """A recorded test that sends no request leaves the old file and no journal."""
    path = write(tmp_path / "a.yaml", ONE)
    before = path.read_bytes()
    with open_cassette(path, mode="all") as session:
        pass
    assert path.read_bytes() == before
    assert session.notes == ["no request was seen, so nothing was recorded"]
    assert [p.name for p in tmp_path.iterdir()] == ["a.yaml"]


def test_a_folder_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    """Where the folder cannot be made, recording ends before a paid request, with the file and the way out."""
    (tmp_path / "cassettes").write_text("a file in the way", encoding="utf-8")
    with (
        pytest.raises(CassetteError, match=r"a\.yaml\.[0-9a-f]{8}\.part: cannot be written .*make the folder writable"),
        open_cassette(tmp_path / "cassettes" / "a.yaml", mode="all"),
    ):
        raise AssertionError("must not be entered")


READ_ONLY = """
import sys
from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import CassetteJournal, recover
from pathlib import Path
for act in (CassetteJournal, recover):
    try:
        act(Path(sys.argv[1]))
    except CassetteError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux namespaces")
def test_a_read_only_folder_is_told_and_keeps_its_files(tmp_path: Path) -> None:
    """Whoever records or recovers there, root as well, is told what to do; both files stay as they are."""
    path, part = tmp_path / "b.yaml", part_of(tmp_path / "b.yaml")
    part.write_text(unfinished(ONE), encoding="utf-8")
    mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    command = ["unshare", "-rm", "sh", "-c", mount, tmp_path, sys.executable, "-c", READ_ONLY, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("needs the right to mount a folder in a namespace of its own")
    way_out = "make room or make the folder writable, then record again. No finished cassette was changed"
    told = [re.sub("[0-9a-f]{8}", "…", line.removeprefix(f"{tmp_path}/")) for line in done.stdout.splitlines()]
    failed = f"cannot be written (Read-only file system); {way_out}"
    assert told == [f"b.yaml.….part: {failed}", f"b.yaml: {failed}"]
    assert [file.name for file in tmp_path.iterdir()] == [part.name]
    assert part.read_text(encoding="utf-8") == unfinished(ONE)


def test_recover_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    """Recovering overwrites no finished cassette and takes no journal without a whole exchange."""
    path = write(tmp_path / "a.yaml", ONE)
    part_of(path).write_text(unfinished(TWO), encoding="utf-8")
    with pytest.raises(CassetteError, match="there is a finished cassette"):
        recover(path)
    other = tmp_path / "b.yaml"
    part_of(other).write_text("version: 1\n", encoding="utf-8")
    with pytest.raises(CassetteError, match="has no finished exchange"):
        recover(other)
    with pytest.raises(CassetteError, match="cannot be read"):
        recover(tmp_path / "c.yaml")


def test_text_that_looks_like_an_end_is_no_end(tmp_path: Path) -> None:
    """A body whose own text imitates the last lines of an exchange does not end the exchange, wherever it is cut."""
    imitation = b"x\n    status:\n      code: 200\n      message: OK\n- request:\nstatus:\n  code: 200\n  message: OK\n"
    tricky = replace(chat([user("x")], "y"), request_body=imitation, response_body=imitation)
    text = unfinished(ONE, tricky)
    part = tmp_path / "a.yaml.part"
    for end in range(len(unfinished(ONE)), len(text)):
        part.write_text(text[:end], encoding="utf-8")
        assert finished_exchanges(part) == unfinished(ONE)
    part.write_text(text, encoding="utf-8")
    assert finished_exchanges(part) == text


def test_a_recovery_that_cannot_be_written_keeps_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the recovered recording cannot be put in its place, the journal stays as it is."""

    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    part = tmp_path / "a.yaml.part"
    part.write_text(unfinished(ONE), encoding="utf-8")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CassetteError, match=r"a\.yaml: cannot be written \(No space left"):
        recover(tmp_path / "a.yaml")
    assert part.read_text(encoding="utf-8") == unfinished(ONE)


def test_journals_are_listed_by_when_they_were_written(tmp_path: Path) -> None:
    """The newest first; one that is gone meanwhile, here a link to nothing, is the oldest."""
    names = ["a.yaml.00000001.part", "a.yaml.00000002.part", "a.yaml.00000003.part", "a.yaml.00000004.part"]
    for name, written in zip(names, (5, 7, 7), strict=False):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (written, written))
    (tmp_path / names[3]).symlink_to(tmp_path / "gone")
    (tmp_path / "b.yaml.00000005.part").touch()
    assert [part.name for part in journals_of(tmp_path / "a.yaml")] == [names[1], names[2], names[0], names[3]]
    assert journals_of(tmp_path / "nowhere" / "a.yaml") == []


def test_only_the_finished_cassette_can_be_read_by_others(tmp_path: Path) -> None:
    """A journal has been looked at by nobody; a cassette keeps the mode of the one before, or gets the usual one."""
    path, usual = tmp_path / "a.yaml", tmp_path / "usual"
    usual.touch()
    for expected in (usual.stat().st_mode & 0o777, 0o640):
        journal = CassetteJournal(path)
        journal.append(chat([user("x")], "y"))
        assert journal.part.stat().st_mode & 0o777 == 0o600
        assert journal.finish()
        assert path.stat().st_mode & 0o777 == expected
        path.chmod(0o640)
