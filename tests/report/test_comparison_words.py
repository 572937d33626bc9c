"""The words of a comparison: numbers that a person reads."""

import pytest

from pytest_planguard.report.comparison_words import axis_name, figure_cells
from pytest_planguard.report.page import plain
from pytest_planguard.runs.compare.run_axes import axes_of
from pytest_planguard.runs.compare.run_diff import Axis, Figure

from ..support.runs import good, run


@pytest.mark.parametrize(
    ("figure", "told"),
    [
        (Figure("cost", 0.0000312, 0.5, "cost", 1), ("cost", "0.0000312", "0.5", "+1602464.1 %")),
        (Figure("cost", 1234.567, 12.0, "cost", 1), ("cost", "1,234.57", "12", "-99.0 %")),
        (Figure("recorded latency", 0.0104, 0.0, "s", 1), ("recorded latency (s)", "0.0104", "0", "-100.0 %")),
        (
            Figure("valid at the first attempt", 0.5, 1.0, "share", 2),
            ("valid at the first attempt", "50 %", "100 %", "+50 points"),
        ),
    ],
)
def test_a_figure_is_told_with_its_unit_and_without_powers_of_ten(figure: Figure, told: tuple[str, ...]) -> None:
    """Money below a cent is written out; seconds say that they are; a share changes in points."""
    assert tuple(map(plain, figure_cells(figure))) == told


def test_a_digest_says_what_it_is_made_from() -> None:
    """A bare digest tells a first reader nothing; a model's name speaks for itself."""
    told = {name: axis_name(Axis(name, ("0123",), ("4567",))) for name in ("contract", "model")}
    assert told == {"contract": "contract (name and a digest of its rules)", "model": "model"}


def test_many_digests_are_counted_for_each_side() -> None:
    """Two runs with as many contracts differ all the same."""
    base, candidate = (
        run("x", [good(f"c{n}", contracts=(("C", f"d{n + shift}"),)) for n in range(5)]) for shift in (0, 2)
    )
    (axis,) = axes_of(base, candidate)
    assert (axis.before, axis.after) == (
        ("5 different ones, 3 of them also now",),
        ("5 different ones, 3 of them also before",),
    )
