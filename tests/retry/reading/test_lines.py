"""Lines of feedback: what is a line, how deep it is, and which lines belong together."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.reading.lines import line_entries


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\\n", " \n", "\t \n"])
def test_a_place_may_be_on_the_next_line_however_lines_end(end: str) -> None:
    """Blanks at the end of a line do not part it from the next one; an empty line does."""
    text = f"Too small{end}  → at goal"
    assert [(one.path, one.message, one.start, one.end) for one in line_entries(text)] == [
        (("goal",), "Too small", 0, len(text))
    ]
    assert list(line_entries(f"Too small{end}{end}  → at goal")) == []
