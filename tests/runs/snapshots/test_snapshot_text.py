"""The text of a snapshot."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import RunError, UsageError
from pytest_planguard.replay.matching.normalise import NORMALISERS, Normaliser
from pytest_planguard.runs.snapshots import Redaction, redaction, same_snapshot, snapshot_text, snapshot_value

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ONE, TWO = "11111111-2222-3333-4444-555555555555", "99999999-2222-3333-4444-555555555555"


@pytest.mark.slow
@given(JSON_VALUES)
def test_reading_gives_the_value_back(value):
    """Without redaction nothing is lost, whatever the text; the file is UTF-8, and writing it again changes nothing."""
    text = snapshot_text(value)
    assert snapshot_value(text) == value
    assert text.encode("utf-8").endswith(b"\n")
    assert snapshot_text(snapshot_value(text)) == text


def test_keys_are_sorted_and_laid_out_for_a_review():
    """Two blanks a level, one field a line, letters as they are."""
    assert snapshot_text({"b": 1, "a": ["ü"]}) == '{\n  "a": [\n    "ü"\n  ],\n  "b": 1\n}\n'


def test_what_a_review_would_not_show_is_escaped():
    """A lone surrogate, a writing direction, a line separator: each stands as an escape in the file."""
    assert snapshot_text("a\ud800\u202e\u2028b") == '"a\\ud800\\u202e\\u2028b"\n'


def test_normalisers_keep_equal_ids_equal():
    """UUIDs are renamed by order over the whole value, so two fields with one id still show it."""
    text = snapshot_text({"a": ONE, "b": TWO, "c": ONE, "at": "2026-01-02T03:04:05Z"}, redaction(["volatile"]))
    assert json.loads(text) == {"a": "<uuid 1>", "b": "<uuid 2>", "c": "<uuid 1>", "at": "<timestamp>"}


def test_renamed_keys_are_sorted_by_their_new_names():
    """Twelve ids as keys: written again, the text is the same."""
    text = snapshot_text({ONE.replace("1", f"{n:x}"): n for n in range(12)}, redaction(["uuid"]))
    assert "<uuid 12>" in text
    assert snapshot_text(snapshot_value(text)) == text


def test_only_what_is_named_is_redacted():
    """One normaliser, one path with a wildcard; the field stays, its value goes; the value given is not touched."""
    value = {"id": ONE, "at": "2026-01-02T03:04:05Z", "steps": [{"s": 1, "n": "a"}, {"n": "b"}]}
    text = snapshot_text(value, redaction(["uuid", "steps[*].s"]))
    steps = [{"s": "<redacted>", "n": "a"}, {"n": "b"}]
    assert json.loads(text) == {"id": "<uuid 1>", "at": "2026-01-02T03:04:05Z", "steps": steps}
    assert value["steps"] == [{"s": 1, "n": "a"}, {"n": "b"}]


def test_a_field_inside_a_redacted_one_goes_with_it():
    """Places may overlap, and the root is a place."""
    assert json.loads(snapshot_text({"a": {"b": 1}}, redaction(["a", "a.b"]))) == {"a": "<redacted>"}
    assert json.loads(snapshot_text({"a": 1}, redaction(["$"]))) == "<redacted>"


def test_a_registered_normaliser_counts_as_volatile():
    """What a project adds is part of the word for all, and has a name of its own."""
    NORMALISERS.register("build", Normaliser("build", lambda text: text.replace("build 7", "build <n>")))
    try:
        for words in (["volatile"], ["build"]):
            assert snapshot_text("build 7", redaction(words)) == '"build <n>"\n'
        assert snapshot_text("build 7", redaction(["uuid"])) == '"build 7"\n'
    finally:
        NORMALISERS.unregister("build")
    assert snapshot_text("build 7", redaction(["volatile"])) == '"build 7"\n'


def test_a_normaliser_that_breaks_the_json_is_named():
    """The message says who did it."""
    with pytest.raises(UsageError, match=r"^a normaliser \(cut\) made .* not JSON"):
        snapshot_text({"a": 1}, Redaction(normalisers=(Normaliser("cut", lambda text: text[:-1]),)))


def test_layout_does_not_count_and_types_do():
    """A file that somebody laid out again is the same snapshot; 1 and true are not the same."""
    assert same_snapshot('{"a":1,\r\n "b":2}', snapshot_text({"b": 2, "a": 1}))
    assert not same_snapshot('{"a": true}', snapshot_text({"a": 1}))
    assert not same_snapshot("<<<<<<< HEAD\n", snapshot_text({"a": 1}))


def test_a_broken_file_says_what_to_do():
    """A conflict that nobody resolved."""
    with pytest.raises(RunError, match=r"^the snapshot is not JSON.*Restore it, or write it again"):
        snapshot_value("<<<<<<< HEAD\n")
