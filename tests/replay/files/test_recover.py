"""Journals beside a cassette: which they are, what is recovered of them, and why not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import (
    CassetteJournal,
    cassette_of,
    count_exchanges,
    finished_exchanges,
    holder,
    is_locked,
    recover,
)
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.names import keep_replaced, restore

from ...support.exchanges import chat, unfinished, user, write
from ...support.one_item import in_one_item

ONE = chat([user("one")], "first")
TWO = chat([user("two")], "second")


@in_one_item
@pytest.mark.parametrize(
    ("name", "cassette"),
    [
        ("a.yaml.part", "a.yaml"),
        ("a.yaml.1f0a93c2.part", "a.yaml"),
        ("a.yaml.part.1", "a.yaml"),
        ("a.yaml.1f0a93c2.part.123456789", "a.yaml"),
        ("a.yaml.1f0a93c.part", "a.yaml.1f0a93c"),
        ("a.yaml.1F0A93C2.part", "a.yaml.1F0A93C2"),
        ("a.part", "a"),
        ("a.yaml.part.1234567890", None),
        ("a.yaml", None),
        ("a.yaml.part.x", None),
        (".part", None),
    ],
)
def test_the_name_of_a_journal_leads_to_its_cassette(name: str, cassette: str | None) -> None:
    """With the eight digits of its session, or without, and with a number behind it."""
    assert cassette_of(Path("folder", name)) == (cassette and Path("folder", cassette))


def refusal(path: Path, part: Path | None = None, root: Path | None = None) -> str:
    """Why nothing is recovered."""
    with pytest.raises(CassetteError) as told:
        recover(path, part, root=root)
    return str(told.value)


def test_why_nothing_is_recovered(tmp_path: Path) -> None:
    """Each file is named, with what to do about it."""
    path, part = tmp_path / "a.yaml", tmp_path / "a.yaml.part"
    assert refusal(path) == f"{part}: cannot be read (No such file or directory)"
    part.write_text(unfinished(ONE)[:-1], "utf-8")
    assert refusal(path) == f"{part}: has no finished exchange; record the test again"
    part.write_text(unfinished(TWO), "utf-8")
    write(path, ONE)
    assert refusal(path) == (
        f"{path}: there is a finished cassette; recover {part.name} with --replace, which keeps that one for "
        f"`planguard cassette restore`, or remove {part.name}"
    )
    (tmp_path / ".planguard").touch()
    kept = tmp_path / ".planguard" / "replaced"
    assert refusal(path, root=tmp_path) == (f"{kept}: cannot be written, so {path} is not replaced; make it writable")
    assert path.read_text("utf-8") == render([ONE])
    assert part.read_text("utf-8") == unfinished(TWO)


def test_what_is_recovered_in_place_of_a_cassette_can_be_undone(tmp_path: Path) -> None:
    """The cassette that was there is kept; the journal is gone, and the number of exchanges is told."""
    path, part = write(tmp_path / "a.yaml", ONE), tmp_path / "a.yaml.part"
    part.write_text(unfinished(TWO, ONE), "utf-8")
    assert recover(path, part, root=tmp_path) == 2
    assert path.read_text("utf-8") == render([TWO, ONE])
    assert not part.exists()
    restore(path)
    assert path.read_text("utf-8") == render([ONE])


def test_the_latest_journal_is_recovered(tmp_path: Path) -> None:
    """Unless another one is named."""
    names = ("a.yaml.00000001.part", "a.yaml.00000002.part", "a.yaml.00000003.part")
    for number, name in enumerate(names):
        (tmp_path / name).write_text(unfinished(*[ONE] * (number + 1)), "utf-8")
        os.utime(tmp_path / name, (9 - number, 9 - number))
    assert recover(tmp_path / "a.yaml", tmp_path / names[2]) == 3
    (tmp_path / "a.yaml").unlink()
    assert recover(tmp_path / "a.yaml") == 1
    assert [file.name for file in tmp_path.glob("*.part")] == [names[1]]


def test_a_journal_that_a_session_writes_is_left_to_it(tmp_path: Path) -> None:
    """Another session of the same test is told as well, and by whom it is written."""
    path = tmp_path / "a.yaml"
    journal = CassetteJournal(path)
    journal.append(ONE)
    try:
        if not journal.locked:
            pytest.skip("this file system has no locks")
        assert is_locked(journal.part)
        taken = (
            f"{journal.part}: another session records this test now: got {holder(journal.part)}; wait until it ends, "
            "then record again. No finished cassette was changed"
        )
        assert refusal(path) == taken
        with pytest.raises(CassetteError) as told:
            CassetteJournal(path)
        assert str(told.value) == taken
    finally:
        journal.abandon()
    assert not is_locked(journal.part)
    assert holder(tmp_path / "absent") == holder(journal.part) == "another process"
    following = CassetteJournal(path)
    following.abandon()
    assert following.interrupted == (journal.part,)


def test_a_journal_that_was_moved_is_not_finished(tmp_path: Path) -> None:
    """The file in its place is another one."""
    journal = CassetteJournal(tmp_path / "a.yaml")
    journal.append(ONE)
    journal.part.rename(tmp_path / "moved")
    journal.part.touch()
    with pytest.raises(CassetteError) as told:
        journal.finish()
    assert str(told.value) == (
        f"{journal.part}: is no longer the file of this session; it was moved or removed. "
        "Record the test again. No finished cassette was changed"
    )
    assert not (tmp_path / "a.yaml").exists()


def test_exchanges_of_a_journal_are_counted_by_their_first_lines(tmp_path: Path) -> None:
    """A body that has such a line is indented; half a character at the end is passed over."""
    text = unfinished(chat([user("- request:\n- request:")], "x"), TWO)
    assert [count_exchanges(one) for one in ("", text, text.replace("\n- request:\n", "\n- request: x\n"))] == [0, 2, 0]
    part = tmp_path / "a.yaml.part"
    part.write_bytes(text.encode() + b"- request:\n    body: caf\xc3")
    assert finished_exchanges(part) == text
    part.write_bytes(b"# another head\n" + text.encode())
    assert finished_exchanges(part) == ""


def test_a_folder_that_cannot_be_written_is_told_with_the_way_out(tmp_path: Path) -> None:
    """Before anything is sent."""
    (tmp_path / "file").touch()
    with pytest.raises(CassetteError) as told:
        CassetteJournal(tmp_path / "file" / "a.yaml")
    assert str(told.value).partition(".part: ")[2] == (
        "cannot be written (File exists); make room or make the folder writable, then record again. "
        "No finished cassette was changed"
    )
    assert not keep_replaced(tmp_path / "file", tmp_path / "a.yaml", b"")
