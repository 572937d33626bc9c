"""The same page in each form: what is shown of lists, trees, tables and cases, and where the rest is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.document.words import ChangePart, ChangePiece
from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.markdown import code, render_markdown
from pytest_planguard.report.page import (
    Answer,
    Block,
    Case,
    Cases,
    Cell,
    Code,
    Facts,
    Foreign,
    Group,
    Lines,
    Listing,
    Node,
    Page,
    Rewritten,
    Table,
    Tree,
    Verdict,
)
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.value_diff import ChangeKind, FieldChange

CHANGE = FieldChange(ChangeKind.CHANGED, ("a",), ("a",), 1, 2, "a")
MOVED = FieldChange(ChangeKind.MOVED, ("a", 0), ("a", 1), where="a[0]")


def text(*blocks: Block, color: bool = False, verbose: bool = False) -> str:
    """Blocks for a terminal."""
    return draw(Page("", blocks=blocks), "text", color=color, verbose=verbose)


def markdown(*blocks: Block) -> str:
    """Blocks for the summary of a job."""
    return draw(Page("", blocks=blocks), "markdown")


def group(*cases: Case, **other: object) -> Cases:
    """Cases of one group."""
    return Cases((Group("failing", "failing", cases, **other),))  # type: ignore[arg-type]


WHOLE = Page(
    ("run ", Foreign("a|b")),
    "2 failures",
    Verdict("FAIL", ("one", Foreign("two"))),
    (
        Facts((("base", "x"),)),
        Facts((("candidate", "y"),)),
        Facts((("long label", "1"), ("", "2")), aligned=True),
        Lines(("one", "two")),
        Table(("n",), ((Cell("1", "good"),),), "Numbers", frozenset({0}), (("n", "a number"),)),
        Listing("to do", ("first",)),
        Listing("done", ("second",), folded=True),
        Code("Copy", "a()\n\n", "python"),
        Rewritten("Changed", (ChangePiece(ChangePart.SAME, "a"), ChangePiece(ChangePart.GONE, "b"),
                              ChangePiece(ChangePart.NEW, "c"), ChangePiece(ChangePart.CUT, "…"))),
    ),
    (Foreign("a note"), "another"),
)  # fmt: skip


def test_every_block_as_text() -> None:
    """Single facts stand below the headline, any other block after an empty line, and the conclusion is last."""
    assert (
        draw(WHOLE, "text")
        == """\
run a|b: 2 failures
base: x
candidate: y

long label  1
            2

one
two

Numbers
n
1
n: a number

to do:
  first

done:
  second

Copy:

a()

Changed:
  a [-b-] {+c+} …

note: a note
note: another

FAIL: one; two"""
    )


def test_every_block_as_markdown() -> None:
    """The conclusion is first; a list that needs nobody is folded."""
    assert (
        draw(WHOLE, "markdown")
        == """\
❌ **planguard: FAIL** 2 failures

run `a\\|b`¶
- one
- `two`

Base: x¶

Candidate: y¶

Long label: 1¶
: 2¶

```text
one
two
```

**Numbers**

| n |
|---|
| 1 |

- n: a number

**to do**

- first

<details><summary>done</summary>

- second

</details>

### Copy

```python
a()
```

**Changed**

`a` ~~`b`~~ **`c`** `…`

- note: `a note`
- note: another""".replace("¶", "  ")
    )


def test_a_page_of_notes_alone() -> None:
    """Needs no head and no mark; without a conclusion the title is a heading."""
    page = Page("title", notes=("nothing to see",))
    assert (draw(page, "text"), draw(page, "markdown")) == ("nothing to see", "nothing to see")
    assert draw(replace(page, lead="lead"), "text") == "title: lead\nnothing to see"
    assert draw(replace(page, lead="lead"), "markdown") == "## title: lead\n\nnothing to see"
    assert draw(Page("title", "lead"), "text", color=True) == "title: \x1b[1mlead\x1b[0m"


@pytest.mark.parametrize(
    ("word", "color", "mark"), [("PASS", "32", "✅"), ("FAIL", "31", "❌"), ("UNPROVEN", "33", "❔")]
)
def test_the_conclusion_has_its_colour_and_mark(word: str, color: str, mark: str) -> None:
    """Green, red, or yellow for what proves little."""
    page = Page("t", "l", Verdict(word))
    assert draw(page, "text", color=True).endswith(f"\n\n\x1b[{color}m{word}\x1b[0m")
    assert draw(page, "markdown").startswith(f"{mark} **planguard: {word}** l\n\nt  ")


def test_twenty_items_and_cases_are_shown_on_a_terminal() -> None:
    """The others are counted, unless all are asked for."""
    for number, more in ((20, ""), (22, "  and 2 more")):
        items = Listing("to do", tuple(f"item {n}" for n in range(number)))
        cases = group(*(Case(f"case {n}") for n in range(number)))
        assert text(items).endswith(more or "\n  item 19")
        assert text(cases).endswith(f"{more}; --verbose shows all" if more else "\n  case 19")
        assert text(items, cases, verbose=True).count("\n  ") == 2 * number
        assert text(cases).startswith(f"failing ({number})\n  case 0\n")


def test_twelve_changes_of_an_answer_are_shown_on_a_terminal() -> None:
    """Verdicts first; the others are counted, unless all are asked for."""
    verdict = replace(CHANGE, where="v", verdict=True)
    for number, more in ((11, ""), (13, "\n    and 2 more changes; --verbose shows all")):
        cases = group(Case("k", answers=(Answer((*[CHANGE] * number, verdict), "second"),)))
        shown = text(cases)
        assert shown.startswith("failing (1)\n  k\n    second:\n    v: 1 → 2\n    a: 1 → 2\n")
        assert shown.count("a: 1 → 2") == 11
        assert shown.endswith(more or "a: 1 → 2")
        assert text(cases, verbose=True).count("1 → 2") == number + 1


def test_sixty_answers_of_a_tree_are_shown_on_a_terminal() -> None:
    """And fifty in Markdown, indented by their level."""
    nodes = tuple(Node(f"n{n}", n % 2, n % 3 > 0, "bad", "an answer") for n in range(61))
    assert text(Tree("t", nodes[:60])).endswith("    n59: passed  an answer")
    assert text(Tree("t", nodes)).endswith("\n  and 1 more answer")
    assert text(Tree("t", nodes[:2]), color=True).split("\n") == [
        "  n0: \x1b[31mrejected\x1b[0m bad",
        "    n1: \x1b[32mpassed\x1b[0m  \x1b[2man answer\x1b[0m",
    ]
    assert markdown(Tree("t", nodes[:50])).endswith("\n  - `n49`: passed bad")
    assert markdown(Tree("t", nodes[:51])).endswith("\n- … and 1 more.")
    assert markdown(Tree("t", nodes[:2])) == "- `n0`: rejected bad\n  - `n1`: passed bad"


def test_the_table_of_cases_in_markdown() -> None:
    """Columns that no case needs are left out; the reason comes first, then changes, figures and messages."""
    verdict = replace(CHANGE, verdict=True, breaks=("enum",))
    answer = Answer((CHANGE, MOVED, verdict), figures=(("size", "1", "2", "+1"),), notes=("a note",))
    one = Case("k", " (known)", why="why", rules=(("breaks", Broken("x")), ("breaks", Broken("enum"))),
               answers=(answer,), details=("a: wrong",))  # fmt: skip
    assert (
        markdown(group(one, Case("bare")))
        == """\
