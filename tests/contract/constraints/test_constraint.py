"""Content constraints: what each type finds, and how a wrong definition is answered."""

from __future__ import annotations

import copy
import datetime as dt
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import (
    contains,
    count,
    custom,
    distinct,
    excludes,
    in_range,
    max_length,
    min_length,
    non_empty,
    not_copied,
    one_of,
    regex,
    same_length,
)
from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.constraints.constraint_types import whole_number
from pytest_planguard.contract.constraints.scene import CheckContext
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Severity
from pytest_planguard.document.path import to_pointer
from pytest_planguard.errors import UsageError

from ...support.one_item import in_one_item

LISTED = 'one of "Go", "No Go", "Execute Immediately", "Proceed with Caution", "Do Not Execute"'
GO = ("Go", "No Go", "Execute Immediately", "Proceed with Caution", "Do Not Execute")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)

CASES: list[tuple[ContentConstraint, Any, list[str]]] = [
    (non_empty("a"), {"a": "x"}, []),
    (non_empty("a"), {"a": " \n\t"}, ['/a: expected some text; got " \\n\\t"']),
    (non_empty("a"), {"a": []}, ["/a: expected at least 1 item; got []"]),
    (non_empty("a"), {"a": None}, ["/a: expected some text; got null"]),
    (non_empty("a"), {"a": 0}, []),
    (non_empty("a"), {}, ["/a: required, missing"]),
    (non_empty("a.b"), {}, ["/a: required, missing"]),
    (non_empty("a.b"), {"a": None}, ["/a/b: required, missing"]),
    (non_empty("a.b"), {"a": 3}, ["/a: expected an object; got 3"]),
    (non_empty("a[1]"), {"a": ["x"]}, ["/a/1: required, missing"]),
    (non_empty("a[*]"), {"a": "x"}, ['/a: expected a list; got "x"']),
    (non_empty("a.*"), {"a": []}, ["/a: expected an object; got []"]),
    (
        non_empty("a[*].b"),
        {"a": [{"b": "x"}, {"b": ""}, {}]},
        ["/a/2/b: required, missing", '/a/1/b: expected some text; got ""'],
    ),
    (one_of("a", *GO), {"a": "Go"}, []),
    (
        one_of("a", *GO),
        {"a": "go"},
        [
            "/a: expected " + LISTED + '; got "go"',
        ],
    ),
    (one_of("a", 1, 2), {"a": 1.0}, []),
    (one_of("a", 1, 2), {"a": True}, ["/a: expected one of 1, 2; got true"]),
    (one_of("a", "Go", match="casefold"), {"a": " gO "}, []),
    (one_of("a", "Go", "No Go", match="prefix"), {"a": "Go. The budget holds."}, []),
    (one_of("a", "Go", match="prefix"), {"a": "Gone"}, ['/a: expected "Go" at the start; got "Gone"']),
    (one_of("a", "go", match="contains"), {"a": "We say: Go!"}, []),
    (one_of("a", "go", match="contains"), {"a": "ago"}, ['/a: expected "go" in it; got "ago"']),
    (min_length("a", 3), {"a": "äöü"}, []),
    (min_length("a", 3), {"a": "ab     "}, ['/a: expected at least 3 characters (has 2); got "ab     "']),
    (min_length("a", 3), {"a": ["x"] * 3}, ['/a: expected text; got ["x", "x", "x"]']),
    (min_length("a", 1), {"a": "👍"}, []),
    (max_length("a", 2), {"a": "👍👍"}, []),
    (max_length("a", 2), {"a": "abc"}, ['/a: expected at most 2 characters (has 3); got "abc"']),
    (max_length("a", 2), {}, []),
    (regex("a", r"^T\d+$"), {"a": "T12"}, []),
    (regex("a", r"T\d", match="fullmatch"), {"a": "T12"}, [r'/a: expected text matching T\d; got "T12"']),
    (distinct("a"), {"a": ["Sweep", "mop", " sweep "]}, ['/a/2: repeats an earlier value; got " sweep "']),
    (distinct("a"), {"a": [1, 1.5, {"x": 1}, {"x": 1}]}, ['/a/3: repeats an earlier value; got {"x": 1}']),
    (
        distinct("a[*].id"),
        {"a": [{"id": "T1"}, {"id": "T2"}, {"id": "t1"}]},
        ['/a/2/id: repeats an earlier value; got "t1"'],
    ),
    (count("a", 1, 2), {"a": []}, ["/a: expected at least 1 item (has 0); got []"]),
    (count("a", 1, 2), {"a": [1]}, []),
    (count("a", 1, 2), {"a": [1, 2]}, []),
    (count("a", 1, 2), {"a": [1, 2, 3]}, ["/a: expected at most 2 items (has 3); got [1, 2, 3]"]),
    (count("a", 1), {"a": "x"}, ['/a: expected a list; got "x"']),
    (in_range("a", 1, 5), {"a": 5}, []),
    (in_range("a", 1, 5), {"a": 0.5}, ["/a: expected a number of at least 1; got 0.5"]),
    (in_range("a", 1, 5), {"a": 6}, ["/a: expected a number of at most 5; got 6"]),
    (in_range("a", 0, 1), {"a": True}, ["/a: expected a number; got true"]),
    (contains("a", "T1", "T2"), {"a": "T1 and T3"}, ['/a: expected "T2" in it; got "T1 and T3"']),
    (contains("a", "t1", ignore_case=True), {"a": "T1"}, []),
    (contains("a", "T1"), {"a": ["T1"]}, []),
    (excludes("a", "[", "]"), {"a": "fill [this]"}, ['/a: expected no "[" and "]" in it; got "fill [this]"']),
    (excludes("a", "T1", ignore_case=True), {"a": ["t1"]}, ['/a: expected no "T1" in it; got ["t1"]']),
    (excludes("a", "x"), {"a": 3}, []),
    (
        same_length("x", "y", within="a[*]"),
        {"a": [{"x": [1], "y": [1]}, {"x": [1, 2], "y": []}]},
        ['/a/1/y: expected 2 items, as many as "x" (has 0); got []'],
    ),
    (same_length("x", "y"), {"x": [1]}, []),
    (same_length("x", "y"), [], ["(whole answer): expected an object; got []"]),
    (custom("a", lambda v: None if v == 1 else "must be 1"), {"a": 2}, ["/a: must be 1"]),
    (custom("a", lambda v: [f"{v} once", "twice"]), {"a": 2}, ["/a: 2 once", "/a: twice"]),
    (custom("a", lambda v: v == 1), {"a": 2}, ["/a: the check does not hold"]),
    (custom("a", lambda v: v == 1), {"a": 1}, []),
    (custom("a", lambda v: 1 / 0), {"a": 2}, ["/a: the check itself raised ZeroDivisionError: division by zero"]),
    (
        custom("a", lambda v: 7),
        {"a": 2},
        ["/a: the check itself raised TypeError: it returned int, not None, a text or several texts"],
    ),
]


