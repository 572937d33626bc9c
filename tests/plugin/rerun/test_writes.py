"""Which file a database is in."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_planguard.plugin.rerun.writes import database_file


@pytest.mark.parametrize(
    "database",
    [":memory:", "", "file::memory:?cache=shared", "file:name?mode=memory&cache=shared"],
)
def test_a_database_in_memory_has_none(database: str) -> None:
    """Nor has a temporary one."""
    assert database_file(database) is None


@pytest.mark.parametrize("database", ["/x/a.db", b"/x/a.db", Path("/x/a.db"), "file:/x/a.db?mode=ro", "file:///x/a.db"])
def test_a_file_by_any_name(database: str | bytes | Path) -> None:
    """A text, bytes, a path, a URI."""
    assert database_file(database) == "/x/a.db"
