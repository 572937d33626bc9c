"""The glossary is short, and what it names exists."""

from __future__ import annotations

import importlib
import importlib.util
import re

import pytest

from pytest_planguard.plugin.options import OPTIONS
from pytest_planguard.retry.outcomes import Grade

from ..support.one_item import in_one_item
from .pages import DOCS
from .test_reference_complete import rows

LIMIT = 25
"""Terms that a newcomer can be asked to learn."""
TEXT = (DOCS / "reference" / "glossary.md").read_text(encoding="utf-8")
TERMS = rows("reference/glossary", "term")
NAMES = sorted({name for cells in TERMS.values() for name in re.findall(r"`([^`]+)`", cells[1])})


def exists(name: str) -> bool:
    """Whether the package has an option, a module, or a name in a module, that is called so."""
    if name.startswith("--"):
        return name in OPTIONS
    module, _, last = f"pytest_planguard.{name}".rpartition(".")
    if not last[0].isupper():
        return importlib.util.find_spec(f"{module}.{last}") is not None
    return hasattr(importlib.import_module(module), last)


def test_there_are_few_terms_and_each_is_told() -> None:
    """At most 25, in no more than two sentences each, and each with a name in the code."""
    assert len(TERMS) == len(re.findall(r"(?m)^\| (?!term|-)", TEXT)) <= LIMIT
    for term, (meaning, code) in TERMS.items():
        assert len(re.findall(r"[.](?:\s|$)", meaning)) in (1, 2), term
        assert "`" in code, term


@in_one_item
@pytest.mark.parametrize("name", NAMES)
def test_each_name_in_the_code_exists(name: str) -> None:
    """A term that is fed back by a class which was renamed misleads."""
    assert exists(name)


@pytest.mark.parametrize("name", ["--planguard-no-such", "retry.results.NoSuch", "retry.no_such"])
def test_a_name_that_does_not_exist_is_noticed(name: str) -> None:
    """The test above can fail."""
    assert not exists(name)


def test_the_grades_of_a_finding_are_all_there_are() -> None:
    """A grade that is added is told here too."""
    meaning = TERMS["fed back"][0]
    assert [grade.value for grade in Grade if not re.search(rf"\b{grade.value}\b", meaning)] == []
