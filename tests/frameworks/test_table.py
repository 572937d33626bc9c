"""The page of frameworks shows what the runs left."""

from __future__ import annotations

from tools.frameworks.table import table

from ..support.paths import ROOT

PAGE = ROOT / "docs" / "reference" / "frameworks.md"


def test_the_page_shows_the_results() -> None:
    """After `make frameworks` the table is printed again and put into the page."""
    assert table() in PAGE.read_text()


def test_every_case_is_right() -> None:
    """Every correct app passed and every one without its feedback failed."""
    for line in table().splitlines()[2:]:
        passed, failed = (cell.split(" of ") for cell in line.strip("| ").split(" | ")[-2:])
        assert passed[0] == passed[1] == failed[0] == failed[1]
