"""What follows from the runs of an app on changed answers, in every order of what was seen."""

from __future__ import annotations

from itertools import product

import pytest

from pytest_planguard import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.edit import Edit
from pytest_planguard.retry.proof import Proof, ProofResult
from pytest_planguard.retry.proving.experiment import ENDED, NO_ROOM, Experiment
from pytest_planguard.retry.proving.repair import Repaired
from pytest_planguard.retry.proving.request_diff import Difference
from pytest_planguard.retry.proving.swap import Swapped
from pytest_planguard.retry.proving.trial import Change, Changes, Seen, Trial

from ...support.one_item import in_one_item

NONE, NUMBERS, COUNT, VALUES, WORDS = Difference
TICKET = Contract({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]})
TITLE = Finding("missing", ("title",), "required, missing", FailureKind.MISSING)
REPAIRED = Repaired(
    "{}", {"title": "a"}, {"title": "b"}, (("title",),), Edit("put", ("title",), "b"), valid=False, reveals=False
)
SWAP = "another error in its place (n became 1)"


WORDS_GONE = "the title is not there"
"""What goes from a request that differs in words: it names the place and the rule."""


def swap(*, elsewhere: bool = True, unlike: bool = True) -> Swapped:
    """Return an answer with another error."""
    return Swapped("{}", {"n": 0}, {"n": 1}, (("n",),), TITLE, Edit("put", ("n",), 1), elsewhere, unlike)


def looked_at(how: Difference) -> Seen:
    """Return what was seen of one request."""
    return Seen(how, gone=WORDS_GONE if how is WORDS else "")


def concluded(
    changes: list[Change], *seen: tuple[Difference, ...], trouble: str | None = None, passed_on: bool = False
) -> Proof | None:
    """Return what follows from trials: what was seen of requests 2 and 3, and the trouble that the last one had."""
    experiment = Experiment("1", 1, 1, TITLE, Changes(changes), "{}", TICKET, (2, 3))
    trials = [
        Trial(change, dict(zip((3,) if len(ways) == 1 else (2, 3), map(looked_at, ways), strict=False)))
        for change, ways in zip(changes, seen, strict=False)
    ]
    if trouble is not None:
        trials[-1] = Trial(trials[-1].change, trials[-1].seen, trouble, passed_on)
    return experiment.concluded(trials)


@in_one_item
@pytest.mark.parametrize(("more", "two"), list(product((False, True), repeat=2)))
@pytest.mark.parametrize(("elsewhere", "unlike"), list(product((False, True), repeat=2)))
def test_swaps_that_change_nothing_tell_of_a_loss(elsewhere: bool, unlike: bool, more: bool, two: bool) -> None:
    """At another place and of another kind between them; the only swap by itself, else two of them."""
    first = swap(elsewhere=elsewhere, unlike=not two and unlike)
    second = swap(elsewhere=False, unlike=unlike)
    made = [first, second] if two else [first]
    proof = concluded([*made, *([swap()] if more else [])], *[(NONE,)] * len(made))
    if (two or not more) and elsewhere and unlike:
        assert proof is not None
        assert (proof.result, proof.reason) == (
            ProofResult.MISSING,
            f"{AGAIN}: {SWAP}, and request 3 still contained all of it",
        )
    elif more:
        assert proof is None
    else:
        assert proof is not None
        assert (proof.result, proof.reason, proof.undecided) == (
            ProofResult.UNPROVEN,
            f"{SWAP}, and request 3 stayed the same: {NO_ROOM}",
            False,
        )


DONE = '"a" became "b"'


def went(done: str, request: int) -> str:
    """Return why a finding is proven."""
    return f'{done}, and request {request} no longer said "{WORDS_GONE}"'


