"""What the rows of one contract have in common: JSON text with gaps for the few members in which they differ."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...runs.model.row_write import row_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_GAP = "\x00gap\x00"
_GAP_TEXT = '"\\u0000gap\\u0000"'
_PIECES = 6
_quoted = json.encoder.encode_basestring  # in C where there is C


class RowFrame:
    """Made of the row of a test that checked one good answer; the rows of others like it are filled in.

    Thousands of parametrized answers have such rows. Filling one in takes a third of the time of making it.
    """

    def __init__(self, row: Mapping[str, Any]) -> None:
        (check,) = row["checks"]
        gaps = dict.fromkeys(("test", "line", "case", "inputs"), _GAP)
        self._pieces = row_text({**row, **gaps, "checks": [{**check, "answer": _GAP}]}).split(_GAP_TEXT)

    def filled(self, test: str, line: int, case: str, inputs: str, answer: str) -> str | None:
        """Return the row with these members, as `row_text` spells it; None where that takes more than quotes."""
        if len(self._pieces) != _PIECES:  # a name that looks like a gap
            return None
        head, to_line, to_case, to_inputs, to_answer, tail = self._pieces
        where = f"{head}{_quoted(test)}{to_line}{line}{to_case}{_quoted(case)}"
        text = f"{where}{to_inputs}{_quoted(inputs)}{to_answer}{_quoted(answer)}{tail}"
        return text if text.isascii() else None
