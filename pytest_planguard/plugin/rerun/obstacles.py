"""Decide if a test runs again: what only a rerun can show, and what prevents one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...replay.network.hooks import listens_here
from .other_plugins import needs_fixtures_after_body, updates_snapshots
from .pytest_parts import fixtures_so_far
from .shared_fixtures import shared_now
from .watching import DATA, OPENED, WRITES

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...retry.results import Attempt, Convergence, FedBack
    from ..case import Case
    from .writes import Opened, Writes


_MAY = "prove=True or planguard.prove_feedback(run)"
SHOWN = 3
"""Maximum number of fixtures that a reason names."""


class Obstacle(NamedTuple):
    """Why a test does not run again."""

    why: str
    """'a child process ran', the same for all tests with this reason."""
    what: str = ""
    """'curl (subprocess)', for this test."""
    way_out: str = ""
    """The advice for the user."""

    def __str__(self) -> str:
        return reason(*self)


def prove_mode(case: Case) -> str:
    """Return when a test's app runs again: "auto", "always" or "never". The marker wins."""
    asked = case.spec.prove
    return case.settings.prove if asked is None else "always" if asked else "never"


def may_be_run_again(case: Case) -> bool:
    """Return True if an experiment can show what a test's retries feed back, automatically or on request."""
    mode = prove_mode(case)
    return mode != "never" and (case.proved or obstacle(case) is None)


def obstacle(case: Case) -> Obstacle | None:
    """Return why a test does not run again, judging by its actions so far; None if it may."""
    return _always(case) or (None if prove_mode(case) == "always" else _by_itself(case))


def _always(case: Case) -> Obstacle | None:
    """Return what prevents even a requested rerun, because it would differ from the first run or do harm."""
    config, item = case.item.config, case.item
    if case.spec.commands:  # they have written their files, so another run would find those
        return Obstacle("its commands have run already", "", "planguard.prove_feedback(run)")
    if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
        return Obstacle("Hypothesis gives it examples", "", "planguard.prove_feedback(run)")
    if updates_snapshots(config):
        return Obstacle("this run updates snapshots")
    if config.getoption("setupshow", False):
        return Obstacle("each set-up is shown (--setup-show)")
    if config.getoption("trace", False):
        return Obstacle("a debugger goes through each test (--trace)")
    names = {*getattr(item, "fixturenames", ()), *fixtures_so_far(item)}
    excepted = None if case.spec.prove else next((n for n in case.settings.prove_except if n in names), None)
    return None if excepted is None else Obstacle(f"it uses the fixture {excepted}", "", "planguard_prove_except")


def _by_itself(case: Case) -> Obstacle | None:
    if case.children:
        return Obstacle("a child process ran", case.children[0], f"if it may run twice: {_MAY}")
    hook = needs_fixtures_after_body(case.item.config)
    if hook is not None:
        return Obstacle("a hook uses the fixtures of a finished test", hook, f"if it can do without: {_MAY}")
    return _reached(case) or _shared(case)


def _reached(case: Case) -> Obstacle | None:
    """Return an obstacle for a server that may remember requests.

    A server of the test itself is set up again for each run.
    """
    places = () if case.session is None else case.session.reached
    if not places:
        return None
    opened: Opened | None = case.item.config.stash.get(OPENED, None)
    for place in places:
        _, _, port = place.rpartition(":")
        if not port.isdigit():
            continue  # a name lookup
        fixture = None if opened is None else opened.serving(int(port))
        if fixture is not None and fixture not in case.settings.prove_fixtures:
            return Obstacle(f"it reaches the server of the fixture {fixture}", place, _way_out([fixture]))
        own = opened is not None and int(port) in opened.own_ports
        if fixture is None and not own and not listens_here(int(port)):
            return Obstacle("it reaches a server other than the model's", place, f"if that may happen twice: {_MAY}")
    return None


