"""Which of two possible parents is preferred."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from pytest_planguard.retry.linking.link import How, LinkEvidence

PLAIN = LinkEvidence(parent=3, how=How.ANSWER)
LESS_TO_MORE = (
    replace(PLAIN, how=How.PREFIX, position=9),
    replace(PLAIN, position=-1, exact=False, rooted=True, childless=True, prefix=True),
    replace(PLAIN, position=-1, rooted=False, childless=False, prefix=True),
    replace(PLAIN, position=-1, rooted=False, childless=True, prefix=False),
    replace(PLAIN, position=-1, rooted=False, childless=True, prefix=True),
    replace(PLAIN, position=-1, rooted=True, childless=False),
    replace(PLAIN, position=0, exact=False, childless=False),
)
"""Each is stronger than the one before it: by the later place first, then by what it is exact, rooted, childless."""


def test_the_scores() -> None:
    """What nothing but the same conversation shows counts most; a request that is merely sent again counts least."""
    scores = {how.value: how.score for how in How}
    assert scores == {"previous id": 5, "answer": 4, "prefix": 3, "quoted": 2, "rewritten": 2, "same": 1}


@pytest.mark.parametrize(("weaker", "stronger"), list(pairwise(LESS_TO_MORE)))
def test_the_stronger_is_preferred(weaker: LinkEvidence, stronger: LinkEvidence) -> None:
    """The order of what is compared."""
    assert weaker.strength < stronger.strength
    later = replace(weaker, parent=99, unrepeated=True)
    assert later.rank < replace(stronger, unrepeated=False).rank


def test_what_is_not_said() -> None:
    """Evidence is exact, at no single item, and nothing else reacts to the parent."""
    assert LinkEvidence(3, How.ANSWER, -1, True, False, False, True, True) == PLAIN


def test_among_equals_the_latest_that_was_not_sent_again_wins() -> None:
    """Retries follow at once."""
    assert PLAIN.rank < replace(PLAIN, parent=4).rank
    assert replace(PLAIN, parent=4, unrepeated=False).rank < PLAIN.rank
