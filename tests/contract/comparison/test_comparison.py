"""An answer held against its expected value, field by field."""

import random
from dataclasses import dataclass
from datetime import date
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard import UsageError
from pytest_planguard.contract.comparison.comparators import ignored, near, same_items, same_text
from pytest_planguard.contract.comparison.comparison import Comparison
from pytest_planguard.contract.comparison.score import FieldScore, Mistake, Score, suite_score
from tests.support.json_values import JSON_VALUES
from tests.support.one_item import in_one_item

PLAIN = Comparison({})


def said(score: Score) -> list[tuple[str, tuple[str | int, ...], str]]:
    """Code, path and message of each finding."""
    return [(finding.code, finding.path, finding.message) for finding in score.findings]


@given(JSON_VALUES)
def test_a_value_equals_itself(value) -> None:
    """With full score and without a finding."""
    assert PLAIN.score(value, value).total == 1.0
    assert not PLAIN.score(value, value).findings


@given(JSON_VALUES, JSON_VALUES)
def test_a_score_is_a_share(expected, actual) -> None:
    """From 0 to 1, and 1 only if nothing is found to be wrong."""
    score = PLAIN.score(expected, actual)
    assert 0.0 <= score.total <= 1.0
    assert (score.total == 1.0) is (not score.findings)


@given(JSON_VALUES, JSON_VALUES)
def test_what_is_accepted_is_right_from_then_on(expected, actual) -> None:
    """And what was right already stays as it was written."""
    accepted = PLAIN.accepted(expected, actual)
    assert PLAIN.score(accepted, actual).total == 1.0
    assert PLAIN.accepted(accepted, actual) == accepted
    lenient = Comparison({"day": same_text(), "note": ignored()})
    written = {"day": "1 MAY", "note": "x", "total": 1, "gone": 2}
    assert lenient.accepted(written, {"day": "1 May", "total": 3, "more": 4}) == {
        "day": "1 MAY",
        "note": "x",
        "total": 3,
    }


@pytest.mark.slow
@given(st.lists(JSON_VALUES, max_size=6), st.randoms(use_true_random=False))
def test_order_does_not_count_among_the_same_items(items: list[object], order: random.Random) -> None:
    """Whatever the items are."""
    shuffled = [*items]
    order.shuffle(shuffled)
    assert Comparison({"": same_items()}).score(items, shuffled).total == 1.0


@given(st.lists(st.integers(), min_size=1, max_size=8, unique=True), st.data())
def test_missing_and_invented_items_count_alike(items: list[int], data: st.DataObject) -> None:
    """F1 of a list without k of n items is that of the full list where the short one was expected."""
    kept = data.draw(st.lists(st.sampled_from(items), unique=True))
    compare = Comparison({"": same_items()})
    missing, invented = compare.score(items, kept), compare.score(kept, items)
    assert missing.total == invented.total == pytest.approx(2 * len(kept) / (len(kept) + len(items)))
    assert {finding.code for finding in missing.findings} <= {"missing_item"}
    assert {finding.code for finding in invented.findings} <= {"extra_item"}


def test_each_leaf_counts_once() -> None:
    """Nine of ten right fields are not none, and a finding says what the tenth is."""
    expected = {f"f{number}": number for number in range(10)}
    score = PLAIN.score(expected, {**expected, "f3": 4, "more": 1})
    assert score.total == 0.9
    assert said(score) == [("wrong_value", ("f3",), "expected 3; got 4")]
    assert str(score) == "0.90 (wrong: f3)"
    assert str(PLAIN.score(expected, {**expected, "f3": 4, "f5": 4})) == "0.80 (wrong: f3, f5)"


def test_an_absent_object_costs_all_of_its_leaves() -> None:
    """With one finding, at the object."""
    expected = {"name": "x", "address": {"street": "y", "city": "z"}}
    for actual in ({"name": "x"}, {"name": "x", "address": None}, {"name": "x", "address": "y, z"}):
        score = PLAIN.score(expected, actual)
        assert score.total == pytest.approx(1 / 3)
        assert [finding.path for finding in score.findings] == [("address",)]
    assert [field.name for field in score.fields] == ["name", "address.street", "address.city"]


