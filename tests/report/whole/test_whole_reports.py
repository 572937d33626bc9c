"""Every report, whole, in every form."""

from pathlib import Path

import pytest

from .reports import reports

PINNED = Path(__file__).parent / "pinned"


@pytest.mark.parametrize("name", sorted(reports()))
def test_a_report_is_as_before(name: str) -> None:
    """Byte by byte; `make decisions` writes the files again."""
    assert reports()[name]() == (PINNED / name).read_text(encoding="utf-8")


def test_every_file_pins_a_report() -> None:
    """None is left of a report that is gone."""
    assert {file.name for file in PINNED.iterdir()} == reports().keys()
