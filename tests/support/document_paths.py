"""Strategies for paths of findings, including keys that look like indices, wildcards or paths."""

from hypothesis import strategies as st

from .json_values import ANY_TEXT

ODD_KEYS = ("", "0", "1", "2024", "-1", "*", "[*]", "a/b", "a.b", "~", "~1", "/", '"', "(whole answer)", "null")


def _joined(text: str) -> str:
    """Return the text with each pair of surrogates as its character: JSON spells both the same."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


KEYS = st.sampled_from(ODD_KEYS) | ANY_TEXT.map(_joined)
PATHS = st.lists(KEYS | st.integers(0, 3) | st.integers(0, 2**53), max_size=4).map(tuple)
"""Keys and indices from 0."""
WILDCARD_PATHS = st.lists(KEYS | st.none(), max_size=4).map(tuple)
"""Keys, and None for any item of a list."""