def _said(constraint: ContentConstraint, data: Any, context: CheckContext | None = None) -> list[str]:
    return [
        f"{to_pointer(item.path) or '(whole answer)'}: {item.message}" for item in constraint.findings(data, context)
    ]


@in_one_item
@pytest.mark.parametrize(
    ("constraint", "data", "said"), CASES, ids=[f"{n}-{c.constraint_type}" for n, (c, _, _) in enumerate(CASES)]
)
def test_what_each_type_finds(constraint: ContentConstraint, data: Any, said: list[str]) -> None:
    """Each type on values that keep and break it. White space is empty, and lengths are in characters."""
    assert _said(constraint, data) == said


def test_the_nearest_value_is_named() -> None:
    """one_of names the allowed value that was likely meant, also before an explanation."""
    (found,) = one_of("a", *GO).findings({"a": "Proceed with Caution. While the project…"})
    assert found.hint == 'did you mean "Proceed with Caution"?'
    assert found.allowed == GO


def test_both_places_of_a_duplicate() -> None:
    """A duplicate points to the earlier place too."""
    (found,) = distinct("a").findings({"a": ["x", "y", "x"]})
    assert [item.path for item in found.related] == [("a", 0)]


COPIES = [
    ("Sweep the floor with care.", "prompt"),
    ("sweep the FLOOR, with care", "prompt"),
    ("First this. Sweep the floor with care. Then that.", "prompt"),
    ("Call the fire brigade now", "an example"),
    ("steps must all be different", "the feedback"),
]
CONTEXT = CheckContext(
    ("Your task: sweep the floor with care, then rest.",),
    (json.dumps({"steps": ["Call the fire brigade now"]}),),
    ("/steps: steps must all be different",),
)


