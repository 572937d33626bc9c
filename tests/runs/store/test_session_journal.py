"""The journal of a session: there while it runs, left behind by a killed one, gone after an orderly end."""

import os
import time
from pathlib import Path

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.store.store import KEPT_S, Journal, Store

ROW = '{"key":"a","test":"t::a"}'
HEADER = RunHeader("last", "0123")


def test_rows_are_on_the_disk_at_once(tmp_path: Path) -> None:
    """Nobody closes it, as when the process is killed: what it took is a run that can be named."""
    journal = Journal(Store(tmp_path), HEADER)
    journal.add(ROW)
    assert Store(tmp_path).names() == ("unfinished-0123",)
    assert [row.key for row in Store(tmp_path).load("unfinished-0123").rows] == ["a"]
    assert (tmp_path / ".planguard" / ".gitignore").read_text().endswith("\n*\n")
    journal.discard()


def test_an_orderly_end_leaves_nothing_but_the_journals_of_others(tmp_path: Path) -> None:
    """Its own journal goes, that of a session beside it stays, and one of a session killed long ago goes."""
    store = Store(tmp_path)
    mine, other = Journal(store, HEADER), Journal(store, RunHeader("last", "4567"))
    other.add(ROW)
    old = store.unfinished("89ab")
    old.write_text("")
    os.utime(old, (0, time.time() - KEPT_S - 60))
    mine.discard()
    assert store.names() == ("unfinished-4567",)
    other.discard()


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    """It is the second copy: that the run cannot be kept is told when it is saved."""
    (tmp_path / ".planguard").write_text("a file")
    journal = Journal(Store(tmp_path), HEADER)
    journal.add(ROW)
    journal.discard()
    assert (tmp_path / ".planguard").read_text() == "a file"


def test_nobody_saves_a_run_under_the_name_of_a_journal(tmp_path: Path) -> None:
    """Such a name would be taken for a session that has not ended."""
    with pytest.raises(UsageError, match=r"^'unfinished-x': names that begin with 'unfinished-' belong to sessions"):
        Store(tmp_path).save("unfinished-x", HEADER, [])
