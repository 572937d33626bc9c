"""Strategies for JSON values and texts, shared by the property tests."""

from hypothesis import strategies as st

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.text(
    "{}[]\",:' \n\r\t\\-.0123456789aeEtrufnlsN`~#<>/think*&|!%"
)
KEYS = st.text(max_size=6) | st.sampled_from(["a", "b c", "id", "0", 'q"', "a.b", "é"])
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12)
)
JSON_VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
JSON_OBJECTS = st.dictionaries(KEYS, JSON_VALUES, min_size=1, max_size=4)
INDENTS = st.sampled_from([None, 0, 2, "\t"])