def test_items_are_scored_field_by_field() -> None:
    """An aligned item counts what is right in it; fields over all items are counted apart."""
    compare = Comparison({"lines": same_items(key="sku"), "lines[*].price": near(0.01)})
    expected = {"lines": [{"sku": "a", "price": 1.0}, {"sku": "b", "price": 2.0}]}
    actual = {"lines": [{"sku": "b", "price": 2.001}, {"sku": "c", "price": 9}, {"sku": "a", "price": 3}]}
    score = compare.score(expected, actual)
    assert score.total == pytest.approx(2 * 1.5 / 5)
    assert score.fields == (
        FieldScore("lines[*].sku", 2.0, 2, 3),
        FieldScore("lines[*].price", 1.0, 2, 3),
        FieldScore("lines", 1.5, 2, 3),
    )
    assert said(score) == [
        ("wrong_value", ("lines", 2, "price"), "expected 1.0 within 0.01; got 3"),
        ("extra_item", ("lines", 1), 'expected no such item; got {"sku": "c", "price": 9}'),
    ]


def test_a_list_without_a_comparator_is_held_item_by_item() -> None:
    """Its order counts."""
    score = PLAIN.score(["a", "b", "c"], ["a", "c"])
    assert said(score) == [
        ("wrong_value", (1,), 'expected "b"; got "c"'),
        ("missing_item", (), 'expected an item "c"; the list has none'),
    ]
    assert score.total == pytest.approx(2 / 5)


def test_the_most_exact_pattern_counts() -> None:
    """Fewer wildcards win, then the later one."""
    compare = Comparison({"*.name": ignored(), "one.name": same_text(), "two.*": near(9), "two.name": near(1)})
    assert compare.score({"one": {"name": "A"}}, {"one": {"name": "b"}}).total == 0.0
    assert compare.score({"three": {"name": "A"}}, {"three": {"name": "b"}}).total == 1.0
    assert compare.score({"two": {"name": 1}}, {"two": {"name": 3}}).total == 0.0
    assert Comparison({"a": near(1), '["a"]': near(5)}).score({"a": 1}, {"a": 4}).total == 1.0


def test_optional_fields_count_only_if_they_are_there() -> None:
    """Absent and null are not counted; a wrong value is wrong."""
    compare = Comparison({"note": same_text(optional=True)})
    expected = {"id": 1, "note": "x"}
    assert compare.score(expected, {"id": 1}).total == compare.score(expected, {"id": 1, "note": None}).total == 1.0
    assert compare.score(expected, {"id": 1, "note": "y"}).total == 0.5
    assert [field.name for field in compare.score(expected, {"id": 1}).fields] == ["id"]


def test_values_of_all_kinds_are_expected() -> None:
    """Models, dataclasses, enums and dates stand for what JSON has of them; a matcher decides by its own `==`."""

    class Kind(Enum):
        A = "a"

    @dataclass
    class Inner:
        kind: Kind

    class Outer(BaseModel):
        day: date

    class Raises:
        def __eq__(self, other: object) -> bool:
            raise TypeError

        __hash__ = None  # type: ignore[assignment]

    expected = {"inner": Inner(Kind.A), "outer": Outer(day=date(2026, 3, 1)), "near": pytest.approx(1.0, abs=0.1)}
    actual = {"inner": {"kind": "a"}, "outer": {"day": "2026-03-01"}, "near": 1.05}
    assert PLAIN.score(expected, actual).total == 1.0
    assert PLAIN.score({"x": Raises()}, {"x": 1}).total == 0.0


def test_the_figures_of_a_field() -> None:
    """Precision of what was found, recall of what was expected, and their harmonic mean; nothing at all is right."""
    field = FieldScore("lines", 3.0, 4, 6)
    assert (field.precision, field.recall, field.f1) == (0.5, 0.75, 0.6)
    empty = FieldScore("lines", 0.0, 0, 0)
    assert (empty.precision, empty.recall, empty.f1) == (1.0, 1.0, 1.0)


