"""What a retry says again, whichever way an app words it."""

from pytest_planguard.runs.model.judged_answers import LONGEST, Said, first_request, new_messages
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

PROMPT = [("system", "Write a ticket."), ("user", "the printer is on fire")]


def sent(*said: tuple[str, str]) -> Exchange:
    """An exchange with this request."""
    return Exchange(1, "openai.chat", request=tuple(Item(ItemKind.TEXT, Role(role), text) for role, text in said))


def test_turns_of_their_own_are_new() -> None:
    """The answer that goes back is the model's and not told; the same words said before are told again."""
    again = sent(*PROMPT, ("assistant", "{}"), ("user", "title is missing"))
    assert new_messages(sent(*PROMPT), again) == (Said("user", "title is missing"),)
    twice = sent(*PROMPT, ("assistant", "{}"), ("user", "title is missing"), ("user", "title is missing"))
    assert new_messages(again, twice) == (Said("user", "title is missing"),)


def test_of_a_prompt_that_grew_the_new_words_are_told() -> None:
    """The problems below the first prompt, not the prompt once more."""
    grown = sent(PROMPT[0], ("user", "the printer is on fire\n\nMend: title is missing"))
    assert new_messages(sent(*PROMPT), grown) == (Said("user", "Mend: title is missing"),)


def test_a_prompt_that_was_written_anew_is_told_whole() -> None:
    """Up to a limit: a document may be in it."""
    anew = sent(("user", "Another prompt. " + "x" * LONGEST))
    (said,) = new_messages(sent(*PROMPT), anew)
    assert said.text == ("Another prompt. " + "x" * LONGEST)[:LONGEST]


def test_the_same_request_says_nothing_new() -> None:
    """A blind retry."""
    assert new_messages(sent(*PROMPT), sent(*PROMPT)) == ()


def test_secrets_are_not_kept() -> None:
    """An app may send what is kept out of a cassette."""
    key = "sk-proj-" + "a1B2c3D4e5F6g7H8" * 3
    grown = sent(*PROMPT, ("user", f"use {key}"))
    assert new_messages(sent(*PROMPT), grown) == (Said("user", "use [redacted]"),)
    assert first_request([grown])[-1] == Said("user", "use [redacted]")
