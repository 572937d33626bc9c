"""Ids behind words such as "depends on", at the bounds of the clause that they stand in."""

from __future__ import annotations

import pytest

from pytest_planguard.plans.reading.dependency_text import ids_after

TEXT = "It depends on T1, T2 and T3; T4"


@pytest.mark.parametrize(
    ("end", "ids"),
    [
        ("T1", []),
        (", T2", ["T1"]),
        ("T2", ["T1"]),
        (" and", ["T1", "T2"]),
        ("T3", ["T1", "T2"]),
        ("; T4", ["T1", "T2", "T3"]),
        ("T4", ["T1", "T2", "T3"]),
    ],
)
def test_ids_that_begin_before_the_end_of_the_clause(end: str, ids: list[str]) -> None:
    """One that begins where the clause ends is not of it."""
    start = TEXT.index("on ") + 2
    assert [one.id for one in ids_after(TEXT, start, TEXT.index(end), r"T\d+")] == ids