def test_a_score_names_the_wrong_fields() -> None:
    """Those that lack a value or have one too many."""
    fields = (FieldScore("a", 1.0, 2, 2), FieldScore("b", 1.0, 1, 1), FieldScore("c", 0.0, 0, 1))
    assert str(Score(0.5, fields)) == "0.50 (wrong: a, c)"
    assert str(Score(1.0, fields[1:2])) == "1.00"


def test_labels_that_were_taken_for_others_are_kept() -> None:
    """Short texts only: a table of confusions has no use for prose."""
    expected, actual = {"level": "high", "text": "a" * 41}, {"level": "low", "text": "b" * 41}
    assert PLAIN.score(expected, actual).mistakes == (Mistake("level", "high", "low"),)


def test_a_suite_has_the_mean_of_its_cases_and_the_sum_of_its_fields() -> None:
    """One large case does not outweigh a small one; fields are counted over all."""
    compare = Comparison({"": same_items()})
    scores = [compare.score([1, 2, 3], [1, 2, 3]), compare.score([1], [2]), PLAIN.score({"a": "x"}, {"a": "y"})]
    suite = suite_score([*scores, scores[-1]])
    assert (suite.cases, suite.total) == (4, 0.25)
    whole = next(field for field in suite.fields if field.name == "(whole answer)")
    assert (whole.right, whole.expected, whole.found) == (3.0, 4, 4)
    assert suite.confusions == ((Mistake("a", "x", "y"), 2),)
    assert suite_score([]).total == 1.0


MISSING = "missing_item"
COMPARE = Comparison({
    "n": near(0.5),
    "s": same_items(),
    "s[*].w": near(1),
    "k": same_items(key="id"),
    "o": same_text(optional=True),
    "i": ignored(),
    "l": same_items(optional=True),
})  # fmt: skip


@in_one_item
@pytest.mark.parametrize(
    ("expected", "actual", "total", "found"),
    [
        (1, 2, 0, [("wrong_value", (), "expected 1; got 2", "1", "2")]),
        (1, None, 0, [("wrong_value", (), "expected 1; got null", "1", "null")]),
        ({"a": "x"}, {}, 0, [("missing_value", ("a",), 'expected "x"; the answer has none', '"x"', None)]),
        ({"n": 1}, {"n": 2}, 0, [("wrong_value", ("n",), "expected 1 within 0.5; got 2", "1 within 0.5", "2")]),
        ({"a": {}}, {"a": {"b": 1}}, 0, [("wrong_value", ("a",), 'expected {}; got {"b": 1}', "{}", '{"b": 1}')]),
        ({"a": {"b": 1}}, {"a": 5}, 0, [("wrong_value", ("a",), 'expected {"b": 1}; got 5', '{"b": 1}', "5")]),
        ({"a": [1]}, {"a": 1}, 0, [("wrong_value", ("a",), "expected [1]; got 1", "[1]", "1")]),
        ({"a": [1]}, {}, 0, [("missing_value", ("a",), "expected [1]; the answer has none", "[1]", None)]),
        ({"a": []}, {"a": []}, 1, []),
        ({"a": [1, 2]}, {"a": [1]}, 2 / 3, [(MISSING, ("a",), "expected an item 2; the list has none", "2", None)]),
        ({"a": [1]}, {"a": [1, 2]}, 2 / 3, [("extra_item", ("a", 1), "expected no such item; got 2", None, "2")]),
        ({"a": [[1]]}, {"a": [[2]]}, 0, [("wrong_value", ("a", 0, 0), "expected 1; got 2", "1", "2")]),
        (
            {"s": [{"v": 1, "w": 2}, {"v": 3, "w": 4}]},
            {"s": [{"v": 3, "w": 9}, {"v": 1, "w": 2}]},
            0.75,
            [("wrong_value", ("s", 0, "w"), "expected 4 within 1; got 9", "4 within 1", "9")],
        ),
        (
            {"k": [{"id": 1, "v": 0}]},
            {"k": [{"id": 2, "v": 0}]},
            0,
            [
                (MISSING, ("k",), 'expected an item {"id": 1, "v": 0}; the list has none', '{"id": 1, "v": 0}', None),
                ("extra_item", ("k", 0), 'expected no such item; got {"id": 2, "v": 0}', None, '{"id": 2, "v": 0}'),
            ],
        ),
        ({"o": "x", "i": 1, "l": [1]}, {}, 1, []),
        ({"o": "x", "i": 1, "l": [1]}, {"o": None, "i": 2, "l": None}, 1, []),
        ({"o": "x"}, {"o": "y"}, 0, [("wrong_value", ("o",), 'expected "x"; got "y"', '"x"', '"y"')]),
        ({}, {}, 1, []),
        ({}, {"a": 1}, 0, [("wrong_value", (), 'expected {}; got {"a": 1}', "{}", '{"a": 1}')]),
    ],
)  # fmt: skip
def test_what_is_said_of_each_mismatch(expected: object, actual: object, total: float, found: list[object]) -> None:
    """Its place in the answer, what was expected and what is there; it is never fed back to a model."""
    score = COMPARE.score(expected, actual)
    assert score.total == pytest.approx(total)
    assert [(one.code, one.path, one.message, one.expected, one.actual) for one in score.findings] == found
    assert {(one.kind.value, one.severity.value) for one in score.findings} <= {("content", "fail")}