def _shared(case: Case) -> Obstacle | None:
    """Return an obstacle if fixtures that the test shares with others may keep traces of a run."""
    item = case.item
    writes: Writes | None = item.stash.get(WRITES, None)
    opened: Opened | None = item.config.stash.get(OPENED, None)
    if writes is None or opened is None:
        return None
    taken = _taken(case)
    for why, names in (
        ("holds a database in memory", opened.in_memory),
        ("holds a connection, whose writes planguard cannot see", [n for n in taken if opened.connected(n)]),
        ("holds too much data to restore", () if DATA not in item.stash or item.stash[DATA].is_whole else taken),
    ):
        held = [name for name in taken if name in names]
        if held:
            return Obstacle(f"it shares the fixture {held[0]} with other tests, and that {why}", "", _way_out(held[:1]))
    written = writes.found if taken else None
    return committed(case) or (None if written is None else _written(written, taken))


def committed(case: Case) -> Obstacle | None:
    """Return an obstacle if a shared database has changed: a fixture may commit during its teardown."""
    writes: Writes | None = case.item.stash.get(WRITES, None)
    allowed, taken = case.settings.prove_fixtures, _taken(case)
    for path in () if writes is None else writes.databases:
        owner = case.item.config.stash[OPENED].databases.get(path)
        if owner not in allowed and (owner is not None or taken or not allowed):
            return _written(Path(path).name, taken if owner is None else [owner])
    return None


def _taken(case: Case) -> list[str]:
    return [name for name in shared_now(case.item).taken if name not in case.settings.prove_fixtures]


def _written(written: str, taken: Collection[str]) -> Obstacle:
    if not taken:
        return Obstacle("it writes to what other tests use", written, f"if it may run twice: {_MAY}")
    named = ", ".join([*taken][:SHOWN])
    fixtures = f"the fixture {named}" if len(taken) == 1 else f"the fixtures {named}"
    return Obstacle(f"it shares {fixtures} with other tests, and writes", written, _way_out(taken))


def _way_out(fixtures: Collection[str]) -> str:
    return f"if it may be used twice: planguard_prove_fixtures = {' '.join([*fixtures][:SHOWN])}, {_MAY}"


VERBATIM = "verbatim"
SURE = frozenset({"proven", VERBATIM, "not judged"})
"""Grades that need no experiment. The app's own words for a finding may be a constant text."""


def wants_experiment(case: Case) -> bool:
    """Return True if only a rerun of the app shows what its retries feed back."""
    mode = prove_mode(case)
    if mode == "never" or case.proved:
        return False
    retried = any(len(c.attempts) > 1 for c in case.conversations)
    return retried and (mode == "always" or any(map(_is_worth_a_run, case.conversations)))


def _is_worth_a_run(conversation: Convergence) -> bool:
    return any(worth_a_run(attempt, fed_back) for attempt in conversation.attempts for fed_back in attempt.fed_back)


def worth_a_run(attempt: Attempt, fed_back: FedBack | None) -> bool:
    """Return True for a finding to test: one in doubt, or the first one of its answer whose message was quoted.

    A constant text could quote the messages too. It would contain all of them, so testing one is enough.
    """
    if in_doubt(attempt, fed_back):
        return True
    verbatim = (one for one in attempt.fed_back if one.label == VERBATIM)
    return fed_back is not None and next(verbatim, None) is fed_back


def in_doubt(_attempt: Attempt, fed_back: FedBack | None) -> bool:
    """Return True if reading alone cannot decide if a finding was fed back or missing."""
    if fed_back is None or fed_back.label in SURE:
        return False
    from ...retry.results import NOTHING_NEW

    return fed_back.reason != NOTHING_NEW


OFF = "planguard does not run the app again, since "
"""The start of such a reason."""


def reason(why: str, what: str = "", way_out: str = "") -> str:
    """Return a reason for the reader: the part shared by all tests of a kind, this test's part, and the way out."""
    seen = f"{OFF}{why}: {what}" if what else f"{OFF}{why}"
    return f"{seen}; {way_out}" if way_out else seen


def group_of(reason: str) -> str:
    """Return the part that all reasons of a kind share: all but the observation in one test."""
    seen, _, way_out = reason.removeprefix(OFF).partition("; ")
    return f"{seen.partition(': ')[0]}; {way_out}"
