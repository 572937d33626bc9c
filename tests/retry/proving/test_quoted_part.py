"""Edits of files, one of which is changed: apps name them by number, by their first line, or repeat them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from pytest_planguard import Contract, Finding, edits_apply
from pytest_planguard.contract.constraints.text_edits import TextEdit, read_edits
from pytest_planguard.retry.proving.quoted_part import PartEdit, numbers_of, repairs, repeats_line, swaps

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


BAD_HUNK = HUNK.format(n=7, name="one")
BAD_BLOCK = BLOCK.format(name="one(x)", body="total = x").removeprefix("calc.py\n")


def first_error(answer: str) -> Finding:
    """Return the first finding of an answer."""
    return EDITS.check(answer).errors[0]


def test_a_later_edit_takes_the_form_of_the_bad_one() -> None:
    """A block becomes a hunk and a hunk a block; an edit of the same form stays as it is."""
    hunk, block = f"```diff\n--- calc.py\n+++ calc.py\n{BAD_HUNK}```\n", f"calc.py\n{BAD_BLOCK}"
    sound_block = SOUND_BLOCK.removeprefix("calc.py\n")
    as_hunk = "@@ -1,2 +1,2 @@\n-def add(a, b):\n-    return a + b\n+def add(a, b) -> int:\n+    return a + b\n"
    as_block = (
        "<<<<<<< SEARCH\ndef add(a, b):\n    return a + b\n=======\n"
        "def add(a: int, b: int):\n    return a + b\n>>>>>>> REPLACE\n"
    )
    for answer, later, old, new in (
        (hunk, SOUND_BLOCK, BAD_HUNK, as_hunk),
        (block, _hunks(), BAD_BLOCK, as_block),
        (hunk, _hunks(), BAD_HUNK, SOUND_HUNK),
        (block, SOUND_BLOCK, BAD_BLOCK, sound_block),
    ):
        (changed, edit), (without, removed) = repairs(first_error(answer), answer, [later])
        assert (edit, changed) == (PartEdit(old, new), answer.replace(old, new))
        assert (removed, without) == (PartEdit(old, ""), answer.replace(old, ""))


def test_a_bad_edit_is_removed_only_if_it_is_the_last() -> None:
    """The numbers of the others would change. A later edit that the answer already has is not applied twice."""
    three = _blocks("one", "two", "three")
    first, _, last = EDITS.check(three).errors
    assert [edit.new for _, edit in repairs(first, three, [])] == []
    assert [edit.new for _, edit in repairs(last, three, [])] == [""]
    assert [edit.new for _, edit in repairs(first, SOUND_BLOCK + three, [SOUND_BLOCK])] == []


def test_something_else_is_wrong_in_place_of_an_edit() -> None:
    """No edits at all, or other letters in its code; its signs, its numbers and the lines between edits stay."""
    answer = f"calc.py\n{BAD_BLOCK}"
    (none, removed), *turned = swaps(first_error(answer), answer)
    assert (none, removed) == ("calc.py\n", PartEdit(BAD_BLOCK, ""))
    code = "<<<<<<< SEARCH\n{}(k):\n    {} = k\n=======\n{}(k) -> {}:\n    {} = k\n>>>>>>> REPLACE\n"
    words = (("qrs bar", "gbgny", "qrs bar", "vag", "gbgny"), ("klm vul", "avahs", "klm vul", "pua", "avahs"))
    first, second = (code.format(*one) for one in words)
    assert [edit.new for _, edit in turned] == [first, second.replace("(k)", "(e)").replace("= k", "= e")]
    assert [text for text, _ in turned] == [f"calc.py\n{edit.new}" for _, edit in turned]


def test_an_edit_is_named_by_its_position_its_line_or_its_header() -> None:
    """From 0 and from 1; without a quote there are no such numbers."""
    answer = f"```diff\n--- calc.py\n+++ calc.py\n{SOUND_HUNK}{BAD_HUNK}```\n"
    finding = first_error(answer)
    assert numbers_of(finding, answer) == {1, 2, 8, 7}
    assert numbers_of(replace(finding, quote=""), answer) == set()
    assert numbers_of(finding, "no edits") == set()


@pytest.mark.parametrize(
    ("words", "repeated"),
    [
        ("There is no `def one(x):` in it.", True),
        ("There is  no\ttotal = x in it.", True),
        ("total = x + 1", True),
        ("There is no def add(a, b): in it.", False),
        ("@@ and return", False),
        ("def one", False),
    ],
)
def test_words_repeat_a_line_that_only_the_bad_edit_has(words: str, repeated: bool) -> None:
    """Without its sign and whatever the white space; a line of a sound edit or a part of a line shows nothing."""
    answer = f"```diff\n--- calc.py\n+++ calc.py\n{SOUND_HUNK}{BAD_HUNK}```\n"
    assert repeats_line(first_error(answer), words, answer) is repeated
    assert repeats_line(first_error(answer), words, answer.replace("\n", "\r\n")) is repeated


def test_a_changed_part_is_said_on_one_line() -> None:
    """Each part is clipped to 60 characters."""
    assert PartEdit("a\n  b\n", "c").words == '"a b" became "c"'
    assert PartEdit("x" * 58, "y" * 59).words == f'"{"x" * 58}" became "{"y" * 58}…'
    assert PartEdit("x" * 99, "").words == f'"{"x" * 58}… was removed'