### 2 failing

| case | field | before | now | what is wrong |
|---|---|---|---|---|
| `k` (known) |  |  |  | why; breaks `x` |
|  | **`a`** | `1` | `2` | `breaks enum` |
|  | `a` | `1` | `2` |  |
|  | `a[0]` |  | moved |  |
|  | size | 1 | 2 | +1 |
|  |  |  |  | a note |
|  |  |  |  | a: wrong |
| `bare` |  |  |  |  |"""
    )
    assert markdown(group(Case("bare"), folded=True)) == (
        "<details><summary>1 failing</summary>\n\n| case |\n|---|\n| `bare` |\n\n</details>"
    )
    both = Cases((Group("a", "same", (one,), same=True), Group("b", "b", (Case("x"),)), Group("c", "c", (Case("y"),))))
    assert markdown(both).split("\n")[::5] == ["### 1 b", "", "| `y` |"]
    assert text(both) == "b (1)\n  x\n\nc (1)\n  y"


def test_the_limits_of_a_summary() -> None:
    """Fifty cases or as many as asked for, six changes of a case, fifty items, twenty notes."""
    cases = group(*(Case(f"c{n}") for n in range(51)))
    assert markdown(cases).endswith("| `c49` |\n\n… and 1 more.")
    assert markdown(group(*(Case(f"c{n}") for n in range(50)))).endswith("| `c49` |")
    assert render_markdown(Page("", blocks=(cases,)), cases=2).endswith("| `c1` |\n\n… and 49 more.")
    six, seven = (markdown(group(Case("k", answers=(Answer((CHANGE,) * n),)))) for n in (6, 7))
    assert (six.count("| `a` |"), "more" in six) == (6, False)
    assert seven.endswith("|  | … and 1 more |  |  |")
    items = Listing("t", tuple(f"i{n}" for n in range(51)))
    assert markdown(items).endswith("- i49\n- … and 1 more.")
    for number, end in ((20, "- note: n19"), (21, "- note: n19\n- … and 1 more.")):
        page = Page("", blocks=(Facts((("a", "b"),)),), notes=tuple(f"n{n}" for n in range(number)))
        assert draw(page, "markdown").endswith(end)


@pytest.mark.parametrize(
    ("words", "span"),
    [
        ("a", "`a`"),
        ("`a", "`` `a ``"),
        ("a`b", "``a`b``"),
        ("a``b`c", "```a``b`c```"),
        ("a|b", "`a\\|b`"),
        ("a\\|b", "`a\\\\x7cb`"),
        ("", ""),
    ],
)
def test_a_code_span(words: str, span: str) -> None:
    """Fenced by one more backtick than it holds."""
    assert code(words) == span


def test_a_block_of_code_is_fenced_by_more_than_it_holds() -> None:
    """At least three backticks."""
    assert markdown(Lines(("a ``` b",))) == "````text\na ``` b\n````"
    assert markdown(Lines(("a `` b", ""))) == "```text\na `` b\n```"


def test_a_cell_of_a_table_is_cut_to_sixty_characters() -> None:
    """Of foreign words, or less where they have less room."""
    row = (Foreign("x" * 99), Foreign("y" * 99, 10), "z" * 99)
    assert text(Table(("a", "b", "c"), (row,))).split("\n")[1] == f"{'x' * 58} …  {'y' * 8} …  {'z' * 99}"
