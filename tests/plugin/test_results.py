"""Rows are written whole or not at all."""

import json

import pytest

from pytest_planguard.plugin.results import write_rows


def test_writes_lines_and_ignores_itself(tmp_path):
    """One line a row, in a folder that version control leaves alone."""
    path = write_rows(tmp_path / ".planguard", [{"a": "\ud800ä"}, {"b": 1}])
    assert [json.loads(line) for line in path.read_text("ascii").splitlines()] == [{"a": "\ud800ä"}, {"b": 1}]
    assert (tmp_path / ".planguard" / ".gitignore").read_text().endswith("\n*\n")


def test_keeps_the_users_own_ignore_file(tmp_path):
    """A changed .gitignore is not written over."""
    (tmp_path / ".gitignore").write_text("mine")
    write_rows(tmp_path, [])
    assert (tmp_path / ".gitignore").read_text() == "mine"


def test_a_failure_leaves_the_last_rows(tmp_path):
    """A row that cannot be written changes nothing."""
    path = write_rows(tmp_path, [{"a": 1}])
    with pytest.raises(TypeError):
        write_rows(tmp_path, [{"a": object()}])
    assert path.read_text() == '{"a":1}\n'
