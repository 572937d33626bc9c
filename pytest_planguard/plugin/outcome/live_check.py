"""`--planguard-record=verify`: compare live answers with recorded ones, and write nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...runs.model.run import LiveCheckRow
from .failure import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ...retry.results import Convergence
    from ..case import Case

NOTHING = "nothing was judged"
"""The result of a live check whose endpoint gave no answer. An outage says nothing about the model."""


def compare(
    recorded: Sequence[Convergence], live: Sequence[Convergence], good: Callable[[Convergence], bool]
) -> LiveCheckRow:
    """Compare the conversations of a cassette with the live ones. `good` accepts the outcomes that a test wants."""
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
    """Yield a problem for a worse or missing verdict, in addition to any other problem."""
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
