"""What is served, refused and redacted of cassettes of every shape, pinned.

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
    """Decisions of the gate; kinds and places of secrets; what is read of files."""
    assert_decided_as_before("replay", case)
