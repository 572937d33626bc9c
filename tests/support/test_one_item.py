"""A test of many cases runs each, and fails with all that fail."""

from __future__ import annotations

import pytest

from .one_item import in_one_item

RAN: list[tuple[int, str]] = []


@in_one_item
@pytest.mark.slow
@pytest.mark.parametrize("text", ["x", pytest.param("y", id="why")])
@pytest.mark.parametrize(("number", "odd"), [(1, True), (2, False), (3, False), (4, True)])
def several(number: int, odd: bool, text: str) -> None:
    """Look at a number of which half are described wrongly, and skip a case."""
    RAN.append((number, text))
    if (number, text) == (4, "y"):
        pytest.skip("this one alone")
    assert odd == number % 2


def test_all_cases_run_and_all_failures_are_reported() -> None:
    """Each with what it was given; a skipped case is none of them. Other marks stay."""
    with pytest.raises(BaseExceptionGroup, match=r"^3 cases failed") as failed:
        several()
    assert sorted(RAN) == [(number, text) for number in (1, 2, 3, 4) for text in ("x", "y")]
    assert {type(one) for one in failed.value.exceptions} == {AssertionError}
    notes = [one.__notes__[-1] for one in failed.value.exceptions]
    assert sorted(notes) == [f"in the case {{'number': {n}, 'odd': {o}, 'text': '{t}'}}" for n, o, t in [
        (3, False, "x"), (3, False, "y"), (4, True, "x"),
    ]]  # fmt: skip
    assert [mark.name for mark in several.pytestmark] == ["slow"]  # type: ignore[attr-defined]