@in_one_item
@pytest.mark.parametrize(
    ("expected", "actual", "fields"),
    [
        ({"a": 1}, {"a": 1}, [("a", 1, 1, 1)]),
        ({"a": 1}, {"a": 2}, [("a", 0, 1, 1)]),
        ({"a": 1}, {}, [("a", 0, 1, 0)]),
        (1, 1, [("(whole answer)", 1, 1, 1)]),
        ({"a": {"b": 1, "c": 2}}, {}, [("a.b", 0, 1, 0), ("a.c", 0, 1, 0)]),
        ({"a": [1, 2]}, {"a": [1, 3, 4]}, [("a", 1, 2, 3)]),
        ({"a": [1, 2]}, {"a": "x"}, [("a", 0, 2, 0)]),
        ({"a": [{"b": 1}]}, {"a": [{"b": 1}, {"b": 2, "c": 3}]}, [("a[*].b", 1, 1, 2), ("a", 1, 1, 2)]),
        ({"a": [{"b": 1}, {"b": 2}]}, {"a": [{"b": 1}]}, [("a[*].b", 1, 2, 1), ("a", 1, 2, 1)]),
        ({"a": [{"b": [1]}]}, {"a": [{"b": [1]}, {"b": [2]}]}, [("a[*].b", 1, 1, 1), ("a", 1, 1, 2)]),
        ({"i": 1}, {"i": 2}, []),
        ({"o": "x"}, {}, []),
    ],
)
def test_how_often_each_field_is_right_expected_and_found(
    expected: object, actual: object, fields: list[tuple[str, float, int, int]]
) -> None:
    """A list counts its items, and each field of its items counts by itself."""
    assert COMPARE.score(expected, actual).fields == tuple(FieldScore(*field) for field in fields)


@pytest.mark.parametrize(("length", "kept"), [(40, 1), (41, 0)])
def test_a_label_has_forty_characters_at_most(length: int, kept: int) -> None:
    """The expected one and the one that is there; other values are no labels."""
    assert len(PLAIN.score("a" * length, "b").mistakes) == kept
    assert len(PLAIN.score("a", "b" * length).mistakes) == kept
    assert PLAIN.score("1", 1).mistakes == PLAIN.score(1, "1").mistakes == ()


def test_wrong_comparators() -> None:
    """Named where they are defined, with the way out."""
    with pytest.raises(UsageError, match=r"^compare must map .*: got 'total'; write compare=\{'total': near\(1\)\}$"):
        Comparison("total")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^the comparator of 'total' must be near\(\).*got 10; to expect a value"):
        Comparison({"total": 10})  # type: ignore[dict-item]
    with pytest.raises(UsageError, match="is not a path"):
        Comparison({"a..b": ignored()})
