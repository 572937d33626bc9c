"""Snapshots that do not hold, as rows."""

from typing import Literal

from pydantic import BaseModel

from pytest_planguard import ContentConstraint, Contract
from pytest_planguard.report.change_text import MAX_ROWS, changed_rows, new_rows
from pytest_planguard.runs.snapshots import snapshot_text


class Review(BaseModel):
    recommendation: str
    reason: str = ""


class Other(BaseModel):
    kind: Literal["other"]


ALLOWED = ContentConstraint("recommendation", "one_of", {"values": ["Go", "Stop"]}, "retry")
REVIEW = Contract(Review, constraints=[ALLOWED])
OTHER = Contract(Other)
GO = snapshot_text({"recommendation": "Go"})
PROCEED = snapshot_text({"recommendation": "Proceed"})


def test_a_row_names_the_rule_that_it_breaks_or_mends():
    """With the contract that fits the values, whatever others the test has."""
    assert changed_rows(GO, PROCEED, (OTHER, REVIEW)) == [
        "1 field changed",
        "  recommendation: Go → Proceed (breaks one_of)",
    ]
    assert changed_rows(PROCEED, GO, (REVIEW,))[1] == "  recommendation: Proceed → Go (fixes one_of)"
    assert changed_rows(GO, PROCEED)[1] == "  recommendation: Go → Proceed"


def test_many_changes_are_counted():
    """The first are told, the others numbered."""
    before, after = (snapshot_text({f"f{n:03d}": n + add for n in range(MAX_ROWS + 5)}) for add in (0, 1))
    rows = changed_rows(before, after)
    assert (rows[0], rows[-1], len(rows)) == ("45 fields changed", "  … and 5 more", MAX_ROWS + 2)


def test_a_broken_snapshot_is_said():
    """An unresolved conflict is one line, no traceback."""
    (row,) = changed_rows("<<<<<<< HEAD", GO)
    assert row.startswith("the snapshot is not JSON: ")


def test_nothing_that_a_terminal_obeys_comes_through():
    """Values of a model are hostile: escapes and commands of a build log are text."""
    evil = snapshot_text({"a": "\x1b[31m::error ::x\u202e"})
    for rows in (changed_rows(snapshot_text({"a": ""}), evil), new_rows(evil), new_rows("\x1b[2J\n::error ::x\n")):
        text = "\n".join(rows)
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert not any(row.strip().startswith("::") for row in rows)


def test_the_start_of_a_new_snapshot():
    """Twenty lines, then their number."""
    rows = new_rows(snapshot_text(list(range(30))))
    assert (rows[:2], rows[-1]) == (["  [", "    0,"], "  … and 12 more lines")


def test_the_edges_of_what_is_listed():
    """Forty fields and twenty lines are shown whole, and one more is counted."""
    for number, last in ((MAX_ROWS, "  f039: 39 → 40"), (MAX_ROWS + 1, "  … and 1 more")):
        before, after = (snapshot_text({f"f{n:03d}": n + add for n in range(number)}) for add in (0, 1))
        assert changed_rows(before, after)[-1] == last
    lines = "\n".join(f"line {n}" for n in range(1, 22))
    assert new_rows(lines)[-2:] == ["  line 20", "  … and 1 more line"]
    assert new_rows(lines.removesuffix("\nline 21") + "\n\n")[-1] == "  line 20"
    assert new_rows("x" * 200) == [f"  {'x' * 200}"]


def test_a_snapshot_that_is_only_written_in_another_way():
    """No field differs, so there is nothing to decide."""
    assert changed_rows('{"a": 1}', '{"a":  1}') == ["the texts differ, the values do not: write the snapshot again"]


def test_a_long_value_takes_three_rows():
    """Its place, then both sides."""
    rows = changed_rows(snapshot_text({"a": "x" * 50}), snapshot_text({"a": "y" * 50}))
    assert rows == ["1 field changed", "  a:", f"-   {'x' * 50}", f"+   {'y' * 50}"]
