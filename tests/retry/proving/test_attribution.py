"""Which words come and go with a finding: out of sentences, lines, lists and data."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract
from pytest_planguard.retry.proof import Proof, ProofResult
from pytest_planguard.retry.proving.attribution import (
    cross_checked,
    entry_around,
    lines_above,
    unwrapped,
    words_that_go,
)

from ...support.one_item import in_one_item
from .laboratory import TASK, results

PYDANTIC = "2 validation errors for Menu\nchef\n  too short\ndays.0.kcal\n  too large"
XML = "<errors>\n  <error>\n    <path>a</path>\n  </error>\n  <error>\n    <path>b</path>\n  </error>\n</errors>"


def gone(before: str, now: str, *, cuts: bool = True) -> str:
    """Return what goes from the last of two texts."""
    return words_that_go(["Write it.", before], ["Write it.", now], cuts=cuts)


@in_one_item
@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ("nights is over 28. guest is too short.", "guest is too short.", "nights is over 28."),
        (PYDANTIC, "1 validation error for Menu\ndays.0.kcal\n  too large", "chef\ntoo short"),
        (PYDANTIC, "1 validation error for Menu\nchef\n  too short", "days.0.kcal\ntoo large"),
        ("1. a: x\n2. b: y", "1. b: y", "a: x"),
        ("Look at a, b and c again.", "Look at b and c again.", "a"),
        ("name and age are missing", "age is missing", "name and"),
        ("a: required, b: required", "a: required", "b: required"),
        ("title: X, title: Y", "title: Y", "title: X"),
        ("lint: P-LEVEL,S-NONE,H-NUM", "lint: S-NONE,H-NUM", "P-LEVEL"),
        ("优先级不对。步骤太少。", "步骤太少。", "优先级不对。"),
        ("nights is missing.", "guest is missing.", "nights is missing."),
        ("a is off.\nb is off.", "b is off.\na is off.", ""),
        ("There are 2 problems.", "There is 1 problem.", ""),
        ("3 errores encontrados", "2 errores encontrados", ""),
        ("Field required. Field required.", "Field required.", ""),
        ("I looked at a: x. I looked at", "I looked at a: x.", ""),
        ("I looked at a: x. I looked", "b: y", "I looked at a: x."),
        ("a is off. a is off.", "b: hm", "a is off.\na is off."),
        ("same", "same", ""),
        ("crates no. 3\nrooms no. 2", "rooms no. 2", "crates no. 3"),
        ("rooms 3. elem, beds 1. elem: hm\nname: hm", "name: hm", "rooms 3. elem, beds 1. elem: hm"),
    ],
)
def test_the_words_that_go_when_something_is_taken_away(before: str, now: str, words: str) -> None:
    """Sentences, parts of sentences; no counts, no repetition, no order, nothing that was cut off at once."""
    assert gone(before, now) == words


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ("skills[1].level: must be a number", "skills[1].name: must be a text", "skills[1].level: must be a number"),
        ("1 problem: the title", "2 problems: the title, the owner", ""),
        ("the title", "the owner and the title", ""),
        ("title? Why so short? Please.", "owner? Why? Please.", "title? Why so short?"),
    ],
)
def test_beside_new_words_whole_sentences_go_or_none(before: str, now: str, words: str) -> None:
    """What the error in the place of the finding shares with it is no reason to cut its place in two."""
    assert gone(before, now, cuts=False) == words


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        (
            [{"field": "a", "why": "x"}, {"field": "b", "why": "x"}],
            [{"field": "b", "why": "x"}],
            [{"field": "a", "why": "x"}],
        ),
        ({"n": 2, "of": {"a": ["x"], "b": ["y"]}}, {"n": 1, "of": {"b": ["y"]}}, {"of": {"a": ["x"]}}),
        ({"items": [{}, {"age": ["x"]}]}, {"items": [{}, {}]}, {"items": [{}, {"age": ["x"]}]}),
        ({"items": [{}, ["x"]]}, {"items": [{}, {}, ["y"]]}, {"items": [{}, ["x"]]}),
        ({"detail": "a is off. b is off."}, {"detail": "b is off."}, {"detail": "a is off."}),
        ({"why": "{'a': ['x'], 'b': ['y']}"}, {"why": "{'b': ['y']}"}, {"why": {"a": ["x"]}}),
        ({"errors": ["a is off. b is off."]}, {"errors": ["b is off."]}, {"errors": ["a is off."]}),
        ([{"no": 1, "of": {"a": ["x"]}, "in": {}}], [{"no": 2, "of": {}, "in": {}}], [{"of": {"a": ["x"]}}]),
        ([{"at": 1, "why": "a"}], [{"at": 7, "why": "b"}], [{"at": 1, "why": "a"}]),
        ({"of": [["x"], ["y"]]}, {"of": [["y"]]}, {"of": [["x"]]}),
        ([{"of": {"p": 1}, "b": 1}], [{"of": {}, "b": 1}], [{"of": {"p": 1}}]),
        ({"e": [1, 2, 5]}, {"e": [2, 5]}, {"e": [1]}),
        ({"e": "x"}, {"e": ["x"]}, {"e": "x"}),
        ({"e": 3}, {"e": 1}, {"e": 3}),
    ],
    ids=[
        *("record", "map", "place in a list", "place in a longer list", "text", "data in a text"),
        *("part of the only text", "a numbered record with fewer errors", "another record"),
        *("list in a list", "map in a record", "number in a list", "another type", "another number"),
    ],
)
def test_of_data_the_smallest_object_goes(before: object, now: object, words: object) -> None:
    """With the keys and places around it, which say where it belongs."""
    assert json.loads(gone(f"Errors: {json.dumps(before)}", f"Errors: {json.dumps(now)}")) == words


@pytest.mark.parametrize("now", [["x", "y"], ["y", "x"], ["x"], ["y", "x", "x"]])
def test_repetition_and_order_of_data_do_not_matter(now: list[str]) -> None:
    """Nothing goes from a list while its items are somewhere in the other."""
    before = now if len(now) != 1 else ["x", "x"]
    assert gone(f"Errors: {json.dumps(before)}", f"Errors: {json.dumps(now[::-1])}") == ""


def test_data_keeps_its_own_letters() -> None:
    """Words in any script are read as they were sent."""
    before, now = ('{"größe": ["zu klein"], "計画": ["短い"]}', '{"計画": ["短い"]}')
    assert gone(f"Fehler: {before}", f"Fehler: {now}") == '{"größe": ["zu klein"]}'


def test_what_earlier_turns_said_is_no_word_of_this_retry() -> None:
    """Though it is the same sentence."""
    before, now = ["Task", "a is off.", "a is off. b is off."], ["Task", "a is off.", "b is off."]
    assert words_that_go(before, now, cuts=True) == "a is off."


def test_turns_that_come_and_go_are_compared_as_one_text() -> None:
    """An app may send a turn for each error."""
    assert words_that_go(["Task", "a is off.", "b is off."], ["Task", "b is off."], cuts=True) == "a is off."


def test_the_lines_above_an_indented_line_may_say_what_it_is_about() -> None:
    """Also the ones beside it, up to the line that holds them all."""
    assert lines_above("too large", [PYDANTIC]) == "days.0.kcal"
    assert lines_above("<path>b</path>", [XML]) == "  <error>"
    assert lines_above("2 validation", [PYDANTIC]) == lines_above("elsewhere", [PYDANTIC]) == ""


@pytest.mark.parametrize(
    ("words", "entry"),
    [
        ("at: age", "- at: age\n  why: too high"),
        ("why: too low", "- at: size\n  why: too low"),
        ("at: age\nwhy: too high", "- at: age\n  why: too high"),
        ("--> size", "error: absent\n  --> size"),
        ("2 validation", ""),
        ("depth is bad", ""),
        ("age", ""),
        ("elsewhere", ""),
        ("", ""),
    ],
)
def test_a_line_stands_in_an_entry(words: str, entry: str) -> None:
    """With the line above that is less indented, and those below that are more so."""
    text = "2 validation errors\n- at: age\n  why: too high\n- at: size\n  why: too low\nerror: absent\n  --> size"
    text += "\nMissing or wrong fields:\n  depth is bad"
    assert entry_around(words, [text]) == entry


def test_an_outline_in_a_document_has_lines_above_and_entries() -> None:
    """The turn is JSON, and the feedback one of its texts."""
    turn = json.dumps({"task": "Write it.", "because": "- at: age\n  why: too high\n  - no. 2"})
    assert lines_above("why: too high", [turn]) == "- at: age"
    assert entry_around("at: age", [turn]) == "- at: age\n  why: too high\n  - no. 2"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ('{"because": "too long"}', "too long"),
        ('{"review": {"because": "too long"}}', "too long"),
        ('{"guest-age": "too long"}', '{"guest-age": "too long"}'),
        ('{"a": "too long", "b": "too short"}', '{"a": "too long", "b": "too short"}'),
        ('{"because": ["too long"]}', '{"because": ["too long"]}'),
        ("{too long", "{too long"),
    ],
)
def test_a_document_of_one_text_is_that_text(words: str, text: str) -> None:
    """Unless a key names a field, in any spelling."""
    assert unwrapped(words, {"guest_age"}) == text


MATCH = Contract(
    {
        "type": "object",
        "properties": {
            "kickoff": {"type": "string", "pattern": "^[0-9]+h[0-9]+$"},
            "club": {"type": "string"},
            "spectators": {"type": "integer", "minimum": 100},
        },
        "required": ["kickoff", "club", "spectators"],
    }
)
SPEC = "{{...}} - failed: (contains? % :{0}) in: [] spec: :match/{0}"
SAID = {field: SPEC.format(field) for field in ("kickoff", "club", "spectators")}
"""The name of the contract, match, looks like a word for a pattern."""


MATCH_WORDS = {"kickoff": "noon is no hour", "club": "this one is missing", "spectators": "12 is too low, from 100 on"}


def match_results(say: Callable[[list[str]], str]) -> dict[str, str]:
    """Return what became of each finding of an app that is given the fields that are wrong."""

    def said(answer: str) -> str | None:
        wrong = [field for field in SAID if any(field in e.path for e in MATCH.check(answer).errors)]
        return say(wrong) if wrong else None

    sound = {"kickoff": "15h30", "club": "Hill Town", "spectators": 8420}
    return results(MATCH, json.dumps({"kickoff": "noon", "spectators": 12}), json.dumps(sound), said)


def test_words_that_name_another_finding_are_of_that_one_alone() -> None:
    """An app that swallows its first error says the same when the second one is right instead."""
    assert match_results(lambda wrong: "\n".join(SAID[one] for one in wrong[1:]))["kickoff"] == "missing"
    assert set(match_results(lambda wrong: "\n".join(SAID[one] for one in wrong)).values()) == {"proven"}


@pytest.mark.parametrize(
    ("said", "result"), [("kickoff, club: hm", "proven"), ("hm", "proven"), ("club: hm", "missing")]
)
def test_equal_words_are_of_the_finding_whose_place_they_name(said: str, result: str) -> None:
    """Both findings keep words that name both places, or neither, if a reader took them for their own."""
    errors = {error.path: error for error in MATCH.check('{"kickoff": "noon", "spectators": 100}').errors}
    both = (errors["kickoff",], errors["club",])
    proofs = [Proof("1", 1, 1, f, ProofResult.PROVEN, "", said=said, left=("Write it.", "hm")) for f in both]
    assert [proof.result.value for proof in cross_checked(proofs)] == [result, "proven"]


def test_a_wrong_heading_in_a_document_is_noticed() -> None:
    """The app sends its outline as a text of a JSON document, and has all errors below another field."""

    def told(head: Callable[[str], str]) -> set[str]:
        def say(wrong: list[str]) -> str:
            lines = [f"- {head(one)}\n    - {MATCH_WORDS[one]}" for one in wrong]
            return json.dumps({"task": "once more", "because": "\n".join(lines)})

        return set(match_results(say).values())

    assert told(lambda field: field) <= {"proven", "reacts"}
    assert "wrong" in told(lambda field: "spectators" if field == "kickoff" else field)


def test_words_may_be_cut_in_front_of_a_reminder() -> None:
    """The same words go on once another finding is right, whatever the lines below say."""
    words = {
        "kickoff": "Please match the requested format.",
        "club": "Please fill out this field.",
        "spectators": "Value must be 100 or higher.",
    }

    def cut(wrong: list[str]) -> str:
        return f"{' '.join(words[one] for one in wrong)[:76]}\n\nAs a reminder, this is what you were asked: {TASK}"

    assert match_results(cut)["spectators"] == "missing"


WORDS = st.lists(st.text("abcdefgh", min_size=2, max_size=6), min_size=2, max_size=6).map(" ".join)
SENTENCES = st.lists(WORDS, min_size=1, max_size=5, unique_by=lambda words: words.split()[0])


@given(SENTENCES, st.data())
def test_of_sentences_exactly_those_that_are_left_out_go(sentences: list[str], data: st.DataObject) -> None:
    """Whatever they are, and in whatever order the rest is said."""
    out = data.draw(st.sampled_from(sentences))
    rest = data.draw(st.permutations([sentence for sentence in sentences if sentence != out]))
    before, now = ("".join(f"{sentence}.\n" for sentence in said) for said in (sentences, rest))
    assert gone(before, now) == f"{out}."


@given(SENTENCES, SENTENCES)
def test_what_goes_was_said(before: list[str], now: list[str]) -> None:
    """Each word that goes stands in the first text; of a text that grows nothing goes."""
    first, second = "\n".join(before), "\n".join(now)
    assert set(gone(first, second).split()) <= set(first.split())
    assert gone(first, f"{first}\n{second}") == ""


@given(st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_no_text_raises(before: str, now: str, cuts: bool) -> None:
    """Feedback is hostile input."""
    assert isinstance(gone(before, now, cuts=cuts), str)


def test_a_name_with_a_digit_is_no_plural() -> None:
    """Which field is named is no ending that depends on the count."""
    assert gone("2 problems: step2", "1 problem: step") == "step2"
    assert gone("2 problems: steps", "1 problem: step") == ""
