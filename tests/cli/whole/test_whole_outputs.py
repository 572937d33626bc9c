"""What commands print, whole."""

from pathlib import Path

import pytest

from .printed import outputs

PINNED = Path(__file__).parent / "pinned"


@pytest.mark.parametrize("name", sorted(outputs()))
def test_an_output_is_as_before(name: str) -> None:
    """Byte by byte; `make decisions` writes the files again."""
    assert outputs()[name]() == (PINNED / name).read_text(encoding="utf-8")