@pytest.mark.parametrize(("text", "origin"), COPIES)
def test_copies_are_found(text: str, origin: str) -> None:
    """A sentence that stands word for word in prompt, example or feedback is a copy, whatever case and punctuation."""
    (said,) = _said(not_copied("a"), {"a": ["fresh words stand here", text]}, CONTEXT)
    assert said.startswith(f"/a/1: copied from {'the prompt' if origin == 'prompt' else origin}; got ")


def test_what_is_no_copy() -> None:
    """Short texts, other words, other sources and no sources at all are no copies."""
    assert not _said(not_copied("a"), {"a": "sweep the floor"}, CONTEXT)
    assert _said(not_copied("a", min_words=3), {"a": "sweep the floor"}, CONTEXT)
    assert not _said(not_copied("a"), {"a": "sweep the floor with caution"}, CONTEXT)
    assert not _said(not_copied("a", sources=["feedback"]), {"a": "sweep the floor with care"}, CONTEXT)
    assert not _said(not_copied("a"), {"a": "sweep the floor with care"})
    assert _said(not_copied("a", texts=["One Two Three Four"]), {"a": "one two three four"})


def test_the_models_own_words_in_feedback_are_no_copy() -> None:
    """Feedback quotes what the model said before it; words that the feedback brought in stay a copy ever after."""
    answer, hint = "Cut the power at once", "Call the fire brigade now"
    quoting = f'/steps: expected at least 2 items; got ["{answer}"]; for example: {hint}'
    own = json.dumps([answer])
    context = CheckContext(
        feedback_texts=(quoting, f'/steps/1: copied; got "{hint}"'), answer_texts=(own, f"{own}{hint}")
    )
    assert not _said(not_copied("a"), {"a": answer}, context)
    assert _said(not_copied("a"), {"a": hint}, context)
    assert _said(not_copied("a"), {"a": answer}, CheckContext(feedback_texts=(quoting,)))
    assert _said(not_copied("a"), {"a": answer}, CheckContext(example_texts=(answer,), answer_texts=(own,)))


WRONG = [
    (
        lambda: ContentConstraint("a", "min_lenght", {}),
        r"unknown constraint type 'min_lenght'. Did you mean 'min_length'\? Known: non_empty, one_of, ",
    ),
    (lambda: ContentConstraint("a", "zzz"), r"unknown constraint type 'zzz'. Known"),
    (
        lambda: ContentConstraint("a", "min_length", {"char": 3}),
        r"min_length has no parameter 'char' \(did you mean \"chars\"\?\); it takes chars \(a whole number of at least",
    ),
    (
        lambda: ContentConstraint("a", "min_length", {}),
        r"min_length needs the parameter 'chars': a whole number of at least 0",
    ),
    (
        lambda: ContentConstraint("a", "min_length", {"chars": "3"}),
        r"min_length: 'chars' must be a whole number of at least 0, got '3'",
    ),
    (lambda: ContentConstraint("a", "one_of", {"values": "Go"}), r"'values' must be a list of values, got 'Go'"),
    (lambda: ContentConstraint("a", "non_empty", {"x": 1}), r"non_empty has no parameter 'x'; it takes none"),
    (
        lambda: non_empty("a", severity="fial"),
        r"unknown severity 'fial'. Did you mean 'fail'\? Valid severities: info, warn, retry, fail",
    ),
    (lambda: non_empty("a..b"), r"is not a path"),
    (lambda: min_length("a", None), r"min_length: 'chars' must be a whole number of at least 0, got None"),  # type: ignore[arg-type]
    (lambda: count("a"), r"count on 'a': give 'min', 'max' or both: without a bound every answer passes"),
    (lambda: in_range("a", 3, 1), r"range on 'a': 'min' 3 is more than 'max' 1: no answer can pass"),
    (lambda: one_of("a"), r"one_of on 'a': 'values' is empty: name at least one"),
    (lambda: excludes("a"), r"excludes on 'a': 'values' is empty"),
    (lambda: contains("a"), r"contains on 'a': 'values' is empty"),
    (lambda: same_length("a"), r"same_length on '': 'fields' needs two or more lists"),
    (lambda: custom("a", None), r"custom: 'check' must be a callable, got None"),  # type: ignore[arg-type]
    (lambda: Contract(None, constraints=["a"]), r"a contract's constraints must be ContentConstraint values, got 'a'"),  # type: ignore[list-item]
    (
        lambda: Contract(None, constraints=[(non_empty("a"),)]),
        r"got \(ContentConstraint.*unpack it: constraints=\[\*…\]",
    ),  # type: ignore[list-item]
    (lambda: min_length(3, 3), r"a path is a text: got 3; write it as"),  # type: ignore[arg-type]
    (lambda: in_range("a", float("nan"), 1), r"range: 'min' must be a number, got nan"),
]


