"""The words of a comparison: numbers that a person reads."""

import pytest

from pytest_planguard.report.diff_words import figure_text
from pytest_planguard.runs.figures import Figure


@pytest.mark.parametrize(
    ("figure", "told"),
    [
        (Figure("cost", 0.0000312, 0.5, 1, "cost"), ("cost", "0.0000312", "0.5", "+1602464.1 %")),
        (Figure("cost", 1234.567, 12.0, 1, "cost"), ("cost", "1,234.57", "12", "-99.0 %")),
        (Figure("recorded latency", 0.0104, 0.0, 1, "s"), ("recorded latency (s)", "0.0104", "0", "-100.0 %")),
        (
            Figure("valid at the first attempt", 0.5, 1.0, 2),
            ("valid at the first attempt", "50 %", "100 %", "+50 points"),
        ),
    ],
)
def test_a_figure_is_told_with_its_unit_and_without_powers_of_ten(figure: Figure, told: tuple[str, ...]) -> None:
    """Money below a cent is written out; seconds say that they are; a share changes in points."""
    assert figure_text(figure) == told
