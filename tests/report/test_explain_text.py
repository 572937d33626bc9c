"""How a word is looked up, and how its explanation is laid out."""

from __future__ import annotations

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.report.explain import (
    Explanation,
    catalogue,
    explained_word,
    first_sentence,
    meanings,
    render_explanations,
    render_list,
)

ONE = Explanation("one", "sort a", "The first. More.", "w" * 95, "an example", "Do this.")
OTHER = Explanation("longer", "sort a", "Second", "why", "example", "do")
THIRD = Explanation("x", "sort b", "Third.", "why", "example", "do")


def test_an_explanation_has_four_parts_in_columns() -> None:
    """No line is longer than a hundred characters, unless a word is; an empty line is between two meanings."""
    words = " ".join(["word"] * 25)
    assert render_explanations([ONE, Explanation("b", "c", words, "well-known", "e", "d")]) == (
        f"one (sort a)\n  What:    The first. More.\n  Why:     {'w' * 95}\n".replace("     w", f"\n{' ' * 11}w", 1)
        + "  Example: an example\n"
        "  Do:      Do this.\n"
        "\n"
        "b (c)\n"
        f"  What:    {' '.join(['word'] * 18)}\n"
        f"           {' '.join(['word'] * 7)}\n"
        "  Why:     well-known\n"
        "  Example: e\n"
        "  Do:      d\n"
    )


def test_the_list_of_words_is_in_columns_by_sort() -> None:
    """With the first sentence of each."""
    assert render_list([ONE, OTHER, THIRD]) == (
        "sort a\n  one     The first.\n  longer  Second.\n\nsort b\n  x  Third.\n"
    )
    assert render_list([]) == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("A. B.", "A."),
        ("A.", "A."),
        ("A", "A."),
        ("Version 1.2 is out. Get it.", "Version 1.2 is out."),
        ("A.B", "A.B."),
    ],
)
def test_the_first_sentence(text: str, sentence: str) -> None:
    """It ends at a full stop with a blank behind it."""
    assert first_sentence(text) == sentence


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("truncated", ["truncated (failure kind)"]),
        ("TRUNCATED", ["truncated (failure kind)"]),
        ("stale", ["stale (outcome)"]),
        ("check:feedback", ["feedback (check)"]),
        ("outcome:false_convergence", ["false_convergence (outcome)"]),
        ("check:stale", []),
        ("outcome:feedback", []),
        ("gave_up", ["gave_up (failure of a case)"]),
        ("gave_up:my.Error", ["gave_up (failure of a case)"]),
        ("gave_upon", []),
        ("int_parsing", ["pydantic: type (validator codes)"]),
        ("maxItems", ["JSON Schema: length (validator codes)"]),
        ("dep-self", ["dep-self (plan rule)"]),
        ("", []),
    ],
)
def test_a_word_is_found_by_its_name(word: str, found: list[str]) -> None:
    """In any case; a prefix chooses the sort, and a validator's code means its family."""
    assert [f"{entry.name} ({entry.sort})" for entry in meanings(word)] == found


def test_an_unknown_word_is_refused_with_advice() -> None:
    """The nearest name, or the command that lists all."""
    assert explained_word("truncated") == meanings("truncated")
    for word, advice in (("truncate", "did you mean 'truncated'?"), ("qqqqqq", "`planguard explain` lists every name")):
        with pytest.raises(UsageError) as error:
            explained_word(word)
        assert str(error.value) == f"unknown word: got {word!r}; {advice}"


def test_a_plan_rule_has_the_reason_of_its_first_word_or_its_own() -> None:
    """Every rule of the package has one."""
    rules = {entry.name: entry for entry in catalogue() if entry.sort == "plan rule"}
    assert rules["dep-self"].why == rules["dep-cycle"].why
    assert rules["dep-self"].why != rules["id-unique"].why
    assert rules["dep-self"].what == "No task waits for itself."
    assert rules["dep-self"].do == "Remove the entry."