@in_one_item
@pytest.mark.parametrize(("define", "message"), WRONG)
def test_a_wrong_definition_names_the_way_out(define: Any, message: str) -> None:
    """An unknown type, parameter or severity is refused at definition with the nearest name and the valid ones."""
    with pytest.raises(UsageError, match=message):
        define()


def test_bounds_may_be_open_or_equal_and_a_list_may_be_a_value() -> None:
    """What only looks like a slip is taken: one bound, equal bounds, and in the long form a list as the only value."""
    assert not _said(count("a", 1), {"a": [1]})
    assert not _said(in_range("a", 0, 0), {"a": 0})
    assert not _said(ContentConstraint("a", "one_of", {"values": [["x", "y"]]}), {"a": ["x", "y"]})


@pytest.mark.parametrize(
    ("value", "fits"), [(0, True), (1, True), (-1, False), (True, False), (1.0, False), (None, False)]
)
def test_a_count_begins_at_zero(value: object, fits: bool) -> None:
    """None is a count only where it is the default."""
    assert whole_number().accepts(value) is fits
    assert whole_number(None).accepts(None)


def test_codes_and_severities() -> None:
    """A finding has the type's name as code, a custom check its own; the severity is the constraint's."""

    def named(value: Any) -> str:
        return "no"

    found = [
        *custom("a", named, severity="warn").findings({"a": 1}),
        *custom("a", named, name="mine").findings({"a": 1}),
    ]
    assert [(item.code, item.severity) for item in found] == [("named", Severity.WARN), ("mine", Severity.RETRY)]
    assert [item.code for item in custom("a", lambda v: "no").findings({"a": 1})] == ["custom"]
    assert ContentConstraint("a", "non_empty", {}, "fail").severity is Severity.FAIL


def test_constraints_are_values() -> None:
    """Two equal definitions are equal and hash alike; a definition keeps its own parameters."""
    assert min_length("a", 3) == ContentConstraint("a", "min_length", {"chars": 3})
    assert hash(min_length("a", 3)) == hash(min_length("a", 3))
    given = {"chars": 3}
    constraint = ContentConstraint("a", "min_length", given)
    given["chars"] = 4  # the caller's own dict
    assert constraint == min_length("a", 3)
    for copied in (copy.copy(constraint), pickle.loads(pickle.dumps(constraint))):
        assert copied == constraint
        assert (copied.kind, copied.pattern, copied.code) == (constraint.kind, constraint.pattern, "min_length")


ABSENT: dict[str, tuple[str, Any, list[tuple[str, tuple[Any, ...], str]]]] = {
    "a key": ("a", {}, [("missing", ("a",), "required, missing")]),
    "a key of what is null": ("a.b", {"a": None}, [("missing", ("a", "b"), "required, missing")]),
    "a key of what is no object": ("a.b", {"a": [1]}, [("type", ("a",), "expected an object; got [1]")]),
    "a key of nothing": ("a.b", {}, [("missing", ("a",), "required, missing")]),
    "an index": ("a[1]", {"a": ["x"]}, [("missing", ("a", 1), "required, missing")]),
    "the last index": ("a[0]", {"a": ["x"]}, []),
    "an index of what is no list": ("a[1]", {"a": "x"}, []),
    "the items of what is no list": ("a[*]", {"a": 5}, [("type", ("a",), "expected a list; got 5")]),
    "the items of an empty list": ("a[*]", {"a": []}, []),
    "the values of what is no object": ("a.*", {"a": [1]}, [("type", ("a",), "expected an object; got [1]")]),
    "a key of two items": ("a[*].b", {"a": [{}, {"b": "x"}]}, [("missing", ("a", 0, "b"), "required, missing")]),
}


