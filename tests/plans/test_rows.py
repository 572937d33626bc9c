"""The table of promises about plans of other systems: each row names a test that exists."""

import re
from itertools import chain
from pathlib import Path

import pytest

from ..support.one_item import in_one_item

HERE = Path(__file__).parent
PROMISED = {*chain(range(1, 32), range(35, 44), range(59, 80))}
"""The promises about plans and about the loop that makes one."""
PAGE = (HERE / "ROWS.md").read_text(encoding="utf-8")
ROWS = re.findall(r"(?m)^\| (\d+) \| .+ \| `(.+?)::(\w+).*?` \|$", PAGE)  # | 9 | … | `compat/test_a.py::test_b[c]` |
UNTESTED = re.findall(r"(?m)^- Row (\d+): ", PAGE)


@in_one_item
@pytest.mark.parametrize(("row", "path", "name"), ROWS)
def test_a_row_names_a_test_that_exists(row: str, path: str, name: str) -> None:
    """Without one the table would promise what nobody checks."""
    source = (HERE / path).read_text(encoding="utf-8")
    assert re.search(rf"^(?:async )?def {name}\(", source, re.MULTILINE)


def test_every_row_is_there() -> None:
    """And each line of the table was read."""
    assert {int(row) for row, *_ in ROWS} | {int(row) for row in UNTESTED} == PROMISED
    assert len(ROWS) == len(re.findall(r"(?m)^\| \d", PAGE))
    assert UNTESTED == ["17"]
