"""Fields read from the data of other programs: what counts as a value, and what is said of anything else."""

from collections.abc import Callable
from typing import Any

import pytest

from pytest_planguard.runs.model.codec import (
    RowError,
    count,
    inner,
    list_or_empty,
    listed,
    maybe_text,
    number,
    numbers_of,
    object_or_empty,
    objects,
    objects_or_empty,
    path_of,
    seen,
    text,
    wildcard_path_of,
)

from ...support.one_item import in_one_item

MOST = 9_007_199_254_740_992
"""The largest whole number below which a float has all others."""


@in_one_item
@pytest.mark.parametrize(
    ("value", "as_number", "as_count"),
    [
        (0, 0.0, 0), (MOST, float(MOST), MOST), (MOST + 1, None, None), (-1, -1.0, None), (-MOST, -float(MOST), None),
        (-MOST - 1, None, None), (1.5, 1.5, None), (1.0, 1.0, None), (1e300, 1e300, None), (True, None, None),
        ("1", None, None), (None, None, None), ([1], None, None),
    ],
)  # fmt: skip
def test_numbers_of_other_tools(value: Any, as_number: float | None, as_count: int | None) -> None:
    """A truth value is none, and neither is a whole number that floats do not have."""
    found, counted = number({"n": value}, "n"), count({"n": value}, "n")
    assert (found, type(found)) == (as_number, type(as_number))
    assert (counted, type(counted)) == (as_count, type(as_count))
    assert numbers_of({"n": value, "x": "y"}) == ({} if as_number is None else {"n": as_number})
    assert number({}, "n") is count({}, "n") is None


@in_one_item
@pytest.mark.parametrize(
    ("reader", "value", "said"),
    [
        (text, None, "the field 'f' must be text, got nothing"),
        (text, 3, "the field 'f' must be text, got 3"),
        (text, [1, 2], "the field 'f' must be text, got list of 2"),
        (maybe_text, 3, "the field 'f' must be text, got 3"),
        (listed, {"a": 1}, "the field 'f' must be a list, got dict of 1"),
        (objects, "x", "the field 'f' must be a list, got 'x'"),
        (objects, [{}, "x"], "the field 'f' must be a list of objects, got 'x' in it"),
        (objects, [None], "the field 'f' must be a list of objects, got nothing in it"),
        (inner, [], "the field 'f' must be an object, got list of 0"),
        (inner, False, "the field 'f' must be an object, got False"),
    ],
)
def test_a_field_of_another_type_is_named(reader: Callable[[dict[str, Any], str], Any], value: Any, said: str) -> None:
    """With what it must be, and what it is."""
    with pytest.raises(RowError) as error:
        reader({"f": value}, "f")
    assert str(error.value) == said


def test_a_field_that_is_missing_or_null_is_empty() -> None:
    """Unless it is required."""
    absent: tuple[dict[str, Any], ...] = ({}, {"f": None})
    for data in absent:
        assert (maybe_text(data, "f"), listed(data, "f"), objects(data, "f"), inner(data, "f")) == (None, [], [], {})
    given = {"t": "", "l": [1], "o": [{}], "i": {"a": 1}}
    assert (text(given, "t"), maybe_text(given, "t"), listed(given, "l")) == ("", "", [1])
    assert (objects(given, "o"), inner(given, "i")) == ([{}], {"a": 1})


def test_a_field_of_a_changing_format_is_empty_unless_it_has_its_type() -> None:
    """Nothing is said of it."""
    data: dict[str, Any] = {"o": {"a": 1}, "l": [{"a": 1}, 2], "x": "y"}
    assert [object_or_empty(data, name) for name in "olxz"] == [{"a": 1}, {}, {}, {}]
    assert [list_or_empty(data, name) for name in "olxz"] == [[], [{"a": 1}, 2], [], []]
    assert [[*objects_or_empty(data, name)] for name in "olxz"] == [[], [{"a": 1}], [], []]


@in_one_item
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "nothing"),
        ("a", "'a'"),
        (1.5, "1.5"),
        ({"a": 1}, "dict of 1"),
        ([], "list of 0"),
        ("x" * 38, f"'{'x' * 38}'"),
        ("x" * 39, f"'{'x' * 38}…"),
    ],
)
def test_a_wrong_value_in_a_message(value: Any, shown: str) -> None:
    """Its beginning, up to 40 characters, or the size of a container."""
    assert seen(value) == shown


@in_one_item
@pytest.mark.parametrize(
    ("steps", "path", "wildcard"),
    [
        ([], (), ()),
        (["a", "0"], ("a", "0"), ("a", "0")),
        (["a", 0], ("a", 0), None),
        (["a", None], None, ("a", None)),
        (["a", -1], None, None),
        (["a", True], None, None),
        (["a", 1.0], None, None),
        ([["a"]], None, None),
    ],
)
def test_paths_in_files(steps: list[Any], path: Any, wildcard: Any) -> None:
    """Keys and indices from 0, or keys and null for any item."""

    def read(reader: Callable[[dict[str, Any]], Any]) -> Any:
        try:
            return reader({"path": steps})
        except RowError as error:
            assert f", got {seen(steps[-1])} in it" in str(error)  # noqa: PT017 - the other reader takes it
            return None

    assert (read(path_of), read(wildcard_path_of)) == (path, wildcard)


def test_a_path_that_is_missing_is_the_root_or_an_error() -> None:
    """A list of known failures must say the place."""
    assert path_of({}) == path_of({"path": None}) == ()
    for data in ({}, {"path": None}):
        with pytest.raises(RowError, match=r"^the field 'path' is missing: \[\] for the whole answer$"):
            wildcard_path_of(data)
    with pytest.raises(RowError, match=r"^the field 'path' must list keys and indices from 0, got -1 in it$"):
        path_of({"path": [-1]})
    with pytest.raises(RowError, match=r"^the field 'path' must list keys, and null for any item of a list, got 0 in"):
        wildcard_path_of({"path": [0]})
