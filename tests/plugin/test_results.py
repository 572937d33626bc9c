"""Rows are written whole or not at all."""

import pytest

from pytest_planguard.plugin.results import write_rows


def test_writes_lines_and_ignores_itself(tmp_path):
    """One line a row, in a folder that version control leaves alone."""
    path = write_rows(tmp_path / ".planguard", ['{"a":1}', '{"b":2}'])
    assert path.read_text("ascii") == '{"a":1}\n{"b":2}\n'
    assert (tmp_path / ".planguard" / ".gitignore").read_text().endswith("\n*\n")


def test_keeps_the_users_own_ignore_file(tmp_path):
    """A changed .gitignore is not written over."""
    (tmp_path / ".gitignore").write_text("mine")
    write_rows(tmp_path, [])
    assert (tmp_path / ".gitignore").read_text() == "mine"


def test_a_failure_leaves_the_last_rows(tmp_path):
    """Where the new rows cannot be written the old ones stay."""
    path = write_rows(tmp_path, ['{"a":1}'])
    with pytest.raises(UnicodeEncodeError):
        write_rows(tmp_path, ["\ud800"])
    assert path.read_text() == '{"a":1}\n'