@pytest.mark.parametrize("name", ABSENT)
def test_what_is_said_of_a_field_that_is_not_there(name: str) -> None:
    """Where its way breaks off, and nothing behind that."""
    field, data, said = ABSENT[name]
    found = list(min_length(field, 1).findings(data))
    assert [(one.code, one.path, one.message) for one in found] == said
    assert {one.kind for one in found} <= {FailureKind.CONTENT}


ALL = [constraint for constraint, _, _ in CASES] + [not_copied("a", texts=["one two three four"])]


@given(JSON, st.sampled_from(ALL))
def test_no_data_makes_a_constraint_raise(data: Any, constraint: ContentConstraint) -> None:
    """A constraint answers any plain data with findings."""
    assert all(item.message for item in constraint.findings(data))


class Loose(BaseModel):
    a: Any = None
    b: int = 0


@given(JSON, st.lists(st.sampled_from(ALL), max_size=4), st.sampled_from(ALL))
def test_adding_a_constraint_never_removes_a_finding(
    data: Any, some: list[ContentConstraint], more: ContentConstraint
) -> None:
    """What a contract finds, a stricter contract finds too."""
    for schema in (None, Loose):
        fewer = {item.identity for item in Contract(schema, constraints=some).check(data).findings}
        many = {item.identity for item in Contract(schema, constraints=[*some, more]).check(data).findings}
        assert fewer <= many


def test_real_recommendations(shared_data: Any) -> None:
    """Of 14 real recommendations, 6 are exact, and all 14 begin with an allowed value."""
    folder = shared_data / "planexe" / "expert_assessments"
    texts = [json.loads(path.read_text())["go_no_go_recommendation"] for path in sorted(folder.glob("*.json"))]
    exact, prefix = one_of("a", *GO), one_of("a", *GO, match="prefix")
    passed = [sum(not _said(constraint, {"a": text}) for text in texts) for constraint in (exact, prefix)]
    assert (len(texts), passed) == (14, [6, 14])


def test_values_that_have_no_json_form_are_no_repeats_of_each_other() -> None:
    """Two lists that hold themselves have nothing to compare."""
    one: list[Any] = []
    other: list[Any] = []
    one.append(one)
    other.append(other)
    assert list(distinct("a").findings({"a": [one, other]})) == []


def test_a_constraint_is_shown_by_what_was_given() -> None:
    """What follows from it is not shown."""
    assert repr(min_length("a", 3)) == (
        "ContentConstraint(field='a', constraint_type='min_length', params={'chars': 3}, "
        "severity=<Severity.RETRY: 'retry'>)"
    )


def test_equal_items_are_repeats_however_they_are_written() -> None:
    """The order of keys does not count, nor do case and space of a text; what JSON has no form for counts as a text."""
    day = dt.date(2026, 1, 2)
    data = {"a": [{"x": 1, "y": 2}, {"y": 2, "x": 1}, "A b", " a  B ", 1, 1.0, True, day, day, None, None, "null"]}
    assert [found.path[1] for found in distinct("a").findings(data)] == [1, 3, 8, 10]


def test_an_accent_may_be_a_character_of_its_own() -> None:
    """Both spellings look the same, so they are equal for every constraint on text."""
    apart, joined = "e\u0301", "\u00e9"
    for one, other in ((apart, joined), (joined, apart)):
        assert _said(excludes("a", one), {"a": f"Am {other}."})
        assert not _said(contains("a", one), {"a": f"Am {other}."})
        assert _said(distinct("a"), {"a": [one, other]})
        assert not _said(one_of("a", one, match="casefold"), {"a": other.upper()})
