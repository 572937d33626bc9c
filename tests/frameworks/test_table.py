"""What the runs of frameworks left."""

from __future__ import annotations

from tools.frameworks.table import table


def test_every_case_is_right() -> None:
    """Every correct app passed and every one without its feedback failed."""
    for line in table().splitlines()[2:]:
        passed, failed = (cell.split(" of ") for cell in line.strip("| ").split(" | ")[-2:])
        assert passed[0] == passed[1] == failed[0] == failed[1]
