"""A large YAML document is read without its nodes: the same data, the same errors, a tenth of the memory."""

from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.replay.files import safe_yaml
from pytest_planguard.replay.files.safe_yaml import load_plain

from ...support.cost import peak_memory

PIECES = st.sampled_from([
    "a", "k", ": ", "- ", "\n", "\n", "  ", "    ", "[", "]", "{", "}", ",", "&x ", "*x", "&y ", "*y", "<<: ", "? ",
    "'", '"', "1", "0x1f", "2026-13-45", "2026-01-01", "no", "~", "=", "1.5", "!!int ", "!!python/tuple ", "!a ",
    "12:30", "!!int 12:30", "!!float 0x1",
    "---\n", "...\n", "|\n ", "#", "!!binary ", "!!timestamp ", "é", "\t", "!!set ", "!!null ",
])  # fmt: skip


def outcome(text: str, characters: int) -> tuple[str, str]:
    """What comes of a document where nodes are left out from so many characters on: its data, or its error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(safe_yaml, "_MANY", characters)
        try:
            return "data", repr(load_plain(text))
        except (yaml.YAMLError, ValueError) as error:
            return type(error).__name__, str(error)


@given(st.lists(PIECES, max_size=14).map("".join))
@example("a: &x [1, *x]\nb: *x\n")
@example("- &x a\n- *x\n- &x b\n")
@example("a: &x {b: 1}\nc:\n  <<: *x\n  <<: 2\n")
@example("<<: 1\n'<<': 2\n=: 3\n- <<\n")
@example("? [a]\n: 1\n")
@example("? &x a\n: *x\n")
@example("a: *nobody\n")
@example("!!python/tuple [1, 2]")
@example("a: 2026-13-45\nb: [")
@example("a: !!int b\n")
@example("a: 1\n---\nb: 2\n")
@example("a: 1\na: 2\n")
@example("# nothing\n")
def test_data_and_errors_are_the_same_without_nodes(text: str) -> None:
    """Whatever the document has: anchors, merge keys, tags, several documents, what is broken."""
    assert outcome(text, 0) == outcome(text, 10**9)


def test_an_alias_is_the_very_value_that_it_repeats() -> None:
    """A list within itself stays one."""
    text = "a: &x [1]\nb: *x\nc: &y [*y]\n" + "#\n" * 30_000
    data: Any = load_plain(text)
    assert data["b"] is data["a"]
    assert data["c"][0] is data["c"]


@pytest.mark.parametrize("unit", ["- a\n", "- 1\n", 'a: {"b": [{"c": "d"}]}\n'])
def test_many_small_values_take_little_memory(unit: str) -> None:
    """Each node took some 360 bytes: ninety times a text of one-letter words."""
    text = unit * (60_000 // len(unit))
    load_plain(unit)
    assert peak_memory(lambda: load_plain(text)) < 20 * len(text)
