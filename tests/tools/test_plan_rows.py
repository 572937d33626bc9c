"""The table of promises about plans of other systems: each row has a test that exists, and a break that still fits."""

import re
from itertools import chain

import pytest

from tools.plan_rows.__main__ import ROOT, page
from tools.plan_rows.breaks import BREAKS, LEFT, Break

ROWS = {*chain(range(4, 15), range(19, 32), range(35, 44), range(59, 70), range(77, 80))}
"""The promises that are this project's; the others are those of its other parts."""


@pytest.mark.parametrize("one", BREAKS, ids=lambda one: f"{one.row}-{one.test.rpartition('::')[2]}")
def test_a_row_names_a_test_that_exists_and_code_that_can_be_broken(one: Break) -> None:
    """Without one of the two the table would promise what nobody checks."""
    path, _, name = one.test.partition("::")
    source = (ROOT / "tests/plans" / path).read_text(encoding="utf-8")
    assert re.search(rf"^(?:async )?def {re.escape(name.partition('[')[0])}\(", source, re.MULTILINE)
    assert one.old in (ROOT / "pytest_planguard" / one.file).read_text(encoding="utf-8")
    assert one.old != one.new


def test_every_row_is_there_and_the_page_is_the_one_that_the_tool_writes() -> None:
    """`python -m tools.plan_rows > tests/plans/ROWS.md` writes it."""
    assert {one.row for one in BREAKS} | {row for row, _ in LEFT} == ROWS
    assert {row for row, _ in LEFT} == {79}
    assert (ROOT / "tests/plans/ROWS.md").read_text(encoding="utf-8") == page()
