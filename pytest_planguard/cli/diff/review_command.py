"""`planguard review`: decide about snapshots and known failures, one by one."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import RunError, UsageError
from ..commands import epilog
from ..main import WrongUseError
from ..output import console, is_terminal, say
from .diff_options import today

if TYPE_CHECKING:
    from rich.console import Console  # noqa: TID251 - a type; output.py makes them

    from ...runs.gate.review_items import Reviewer, ReviewItem
    from .review_screen import Keyboard

EXAMPLES = """
  planguard review                          snapshots and expected values that did not hold when their tests ran last
  planguard review --baseline known.json    and the last run's failures against the list of known ones
  planguard review | less                   without a terminal: what there is, and the command for each
"""
EXIT_CODES = {
    0: "there was nothing to decide, or the review was done or left",
    2: "the command itself is wrong, CI is set, or something cannot be read or written",
}
IN_CI = (
    "a review writes files and needs a person, and the environment variable CI is set: nothing is done. Run it where "
    "you work, and commit what it wrote."
)
BASELINE = Path("planguard-baseline.json")
DECISIONS = {"a": "accepted", "r": "rejected", "s": "skipped"}


@click.command(epilog=epilog(EXAMPLES, EXIT_CODES))
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"The list of known failures.  [default: {BASELINE}, where there is one]",
)
def review(baseline: Path | None) -> None:
    """Go through what the last run left to decide: snapshots, expected values, failures that the list gets wrong.

    Each is shown with what changed. Keys: a accepts (it is written at once), r rejects (nothing is written), s leaves
    it for the next review, d shows all of it, q stops. Without a terminal nothing changes: the commands that accept are
    printed.
    """
    from ...runs.gate.review_items import Reviewer
    from ...runs.snapshots import PendingStore
    from ...runs.store.store import LAST, Store

    if os.environ.get("CI"):
        raise UsageError(IN_CI)
    if baseline is None and BASELINE.is_file():
        baseline = BASELINE
    reviewer = Reviewer(PendingStore(Path()), baseline, today())
    try:
        items = reviewer.items(Store(Path()).load(LAST) if baseline is not None else None)
        if not items:
            say(
                "nothing to review"
                if baseline
                else "no snapshot or expected value to review; for failures name --baseline FILE"
            )
        # Both: keys come from one, and `planguard review | less` has only the other.
        elif is_terminal(sys.stdin) and is_terminal(sys.stdout):
            _one_by_one(reviewer, items)
        else:
            _listed(reviewer, items)
    except RunError as error:
        raise WrongUseError(str(error)) from error


def _listed(reviewer: Reviewer, items: Sequence[ReviewItem]) -> None:
    """Print the items to decide, with the command for each. Nothing is changed."""
    from ...printable import one_line
    from .review_screen import facts

    for number, item in enumerate(items, 1):
        say(f"{number} of {len(items)}: {item.question.value}: {one_line(item.name, 400)}")
        for line in facts(item):
            say(f"  {line}")
        say(f"  accept: {reviewer.command(item)}")
    say("no terminal: nothing was changed")


def _one_by_one(reviewer: Reviewer, items: Sequence[ReviewItem]) -> None:
    from .review_screen import keyboard, panel

    screen = console()
    done: Counter[str] = Counter()
    with keyboard() as keys:
        for number, item in enumerate(items, 1):
            screen.print(panel(item, number, len(items)))
            decision = _decided(reviewer, item, screen, keys)
            if decision is None:
                break
            done[decision] += 1
    counts = [f"{done[word]} {word}" for word in DECISIONS.values() if done[word]]
    left = len(items) - done.total()
    screen.print(", ".join([*counts, *([f"{left} left"] if left else [])]))


def _decided(reviewer: Reviewer, item: ReviewItem, screen: Console, keys: Keyboard) -> str | None:
    """Ask until an answer is given, and apply it. Return None if the user leaves the review."""
    from .review_screen import difference, key_line

    while True:
        screen.print(key_line(item))
        key = keys.key()
        if key in ("q", ""):
            return None
        if key == "d":
            screen.print(difference(item))
        elif key in DECISIONS and (message := _done(reviewer, item, key)) is not None:
            screen.print(message)
            return DECISIONS[key]


def _done(reviewer: Reviewer, item: ReviewItem, key: str) -> str | None:
    """Apply the decision and return its message. Return None if that fails, so that the question stays."""
    try:
        return {"a": reviewer.accept, "r": reviewer.reject}[key](item) if key in "ar" else "left for the next review"
    except RunError as error:
        say(str(error), err=True)
        return None
