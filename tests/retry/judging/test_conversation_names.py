"""What conversations are called in reports: by the user's ids, or by numbers."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.judge import judge

from ...support.conversations import GOOD, PLAN, Spoken, conversation
from ...support.one_item import in_one_item


@in_one_item
@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (None, ["1", "2", "3", "4"]),
        ([None, None, None, None], ["1", "2", "3", "4"]),
        (["a", "b", "ab", "c"], ["a", "b", "ab", "c"]),
        (["a", "a", "a", "b"], ["a", "a.2", "a.3", "b"]),
        (["a", "a", "a.2", "a"], ["a", "a.2", "a.2.2", "a.4"]),
        (["ab", "a", "ax2", "a"], ["ab", "a", "ax2", "a.2"]),
        ([None, "x", None, ""], ["1", "x", "2", ""]),
        (["7", None, None, "x"], ["7", "2", "3", "x"]),
    ],
)
def test_each_conversation_has_a_name_of_its_own(ids: list[str | None] | None, names: list[str]) -> None:
    """The second one with an id is its number 2; those without an id are counted."""
    tasks = ("Plan the party", "Cook the soup", "Mend the bicycle", "Paint the garage")
    talk = conversation(*(Spoken([("user", task)], GOOD, seed=n) for n, task in enumerate(tasks)))
    found = judge(talk, [PLAN], conversation_ids=ids).conversations
    assert [one.conversation for one in found] == names
