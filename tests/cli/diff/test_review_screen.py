"""What a review shows of one item: its box, its keys, the facts for a decision, and the whole difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.console import Console, RenderableType  # noqa: TID251 - to read what a box holds
from rich.panel import Panel
from rich.text import Text

from pytest_planguard.cli.diff.review_screen import difference, facts, key_line, panel
from pytest_planguard.runs.gate.known_failures import KnownFailure
from pytest_planguard.runs.gate.review_items import Question, ReviewItem
from pytest_planguard.runs.model.judged_answers import CheckRow, FedBackRow
from pytest_planguard.runs.snapshots import PendingSnapshot

from ...support.runs import attempt, bad, case, finding

CHANGED = PendingSnapshot("test_a.py::test_x", "a.pgsnap", "1\n2\n", "1\n3\n", "  2 → 3 (breaks one_of)")
SNAPSHOT = ReviewItem(Question.SNAPSHOT, CHANGED)
FAILURE = ReviewItem(Question.NEW, KnownFailure("a", "missing", ("x",)), bad("a", '{"x": 1}\n{}'))


def lines_of(shown: RenderableType) -> list[str]:
    """Return the lines of what is shown, on a wide terminal without colours."""
    console = Console(width=1_000, color_system=None, highlight=False, markup=False, emoji=False)
    return ["".join(part.text for part in line).rstrip() for line in console.render_lines(shown, pad=False)]


def test_a_box_has_the_question_the_test_and_its_facts() -> None:
    """The title stands at the left, and counts the items."""
    box = panel(SNAPSHOT, 2, 12)
    assert isinstance(box, Panel)
    top, *middle, bottom = lines_of(box)
    assert top.startswith("╭─  2 of 12: snapshot changed  ─")
    assert [line.strip("│ ") for line in middle] == ["test_a.py::test_x", "a.pgsnap", "2 → 3 (breaks one_of)"]
    assert bottom.startswith("╰─")


@pytest.mark.parametrize(
    ("question", "colour"),
    [
        (Question.SNAPSHOT, "yellow"),
        (Question.NEW_SNAPSHOT, "green"),
        (Question.EXPECTED, "yellow"),
        (Question.NEW, "yellow"),
        (Question.EXPIRED, "yellow"),
        (Question.FIXED, "green"),
    ],
)
def test_the_border_says_if_an_item_is_good_news(question: Question, colour: str) -> None:
    """Green for what is new or fixed, yellow for what may be a loss."""
    box = panel(ReviewItem(question, CHANGED), 1, 1)
    assert isinstance(box, Panel)
    assert box.border_style == colour


@pytest.mark.parametrize(
    ("row", "coloured"),
    [
        ("  a: 1 → 2 (breaks one_of)", [("(breaks one_of)", "red")]),
        ("  a: 1 → 2 (fixes one_of, count)", [("(fixes one_of, count)", "green")]),
        ("  a: 1 → 2", []),
        ("  (breaks x) → 2", []),
        ("  (fixes x) → 2", []),
    ],
)
def test_rules_at_the_end_of_a_row_are_coloured(row: str, coloured: list[tuple[str, str]]) -> None:
    """Broken ones red, fixed ones green, and nothing that a value says."""
    box = panel(ReviewItem(Question.SNAPSHOT, replace(CHANGED, rows=row)), 1, 1)
    assert isinstance(box, Panel)
    assert isinstance(box.renderable, Text)
    text = box.renderable
    spans = [(text.plain[span.start : span.end], str(span.style)) for span in text.spans]
    assert [span for span in spans if span[1] in ("red", "green")] == coloured


def test_the_keys_of_a_snapshot_and_of_a_failure() -> None:
    """A failure has an answer in the place of a difference."""
    assert key_line(SNAPSHOT).plain == "[a] accept  [r] reject  [s] skip  [d] diff  [q] quit  "
    assert key_line(FAILURE).plain == "[a] accept  [r] reject  [s] skip  [d] answer  [q] quit  "


@pytest.mark.parametrize(
    ("case", "outdated", "told"),
    [
        ("", False, []),
        ("", True, ["the snapshot has changed since this test ran: run the test again"]),
        ("b", False, []),
        ("b", True, ["the expected value has changed since this test ran: run the test again"]),
    ],
)
def test_the_facts_of_a_snapshot(case: str, outdated: bool, told: list[str]) -> None:
    """Its file, whether that has changed since, and the changed fields line by line."""
    item = ReviewItem(Question.SNAPSHOT, replace(CHANGED, case=case, rows="  a\n  b\x1b"), outdated=outdated)
    assert list(facts(item)) == ["a.pgsnap", *told, "  a", "  b\\x1b"]


def test_the_facts_of_a_listed_failure() -> None:
    """What its entry says, in one order, and the findings; nothing for what the entry leaves out."""
    entry = KnownFailure("a", "missing", ("a",), "2026-01-01", expires="2026-02-01", owner="Ada", reason="slow")
    item = ReviewItem(Question.EXPIRED, entry, bad("a"))
    assert list(facts(item)) == ["listed: 2026-01-01, expires: 2026-02-01, owner: Ada, reason: slow", "wrong"]
    assert list(facts(replace(item, subject=KnownFailure("a", "missing", ("a",), owner="Ada")))) == [
        "owner: Ada",
        "wrong",
    ]
    assert list(facts(replace(item, row=None, subject=KnownFailure("a", "missing", ("a",))))) == []


@pytest.mark.parametrize("kind", ["path", "test", "reason", "message"])
def test_long_facts_are_cut_to_400_characters(kind: str) -> None:
    """A path, a name, a reason or a message without end leaves room for the others."""

    def longest(length: int) -> str:
        word = "w" * length
        if kind in ("path", "test"):
            item = ReviewItem(Question.SNAPSHOT, replace(CHANGED, rows="", **{kind: word}))
        elif kind == "reason":
            item = ReviewItem(Question.EXPIRED, KnownFailure("a", "missing", ("a",), reason=word[len("reason: ") :]))
        else:
            row = case("a", attempt("1", finding("missing", ("a",), word)))
            item = ReviewItem(Question.NEW, KnownFailure("a", "missing", ("a",)), row)
        box = panel(item, 1, 1)
        assert isinstance(box, Panel)
        assert isinstance(box.renderable, Text)
        return max(box.renderable.plain.split("\n"), key=len)

    assert (len(longest(400)), longest(400)[-1]) == (400, "w")
    assert longest(401)[-1] == "…"


def test_a_difference_is_shown_line_by_line() -> None:
    """With its two sides named, and coloured by what each line does."""
    assert lines_of(difference(SNAPSHOT)) == ["--- snapshot", "+++ test", "@@ -1,3 +1,3 @@", " 1", "-2", "+3", ""]
    expected = ReviewItem(Question.EXPECTED, replace(CHANGED, case="b"))
    assert lines_of(difference(expected))[:2] == ["--- expected", "+++ test"]
    assert list(styles(SNAPSHOT)) == ["red", "green", "cyan", "", "red", "green", ""]
    new = ReviewItem(Question.NEW_SNAPSHOT, replace(CHANGED, before=None))
    assert lines_of(difference(new))[2:] == ["@@ -1 +1,3 @@", "+1", "+3", ""]


def styles(item: ReviewItem) -> Iterator[str]:
    """Yield the style of each line of a difference."""
    for line in difference(item).renderables:  # type: ignore[union-attr]
        assert isinstance(line, Text)
        yield str(line.style)


@pytest.mark.parametrize(("number", "shown", "last"), [(196, 200, "+195"), (197, 201, "…"), (400, 201, "…")])
def test_a_long_difference_is_cut_to_200_lines(number: int, shown: int, last: str) -> None:
    """And says that it goes on."""
    after = "\n".join(map(str, range(number)))
    lines = lines_of(difference(ReviewItem(Question.SNAPSHOT, replace(CHANGED, before=None, after=after))))
    assert (len(lines), lines[-1]) == (shown, last)


def test_the_answers_of_a_failure_are_shown_whole() -> None:
    """Line by line; without any, that is said."""
    assert lines_of(difference(FAILURE)) == ['  {"x": 1}', "  {}"]
    assert lines_of(difference(replace(FAILURE, row=None))) == ["  no answer is kept"]
    assert lines_of(difference(replace(FAILURE, row=case("a")))) == ["  no answer is kept"]


def test_missing_feedback_is_shown_with_the_answers_that_it_is_about() -> None:
    """Six lines of it for the decision, and all of it on demand."""
    places = [(f"p{number}",) for number in range(8)]
    first = attempt('{"p": 1}', *(finding("enum", place, "expected 2") for place in places))
    first = replace(first, fed_back=tuple(FedBackRow("enum", place, "missing") for place in places))
    row = case("a", first, attempt('{"p": 2}'), outcome="converged")
    row = replace(row, judged=(replace(row.judged[0], checks=(CheckRow("feedback", "fail"),)),))
    item = ReviewItem(Question.NEW, KnownFailure("a", "check:feedback", ()), row)
    told = ["request 2 does not say what was wrong with answer 1:", *(f"  p{n} [enum]: expected 2" for n in range(8))]
    assert list(facts(item)) == told[:6]
    assert lines_of(difference(item)) == [*(f"  {line}" for line in told), "", "  answer 1:", '    {"p": 1}']
