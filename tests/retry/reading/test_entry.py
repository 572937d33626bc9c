"""Places: every spelling of a path is the same path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.retry.reading.entry import ErrorEntry, NewText, clip, parse_place, place, reaches, same_place

from ...support.one_item import in_one_item

PATH = ("tasks", 0, "status")


@in_one_item
@pytest.mark.parametrize(
    "spelling",
    [
        "tasks.0.status",
        "tasks[0].status",
        "/tasks/0/status",
        "#/tasks/0/status",
        "$.tasks[0].status",
        "$['tasks'][0]['status']",
        'tasks[0]["status"]',
        "tasks -> 0 -> status",
        "tasks → 0 → status",
        "tasks > 0 > status",
        "`tasks[0].status`",
        "('tasks', 0, 'status')",
        '["tasks", 0, "status"]',
    ],
)
def test_every_spelling_is_the_same_place(spelling: str) -> None:
    """Dots, brackets, pointers, JSON paths and arrows agree."""
    assert same_place(parse_place(spelling), PATH)


@pytest.mark.parametrize("spelling", ["", "$", "(whole answer)", "`$`", "root", "/"])
def test_the_root_has_many_names(spelling: str) -> None:
    """The whole answer is the empty path."""
    assert parse_place(spelling) == ()


@pytest.mark.parametrize(
    "other", ["tasks[1].status", "tasks.status", "tasks[0]", "tasks[0].status.x", "task[0].status"]
)
def test_other_places_differ(other: str) -> None:
    """A wrong index, a missing or an added segment is another place."""
    assert not same_place(parse_place(other), PATH, {"tasks": [{"status": 1}, {"status": 2}]})


def test_union_tags_are_dropped() -> None:
    """Pydantic's names of union members do not stand in the document."""
    data = {"pet": {"name": "Rex"}, "size": 3, "cats": [{}]}
    assert same_place(("pet", "Cat", "name"), ("pet", "name"), data)
    assert same_place(("size", "int"), ("size",), data)
    assert same_place(("pet", "function-after[check(), Cat]", "name"), ("pet", "name"), data)
    assert same_place(("cats", "0", "Cat", "name"), ("cats", 0, "name"), data)
    assert same_place(("pet", "Cat", "name"), ("pet", "name"))
    assert not same_place(("cats", "7", "name"), ("cats", 0, "name"), data)
    assert not same_place(("pet", "name", "age"), ("pet", "name"), data)


def test_any_word_in_the_middle_of_a_place_is_a_tag() -> None:
    """If the answer has nothing of that name there; positions are none, and without an answer no word is known."""
    data = {"pet": {"name": "Rex"}}
    assert same_place(("pet", "cat", "name"), ("pet", "name"), data)
    assert same_place(("first", "0", "name"), (0, "name"), [{"name": 1}])
    assert not same_place(("pet", "cat", "name"), ("pet", "name"))
    assert not same_place(("pet", "7", "name"), ("pet", "name"), data)
    assert not same_place(("cat", "pet", "name"), ("pet", "name"), data)


OF_THE_WHOLE = (*("non_field_errors", "nonFieldErrors", "_schema", "__all__", "_errors", "_root", "__root__"),)
ROOT_NAMES = (
    *("data", "response", "instance", "input", "value", "body", "payload", "document", "answer", "output", "result"),
    *("object", "obj", "json", "_"),
)
ROOTS = ("#", "/", "(whole answer)", "(root)", "root", "<root>", "__root__", "(whole document)", "document", "ROOT")
TAGS = ("Cat", "function-after[check(), Cat]", "list[int]", "[key]", "key", "int", "float", "str", "bool", "none")


@pytest.mark.parametrize("name", OF_THE_WHOLE)
def test_errors_of_a_whole_value_have_a_key_of_their_own(name: str) -> None:
    """Behind a place it is none; in the middle of one, or as a field of the answer, it is a name."""
    assert same_place(("tasks", name), ("tasks",))
    assert same_place((name,), ())
    assert not same_place((name, "tasks"), ("tasks",), {"tasks": 1})
    assert not same_place(("tasks", name), ("tasks",), {"tasks": {name: 1}})


@pytest.mark.parametrize("name", ROOT_NAMES)
def test_validators_have_names_for_the_answer(name: str) -> None:
    """In front of a place they are none, in any spelling; behind it they are."""
    assert same_place((name, "tasks"), ("tasks",))
    assert same_place(parse_place(f"{name}/tasks/0"), ("tasks", 0))
    assert not same_place(("tasks", name), ("tasks",))
    assert not same_place((name, "tasks"), ("tasks",), {name: {"tasks": 1}})


@pytest.mark.parametrize("spelling", ROOTS)
def test_each_spelling_of_the_whole_answer(spelling: str) -> None:
    """It has no segment."""
    assert parse_place(spelling) == parse_place(f"'{spelling}'") == ()


@pytest.mark.parametrize("tag", TAGS)
def test_each_form_of_a_tag_is_dropped(tag: str) -> None:
    """Behind a place; other words there are a place."""
    assert same_place(("pet", tag), ("pet",))
    assert not same_place(("pet", "cat"), ("pet",))
    assert not same_place(("pet", f"{tag} x".lower().replace("[", "")), ("pet",))


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("invoiceNo", "invoice_no"),
        ("InvoiceNo", "invoice_no"),
        ("invoice-no", "invoice_no"),
        ("INVOICE_NO", "invoiceNo"),
        ("invoiceno", "invoice-no"),
    ],
)
def test_a_key_in_the_spelling_of_another_language_is_the_key(written: str, path: str) -> None:
    """Unless the answer has both."""
    assert same_place((written,), (path,), {path: 1})
    assert not same_place((written,), (path,), {path: 1, written: 2})
    assert same_place(("theLines", written), ("the_lines", path), {"the_lines": {path: 1}})
    assert not same_place(("theLines", written), ("the_lines", path), {"the_lines": {path: 1, written: 2}})


