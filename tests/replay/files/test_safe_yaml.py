"""YAML read as plain data, from the events of the parser alone."""

from collections.abc import Callable
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


@pytest.mark.parametrize("text", ["- " * 2_000 + "x", "note: hello\nlist:\n  " + "-  " * 2_000 + "x"])
def test_a_chain_of_indicators_is_refused(text: str) -> None:
    """Lists in lists on one line are as deep as brackets are."""
    with pytest.raises(TooDeepError, match=r"^nested deeper than 1,000 levels$"):
        load_plain(text)


PAST_ANY_FLOAT = ":".join(["59"] * 400)
"""A number of base 60 with 400 places: larger than a float can be."""
IN_BASE_60 = ["1:30", "190:20:30", "-1:30.5", f"{PAST_ANY_FLOAT}", f"{PAST_ANY_FLOAT}.5"]


@pytest.mark.parametrize("text", IN_BASE_60, ids=lambda text: text[:12])
def test_digits_with_colons_are_a_text(text: str) -> None:
    """YAML 1.1 reads them as numbers of base 60, which nobody writes: a time of day stays what it is."""
    assert load_plain(f"at: {text}\n") == {"at": text}


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
)
def test_no_value_ends_in_anything_but_data_or_a_cassette_error(tag: str, text: str, form: str) -> None:
    """Whatever PyYAML's own converters raise, and wherever the value stands."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.yaml")
        path.write_text(form.replace("{}", tag + text), "utf-8")
        with suppress(CassetteError):
            assert read_cassette(path).exchanges is not None


PIECES = st.sampled_from([
    "a", "k", ": ", "- ", "\n", "\n", "  ", "    ", "[", "]", "{", "}", ",", "&x ", "*x", "&y ", "*y", "<<: ", "? ",
    "'", '"', "1", "0x1f", "2026-13-45", "2026-01-01", "no", "~", "=", "1.5", "!!int ", "!!python/tuple ", "!a ",
    "12:30", "!!int 12:30", "!!float 0x1",
    "---\n", "...\n", "|\n ", "#", "!!binary ", "!!timestamp ", "é", "\t", "!!set ", "!!null ",
])  # fmt: skip


def outcome(load: Callable[[str], Any], text: str) -> str | None:
    """Return the data of a document as it is written; None for one that cannot be read."""
    try:
        return repr(load(text))
    except (yaml.YAMLError, ValueError, TypeError, IndexError, AttributeError):
        return None


@given(st.lists(PIECES, max_size=14).map("".join))
@example("a: &x [1, *x]\nb: *x\n")
@example("a: &x {b: 1}\nc:\n  <<: *x\n  <<: 2\n")
@example("<<: 1\n'<<': 2\n=: 3\n- <<\n")
@example("? &x a\n: *x\n")
@example("a: 1\na: 2\n")
@example("# nothing\n")
def test_data_is_what_pyyaml_constructs(text: str) -> None:
    """Wherever its own constructor knows the tags: anchors, merge keys, dates, numbers, members that come twice."""
    expected = outcome(lambda text: yaml.load(text, safe_yaml._plain_loader()), text)
    if expected is not None:
        assert outcome(load_plain, text) == expected


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("!!python/tuple [1, 2]", [1, 2]),
        ("!!python/unicode 'a'", "a"),
        ("a: &x !!python/object/new:b.C [1]\nc: *x", {"a": 1, "c": 1}),
        ("!!python/object/new:b.C {state: [1, 2]}", 1),
        ("!!set {a, b}", {"a": None, "b": None}),
        ("!a {args: [1]}", {"args": [1]}),
    ],
)
def test_tags_stand_for_the_arguments_that_they_carry(text: str, data: object) -> None:
    """Nothing is called; other tags change nothing."""
    assert load_plain(text) == data


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: *nobody\n", "found undefined alias 'nobody'"),
        ("a: 1\n---\nb: 2\n", "another document begins here, but only one is expected"),
        ("? [a]\n: 1\n", "found unhashable key"),
        ("a: &x {b: 1}\nc:\n  <<: 2\n", "expected a mapping or list of mappings for merging"),
        ("a: !!int [1]", "expected a scalar"),
    ],
)
def test_what_is_no_document_has_a_place(text: str, problem: str) -> None:
    """As for what the parser itself refuses."""
    with pytest.raises(yaml.MarkedYAMLError, match=problem) as told:
        load_plain(text)
    assert told.value.problem_mark is not None


def test_an_alias_is_the_very_value_that_it_repeats() -> None:
    """A list within itself stays one."""
    data: Any = load_plain("a: &x [1]\nb: *x\nc: &y [*y]\n")
    assert data["b"] is data["a"]
    assert data["c"][0] is data["c"]


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["- a\n", "- 1\n", 'a: {"b": [{"c": "d"}]}\n'])
def test_many_small_values_take_little_memory(unit: str) -> None:
    """Each node took some 360 bytes: ninety times a text of one-letter words."""
    text = unit * (60_000 // len(unit))
    load_plain(unit)
    assert peak_memory(lambda: load_plain(text)) < 20 * len(text)
