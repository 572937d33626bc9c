"""What a retry says again, whichever way an app words it."""

from dataclasses import replace
from typing import Any

from pytest_planguard.runs.model.request_words import LONGEST, Said, new_messages
from pytest_planguard.runs.model.row_read import read_row
from pytest_planguard.runs.model.row_write import row_data
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.runs import attempt, case, finding

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


def test_rows_keep_what_the_next_request_said() -> None:
    """Written and read back; a row without it is written as before."""
    told = (Said("user", "priority: one of low, medium, high"), Said("tool", "\ud800 é"))
    first = replace(attempt("{}", finding("missing", ("b",))), next_request=told)
    row = case("k", first, attempt('{"b": 1}'))
    data: dict[str, Any] = row_data(row)
    assert read_row(data).judged[0].attempts == row.judged[0].attempts
    attempts = data["conversations"][0]["attempts"]
    assert [one.get("next_request") for one in attempts] == [
        [{"role": said.role, "text": said.text} for said in told], None,
    ]  # fmt: skip
