"""`--planguard-record=verify`: compare the live answers with the recorded ones, and write nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...runs.model.run import LiveCheckRow
from .failure import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...retry.results import Convergence
    from ..case import Case

NOTHING = "nothing was judged"
"""How a case ends whose endpoint gave no answer: an outage says nothing about the model."""


def compare(
    recorded: Sequence[Convergence], live: Sequence[Convergence], good: Callable[[Convergence], bool]
) -> LiveCheckRow:
    """Compare the conversations of a cassette with those of now; `good` says which ends a test wants."""
    before, now = _words(recorded), _words(live)
    bad_before, bad_now = (sum(not good(c) for c in found) for found in (recorded, live))
    missing = len(recorded) - len(live)
    if recorded and not live:
        return LiveCheckRow(before, now, "unanswered")
    if bad_now > bad_before or missing > 0:
        return LiveCheckRow(before, now, "worse")
    if bad_now < bad_before:
        return LiveCheckRow(before, now, "better")
    return LiveCheckRow(before, now, "same" if before == now else "changed")


def worse(case: Case) -> Iterator[Problem]:
    """A verdict that got worse, or is none, fails the test, whatever else is found."""
    check = case.live_check
    if check is None or check.change not in ("worse", "unanswered"):
        return
    if check.change == "unanswered":
        evidence = f"  recorded: {check.recorded}\n  live:     {case.recording.summary}"
        yield Problem("the live endpoint gave no answer to judge; the cassette stays as it is", evidence)
    else:
        yield Problem(
            "the live answers are worse than the recorded ones",
            f"  recorded: {check.recorded}\n  live:     {check.live}",
            f"keep the cassette, or record the new state: {case.record_command('all')}",
        )


def _words(conversations: Sequence[Convergence]) -> str:
    return ", ".join(_ended(c) for c in conversations) or NOTHING


def _ended(found: Convergence) -> str:
    number = len(found.attempts)
    word = found.outcome.value.replace("_", " ")
    return f"{word} after {number} {'attempt' if number == 1 else 'attempts'}"
