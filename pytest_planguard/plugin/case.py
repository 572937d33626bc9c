"""State of one marked test run: what it asked planguard, what its cassette saw, and what follows from both.

A leaf: the modules of this package that open cassettes, judge and report import it, and it imports none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ..errors import UsageError
from .case_parts.played_cassette import PlayedCassette
from .marker.identity import case_key, cassette_path
from .marker.marker import SPEC
from .options import settings_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path
    from threading import Thread

    from ..contract import Contract
    from ..contract.comparison.score import Score
    from ..contract.strength.measure import Strength
    from ..contract.verdict import Verdict
    from ..replay.network.processes import ProcessWatch
    from ..replay.session.rerecord import RerecordHint
    from ..replay.session.session import CassetteSession
    from ..retry.outcomes import Outcome
    from ..retry.proof import Proof
    from ..retry.results import Convergence
    from ..runs.model.part_rows import PipelineRow
    from ..runs.model.run import LiveCheckRow, SamplesRow
    from ..search.result import SearchResult
    from .case_parts.child_endpoint import ChildEndpoint
    from .case_parts.refusing_guard import RefusingGuard, TeardownGuard
    from .case_parts.shimmed_commands import ShimmedCommands
    from .marker.marker import Spec
    from .options import Settings

CASE: pytest.StashKey[Case] = pytest.StashKey()
ENDED = (Exception, pytest.fail.Exception)
"""How a test's body fails by itself, so that its conversation is over."""
_FIRST_REFUSED: pytest.StashKey[str] = pytest.StashKey()
"""The one test of a session that is told why it took its time."""


class Checked(NamedTuple):
    """One call of `planguard.check`."""

    contract: Contract
    verdict: Verdict


def as_compared(verdict: Verdict) -> Any:
    """Return the value of a good answer: the model's, with its defaults and conversions, else what was written."""
    return verdict.value if hasattr(verdict.value, "model_dump") else verdict.data


class Scored(NamedTuple):
    """One answer that was held against its expected value."""

    contract: Contract
    score: Score


_TOLD: dict[str, Callable[[], Any]] = {
    **dict.fromkeys(("checked", "scored", "parts", "searches", "told", "measured", "driven", "observed"), list),
    **dict.fromkeys(("expected", "scores"), dict),
    "judged_already": set,
}


