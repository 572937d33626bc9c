"""YAML read as plain data: what a large text must not leave behind."""

import gc

import pytest
import yaml

from pytest_planguard.replay.plain_yaml import load_plain

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
