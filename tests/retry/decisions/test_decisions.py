"""What `judge` and `converge` decide about conversations of every shape and words of every kind, pinned.

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
    """Grades, checks, outcomes and links; what driven loops ask; what experiments show."""
    assert_decided_as_before("retry", case)
