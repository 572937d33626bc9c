"""Did you mean."""

import pytest

from pytest_planguard.errors import nearest, offer


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("min_lenght", ["max_length", "min_length"], "min_length"),
        ("HIGH", ["low", "High"], "High"),
        ("xyz", ["low", "high"], None),
        ("low", [], None),
        ("l" * 201, ["l" * 201], None),
        ("low", ["l" * 10_000, "Low"], "Low"),
        ("a", ["A", "a"], "A"),
    ],
)
def test_nearest(name, options, expected):
    """The most similar option is named whatever its case; nothing is where nothing is near or it is no name."""
    assert nearest(name, options) == expected


@pytest.mark.parametrize(
    ("near", "known", "said"),
    [
        ("gated", ("gated", "strict"), ". Did you mean 'gated'? Valid modes: gated, strict"),
        (None, ("gated", "strict"), ". Valid modes: gated, strict"),
        ("gated", (), ". Did you mean 'gated'?"),
        (None, (), ""),
    ],
)
def test_offer(near, known, said):
    """A message about an unknown name goes on with a sentence of its own for the nearest one, and one for all."""
    assert offer(near, known, listed="Valid modes") == said
