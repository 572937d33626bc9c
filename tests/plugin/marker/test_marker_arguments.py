"""The bounds of a marker's arguments: the first and the last value that is taken, and the next one that is not."""

from __future__ import annotations

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.plugin.marker.marker_arguments import read_arguments

from ...support.one_item import in_one_item

FROM_1 = "expected a whole number of at least 1"
SHARE = "expected a share above 0 and at most 1"
TEXT = "expected a non-empty text"
FOLDER = "expected the name of a folder, without a path"
WORDS = "expected a list of words, for example ['volatile', 'meta.duration_s']"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_attempts", 1),
        ("samples", 1),
        ("min_pass_rate", 0.001),
        ("min_pass_rate", 1),
        ("min_pass_rate", 1.0),
        ("variant", "gpt-4.1"),
        ("max_age", "1h"),
        ("key", str),
        ("redact", ("volatile",)),
    ],
)
def test_a_value_at_the_bound_is_taken(name: str, value: object) -> None:
    """One attempt, one sample and a rate of 1 are bounds, and allowed."""
    read_arguments({name: value})


@in_one_item
@pytest.mark.parametrize(
    ("name", "value", "needed"),
    [
        ("max_attempts", 0, f"{FROM_1}, counting the first attempt"),
        ("max_attempts", True, f"{FROM_1}, counting the first attempt"),
        ("max_attempts", 2.0, f"{FROM_1}, counting the first attempt"),
        ("samples", 0, FROM_1),
        ("samples", True, FROM_1),
        ("min_pass_rate", 0, SHARE),
        ("min_pass_rate", 1.001, SHARE),
        ("min_pass_rate", True, SHARE),
        ("min_pass_rate", float("nan"), SHARE),
        ("min_pass_rate", "0.5", SHARE),
        ("cassette", "", TEXT),
        ("key", " ", TEXT),
        ("copy_check", 1, "expected True or False"),
        ("variant", ".hidden", FOLDER),
        ("variant", "up/down", FOLDER),
        ("redact", "volatile", WORDS),
        ("redact", ["volatile", " "], WORDS),
    ],
)
def test_a_value_beyond_the_bound_is_refused(name: str, value: object, needed: str) -> None:
    """True is no number, although Python counts with it: `max_attempts=True` is a slip of the pen."""
    with pytest.raises(UsageError) as error:
        read_arguments({name: value})
    assert str(error.value) == f"{name}={value!r}: {needed}"
