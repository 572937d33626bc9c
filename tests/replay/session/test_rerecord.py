"""Ages as people write and read them, and what recording again would take."""

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.session.rerecord import RerecordHint, age_s, age_text, newest_answer, rerecord_hint
from pytest_planguard.wire.exchange import Exchange, Message, Usage


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


COMMAND = "pytest test_app.py::test_ticket --planguard-record=stale"


def test_the_estimate_is_what_the_recording_took():
    """Calls are counted, tokens added up as far as the answers tell; the whole line can be typed."""
    told = [Exchange(1, "openai.chat", usage=Usage(1_000, 30)), Exchange(2, "openai.chat", usage=Usage(200))]
    assert str(rerecord_hint(COMMAND, told)) == f"{COMMAND} # about 2 calls, 1,230 tokens"
    assert str(rerecord_hint(COMMAND, told[:1])) == f"{COMMAND} # about 1 call, 1,030 tokens"


def test_what_is_unknown_is_not_told():
    """Answers without counts give no tokens, and where nothing is recorded there is no estimate."""
    assert str(rerecord_hint(COMMAND, [Exchange(1, "raw")])) == f"{COMMAND} # about 1 call"
    assert rerecord_hint(COMMAND, []) == RerecordHint(COMMAND, 0)
    assert str(rerecord_hint(COMMAND, [])) == COMMAND
