"""The same words after different faults: evidence of a loss where nobody can read them."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.grading.same_words import steady_words
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import Grade, ReasonCode
from pytest_planguard.retry.results import FedBack

from ....support.conversations import GOOD, PLAN, SYSTEM, Spoken, conversation
from ....support.cost import assert_growth

VAGUE = "¿Qué JSON es este?"
"""Names no place, number, value or rule: it may mean the whole answer."""
NO_GOAL = json.dumps({"tasks": [{"id": 1, "status": "Draft"}, {"id": 2, "status": "Draft"}]})
NO_STATUS = json.dumps({"goal": "Ship it", "tasks": [{"id": 1}, {"id": 2, "status": "Draft"}]})


def gradings(first: str, second: str) -> list[tuple[str, str | None]]:
    """Return grade and reason of the two findings, one after the other, with this feedback after each."""
    turns = [("system", SYSTEM), ("user", "Plan the release of version two")]
    one = [*turns, ("assistant", NO_GOAL), ("user", first)]
    two = [*one, ("assistant", NO_STATUS), ("user", second)]
    talk = conversation(Spoken(turns, NO_GOAL), Spoken(one, NO_STATUS), Spoken(two, GOOD))
    (judged,) = judge(talk, [PLAN]).conversations
    return [(c.label, c.reason) for attempt in judged.attempts for c in attempt.fed_back]


def test_within_one_recording_nothing_is_held_against_words() -> None:
    """That both miss something may be all that an app says, and true of either."""
    told = gradings("Try 1: something is missing", "Try 2: something is missing")
    assert [grade for grade, _ in told] == ["unclear", "unclear"]


def test_other_words_stay_unread() -> None:
    """Each may tell its own finding."""
    told = gradings("the aim is missing", "the state is missing")
    assert [grade for grade, _ in told] == ["unclear", "unclear"]


def test_placed_findings_are_never_overruled() -> None:
    """A text that always names both places feeds back each."""
    words = "quux goal, quux tasks[0].status"
    assert [grade for grade, _ in gradings(words, words)] == ["partial", "partial"]


class Told(BaseModel):
    """Two rules with words of their own, of places that the words do not name."""

    when: str = ""
    size: int = 1

    @field_validator("when")
    @classmethod
    def _is_day(cls, value: str) -> str:
        if value == "never":
            raise ValueError("this is no day on which anybody works here")
        return value

    @field_validator("size")
    @classmethod
    def _is_small(cls, value: int) -> int:
        if value > 9:
            raise ValueError("there is no room for so many of them")
        return value


LATE, LARGE, FINE = (json.dumps(value) for value in ({"when": "never"}, {"size": 12}, {}))


def told_after(first: str, answer: str, second: str, other: str) -> list[FedBack]:
    """Return the gradings of one finding each of two answers, with this feedback after each."""
    turns = [("user", "When, and how many of them?")]
    one = [*turns, ("assistant", answer), ("user", first)]
    two = [*one, ("assistant", other), ("user", second)]
    talk = conversation(Spoken(turns, answer), Spoken(one, other), Spoken(two, FINE))
    (judged,) = judge(talk, [Contract(Told)]).conversations
    return [fed_back for attempt in judged.attempts for fed_back in attempt.fed_back]


def labels(*turns: str) -> list[str]:
    """Return the labels of these gradings."""
    return [graded.label for graded in told_after(*turns)]


def test_a_constant_that_is_the_message_of_a_finding_says_nothing_of_it() -> None:
    """It was said before, of an answer in which another place was wrong."""
    words = "there is no room for so many of them"
    assert labels(words, LATE, words, LARGE) == ["missing", "missing"]
    assert labels("this is no day on which anybody works here", LATE, words, LARGE) == ["verbatim", "verbatim"]
    _, constant = told_after(words, LATE, words, LARGE)
    assert constant.reason == "these words answered both size and when (before)"
    assert (constant.reason_code, constant.evidence) == (ReasonCode.SAME_WORDS, None)


def test_feedback_that_is_sent_again_was_right_the_first_time() -> None:
    """Of the later answer it says nothing."""
    words = "this is no day on which anybody works here"
    assert labels(words, LATE, words, LARGE) == ["verbatim", "missing"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Try 12: 'urgent' is wrong", "try is wrong"),
        ('id 4f3a-11 and "a b" and `c`', "id and and"),
        ('"a"4f b', "b"),
        ("don't \n it's 5", "don t it s"),
        ("x'y z' 1", "x"),
        ("abc1 abc", "abc"),
        ("ÜBER  Größe", "über grösse"),
        ("", ""),
    ],
)
def test_words_without_what_differs_from_answer_to_answer(text: str, words: str) -> None:
    """Quotations, and words with a digit."""
    assert steady_words(text) == words


@given(st.text("ab1 '\"`\n-", max_size=24))
def test_a_word_with_a_digit_counts_wherever_it_is_looked_for(text: str) -> None:
    """The plain pattern says the same, in quadratic time."""
    plain = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|\S*\d\S*")
    assert steady_words(text) == " ".join(re.findall(r"\w+", plain.sub(" ", text).casefold()))


@pytest.mark.parametrize("unit", ["a", "**a", "\ud800", "'a", '\\"', "a'b\"c`", "a1 "])
def test_a_long_word_takes_linear_time(unit: str) -> None:
    """Eight times the characters cost at most twenty times as much."""
    assert_growth(lambda size: steady_words(unit * (size // len(unit))), 5_000, 40_000, below=20)


def test_at_most_three_other_places_are_named() -> None:
    """The first three of another cassette's answer, in the order of their names."""
    turns = [("user", "Count the letters of the words")]
    talk = conversation(Spoken(turns, "Hello"), Spoken([*turns, ("assistant", "Hello"), ("user", VAGUE)], GOOD))
    alone = judge(talk, [PLAN])
    (key,) = alone.answered
    elsewhere = {key: frozenset({frozenset({("d",), ("c",), ("a",), ("b",)})})}
    (told,) = judge(talk, [PLAN], elsewhere=elsewhere).conversations[0].attempts[0].fed_back
    assert (told.label, told.reason_code) == (Grade.MISSING, ReasonCode.SAME_WORDS)
    assert told.reason == "these words answered both (whole answer) and a, b, c (in another cassette)"


def test_words_are_kept_by_a_digest() -> None:
    """Of 32 characters, whatever signs they have; those of thousands of cassettes are kept."""
    turns = [("user", "Plan the release of version two")]
    one = [*turns, ("assistant", NO_GOAL), ("user", "something is missing \ud800 Größe")]
    answered = judge(conversation(Spoken(turns, NO_GOAL), Spoken(one, GOOD)), [PLAN]).answered
    assert answered == {"4d1c5c8aee039397a4f744c417587edf": frozenset({frozenset({("goal",)})})}
