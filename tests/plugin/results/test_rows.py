"""The row of a case that only checked answers leaves out the work that its row has no use for."""

from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.plugin.case import Case, NoRecording
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.results import rows
from pytest_planguard.plugin.results.row_frame import RowFrame
from pytest_planguard.runs.model.row_write import row_text

TEXTS = st.text(st.characters(codec="utf-8")) | st.text(st.characters(max_codepoint=127)) | st.text()
"""Half of them are such as a frame takes; lone surrogates are among the others."""


def row(test: str, line: int, case: str, inputs: str, answer: str) -> dict[str, Any]:
    """A row with a member before, between and behind those in which rows differ."""
    check = {"contract": "Ticket", "ok": True, "answer": answer, "findings": []}
    where = {"schema": 1, "test": test, "line": line, "case": case, "inputs": inputs}
    return {**where, "result": "passed", "checks": [check], "scores": {}}


FRAME = RowFrame(row("test_a.py::test_a[0]", 3, "test_a.py::test_a[0]", "0123456789ab", "{}"))


@given(TEXTS, st.integers(0), TEXTS, TEXTS, TEXTS)
@example("test_a.py::test_a[\x00gap\x00]", 3, "\x00gap\x00", "0123", '"\x7f\\\n')
def test_a_row_in_a_frame_is_the_row_itself(test: str, line: int, case: str, inputs: str, answer: str) -> None:
    """Whatever differs between rows, a frame gives the same bytes as the encoder, or leaves it to the encoder."""
    text = FRAME.filled(test, line, case, inputs, answer)
    plain = all(one.isascii() for one in (test, case, inputs, answer))
    assert text == (row_text(row(test, line, case, inputs, answer)) if plain else None)


def test_a_member_that_looks_like_a_gap_leaves_the_row_to_the_encoder() -> None:
    """No row is cut in the wrong place."""
    frame = RowFrame({**row("a", 1, "a", "a", "a"), "result": "\x00gap\x00"})
    assert frame.filled("a", 1, "a", "a", "a") is None


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
