"""`--planguard-record=verify`: the live answers are held against the recorded ones, and nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .failure import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...retry.convergence import Convergence
    from ..case import Case

Change = Literal["same", "changed", "better", "worse", "unanswered"]
NOTHING = "nothing was judged"
"""How a case ends whose endpoint gave no answer: an outage tells nothing of the model."""


@dataclass(frozen=True, slots=True)
class Canary:
    """How a case ended in its recording, and how it ends now."""

    recorded: str
    """'converged after 2 attempts'; several conversations joined by a comma."""
    live: str
    change: Change
    """"worse" where more conversations are bad than in the recording, "better" where fewer are; "unanswered" where the
    endpoint gave nothing to judge."""


def held_against(
    recorded: Sequence[Convergence], live: Sequence[Convergence], good: Callable[[Convergence], bool]
) -> Canary:
    """Compare the conversations of a recording with those of now; `good` tells which ends a test wants."""
    before, now = _words(recorded), _words(live)
    bad_before, bad_now = (sum(not good(c) for c in found) for found in (recorded, live))
    missing = len(recorded) - len(live)
    if recorded and not live:
        return Canary(before, now, "unanswered")
    if bad_now > bad_before or missing > 0:
        return Canary(before, now, "worse")
    if bad_now < bad_before:
        return Canary(before, now, "better")
    return Canary(before, now, "same" if before == now else "changed")


def worse(case: Case) -> Iterator[Problem]:
    """A verdict that got worse, or is none, fails the test, whatever else is found."""
    found = case.canary
    if found is None or found.change not in ("worse", "unanswered"):
        return
    if found.change == "unanswered":
        told = f"  recorded: {found.recorded}\n  live:     {case.tape.seen if case.tape is not None else NOTHING}"
        yield Problem("the live endpoint gave no answer to judge; the recording stays as it is", told)
    else:
        yield Problem(
            "the live answers are worse than the recorded ones",
            f"  recorded: {found.recorded}\n  live:     {found.live}",
            f"keep the recording as it is, or take the new state over: {case.record_command('all')}",
        )


def _words(conversations: Sequence[Convergence]) -> str:
    return ", ".join(_ended(c) for c in conversations) or NOTHING


def _ended(found: Convergence) -> str:
    number = len(found.attempts)
    word = found.outcome.value.replace("_", " ")
    return f"{word} after {number} {'attempt' if number == 1 else 'attempts'}"
