"""Copies: the same words in the same order, but for case and punctuation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.copied_text import copied_from, source, spaced_words

WORDS = st.lists(st.sampled_from(["sweep", "the", "floor", "rest", "well"]), min_size=1, max_size=8)


@given(WORDS, WORDS, WORDS, st.integers(1, 5))
def test_words_that_a_source_holds_are_copied_from_it(words, before, after, least):
    """Law: a run of words from a source is a copy exactly when it is long enough, however it is written."""
    known = source("an example", f"{' '.join(before)}, {' '.join(words)}! {' '.join(after)}")
    assert (copied_from(" ".join(words).upper(), [known], least) == "an example") == (len(words) >= least)


@given(WORDS, WORDS, WORDS)
def test_only_what_stands_in_no_allowed_text_is_copied(words, before, after):
    """Law: words of an allowed text are no copy; the name comes from the first source that does not allow them."""
    text = " ".join(words)
    allowed = source("an example", text, "something else", f"{' '.join(before)} {text} {' '.join(after)}")
    assert copied_from(text, [allowed], 1) is None
    assert copied_from(text, [allowed, source("the feedback", text)], 1) == "the feedback"


@pytest.mark.parametrize("text", ["2026-01-15", "550e8400-e29b-41d4-a716-446655440000", "ada.lovelace@mail.test"])
def test_a_date_an_id_and_an_address_are_one_word(text):
    """They may be equal without being copied."""
    assert copied_from(text, [source("the prompt", f"due on {text}, please")], 2) is None


def test_words_are_compared_whole():
    """A part of a word is not that word."""
    assert copied_from("art of war", [source("the prompt", "start of warning")], 3) is None
    assert spaced_words("Art, of WAR!") == " art of war "
