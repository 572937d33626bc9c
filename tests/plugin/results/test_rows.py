"""The row of a case that only checked answers leaves out the work that its row has no use for."""

from typing import Any, cast

import pytest

from pytest_planguard.plugin.case import Case, NoRecording
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.results import rows


def fresh_case() -> Case:
    """A case that nothing happened to."""
    return Case(cast("Any", None), Spec((), 3), Settings(), "test_a.py::test_a")


class _Refused(NoRecording):
    """A recording in which a connection was refused."""

    misses = ("nothing is recorded for this test yet",)  # type: ignore[assignment]


def test_what_is_left_out_is_what_would_be_worked_out() -> None:
    """The ready-made part of a row is the one that a fresh case has, member by member and in the same order."""
    case = fresh_case()
    assert not rows._has_more_to_say(case)
    assert list(rows._rare(case).items()) == list(rows._NOTHING_RARE.items())


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("gave_up", "RetryError"),
        ("stale", ("the request changed",)),
        ("expired", ("100 days old",)),
        ("rerecord_hint", object()),
        ("rekey_command", "planguard rekey"),
        ("samples", object()),
        ("live_check", object()),
        ("proofs", (object(),)),
        ("pruned", ["old.yaml"]),
        ("scores", {"words": 1.0}),
        ("recording", _Refused()),
        ("settings", Settings(prices="prices.toml")),
    ],
)
def test_whatever_a_row_can_say_is_worked_out(attribute: str, value: object) -> None:
    """Each of the things that these members come from is noticed."""
    case = fresh_case()
    setattr(case, attribute, value)
    assert rows._has_more_to_say(case)
