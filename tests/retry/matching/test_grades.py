"""The grade of each statement that words can make about a finding, and which of several statements counts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.matching.grades import TABLE, Claim, Nearness, Sense, firmest, graded
from pytest_planguard.retry.outcomes import Firmness
from pytest_planguard.retry.results import FedBack

from ...support.one_item import in_one_item

NIGHTS = Finding("maximum", ("nights",), "is over 28", FailureKind.RANGE)
QUOTE = "request 2, message 3: nights: hm"
PROBLEM = "it names the right place but a different problem (stars)"
ROWS = (
    ("exact", "agrees", "weak", None, None),
    ("open", "agrees", "weak", None, None),
    ("exact", "own", "partial", None, "it names the place, but the other words were not understood"),
    ("exact", "contradicts", "wrong", "other-problem", PROBLEM),
    ("open", "contradicts", "wrong", "other-problem", PROBLEM),
    ("exact", "unknown", "unclear", "words",
     "it names the place, in words that were not understood and repeat nothing from the finding"),
    ("open", "unknown", "unclear", "item", "it names the field, but not which item"),
    ("none", "agrees", "weak", None, None),
    ("none", "value", "unclear", "value", "it quotes the value, but the other words were not understood"),
    ("exact", "nothing", "missing", "no-problem", "it names the place but not the problem"),
    ("open", "nothing", "missing", "no-problem", "it names the place but not the problem"),
    ("elsewhere", "agrees", "wrong", "other-place", "it names the right problem at a different place (stars)"),
    ("label", "agrees", "wrong", "other-label", "it names the right problem at a different place (stars)"),
    ("elsewhere", "unknown", "wrong", "other-place", "the words are about other places stars"),
    ("label", "unknown", "wrong", "other-label", "the words are about other places stars"),
    ("elsewhere", "contradicts", "wrong", "other-parse-error", "it names a parse error at stars"),
    ("quote", "contradicts", "missing", "other-quotes",
     "the new words quote stars wrong parts of the answer, but not this one"),
    ("quote", "unknown", "unclear", "other-quotes",
     "the new words quote another wrong part of the answer; the app may report one at a time"),
    ("quote", "nothing", "unclear", "words",
     "the new words quote none of the wrong parts of the answer, and the names in their code are no places"),
    ("none", "rule", "unclear", "rule", "stars, but no field"),
    ("none", "whole", "unclear", "whole-answer",
     "it names the whole answer, in words that were not understood"),
    ("none", "nothing", "missing", "nothing-named", "the new words name no field, value or rule of this answer"),
    ("unsaid", "nothing", "missing", "nothing-new", "the next request has no new words"),
)  # fmt: skip
"""Where the words are, what they say there, and the label, the code and the reason of the grade. Firm ones first."""
CLAIMS = [Claim(Nearness(near), Sense(sense)) for near, sense, *_ in ROWS]


def grade_of(near: str, sense: str, evidence: str = QUOTE, how: Firmness = Firmness.WEAK) -> FedBack:
    """Return the grade of a statement."""
    return graded(NIGHTS, Claim(Nearness(near), Sense(sense), evidence, how, "stars"), 2)


@in_one_item
@pytest.mark.parametrize(("near", "sense", "label", "code", "reason"), ROWS)
def test_each_statement_has_its_grade(near: str, sense: str, label: str, code: str | None, reason: str | None) -> None:
    """With its reason in words and as a code; a reason names what the words are about instead."""
    found = grade_of(near, sense)
    assert (found.label, found.reason_code, found.reason) == (label, code, reason)
    assert (found.finding, found.attempt) == (NIGHTS, 2)
    assert found.evidence == (None if label in ("wrong", "missing") else QUOTE)


def test_no_other_statement_has_a_grade() -> None:
    """The table is whole."""
    assert [(near.value, sense.value) for near, sense in TABLE] == [(near, sense) for near, sense, *_ in ROWS]


def test_a_statement_without_words_has_no_evidence() -> None:
    """Rather than an empty one."""
    assert grade_of("open", "unknown", "").evidence is None


@pytest.mark.parametrize("how", [Firmness.VERBATIM, Firmness.LOCATED, Firmness.WEAK])
def test_words_that_agree_are_as_firm_as_they_match(how: Firmness) -> None:
    """The label says how certain it is."""
    assert grade_of("exact", "agrees", how=how).label == how.value


def test_the_firmer_one_of_two_statements_counts() -> None:
    """Each row of the table before those below it, in whatever order the words say them."""
    for firm, loose in pairwise(CLAIMS):
        assert firmest([firm, loose]) is firm
        assert firmest([loose, firm]) is firm
    assert firmest(reversed(CLAIMS)) is CLAIMS[0]
    assert firmest([]) is None


def test_of_equal_statements_the_closest_match_counts_and_then_the_first() -> None:
    """Verbatim before located before weak."""
    near, sense = Nearness.EXACT, Sense.AGREES
    weak, located, verbatim = (
        Claim(near, sense, "a", how) for how in (Firmness.WEAK, Firmness.LOCATED, Firmness.VERBATIM)
    )
    assert firmest([weak, located, verbatim]) is verbatim
    assert firmest([weak, located]) is located
    again = Claim(near, sense, "b")
    assert firmest([weak, again]) is weak
    assert firmest([again, weak]) is again
