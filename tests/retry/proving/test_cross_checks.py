"""Proofs of one answer, compared: words that also go without the finding, or that are cut, feed nothing back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard import FailureKind, Finding
from pytest_planguard.retry.proof import Proof, ProofResult
from pytest_planguard.retry.proving.attribution import cross_checked


def proof(name: str, result: ProofResult = ProofResult.REACTS, **known: Any) -> Proof:
    """Return the proof of a field that is missing."""
    finding = Finding("missing", (name, 0), "is missing", FailureKind.MISSING)
    return Proof("1", 1, 1, finding, result, "it was added", **known)


def compared(*proofs: Proof) -> list[tuple[str, str]]:
    """Return what becomes of the proofs."""
    return [(one.result.value, one.reason) for one in cross_checked(proofs)]


KEPT = ("reacts", "it was added")
SAME = {"left": ("Task", "Please try again."), "said": "Oh no."}


def test_words_that_also_go_with_other_findings_are_of_none() -> None:
    """The reason names the places of the others, each once."""
    two, three = proof("b", **SAME), proof("c", **SAME)
    why = "the app says the same if {} is fixed instead: it was added"
    assert compared(proof("a", **SAME), two) == [
        ("missing", why.format("b[0]")),
        ("missing", why.format("a[0]")),
    ]
    assert compared(proof("a", **SAME), two, three, replace(three, finding=replace(three.finding))) == [
        ("missing", why.format("b[0], c[0]")),
        ("missing", why.format("a[0], c[0]")),
        *[("missing", why.format("a[0], b[0], c[0]"))] * 2,
    ]


@pytest.mark.parametrize(
    "other",
    [
        proof("b", left=("Task", "Something else."), said="Oh no."),
        replace(proof("b", **SAME), exchange=2),
        proof("b", said="Oh no."),
    ],
    ids=["another request is left", "another answer", "no request is left"],
)
def test_what_is_said_elsewhere_is_compared_with_nothing(other: Proof) -> None:
    """Only requests after the same answer, each without one finding, tell which words are whose."""
    assert compared(proof("a", **SAME), other)[0] == KEPT


@pytest.mark.parametrize("result", [one for one in ProofResult if one not in (ProofResult.REACTS, ProofResult.PROVEN)])
def test_a_proof_that_shows_no_reaction_stays_as_it_is(result: ProofResult) -> None:
    """There are no words to compare."""
    found = compared(proof("a", result, **SAME), proof("b", result, **SAME))
    assert found == [(result.value, "it was added")] * 2


@pytest.mark.parametrize(
    ("said", "before", "fuller"),
    [
        ("prior", ("Not valid: prior",), "Not valid: priority, title"),
        ("prior", ("Sorry.\nNot valid: prior\n\n",), "Not valid: priority, title"),
        ("Sorry.\nprior", ("Not valid: prior",), "Not valid: priority, title"),
        ('{"a": "prior"}', ('{"a": "Not valid: prior"}',), "Not valid: priority, title"),
    ],
)
def test_words_that_go_on_without_another_finding_are_cut(said: str, before: tuple[str, ...], fuller: str) -> None:
    """The reason shows the whole line."""
    left = tuple(text.replace("prior", "priority, title") for text in before)
    other = proof("b", said="age", before=("Task", *before), left=("Task", *left))
    why = f'the app cuts "{fuller}": it was added'
    assert compared(proof("a", said=said, left=("Task", "Not valid: age")), other)[0] == ("missing", why)


@pytest.mark.parametrize(
    ("said", "line", "longer"),
    [
        ("prior", "Not valid: prior", "Not valid: prior."),
        ("prior", "Not valid: prior", "Also wrong: priority"),
        ("prior", "Not valid: prior, age", "Not valid: priority, title"),
        ("", "Not valid: prior", "Not valid: priority"),
    ],
    ids=["only a sign follows", "other words in front", "not at the end", "no words"],
)
def test_words_that_do_not_go_on_are_whole(said: str, line: str, longer: str) -> None:
    """They keep their result."""
    other = proof("b", said="age", before=("Task", line), left=("Task", longer))
    assert compared(proof("a", said=said, left=("Task", "Not valid: age")), other)[0] == KEPT


def test_words_that_end_like_another_finding_s_are_whole() -> None:
    """Otherwise they would have been cut before those."""
    other = proof("b", said="prior", before=("Task", "No: prior"), left=("Task", "No: priority"))
    assert compared(proof("a", said="age, prior", left=("Task", "x")), other)[0] == KEPT


def test_the_texts_of_the_requests_are_dropped() -> None:
    """A run file does not hold them."""
    (found,) = cross_checked([proof("a", said="x", before=("Task", "x"), left=("Task",))])
    assert (found.said, found.before, found.left) == ("x", (), ())
