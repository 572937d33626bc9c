"""Errors in other languages and in no words: read, or told by their places if these are the findings' and no other."""

import pytest

from ...support.conversations import grades

GOAL, STATUS, ID = "- goal: Pflichtfeld fehlt\n", "- tasks[0].status: nicht erlaubt\n", "- tasks[1].id: keine Zahl\n"
TABLE = "| Feld | Fehler |\n|---|---|\n| goal | str |\n| `tasks[0].status` | Literal |\n| tasks[1].id | integer |"


@pytest.mark.parametrize(
    ("feedback", "grade"),
    [
        (GOAL + STATUS + ID, "located"),
        (TABLE, "weak"),
        ("goal: 必填\ntasks.0.status: 无效的值\ntasks.1.id: 需要整数", "located"),
    ],
    ids=["German", "type names", "Chinese"],
)
def test_the_places_of_the_findings_and_no_other_tell(feedback, grade):
    """Words of another language are read; bare type names in the cells of a table are carried weakly."""
    assert grades(feedback) == [grade] * 3


def test_what_is_left_out_is_lost():
    """A finding whose place is not named is not carried."""
    assert grades(GOAL + ID) == ["located", "lost", "located"]


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        (GOAL + "- tasks[0].status: nicht erlaubt\n- tasks[0].id: keine Zahl", ["located", "located", "lost"]),
        ("- goal: Pflichtfeld fehlt\n- tasks[0].status: is fine now", ["located", "lost", "lost"]),
        ("- tasks[0].status: pending", ["lost", "lost", "lost"]),
        (TABLE + "\n| tasks | list |", ["lost", "lost", "lost"]),
        ("- goal: 7", ["lost", "lost", "lost"]),
    ],
    ids=["another index", "read as praise", "the value itself", "a good field, too", "no words"],
)
def test_anything_else_at_those_places_is_not_taken_for_errors(feedback, expected):
    """Another place, praise, an echo of the value: nothing is guessed; what can be read counts where it stands."""
    assert grades(feedback) == expected


def test_prose_that_lists_the_allowed_values_and_what_was_forgotten():
    """Without quotes and codes: the values that a field may have, and a field that was left out."""
    assert grades("The status must be Draft or Approved. You forgot the goal. The id should be an integer.") == [
        "weak",
        "weak",
        "weak",
    ]
    assert grades("The status pending is neither Draft nor Approved.")[1] == "lost"
