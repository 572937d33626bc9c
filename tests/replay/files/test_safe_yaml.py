"""YAML read as plain data: what a large text must not leave behind."""

import gc

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.replay.files import safe_yaml
from pytest_planguard.replay.files.safe_yaml import TooDeepError, load_plain

LARGE = "- " + "x" * 1_100_000 + "\n"


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_collection_is_as_it_was_after_a_large_text(collecting: bool) -> None:
    """Also where the text is broken: it pauses while the text is read, and no longer."""
    was = gc.isenabled()
    (gc.enable if collecting else gc.disable)()
    try:
        assert load_plain(LARGE) == ["x" * 1_100_000]
        assert gc.isenabled() is collecting
        with pytest.raises(yaml.YAMLError):
            load_plain(LARGE + "- [")
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if was else gc.disable)()


@pytest.mark.slow
@given(
    st.integers(0, 1_000),
    st.lists(st.tuples(st.sampled_from("-?:"), st.sampled_from([" ", "\t", "  \t"])), min_size=1, max_size=12),
    st.integers(385, 420),
    st.integers(0, 1_000),
)
def test_a_chain_is_found_wherever_it_stands(ahead: int, links: list[tuple[str, str]], times: int, after: int) -> None:
    """Looking at one character in many finds just the chains that reading all of the text finds."""
    chain = ("".join(mark + blank for mark, blank in links) * times)[: 2 * times]
    text = "a" * ahead + chain + "b" * after
    assert safe_yaml._chained(text) == bool(safe_yaml._CHAIN.search(text))


@pytest.mark.parametrize("text", ["- " * 2_000 + "x", "note: hello\nlist:\n  " + "-  " * 2_000 + "x"])
def test_a_chain_of_indicators_is_refused(text: str) -> None:
    """Lists in lists on one line are as deep as brackets are."""
    with pytest.raises(TooDeepError, match="nested deeper than 1,000 levels"):
        load_plain(text)
