"""The constraints that are suggested for good answers, with what each rests on."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.strength.evidence import GoodAnswer, evidence_of
from pytest_planguard.contract.strength.suggestion import Suggestion, constraints_module, suggestions

from ...support.one_item import in_one_item


def suggested(data: list[Any], fewer_items: float = 1.0) -> list[Suggestion]:
    """The suggestions for these answers."""
    answers = [GoodAnswer(f"answer {at}", value) for at, value in enumerate(data)]
    return list(suggestions(evidence_of(answers), fewer_items=fewer_items))


def shown(data: list[Any], place: str) -> list[tuple[str, str]]:
    """Python and evidence of the suggestions at one place."""
    return [(one.python, one.evidence) for one in suggested(data) if one.place == place]


def no_copy(number: str) -> list[tuple[str, str]]:
    """What is suggested for any texts."""
    return [
        ('not_copied("x", sources=("examples", "feedback"))', f"{number} that are no example's"),
        ('excludes("x", "lorem ipsum", ignore_case=True, language="la")', f"none of {number} is filler"),
    ]


ID = r'regex("x", r"[A-Za-z]{1,10}[-_]?\d{1,8}", match="fullmatch")'
TEXTS: list[tuple[list[str], list[tuple[str, str]]]] = [
    (["a"], [('max_length("x", 20)', "at most 1 character"), *no_copy("1 text")]),
    (
        ["ab", "abcd"],
        [
            ('min_length("x", 2)', "2 to 4 characters, 2 texts"),
            ('max_length("x", 20)', "at most 4 characters"),
            *no_copy("2 texts"),
        ],
    ),
    (
        [" abcdefgh ", "0123456789"],
        [
            ('min_length("x", 4)', "8 to 10 characters, 2 texts"),
            ('max_length("x", 20)', "at most 10 characters"),
            *no_copy("2 texts"),
        ],
    ),
    (
        ["abcde fghij"] * 2,
        [
            ('min_length("x", 5)', "11 characters, 2 texts"),
            ('max_length("x", 30)', "at most 11 characters"),
            *no_copy("2 texts"),
        ],
    ),
    (
        ["a b c d e f g h i", "a b c d e f g"],
        [
            ('min_length("x", 6)', "13 to 17 characters, 2 texts"),
            ('max_length("x", 40)', "at most 17 characters"),
            ('not_copied("x")', "2 texts in words of their own"),
            *no_copy("2 texts"),
        ],
    ),
    (
        ["a b c d e f g h", "a b c d e f g"],
        [
            ('min_length("x", 6)', "13 to 15 characters, 2 texts"),
            ('max_length("x", 30)', "at most 15 characters"),
            *no_copy("2 texts"),
        ],
    ),
    (["low", "high"] * 3, [('one_of("x", "high", "low")', "2 values in 6 texts")]),
    (
        ["2026-01-01", "2026-01-02", "2026-01-03"],
        [
            (
                r'regex("x", r"20\d\d-\d\d-\d\d", match="fullmatch")',
                "each of 3 texts is a date of this century",
            )
        ],
    ),
    (
        ["T1", "T2", "T3"],
        [
            (ID, "each of 3 texts is an id of a prefix and a number"),
            ('min_length("x", 2)', "2 characters, 3 texts"),
            ('max_length("x", 20)', "at most 2 characters"),
            *no_copy("3 texts"),
        ],
    ),
    (
        ["T1", "T2"],
        [
            ('min_length("x", 2)', "2 characters, 2 texts"),
            ('max_length("x", 20)', "at most 2 characters"),
            *no_copy("2 texts"),
        ],
    ),
]


@in_one_item
@pytest.mark.parametrize(("texts", "found"), TEXTS)
def test_what_is_suggested_for_texts(texts: list[str], found: list[tuple[str, str]]) -> None:
    """Half the shortest length to twice the longest, a form that three have, and words of their own from eight on."""
    assert shown([{"x": text} for text in texts], "x") == found


@in_one_item
@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([5], [('in_range("x", 0, 10)', "5 to 5 in 1 number")]),
        ([-5, 2.5], [('in_range("x", -10, 7.5)', "-5 to 2.5 in 2 numbers")]),
        ([0, 0.5], [('in_range("x", 0, 1.5)', "0 to 0.5 in 2 numbers")]),
        ([True, False], [('one_of("x", True, False)', "2 truth values")]),
        ([[1]], [('count("x", 1, 2)', "1 item in 1 list")]),
        ([[]], []),
        (
            [[1, 2], [3, 4, 5]],
            [
                ('distinct("x")', "no item repeats in 2 lists"),
                ('count("x", 2, 6)', "2 to 3 items in 2 lists"),
            ],
        ),
        (
            [[*range(10)], [*range(11)]],
            [
                ('distinct("x")', "no item repeats in 2 lists"),
                ('count("x", 10, 30)', "10 to 11 items in 2 lists"),
            ],
        ),
        ([{"y": None}], []),
    ],
)
def test_what_is_suggested_for_other_values(values: list[Any], found: list[tuple[str, str]]) -> None:
    """Numbers and lists may be twice as large as the largest; a list has at least the fewest items."""
    assert shown([{"x": value} for value in values], "x") == found


@pytest.mark.parametrize(("share", "least"), [(1.0, 5), (0.5, 2), (0.1, 1), (0, 1)])
def test_a_share_of_the_items_may_be_enough(share: float, least: int) -> None:
    """Rounded down, but one item."""
    found = suggested([{"x": [1, 2, 3, 4, 5]}], share)
    assert [one.python for one in found if one.builder == "count"] == [f'count("x", {least}, 10)']


HELPER = '''def s_after_exist(answer: Any) -> list[str]:
    """Each value of s[*].after[*] occurs at s[*].id."""
    known = [item0.get("id") for item0 in answer.get("s") or []]
    values = [item1 for item0 in answer.get("s") or [] for item1 in item0.get("after") or []]
    return [f"{value!r} names nothing" for value in values if value is not None and value not in known]
'''
DEEP = '''def p_s_to_of_exist(answer: Any) -> list[str]:
    """Each value of p.s[*].to.of occurs at p.s[*].id."""
    known = [item0.get("id") for item0 in (answer.get("p") or {}).get("s") or []]
    values = [(item0.get("to") or {}).get("of") for item0 in (answer.get("p") or {}).get("s") or []]
    return [f"{value!r} names nothing" for value in values if value is not None and value not in known]
'''
UNIQUE = "no value repeats in an answer"
LENGTHS = "equal lengths in every answer"
RELATIONS: list[tuple[list[Any], list[tuple[str, str, str, str]]]] = [
    ([{"s": [{"k": "a"}, {"k": "b"}]}], [("s[*].k", 'distinct("s[*].k")', UNIQUE, "")]),
    ([{"s": [{"k": 1}, {"k": 2}]}], [("s[*].k", 'distinct("s[*].k")', UNIQUE, "")]),
    ([{"s": [{"k": "a"}, {"k": "A"}]}], []),
    ([{"s": [{"k": 1.5}, {"k": 2.5}]}], []),
    ([{"s": [{"k": "a"}]}, {"s": [{"k": "b"}]}], []),
    ([{"s": ["a", "b"]}], []),
    (
        [{"a": [1, 2], "b": [3, 4]}, {"a": [1], "b": [3]}],
        [("a", 'same_length("a", "b")', LENGTHS, "")],
    ),
    (
        [{"p": {"q": {"a": [1, 2], "b": [3, 4]}}}, {"p": {"q": {"a": [1], "b": [3]}}}],
        [("p.q.a", 'same_length("a", "b", within="p.q")', LENGTHS, "")],
    ),
    ([{"a": [1, 2], "b": [3, 4]}, {"a": [1, 5], "b": [3, 6]}], []),
    ([{"a": [], "b": []}, {"a": [1], "b": [3]}], [("a", 'same_length("a", "b")', LENGTHS, "")]),
    ([{"a": [1, 2], "b": [3, 4]}, {"a": [1], "b": []}], []),
    (
        [{"s": [{"id": "a", "after": ["a"]}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}]}],
        [
            ("s[*].id", 'distinct("s[*].id")', UNIQUE, ""),
            ("s[*].after[*]", 'custom("", s_after_exist)', "each value occurs at s[*].id", HELPER),
        ],
    ),
    (
        [{"p": {"s": [{"id": n, "to": {"of": 1}} for n in (1, 2, 3)]}}],
        [
            ("p.s[*].id", 'distinct("p.s[*].id")', UNIQUE, ""),
            ("p.s[*].to.of", 'custom("", p_s_to_of_exist)', "each value occurs at p.s[*].id", DEEP),
        ],
    ),
]


@in_one_item
@pytest.mark.parametrize(("data", "found"), RELATIONS)
def test_what_is_suggested_for_relations(data: list[Any], found: list[tuple[str, str, str, str]]) -> None:
    """Unique members of objects in a list, lists of equal lengths that vary, and references with their function."""
    relations = [one for one in suggested(data) if one.evidence in (UNIQUE, LENGTHS) or one.builder == "custom"]
    assert [(one.place, one.python, one.evidence, one.helper) for one in relations] == found


def test_a_suggested_reference_names_what_names_nothing() -> None:
    """As its function in Python does; null refers to nothing, and is no fault."""
    answers = [{"s": [{"id": "a", "after": "a"}, {"id": "b", "after": "a"}, {"id": "c", "after": "b"}]}]
    (one,) = (one for one in suggested(answers) if one.builder == "custom")
    space: dict[str, Any] = {}
    exec(constraints_module([one]), space)
    wrong = {"s": [{"id": "a", "after": "z"}, {"id": "b", "after": None}, {"id": "c", "after": "a"}]}
    for constraint in (one.constraint, *space["CONSTRAINTS"]):
        (found,) = constraint.findings(wrong)
        assert (found.code, found.message) == ("s_after_exist", "'z' names nothing")
    assert one.is_broken_by(GoodAnswer("wrong", wrong))
    assert not one.is_broken_by(GoodAnswer("right", answers[0]))


def test_suggested_constraints_as_a_module() -> None:
    """Imports and functions once, then each constraint below its evidence; nothing of no suggestions."""
    answers = [{"s": [{"id": "a", "after": ["a"]}, {"id": "b", "after": ["a"]}, {"id": "c", "after": ["b"]}]}]
    unique, reference = suggested(answers)[:2]
    assert constraints_module([]) == ""
    assert constraints_module([reference, unique, reference]) == (
        "from typing import Any\n\n"
        "from pytest_planguard import custom, distinct\n"
        f"\n\n{HELPER}"
        "\n\nCONSTRAINTS = [\n"
        '    # each value occurs at s[*].id\n    custom("", s_after_exist),\n'
        '    # no value repeats in an answer\n    distinct("s[*].id"),\n'
        '    # each value occurs at s[*].id\n    custom("", s_after_exist),\n]\n'
    )
    assert constraints_module([unique]) == (
        "from pytest_planguard import distinct\n\nCONSTRAINTS = [\n"
        '    # no value repeats in an answer\n    distinct("s[*].id"),\n]\n'
    )


@pytest.mark.parametrize(
    ("text", "python"),
    [
        ("a", '"a"'),
        ("it's", '"it\'s"'),
        ('say "a"', "'say \"a\"'"),
        ("a\\b", 'r"a\\b"'),
        ("a\\", '"a\\\\"'),
        ("a\nb", '"a\\nb"'),
        ('a\\"b', "'a\\\\\"b'"),
    ],
)
def test_how_a_text_is_written_in_python(text: str, python: str) -> None:
    """In double quotes if it has none, raw if it has backslashes alone."""
    (one,) = suggested([{"x": text}, {"x": "z"}] * 3)
    assert one.python == f'one_of("x", {", ".join([python, chr(34) + "z" + chr(34)])})'
    assert eval(python) == text
