"""What `Contract.check` decides about answers of every kind, and what goes into feedback, pinned.

`make decisions` decides again; look at what changed before it is committed.
"""

from importlib.metadata import version

import pytest

from ...support.decisions import Case, assert_decided_as_before
from ...support.one_item import in_one_item
from .cases import CASES

NEWEST = {"models": "pydantic", "places": "pydantic", "codes": "pydantic", "json_schemas": "jsonschema_rs"}
"""Cases that rest on what a library finds: an older one finds it in another order, or under another code."""
OLD = {"pydantic": (2, 12), "jsonschema_rs": (0, 60)}


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_decisions_are_as_before(case: Case) -> None:
    """Kinds, codes, places and values; which findings feedback names."""
    library = NEWEST.get(case.__name__)
    if library is not None and tuple(map(int, version(library).split(".")[:2])) < OLD[library]:
        pytest.skip(f"the installed {library} is older than the decisions")
    assert_decided_as_before("contract", case)
