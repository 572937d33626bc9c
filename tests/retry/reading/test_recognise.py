"""Reading feedback: every wording gives back places, codes and messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.feedback.feedback import STYLES, build_feedback
from pytest_planguard.errors import UsageError
from pytest_planguard.retry.reading.entry import ErrorEntry
from pytest_planguard.retry.reading.recognise import WORDINGS as READERS
from pytest_planguard.retry.reading.recognise import Wording, own_entries, recognise

from ...support.conversations import BAD, ERRORS, PLAN, WORDINGS
from ...support.cost import assert_growth
from ...support.one_item import in_one_item


def named(text: str, *, known_wordings: bool = True) -> set[tuple[tuple[str, ...] | None, str]]:
    """Place and message of every entry."""
    return {(e.path, e.message) for e in recognise(text, known_wordings=known_wordings)}


@in_one_item
@pytest.mark.parametrize("wording", [w for w in WORDINGS if w != "message first"])
def test_every_wording_gives_back_its_errors(wording: str) -> None:
    """Places and messages survive each wording."""
    found = named(WORDINGS[wording](ERRORS))
    for path, _, message in ERRORS:
        place = tuple(map(str, path))
        assert any(p == place and m.startswith(message) for p, m in found), (wording, place)


@pytest.mark.parametrize("style", [style for style in STYLES.names if style != "blind"])
def test_our_own_styles_are_read_back(style: str) -> None:
    """Path and code of every finding come back from our own feedback, each with its place in the text."""
    findings = PLAN.check(BAD).errors
    text = build_feedback(findings, attempt=1, max_attempts=3, style=style).text
    found = {(e.path, e.code) for e in recognise(text)}
    assert {(tuple(map(str, f.path)), f.code) for f in findings} <= found
    if style != "json":
        assert all(text[e.start : e.end] == e.message for e in own_entries(text))


def test_a_pydantic_error_at_the_root_has_no_location_line() -> None:
    """Below the header there is the message at once; longer messages span lines."""
    head = "1 validation error for Plan\n  "
    text = head + "Invalid JSON: EOF\nwhile parsing [type=json_invalid, input_value='{', input_type=str]"
    assert ((), "json_invalid") not in {(e.path, e.code) for e in recognise(text)}
    text = head + "Value error, all wrong\n  and more [type=value_error, input_value=1, input_type=int]"
    assert ((), "Value error, all wrong and more") in named(text)


def test_pydantic_errors_follow_each_other() -> None:
    """A location never reaches over another error."""
    text = "goal\n  Field required [type=missing, input_value=1]\n  Extra inputs [type=extra_forbidden, input_value=1]"
    assert [(e.path, e.code) for e in recognise(text) if e.code] == [(("goal",), "missing")]
    text += "\ntasks.0\n  Input should be a string [type=string_type, input_value=1]"
    assert [e.path for e in recognise(text) if e.code] == [("goal",), ("tasks", "0")]


def test_two_errors_of_one_line_may_be_two_sentences() -> None:
    """A lower-case name begins the next error; a word like "Hint:" belongs to the one before."""
    assert named("goal: is required. steps: at least 2 items") >= {(("steps",), "at least 2 items")}
    assert (("Hint",), "say what") not in named("goal: is required. Hint: say what")


def test_lists_are_found_anywhere_and_nested() -> None:
    """JSON and Python lists of errors, inside prose and inside other objects."""
    text = 'Oh no: {"detail": [{"loc": ["a", 0], "msg": "Field required", "type": "missing"}]} - fix it'
    assert ErrorEntry(("a", "0"), "missing", "Field required", 7, 82) in recognise(text)
    text = "Errors: [{'path': 'a.b', 'message': \"it's bad\"}]"
    assert (("a", "b"), "it's bad") in named(text)
    assert named("[{'a': undefined}] [{'") == set()
    assert (None, "bad") in {(e.path, e.message) for e in recognise('[{"code": "missing", "message": "bad"}]')}


def test_a_path_may_stand_on_the_line_above() -> None:
    """A head that ends with a colon takes the next line as its message."""
    assert (("a", "b"), "Field required") in named("- a.b:\n    - Field required")
    assert named("a.b:") == set()


def test_notes_and_labels_around_a_path_are_dropped() -> None:
    """Line numbers, codes in brackets, bullets, marks and words like "field"."""
    for text in (
        "❌ field `a.b` (line 3): must be set",
        "Error at a.b: must be set",
        "line 6: a.b: must be set",
        '"a.b": must be set',
        "(1) **a.b** - must be set",
        "a.b [missing]: must be set",
        "> - a.b (missing): must be set",
    ):
        assert (("a", "b"), "must be set") in named(text), text
    assert {e.code for e in recognise("a.b [missing]: must be set")} == {"missing"}
    assert {e.code for e in recognise("a.b: must be set (too_short)")} == {"too_short"}


def test_words_before_a_colon_announce_errors() -> None:
    """A word before a colon may name a field or nobody."""
    found = {e.path for e in recognise("Error: Invalid JSON")}
    assert found == {("Error",), None}
    assert named("What went wrong here: everything") == set()
    assert named("---: nothing") == set()


def test_framework_wordings_can_be_switched_off() -> None:
    """Off, only generic shapes stay."""
    text = "Unknown tool name: 'final'. Please fix your mistakes."
    assert {e.code for e in recognise(text)} == {"unknown_tool", "value_error"}
    assert recognise(text, known_wordings=False) == ()


def test_users_add_their_own_wording() -> None:
    """A registered function takes part; a taken name is refused."""

    def read(text: str) -> list[ErrorEntry]:
        return [ErrorEntry(("mine",), None, "own", 0, 3)] if "OWN" in text else []

    READERS.register("ours", Wording("ours", read))
    READERS.register("ours", Wording("ours", read))
    try:
        assert (("mine",), "own") in named("OWN words")
        with pytest.raises(UsageError, match=r"^a wording 'ours' exists already; choose another name$"):
            READERS.register("ours", Wording("ours", lambda _: []))
    finally:
        READERS.unregister("ours")
    assert (("mine",), "own") not in named("OWN words")


@given(st.text(max_size=400))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Entries lie inside the text, whatever it is."""
    for entry in recognise(text):
        assert 0 <= entry.start <= entry.end <= len(text) + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ['[{"a":', "[{'", "- a.b: x; ", "Missing field: ", "[type=x, input_value=\n  ", "(" * 9, "a -> "]
)
def test_hostile_feedback_takes_linear_time(piece: str) -> None:
    """Eight times the text costs far less than 64 times as much."""

    def read(characters: int) -> None:
        recognise(piece * (characters // len(piece)))

    assert_growth(read, 25_000, 200_000, below=32)
