"""The hint about constraints that test English words."""

from __future__ import annotations

import warnings

import pytest

from pytest_planguard.contract.constraints.builders import contains, excludes, regex
from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.errors import PlanguardWarning

MESSAGE = r"the constraint contains on 'summary' tests English words \(recommend\): .* language=\"en\""


def test_english_words_warn_at_the_users_line() -> None:
    """A constraint on English words warns once, where it is defined, by either spelling."""
    with pytest.warns(PlanguardWarning, match=MESSAGE) as caught:
        contains("summary", "we recommend")
    assert caught[0].filename == __file__
    assert str(caught[0].message) == (
        "the constraint contains on 'summary' tests English words (recommend): good answers in another language fail "
        'it. Test structure instead, or state the language with language="en", which ends this warning'
    )
    with pytest.warns(PlanguardWarning) as caught:
        ContentConstraint("summary", "regex", {"pattern": "^(Summary|Goal):"})
    assert [item.filename for item in caught] == [__file__]


@pytest.mark.parametrize(
    "define",
    [
        lambda: regex("id", r"^T\d{3}$"),
        lambda: regex("id", r"^(?P<number>[a-z]+)-\p{Alphabetic}+$"),
        lambda: excludes("summary", "[", "]", "TODO", "..."),
        lambda: contains("summary", "résumé du projet" and "été"),
        lambda: contains("summary", "recommend", language="en"),
    ],
)
def test_structure_and_stated_languages_do_not(define: object) -> None:
    """Ids, brackets, capitals and a stated language are no English prose."""
    assert callable(define)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        define()


def test_a_check_does_not_warn_again() -> None:
    """The hint belongs to the definition; checking answers is silent."""
    with pytest.warns(PlanguardWarning):
        constraint = contains("a", "recommend")
    assert [item.code for item in constraint.findings({"a": "x"})] == ["contains"]


@pytest.mark.parametrize(
    ("words", "listed"),
    [
        (("recommend",), "recommend"),
        (("recommend", "avoid"), "recommend, avoid"),
        (("recommend", "avoid", "reject"), "recommend, avoid, reject"),
        (("recommend", "avoid", "reject", "defer"), "recommend, avoid, reject"),
        (("recommend", "recommend"), "recommend"),
        (("for", "#", "note"), "note"),
    ],
)
def test_up_to_three_words_are_named(words: tuple[str, ...], listed: str) -> None:
    """Each once; a word has four letters or more."""
    with pytest.warns(PlanguardWarning, match=rf"tests English words \({listed}\): good answers"):
        contains("summary", *words)
