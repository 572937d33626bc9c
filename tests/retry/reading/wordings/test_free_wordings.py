"""Feedback in words that no reader was written for: the limits that the documentation states."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.judge import judge

from ....support.conversations import FREE_WORDINGS, PLAN, dialogue

GRADES = {
    "prose, every field named": ["weak", "weak", "weak"],
    "prose by position": ["weak", "weak", "weak"],
    "summary": ["wrong", "unclear", "unclear"],
    "German, with places": ["located", "located", "located"],
    "German, validator's words kept": ["verbatim", "verbatim", "verbatim"],
    "escaped in a JSON string": ["verbatim", "verbatim", "verbatim"],
    "annotated answer": ["verbatim", "located", "located"],
}


@pytest.mark.parametrize("wording", FREE_WORDINGS)
def test_the_stated_limits_hold(wording: str) -> None:
    """Each free wording gets the grades of its line in `GRADES`."""
    found = judge(dialogue(FREE_WORDINGS[wording]), [PLAN]).conversations[0]
    assert [graded.label for graded in found.attempts[0].fed_back] == GRADES[wording]