AGAIN = "planguard changed the answer and ran the app again"
COUNTED = f"{AGAIN}: {DONE}, and request 3 differs only in a count"
NUMBERS_ALONE = "and only numbers changed in the next request"
VALUES_ALONE = "and only quoted values changed in the next request"
CASES: dict[str, tuple[list[Change], list[tuple[Difference, ...]], tuple[ProofResult, str, bool] | None]] = {
    "a repair that changes nothing": (
        [REPAIRED],
        [(NONE,)],
        (ProofResult.MISSING, f"{AGAIN}: {DONE}, and request 3 stayed the same", False),
    ),
    "a repair that changes nothing, of more": (
        [REPAIRED, swap()],
        [(NONE,)],
        (ProofResult.MISSING, f"{AGAIN}: {DONE}, and request 3 stayed the same", False),
    ),
    "words": ([REPAIRED], [(WORDS,)], (ProofResult.PROVEN, went(DONE, 3), False)),
    "words of the step": ([REPAIRED], [(WORDS, NONE)], (ProofResult.PROVEN, went(DONE, 2), False)),
    "words of the step alone": ([REPAIRED], [(WORDS, COUNT)], (ProofResult.PROVEN, went(DONE, 2), False)),
    "words of a later swap": (
        [swap(), swap()],
        [(NUMBERS,), (WORDS,)],
        (ProofResult.PROVEN, went(SWAP, 3), False),
    ),
    "a count": ([REPAIRED], [(COUNT,)], (ProofResult.MISSING, COUNTED, False)),
    "a count, of more": ([REPAIRED, swap()], [(COUNT,)], (ProofResult.MISSING, COUNTED, False)),
    "a count of a step": ([REPAIRED], [(COUNT, NONE)], (ProofResult.MISSING, COUNTED, False)),
    "a count of a swap": (
        [swap()],
        [(COUNT,)],
        (ProofResult.MISSING, f"{AGAIN}: {SWAP}, and request 3 still contained all of it", False),
    ),
    "a count of a swap that may share its place": (
        [swap(elsewhere=False)],
        [(COUNT,)],
        (ProofResult.UNPROVEN, f"{SWAP}, and request 3 stayed the same: {NO_ROOM}", False),
    ),
    "a count of a swap, then words": (
        [swap(), swap()],
        [(COUNT,), (WORDS,)],
        (ProofResult.PROVEN, went(SWAP, 3), False),
    ),
    "numbers": ([REPAIRED], [(NUMBERS,)], (ProofResult.UNPROVEN, f"{DONE}, {NUMBERS_ALONE}", True)),
    "values": ([swap()], [(VALUES,)], (ProofResult.UNPROVEN, f"{SWAP}, {VALUES_ALONE}", True)),
    "numbers and values": (
        [swap()],
        [(VALUES, NUMBERS)],
        (ProofResult.UNPROVEN, f"{SWAP}, {NUMBERS_ALONE}", True),
    ),
    "nothing sent": ([REPAIRED], [()], (ProofResult.UNPROVEN, f"{DONE}, {ENDED}", False)),
    "nothing sent, of more": ([REPAIRED, swap()], [()], None),
}  # fmt: skip


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_what_follows_from_what_was_seen(name: str) -> None:
    """A word proves, a repair that changes nothing tells of a loss, and all between them proves nothing."""
    changes, seen, expected = CASES[name]
    proof = concluded(changes, *seen)
    assert (None if proof is None else (proof.result, proof.reason, proof.undecided)) == expected
    if proof is not None:
        assert (proof.conversation, proof.attempt, proof.exchange, proof.finding) == ("1", 1, 1, TITLE)


@pytest.mark.parametrize("passed_on", [False, True])
@pytest.mark.parametrize("ways", [(), (NONE,), (COUNT,), (NUMBERS,)])
def test_trouble_says_nothing(ways: tuple[Difference, ...], passed_on: bool) -> None:
    """But words that were seen before it; no further change is tried."""
    proof = concluded([REPAIRED, swap()], ways, trouble="the app failed", passed_on=passed_on)
    assert proof is not None
    assert (proof.result, proof.reason, proof.passed_on) == (ProofResult.UNPROVEN, "the app failed", passed_on)
    assert concluded([REPAIRED], (WORDS,), trouble="x") == Proof(
        "1", 1, 1, TITLE, ProofResult.PROVEN, went(DONE, 3), WORDS_GONE
    )


ELSEWHERE, HERE = swap(), swap(elsewhere=False)


@in_one_item
@pytest.mark.parametrize(
    ("change", "gone", "now", "result"),
    [
        (ELSEWHERE, "review: please try again", "review: n is odd", ProofResult.MISSING),
        (HERE, "review: please try again", "review: n is odd", ProofResult.REACTS),
        (REPAIRED, "review: please try again", "review: n is odd", ProofResult.REACTS),
        (REPAIRED, "Item", "Item n is odd", ProofResult.MISSING),
        (REPAIRED, "Frob", "Frob n is odd", ProofResult.MISSING),
        (REPAIRED, "Frob", "n is odd", ProofResult.REACTS),
        (ELSEWHERE, "Frob", "Frob n is odd", ProofResult.REACTS),
    ],
)
def test_what_is_still_said_is_held_against_the_words_that_go(
    change: Change, gone: str, now: str, result: ProofResult
) -> None:
    """A label stays if another error is planted elsewhere; after a repair, words that stay name nothing."""
    seen = Seen(WORDS, ("Write it.", gone), ("Write it.", now), gone)
    experiment = Experiment("1", 1, 1, TITLE, Changes([change]), "{}", TICKET, (3,))
    proof = experiment.concluded([Trial(change, {3: seen})])
    assert proof is not None
    assert proof.result is result