@pytest.mark.parametrize(
    ("text", "clipped"),
    [(" a\n  b ", "a b"), ("x" * 200, "x" * 200), ("x" * 201, f"{'x' * 199}…"), (f"x{' ' * 800}y", "x")],
)
def test_evidence_is_one_line_of_at_most_200_characters(text: str, clipped: str) -> None:
    """White space is one space; of a longer text only the first 800 characters are read."""
    assert clip(text) == clipped
    assert clip("abcdef", 4) == "abc…"


def test_a_field_with_a_capital_is_no_union_tag() -> None:
    """A tag or a heading alone is about the whole answer; a field of the answer is not, however it begins."""
    data = {"status": "a", "dueDate": "b"}
    for word in ("Cat", "Failures", "Date"):
        assert same_place((word,), (), data)
        assert same_place((word, "status"), ("status",), data)
    for word in ("Status", "DueDate"):
        assert not same_place((word,), (), data)
        assert same_place((word,), (), [])


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(st.integers(0, 99), st.from_regex(r"[a-z_][a-z_0-9]{0,8}", fullmatch=True)), min_size=1, max_size=6
    )
)
def test_spellings_parse_back(path: list[str | int]) -> None:
    """Each usual spelling of a path is read as that path."""
    if path[0] == "root" or (len(path) == 1 and path[0] in ("root", "document", "__root__")):
        return
    for spelling in spellings(path):
        assert parse_place(spelling) == place(tuple(path)), spelling


def spellings(path: list[str | int]) -> list[str]:
    """Return the usual spellings of a path."""
    steps = list(map(str, path))
    brackets = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
    joined = [sign.join(steps) for sign in (".", " -> ", " → ", " > ")]
    return [brackets, *joined, "/" + "/".join(steps)]


def test_pointers_are_unescaped() -> None:
    """RFC 6901: ~1 is a slash, ~0 a tilde."""
    assert parse_place("/a~1b/c~0d") == ("a/b", "c~d")


def test_the_name_of_a_list_may_stand_behind_the_position_again() -> None:
    """Revalidator writes `extras.0.extras`; a field of that name is the field."""
    path = ("extras", 0)
    assert same_place(("extras", "0", "extras"), path, {"extras": ["limousine"]})
    assert not same_place(("extras", "1", "extras"), path, {"extras": ["limousine"]})
    assert not same_place(("extras", "0", "extras"), path, {"extras": [{"extras": "x"}]})
    assert not same_place(("extras", "0", "others"), path, {"extras": ["limousine"]})
    assert not same_place(("0", "extras"), (0,), ["limousine"])


def test_the_first_300_characters_of_a_place_are_read() -> None:
    """No real one is longer."""
    assert parse_place("a" * 301) == ("a" * 300,)


def test_names_that_begin_or_end_with_an_x_are_kept() -> None:
    """Only quotes and stars around a place are none of its characters."""
    assert parse_place("X.FAX") == parse_place("'X.FAX'") == parse_place("('X', 'FAX')") == ("X", "FAX")


@pytest.mark.parametrize(
    ("written", "there"),
    [
        ((), True),
        (("a",), True),
        (("a", "0"), True),
        (("a", "1"), False),
        (("a", "0", "b"), True),
        (("a", "0", "c"), False),
        (("a", "c", "b"), False),
        (("a", "²"), False),
        (("a", "٠"), False),
        (("a", "000000000"), True),
        (("a", "0000000000"), False),
        (("n", "x"), False),
        (("c",), False),
    ],
)
def test_places_that_an_answer_has(written: tuple[str, ...], there: bool) -> None:
    """A position is a number of up to nine digits."""
    assert reaches({"a": [{"b": None}], "n": 5}, written) is there


def test_evidence_is_the_place_of_a_text_and_its_words() -> None:
    """On one line."""
    new = NewText("request 2, message 4", "no:\n goal\n is short", ())
    assert new.quote(4, 13) == "request 2, message 4: goal is"


def test_errors_around_a_place_in_a_text() -> None:
    """Their words contain it or end with it; the errors of a JSON value share its words, so those are left out."""
    text = 'goal: is short [{"goal": 1}]'
    entries = tuple(
        ErrorEntry(None, None, "", *span) for span in ((0, 3), (0, 4), (0, 14), (4, 14), (15, 28), (17, 28))
    )
    new = NewText("request 2, message 4", text, entries)
    assert [(one.start, one.end) for one in new.around(4)] == [(0, 4), (0, 14)]
    assert [(one.start, one.end) for one in new.around(14)] == [(0, 14), (4, 14)]
    assert [(one.start, one.end) for one in new.around(22)] == [(17, 28)]


def test_a_position_alone_is_no_place_of_the_whole_answer() -> None:
    """Feedback that says `0: required` is read as well where the answer as a whole is wrong."""
    assert not same_place(("0",), (), {"goal": 1})
    assert not same_place(("0",), (), [1])
    assert not same_place(("7",), (), [1])
