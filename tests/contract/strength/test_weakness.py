"""The message about a contract that accepts too many mutants."""

from __future__ import annotations

import pytest

from pytest_planguard.contract.strength.measure import percent, weakness
from pytest_planguard.contract.strength.operators import LOREM

from .test_measure import strength


@pytest.mark.parametrize(
    ("share", "words"), [(0, "0%"), (0.29, "29%"), (0.999, "99%"), (1, "100%"), (0.005, "0%"), (0.57, "57%")]
)
def test_a_share_is_rounded_down(share: float, words: str) -> None:
    """Only all of them are 100 %."""
    assert percent(share) == words


def test_ten_groups_of_accepted_mutants_are_shown() -> None:
    """The others are counted; a long value is cut, and a key that was taken out is named as left out."""
    names = [f"k{number:02}" for number in range(12)]
    result = strength(answers=[dict.fromkeys(names, "x" * 99)], schema=dict, operators=["drop", "glued"])
    lines = weakness(result, 0.5).splitlines()
    assert lines[0] == "dict is too weak: got 0 of 24 mutants killed (0%), expected at least 50%; it accepts:"
    assert lines[1:12] == [*(f"  drop {name}: left out" for name in names[:10]), "  and 14 more"]
    glued = strength(answers=[{"k": "x" * 99}], schema=dict, operators=["lorem"])
    assert weakness(glued, 1).splitlines()[1] == f'  lorem k: "{LOREM}'[: len("  lorem k: ") + 80]
