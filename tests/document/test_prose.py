"""Answers without a document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.document.prose import classify, repeated_end


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that request.",
        "I\u2019m sorry, but I can\u2019t assist with that.",
        "I cannot provide that information.",
        "Unfortunately, I am unable to generate this plan.",
        "As an AI language model I will not produce such content.",
        "I won't write that.",
        "Das geht nicht: Ich kann dabei leider nicht helfen.",
        "Je ne peux pas répondre à cette demande.",
        "Lo siento, no puedo ayudar con eso.",
    ],
)
def test_refusals(text):
    """Prose that declines is a refusal."""
    assert classify(text) == ("refusal", "the answer declines")


@pytest.mark.parametrize(
    "text",
    [
        "Which printer is it?",
        "Could you let me know whether you'd like more? For example:\n1. Additional levers\n2. Other options",
        "要哪一个？",
        "Would you like me to continue? I can do so at once.",
    ],
)
def test_questions(text):
    """Prose that asks the user is a question back."""
    assert classify(text) == ("ask_back", "the answer asks a question")


@pytest.mark.parametrize(
    "text",
    [
        "Here is the plan. It has three steps.",
        "Sorry for the delay. The plan has three steps.",
        "The user cannot log in, so I created a ticket.",
        "What follows is a plan: who does it? The team does.",
        "Let me know which one you like.",
        "",
    ],
)
def test_prose(text):
    """Everything else is prose: a refusal ends asking again, so doubt is no refusal."""
    assert classify(text) == ("prose", "the answer is prose")


@pytest.mark.slow
@given(st.text(min_size=1, max_size=60), st.text(max_size=200), st.integers(0, 59))
def test_loops_are_found(piece, before, cut):
    """Law: a piece that fills 1,200 characters and stands 20 times at the end is a loop, cut anywhere."""
    text = before + piece * max(20, 1200 // len(piece) + 1) + piece[:cut]
    repeated = repeated_end(text)
    assert repeated is not None
    assert text.endswith(repeated * 8)


@pytest.mark.parametrize(
    "text",
    [
        "word " * 20,
        " ".join(str(n) for n in range(2_000)),
        "The same start. " * 40 + "And then an end.",
        "x" * 399,
        ", ".join(f'{{"id": {n}, "done": false}}' for n in range(400)),
    ],
)
def test_what_is_no_loop(text):
    """Short repetitions, lists of alike items and repetitions that end are no loops."""
    assert repeated_end(text) is None