class Case:
    """The state of one run of one marked test; a rerun gets a new one. A plain class: thousands of tests load it."""

    # What most cases leave as it is belongs to the class: setting all of it for each test is half of making a case.
    contracts_of_calls = False
    """Whether the contracts come from the calls of the test, since the marker names none."""
    result = "passed"
    """The worst outcome of the test's reports so far: "passed", "skipped", "xfailed", "failed", "error"."""
    conversations: tuple[Convergence, ...] = ()
    """All of them, once judged."""
    skipped = False
    session: CassetteSession | None = None
    """Of its cassette, which tells what it has seen so far, open or not; None for a test without one."""
    opened: AbstractContextManager[CassetteSession] | None = None
    """What closes the cassette; None where it is not open."""
    body_guard: RefusingGuard | None = None
    """What refuses the requests of a body without a cassette; None where it has one, or nothing is refused."""
    recording = PlayedCassette()
    """What its cassette shows, once that is closed."""
    judgement: tuple[object, tuple[Convergence, ...]] | None = None
    """The last judgement of its cassette, and of what: an experiment asks what the end of the test has asked."""
    processes: ProcessWatch | None = None
    """What notes the child processes of the test; None where they are allowed."""
    teardown_guard: TeardownGuard | None = None
    """What refuses the requests of fixtures that are torn down after the body; None where none are refused."""
    endpoint: ChildEndpoint | None = None
    """Where its children ask models; None where they are left alone."""
    commands: ShimmedCommands | None = None
    """Commands that are recorded and replayed; None where the marker names none."""
    clients: tuple[str, ...] = ()
    """Clients beyond Python that were loaded when its body was done."""
    failure: str | None = None
    """The text that is shown instead of a traceback: what planguard found at the end of the test."""
    gave_up: str | None = None
    """The class of the exception by which the app gave up after its last rejected answer; None where it did not."""
    stale: tuple[str, ...] = ()
    """Why the cassette no longer fits what is sent, one line a request."""
    expired: tuple[str, ...] = ()
    """That the cassette is older than allowed, where nothing else is wrong with it."""
    live_check: LiveCheckRow | None = None
    """How the live answers compare with the recorded ones; None where they were not asked to be."""
    proofs: tuple[Proof, ...] = ()
    """What experiments have shown."""
    proved = False
    """Whether the test has asked for its experiments itself."""
    running_again = False
    """Whether the app runs again now, for an experiment."""
    torn_down = False
    """Whether its fixtures of function scope are torn down already, for further runs."""
    torn_down_s = 0.0
    """How long that took: it belongs to the test's tear-down."""
    further_runs_s = 0.0
    """How long further runs took, with that tear-down: it does not belong to the test's call."""
    rerecord_hint: RerecordHint | None = None
    """How a stale case is recorded again; None for others, and for one with a bug that a cassette would keep."""
    rekey_command: str | None = None
    """The command that updates a stale cassette without a call, where only its requests' envelope changed."""
    sample = 1
    """Which of its samples runs, from 1."""
    samples: SamplesRow | None = None
    """How many of its samples are good, and which are not; None for a case of one."""

    # What a run of the test tells planguard: `_TOLD` has all of it.
    checked: list[Checked]
    scored: list[Scored]
    """Answers held against expected values, in the order in which the test did so."""
    parts: list[Callable[[], PipelineRow]]
    """What each part of a pipeline that the test used saw, asked for at its end."""
    searches: list[SearchResult]
    """What `search` returned."""
    told: list[Convergence]
    """Calls of steps of searches whose requests leave out what was wrong, or may do so."""
    measured: list[Strength]
    """What `assert_strength` returned: the test is about the contract itself."""
    judged_already: set[str]
    """Names of conversations that the end of the test does not judge: a search or a fallback has done so."""
    driven: list[Convergence]
    """What `converge` returned or failed with: the test saw each of them."""
    observed: list[Convergence]
    """Conversations that the test handed over: doubles and traces without a request."""
    expected: dict[str, Outcome]
    """Outcomes other than converged that the test declared, by conversation."""
    scores: dict[str, float]
    """What the test measured itself, by name."""

    def __init__(self, item: pytest.Item, spec: Spec, settings: Settings, key: str) -> None:
        self.item = item
        self.spec = spec
        self.settings = settings
        self.key = key
        """The case key."""
        self.task = spec.task
        """The task of a pipeline that it belongs to; None where nobody says."""
        self.threads: frozenset[Thread] = frozenset()
        """The threads that ran when the test was set up."""
        self.pruned: list[str] = []
        """Cassettes of older variants that were removed."""
        self.sections: list[tuple[str, str]] = []
        """(title, text) shown below a failure of the test's own."""
        self.begin_run()

    def begin_run(self) -> dict[str, Any]:
        """Forget what a run of the test has told planguard, and return it by the names of `_TOLD`."""
        before = {name: vars(self).get(name) for name in _TOLD}
        vars(self).update({name: kind() for name, kind in _TOLD.items()})
        return before

    @property
    def path(self) -> Path:
        """Of its cassette, whether it exists or not."""
        return self.sample_path(self.sample)

    def sample_path(self, number: int) -> Path:
        """Where a sample is recorded: in NAME.yaml, NAME.2.yaml and so on."""
        from ..replay.files.names import sample_path

        return sample_path(cassette_path(self.item, self.spec, self.key), number)

    @property
    def wanted_samples(self) -> int:
        """How many samples it has: as the command line or the marker says, else as many as are recorded."""
        asked = self.settings.samples or self.spec.samples
        if asked is not None or self.session is None:
            return asked or 1
        number = 1
        while self.sample_path(number + 1).is_file():
            number += 1
        return number

    def start_sample(self, number: int) -> None:
        """Forget what the sample before was judged by; its cassette is closed already."""
        self.sample = number
        self.conversations, self.stale, self.expired = (), (), ()
        self.failure = self.gave_up = None
        self.proofs = ()
        self.scores = self.begin_run()["scores"]

    @property
    def children(self) -> tuple[str, ...]:
        """Child processes that ran so far, each name once."""
        return () if self.processes is None else tuple(self.processes.children)

    @property
    def untracked(self) -> tuple[str, ...]:
        """Senders whose requests are neither replayed nor refused, one line each."""
        if not (self.clients or self.children or (self.processes and self.processes.senders)):
            return ()
        children = (f"child process: {child}" for child in self.children)
        senders = () if self.processes is None else self.processes.senders
        return (*children, *senders, *(f"client beyond Python: {client}" for client in self.clients))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about the cassette, and whose requests could not be seen."""
        around = () if self.endpoint is None else self.endpoint.notes
        around = around if self.commands is None else (*around, *self.commands.notes)
        untracked = (f"{who}: what it sends is not replayed or refused" for who in self.untracked)
        return (*self.recording.notes, *self._backoff_note, *around, *untracked)

    @property
    def _backoff_note(self) -> tuple[str, ...]:
        """Why a refused test took seconds: clients take a refusal for a lost connection, wait, and ask again.

        The first test of a session gets it; the others took their time for the same reason.
        """
        times = self.recording.refusals
        if times < 2 or self.item.config.stash.setdefault(_FIRST_REFUSED, self.nodeid) != self.nodeid:
            return ()
        cause = f"{times} connection attempts were refused; SDK retry back-off made this test slow"
        return (f"{cause}; set max_retries=0 on the client in tests",)

    @property
    def stale_reasons(self) -> tuple[str, ...]:
        """Why the cassette is stale, whether the requests were served all the same or not, one line each."""
        return (*self.stale, *self.recording.stale_misses, *self.expired)

    @property
    def asked(self) -> bool:
        """Whether the test has sent any request that its cassette has seen."""
        return self.session is not None and bool(self.session.exchanges or self.session.misses)

    @property
    def nodeid(self) -> str:
        """The test's id."""
        return self.item.nodeid

    @property
    def relative_path(self) -> str:
        """The cassette's path relative to the root folder, with forward slashes, for people and rows."""
        try:
            return self.path.resolve().relative_to(self.item.config.rootpath.resolve()).as_posix()
        except ValueError:
            return self.path.as_posix()

    @property
    def shown_path(self) -> str:
        """The cassette's path relative to where pytest was started, for commands."""
        from .marker.identity import shown_path

        return shown_path(self.item.config, self.path)

    def keep_score(self, name: str, value: float) -> None:
        """Keep a number under a name. Raises UsageError where it is not a finite number, or the name no text."""
        if not isinstance(name, str) or not name.strip() or not isinstance(value, int | float) or not isfinite(value):
            raise UsageError(f"score({name!r}, {value!r}): expected a name and a finite number")
        self.scores[name] = float(value)

    def record_command(self, mode: str) -> str:
        """The command that records this test."""
        from .marker.identity import record_command

        return record_command(self.item.config, self.nodeid, mode)


def new_case(item: pytest.Item) -> Case:
    """A fresh case for a marked test, kept on the item until its last report is made."""
    spec = item.stash[SPEC]
    settings = settings_of(item.config)
    case = item.stash[CASE] = Case(item, spec, settings, case_key(item, spec))
    return case


# The name that a test gives to the conversation that runs.

IDENTIFIED: ContextVar[str | None] = ContextVar("planguard_conversation", default=None)
"""The name of the conversation that requests belong to; tasks started inside inherit it."""


@contextmanager
def identified(name: str | None) -> Iterator[None]:
    """Give requests that are sent within a `with` block to the conversation of this name."""
    token = IDENTIFIED.set(name)
    try:
        yield
    finally:
        IDENTIFIED.reset(token)
