"""Ages as people write and read them."""

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.refresh.age import age_s, age_text, newest_answer
from pytest_planguard.wire.exchange import Message


def test_hours_days_and_weeks():
    """Whole numbers of the three units; spaces do not matter."""
    assert [age_s(text) for text in ("12h", "90d", " 8 w ")] == [43_200, 7_776_000, 4_838_400]


@pytest.mark.parametrize("text", ["", "90", "d", "0d", "1.5d", "3m", "-2d", "90 days"])
def test_anything_else_is_refused(text: str):
    """A limit that is read wrongly would let old cassettes through."""
    with pytest.raises(UsageError, match=f"hours, days or weeks: got {text!r}; write 12h, 90d or 8w"):
        age_s(text)


def test_ages_in_words():
    """Hours up to two days, then whole days."""
    assert [age_text(s) for s in (3_700, 7_200, 172_800, 86_400 * 1_200)] == [
        "1 hour",
        "2 hours",
        "2 days",
        "1,200 days",
    ]


def test_the_newest_answer_counts():
    """Answers without a date, or with a broken one, say nothing."""
    answers = [Message({"date": d}) for d in ("Thu, 01 Jan 1970 00:01:00 GMT", "Thu, 01 Jan 1970 00:00:30 GMT", "no")]
    assert newest_answer([*answers, Message()]) == 60
    assert newest_answer([Message()]) is None
