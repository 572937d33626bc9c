"""What a session of pytest prints, whole."""

from pathlib import Path

import pytest

from .sessions import outputs

PINNED = Path(__file__).parent / "pinned"
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", sorted(outputs()))
def test_an_output_is_as_before(name: str) -> None:
    """Line by line; `make decisions` writes the files again."""
    assert outputs()[name]() == (PINNED / name).read_text(encoding="utf-8")
