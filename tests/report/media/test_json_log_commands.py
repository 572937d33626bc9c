"""JSON that a build log shows gives it no command, and means the same."""

import json

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.report.plain_text import json_text

TEXTS = st.lists(st.sampled_from(["##[", "::", ":", "\n", "#", "[", "\\", '"', "set-output"])).map("".join)


@given(st.recursive(TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=12))
def test_no_command_is_in_the_text_and_the_data_stay_equal(value: object) -> None:
    """Law: no `##[` and no `::` anywhere, whatever a model wrote."""
    text = json_text(value)
    assert "##[" not in text
    assert "::" not in text
    assert json.loads(text) == value
