"""Edits of files, one of which is changed: apps name them by number, by their first line, or repeat them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from pytest_planguard import Contract, edits_apply
from pytest_planguard.contract.constraints.text_edits import TextEdit, read_edits

from ...support.one_item import in_one_item
from .laboratory import Say, results

FILE = "def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n"
EDITS = Contract(None, rules=[edits_apply({"calc.py": FILE})], format="markdown", name="edits")
HUNK = "@@ -{n},2 +{n},2 @@\n-def {name}(x):\n-    total = x\n+def {name}(x: int):\n+    total = x + 1\n"
SOUND_HUNK = "@@ -1,2 +1,2 @@\n-def add(a, b):\n+def add(a: int, b: int):\n     return a + b\n"
BLOCK = "calc.py\n<<<<<<< SEARCH\ndef {name}:\n    {body}\n=======\ndef {name} -> int:\n    {body}\n>>>>>>> REPLACE\n"
SOUND_BLOCK = BLOCK.format(name="add(a, b)", body="return a + b")


def _hunks(*names: str) -> str:
    hunks = "".join(HUNK.format(n=n, name=name) for n, name in enumerate(names, 7))
    return f"```diff\n--- calc.py\n+++ calc.py\n{hunks or SOUND_HUNK}```\n"


def _blocks(*names: str) -> str:
    return "".join(BLOCK.format(name=f"{name}(x)", body="total = x") for name in names) or SOUND_BLOCK


ANSWERS = {
    "one hunk": (_hunks("one"), _hunks()),
    "a sound hunk and one": (_hunks("one").replace("@@ -7", f"{SOUND_HUNK}@@ -7"), _hunks()),
    "three hunks": (_hunks("one", "two", "three"), _hunks()),
    "one block": (_blocks("one"), _blocks()),
    "a sound block and one": (SOUND_BLOCK + _blocks("one"), _blocks()),
    "three blocks": (_blocks("one", "two", "three"), _blocks()),
    "three blocks, then a hunk": (_blocks("one", "two", "three"), _hunks()),
    "three hunks, then a block": (_hunks("one", "two", "three"), _blocks()),
    "three blocks, other line breaks": (_blocks("one", "two", "three").replace("\n", "\r\n"), _blocks()),
}
Line = Callable[[TextEdit, int], str]
NAMED: dict[str, Line] = {
    "repeated": lambda edit, _: edit.text,
    "old lines": lambda edit, _: f"The file has no\n{edit.old}",
    "first line": lambda edit, _: f"Der Block mit «{edit.old.splitlines()[0]}» passt nicht zu {edit.path}",
}
NUMBERED: dict[str, Line] = {
    "number": lambda _, number: f"edit {number} does not apply",
    "word": lambda _, number: f"the {('first', 'second', 'third')[number - 1]} edit does not match the file",
    "line": lambda edit, _: f"the edit at line {edit.line} did not match",
}
Pick = Callable[[Sequence[TextEdit]], Sequence[TextEdit]]


def _app(line: Line, pick: Pick = list) -> Say:
    def say(answer: str) -> str | None:
        edits = list(read_edits(answer))
        failed = [edit for edit in edits if edit.old not in FILE]
        if not edits:
            return "There is no edit in your answer."
        told = [line(edit, edits.index(edit) + 1) for edit in pick(failed)]
        return "\n".join(["These edits failed:", *told]) if failed else None

    return say


@in_one_item
@pytest.mark.parametrize("answers", ANSWERS.values(), ids=list(ANSWERS))
@pytest.mark.parametrize("line", NAMED.values(), ids=list(NAMED))
def test_edits_that_are_named_are_proven(answers: tuple[str, str], line: Line) -> None:
    """The words repeat what only this edit has. Code in them names no type and no place."""
    assert {*results(EDITS, *answers, _app(line)).values()} == {"proven"}


@in_one_item
@pytest.mark.parametrize("answers", ANSWERS.values(), ids=list(ANSWERS))
@pytest.mark.parametrize("line", NUMBERED.values(), ids=list(NUMBERED))
def test_edits_that_are_numbered_are_not_missing(answers: tuple[str, str], line: Line) -> None:
    """A sound edit in place of one keeps the numbers of the others."""
    assert {*results(EDITS, *answers, _app(line)).values()} <= {"proven", "reacts"}


@in_one_item
@pytest.mark.parametrize("answers", [ANSWERS["three hunks"], ANSWERS["three blocks"]], ids=["hunks", "blocks"])
@pytest.mark.parametrize("line", [*NAMED.values()][1:], ids=[*NAMED][1:])
@pytest.mark.parametrize("dropped", range(3))
def test_dropped_edit_is_missing(answers: tuple[str, str], line: Line, dropped: int) -> None:
    """The lines that all edits have show nothing about one of them."""
    found = results(EDITS, *answers, _app(line, lambda failed: [e for n, e in enumerate(failed) if n != dropped]))
    assert list(found.values()) == ["missing" if n == dropped else "proven" for n in range(3)]


@pytest.mark.parametrize("answers", ANSWERS.values(), ids=list(ANSWERS))
def test_stock_words_feed_nothing_back(answers: tuple[str, str]) -> None:
    """An app that says the same of any edit drops it, even if a repair leaves nothing to say."""
    assert {*results(EDITS, *answers, _blind).values()} == {"missing"}


def _blind(answer: str) -> str | None:
    edits = list(read_edits(answer))
    sound = edits and all(edit.old in FILE for edit in edits)
    return None if sound else "Edits must fit the file. Please try again."
