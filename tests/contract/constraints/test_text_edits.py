"""Edits of files in an answer: hunks of diffs, SEARCH/REPLACE blocks, and the rule that they apply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, edits_apply
from pytest_planguard.contract.constraints.text_edits import read_edits

from ...support.cost import assert_growth

CALC = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"
DIFF = """Two hunks:
```diff
--- a/calc.py
+++ b/calc.py
@@ -1,2 +1,2 @@
-def add(a, b):
+def add(a: int, b: int):
     return a + b

@@ ... @@
-def mul(a, b):
+def mul(a: int, b: int):
--- old.py
+++ new.py
@@ -0,0 +1 @@
+x = 1
```
"""
BLOCKS = """**calc.py**
```python
<<<<<<< SEARCH
def add(a, b):
=======
def add(a: int, b: int):
>>>>>>> REPLACE
```
Then a new one:
<<<<<<< SEARCH
=======
x = 1
>>>>>>> REPLACE
<<<<<<< SEARCH
never closed
"""


def test_hunks_of_a_diff() -> None:
    """Each hunk has its file, the lines before and after, and its own text."""
    one, two, three = read_edits(DIFF)
    assert (one.path, one.old, one.line) == ("calc.py", "def add(a, b):\n    return a + b\n", 5)
    assert one.new == "def add(a: int, b: int):\n    return a + b\n"
    assert (two.path, two.old) == ("calc.py", "def mul(a, b):\n")
    assert (three.path, three.old, three.new) == ("new.py", "", "x = 1\n")


def test_a_line_that_is_nearly_a_name_takes_linear_time() -> None:
    """200 slashes before a second word: each of them could begin the last part of a path."""
    lines = lambda slashes: [*read_edits(f"#########{'/' * slashes} x\n" * 100)]  # noqa: E731
    assert_growth(lines, 20, 200, below=40)


def test_search_replace_blocks() -> None:
    """A block takes the file that was named last; a block without an end is none."""
    one, two = read_edits(BLOCKS)
    assert (one.path, one.old, one.new) == ("calc.py", "def add(a, b):\n", "def add(a: int, b: int):\n")
    assert (two.path, two.old, two.new) == ("calc.py", "", "x = 1\n")


@pytest.mark.parametrize("left_out", ["=======\n", ">>>>>>> REPLACE\n"])
def test_a_block_without_an_end_takes_nothing_of_the_next(left_out: str) -> None:
    """The old lines of the second block are looked for in the file."""
    block = "<<<<<<< SEARCH\n{0}\n=======\nx = 1\n>>>>>>> REPLACE\n"
    text = block.format("gone").replace(left_out, "") + block.format("y = 2") + block.format("z = 3")
    assert [edit.old for edit in read_edits(text)] == ["y = 2\n", "z = 3\n"]
    named = "**a.py**\n" + block.format("gone").replace(left_out, "") + "**b.py**\n```\n" + block.format("y = 2")
    assert [(edit.path, edit.old) for edit in read_edits(named)] == [("b.py", "y = 2\n")]


LINES = st.sampled_from([*DIFF.split("\n"), *BLOCKS.split("\n"), "", " ", "@@", "=======", ">>>>>>> REPLACE"])


@given(st.one_of(st.text(), st.lists(LINES).map("\n".join)))
def test_any_answer_is_read(text: str) -> None:
    """Every edit is a part of the answer, and begins at its line."""
    lines = text.replace("\r\n", "\n").split("\n")
    for edit in read_edits(text):
        own = edit.text.split("\n")[:-1]
        assert lines[edit.line - 1 : edit.line - 1 + len(own)] == own


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (DIFF, [("edit_not_found", ("calc.py", "def mul(a, b):"))]),
        (BLOCKS, []),
        ("Sorry, I cannot.", [("no_edits", ())]),
        (BLOCKS.replace("calc.py", "other.py"), [("edit_not_found", ("other.py", "def add(a, b):"))]),
    ],
)
def test_edits_apply(answer: str, found: list[tuple[str, tuple[str, ...]]]) -> None:
    """An edit whose old lines are not in its file is a finding, which quotes the edit."""
    contract = Contract(None, rules=[edits_apply(lambda: {"src/calc.py": CALC})], format="markdown", name="edits")
    errors = contract.check(answer).errors
    assert [error.identity for error in errors] == found
    assert all(error.quote in answer for error in errors)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("a/calc.py", "calc.py"),
        ("b/calc.py", "calc.py"),
        ("c/calc.py", "c/calc.py"),
        ("calc.py", "calc.py"),
        ("calc.py\t2026-11-28 08:00", "calc.py"),
        ("  src/calc.py ", "src/calc.py"),
    ],
)
def test_the_file_of_a_hunk(line: str, path: str) -> None:
    """Without the folders that git puts in front, and without a time."""
    (edit,) = read_edits(f"--- old.py\n+++ {line}\n@@ -1 +1 @@\n-a\n+b\n")
    assert edit.path == path


@pytest.mark.parametrize(
    ("named", "file", "is_the_same"),
    [
        ("calc.py", "calc.py", True),
        ("calc.py", "src/calc.py", True),
        ("repo/src/calc.py", "src/calc.py", True),
        ("alc.py", "calc.py", False),
        ("xcalc.py", "calc.py", False),
        ("lib/calc.py", "src/calc.py", False),
    ],
)
def test_the_file_that_a_name_means(named: str, file: str, is_the_same: bool) -> None:
    """The same one, also without folders in front on either side."""
    contract = Contract(None, rules=[edits_apply({file: "x = 1\n"})], format="markdown", name="edits")
    assert contract.check(f"+++ {named}\n@@ -1 +1 @@\n-x = 1\n+x = 2\n").ok is is_the_same


@pytest.mark.parametrize(("head", "where"), [("+++ calc.py\n", "calc.py"), ("", "any file")])
def test_an_edit_that_does_not_apply_names_its_file(head: str, where: str) -> None:
    """If it has one."""
    contract = Contract(None, rules=[edits_apply({"calc.py": CALC})], format="markdown", name="edits")
    (error,) = contract.check(f"{head}@@ -1 +1 @@\n-x = 1\n+x = 2\n").errors
    assert error.message == f"the old lines of this edit are not in {where}"


@pytest.mark.parametrize(
    ("after", "old", "new"),
    [
        (" c", "a\n\nc\n", "b\n\nc\n"),
        ("+c", "a\n\n", "b\n\nc\n"),
        ("-c", "a\n\nc\n", "b\n\n"),
        ("", "a\n", "b\n"),
        ("c", "a\n", "b\n"),
        ("@@ -9 +9 @@", "a\n", "b\n"),
    ],
)
def test_an_empty_line_in_a_hunk(after: str, old: str, new: str) -> None:
    """A model left out the blank in front of it, if a line of the hunk follows."""
    for more in ([after], [after, "words"]):
        first, *_ = read_edits("\n".join(["--- a.py", "+++ a.py", "@@ -1,2 +1,2 @@", "-a", "+b", "", *more]))
        assert (first.old, first.new) == (old, new)
