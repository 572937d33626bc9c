"""What `check_text` decides about plan files of every format, pinned.

`make decisions` decides again; look at what changed before it is committed.
"""

import pytest

from ...support.decisions import Case, assert_decided_as_before
from ...support.one_item import in_one_item
from .cases import CASES


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_decisions_are_as_before(case: Case) -> None:
    """Verdicts, codes and places; what is read, told and fixed."""
    assert_decided_as_before("plans", case)
