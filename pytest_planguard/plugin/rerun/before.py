"""What a test finds before it runs, noted for each marked test with a cassette: it may have to run again."""

from __future__ import annotations

import pytest

from .surroundings import Numbers, Surroundings
from .watching import begin_body, watch

BEFORE: pytest.StashKey[Surroundings] = pytest.StashKey()
"""What was there when its set-up began."""
DRAWN: pytest.StashKey[Numbers] = pytest.StashKey()
"""Which random numbers were next when its body began: fixtures of wider scope may have drawn some before."""


def note_before(item: pytest.Item) -> None:
    """Note what is there when the set-up of a test begins."""
    item.stash[BEFORE] = Surroundings.now()
    watch(item)


def note_body(item: pytest.Item) -> None:
    """Note what is there when its body begins."""
    begin_body(item)
    item.stash[DRAWN] = Numbers.now()
