"""YAML read as plain data: what a large text must not leave behind."""

import gc
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files import safe_yaml
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.files.safe_yaml import TooDeepError, load_plain

from ...support.cost import peak_memory

RECORDED = """interactions:
- request: {method: {}, uri: {}, body: {}, headers: {a: {}}}
  response: {status: {code: {}, message: {}}, body: {string: {}}, headers: {{}: [{}]}}
"""
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


PAST_ANY_FLOAT = ":".join(["59"] * 400)
"""A number of base 60 with 400 places: larger than a float can be."""
IN_BASE_60 = ["1:30", "190:20:30", "-1:30.5", f"{PAST_ANY_FLOAT}", f"{PAST_ANY_FLOAT}.5"]


@pytest.mark.parametrize("text", IN_BASE_60, ids=lambda text: text[:12])
@pytest.mark.parametrize("filler", ["", "# " + "x" * 60_000 + "\n"], ids=["nodes", "events"])
def test_digits_with_colons_are_a_text(text: str, filler: str) -> None:
    """YAML 1.1 reads them as numbers of base 60, which nobody writes: a time of day stays what it is."""
    assert load_plain(f"{filler}at: {text}\n") == {"at": text}


@pytest.mark.slow
@given(
    st.sampled_from(["", "!!float ", "!!int ", "!!timestamp ", "!!bool ", "!!binary ", "!!set ", "!!omap ", "!!a "]),
    st.one_of(
        st.sampled_from([*IN_BASE_60, "[1]", "{a: 1}", "0x", "_", "+", ".", "''", "~", "2026-01-01 00:00:00 +99:99"]),
        st.from_regex(r"[-+]?0?[xob]?[0-9a-f_:.]{1,12}(e[-+]?[0-9]{1,5})?", fullmatch=True),
        st.integers(300, 20_000).map(lambda n: "0x" + "f" * n),
        st.integers(300, 20_000).map(lambda n: "9" * n),
    ),
    st.sampled_from(["interactions: []\nx: {}\n", "interactions:\n- {}\n", "? {}\n: 1\n", "- {}\n", RECORDED]),
    st.booleans(),
)
def test_no_value_ends_in_anything_but_data_or_a_cassette_error(tag: str, text: str, form: str, large: bool) -> None:
    """Whatever PyYAML's own converters raise, and wherever the value stands."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.yaml")
        path.write_text(form.replace("{}", tag + text) + ("# " + "x" * 60_000 if large else ""), "utf-8")
        with suppress(CassetteError):
            assert read_cassette(path).exchanges is not None


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
