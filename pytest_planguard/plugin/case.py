"""The state of one marked test run: what it asked planguard, what its cassette saw, and the results of both.

The modules of this package that open cassettes, judge and report import this one. It imports none of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from ..errors import UsageError
from .case_parts.played_cassette import PlayedCassette
from .marker.identity import case_key, cassette_path, named_model, record_command, shown_path
from .marker.marker import SPEC
from .options import settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from ..contract import Contract
    from ..contract.comparison.score import Score
    from ..contract.strength.measure import Strength
    from ..contract.verdict import Verdict
    from ..plan_search.result import SearchResult
    from ..replay.commands.command_server import CommandServer
    from ..replay.network.processes import ProcessWatch
    from ..replay.session.rerecord import RerecordHint
    from ..replay.session.session import CassetteSession
    from ..retry.outcomes import Outcome
    from ..retry.proof import Proof
    from ..retry.results import Convergence
    from ..runs.model.run import LiveCheckRow, PipelineRow, SamplesRow
    from .case_parts.child_endpoint import ChildEndpoint
    from .case_parts.refusing_guard import RefusingGuard, TeardownGuard
    from .marker.marker import Spec
    from .options import Settings

CASE: pytest.StashKey[Case] = pytest.StashKey()
ENDED = (Exception, pytest.fail.Exception)
"""Exceptions that show that the test function failed, so that its conversation is over."""


class Checked(NamedTuple):
    """One call of `planguard.check`."""

    contract: Contract
    verdict: Verdict


class Scored(NamedTuple):
    """An answer compared with its expected value."""

    contract: Contract
    score: Score


_TOLD: dict[str, Callable[[], Any]] = {
    **dict.fromkeys(("checked", "scored", "parts", "searches", "told", "measured", "driven", "observed"), list),
    **dict.fromkeys(("expected", "scores"), dict),
    "judged_already": set,
}


class Case:
    """The state of one run of one marked test; a rerun gets a new one. A plain class: thousands of tests load it."""

    # Defaults live on the class: to set all of them for each test would double the cost of creating a case.
    contracts_of_calls = False
    """True if the contracts come from the test's calls, because the marker names none."""
    result = "passed"
    """The worst outcome of the test's reports so far: "passed", "skipped", "xfailed", "failed", "error"."""
    conversations: tuple[Convergence, ...] = ()
    """All conversations, once judged."""
    skipped = False
    state: Callable[[], Mapping[str, str]] = staticmethod(dict)
    """Returns the texts to record with each request."""
    session: CassetteSession | None = None
    """The session of its cassette, open or closed; None for a test without a cassette."""
    opened: AbstractContextManager[CassetteSession] | None = None
    """Closes the cassette; None unless the cassette is open."""
    vcr_config: Mapping[str, Any] | None = None
    """The value of the fixture `vcr_config`; None until its cassette is opened."""
    body_guard: RefusingGuard | None = None
    """Refuses the requests of a test without a cassette; None if it has one, or if nothing is refused."""
    recording = PlayedCassette()
    """The contents and misses of its cassette, once closed."""
    judgement: tuple[object, tuple[Convergence, ...]] | None = None
    """The last judgement with its input, so that an experiment does not judge the same exchanges again."""
    processes: ProcessWatch | None = None
    """Watches the child processes of the test; None if they are allowed."""
    teardown_guard: TeardownGuard | None = None
    """Refuses requests of fixtures during teardown; None if none are refused."""
    endpoint: ChildEndpoint | None = None
    """The model endpoint of its child processes; None if they are left alone."""
    commands: CommandServer | None = None
    """The commands to record and replay; None if the marker names none."""
    clients: tuple[str, ...] = ()
    """Clients in other languages that were loaded by the end of the test function."""
    earlier: tuple[str, ...] = ()
    """Requests outside of marked tests, one of which may have got the answer of a test that did not ask."""
    failure: str | None = None
    """The text that replaces a traceback: what planguard found at the end of the test."""
    gave_up: str | None = None
    """The class of the exception by which the app gave up after its last rejected answer; None if it did not."""
    stale: tuple[str, ...] = ()
    """Why the cassette no longer fits the requests, one line per request."""
    expired: tuple[str, ...] = ()
    """A line if the cassette is older than allowed and has no other problem."""
    live_check: LiveCheckRow | None = None
    """How the live answers compare with the recorded ones; None without a live check."""
    proofs: tuple[Proof, ...] = ()
    """The results of experiments."""
    proved = False
    """True if the test has run its experiments itself."""
    running_again = False
    """True while the app runs again for an experiment."""
    torn_down = False
    """True if its function-scoped fixtures are already torn down for reruns."""
    torn_down_s = 0.0
    """Seconds that this took. They count as teardown."""
    further_runs_s = 0.0
    """Seconds that reruns took, including that teardown. They do not count as part of the test's call."""
    rerecord_hint: RerecordHint | None = None
    """The command that records a stale case again; None for other cases, and for a bug that a new cassette would
    keep."""
    rekey_command: str | None = None
    """The command that updates a stale cassette without a model call, if only the envelope of its requests changed."""
    sample = 1
    """The number of the sample that runs, from 1."""
    samples: SamplesRow | None = None
    """How many samples are good, and which are not; None for a case with one sample."""

    # What a test run reports to planguard; `_TOLD` lists these fields.
    checked: list[Checked]
    scored: list[Scored]
    """Answers compared with expected values, in the test's order."""
    parts: list[Callable[[], PipelineRow]]
    """For each part of a pipeline in the test: a function that returns what it saw, called at the end."""
    searches: list[SearchResult]
    """The results of `search`."""
    told: list[Convergence]
    """Calls of search steps whose requests leave out a finding, or may do so."""
    measured: list[Strength]
    """The results of `assert_strength`: the test is about the contract itself."""
    judged_already: set[str]
    """Names of conversations that a search or a fallback has judged already, so that the end of the test skips them."""
    driven: list[Convergence]
    """The results and failures of `converge`, all of which the test saw."""
    observed: list[Convergence]
    """Conversations that the test passed in: mocks and traces without a request."""
    expected: dict[str, Outcome]
    """The declared outcomes other than converged, by conversation."""
    scores: dict[str, float]
    """Scores that the test measured itself, by name."""

    def __init__(self, item: pytest.Item, spec: Spec, settings: Settings, key: str) -> None:
        self.item = item
        self.spec = spec
        self.settings = settings
        self.key = key
        """The case key."""
        self.task = spec.task
        """The pipeline task that it belongs to; None if unknown."""
        self.threads: frozenset[threading.Thread] = frozenset()
        """The threads that were running when the test was set up."""
        self.pruned: list[str] = []
        """Removed cassettes of older variants."""
        self.sections: list[tuple[str, str]] = []
        """Pairs of (title, text) to show below a failure of the test function."""
        self.begin_run()

    def begin_run(self) -> dict[str, Any]:
        """Forget what the current test run has reported, and return it by the names of `_TOLD`."""
        before = {name: vars(self).get(name) for name in _TOLD}
        vars(self).update({name: kind() for name, kind in _TOLD.items()})
        return before

    def remember_threads(self) -> None:
        """Remember that this test started the threads that are still running: their later requests are refused."""
        begun = [thread for thread in threading.enumerate() if thread not in self.threads]
        if begun:
            from ..replay.network.earlier_threads import remember

            remember(begun, self.nodeid)

    @property
    def for_model(self) -> str | None:
        """The model that the test names; None if it names none."""
        return named_model(self.item)

    @property
    def path(self) -> Path:
        """The path of its cassette, which may not exist yet."""
        return self.sample_path(self.sample)

    def sample_path(self, number: int) -> Path:
        """Return the cassette of a sample: NAME.yaml, NAME.2.yaml and so on."""
        from ..replay.files.names import sample_path

        return sample_path(cassette_path(self.item, self.spec, self.key), number)

    @property
    def wanted_samples(self) -> int:
        """The number of samples from the command line or the marker, else the number of recorded ones."""
        asked = self.settings.samples or self.spec.samples
        if asked is not None or self.session is None:
            return asked or 1
        number = 1
        while self.sample_path(number + 1).is_file():
            number += 1
        return number

    def start_sample(self, number: int) -> None:
        """Forget the judgement of the previous sample, whose cassette is already closed."""
        self.sample = number
        self.conversations, self.stale, self.expired = (), (), ()
        self.failure = self.gave_up = None
        self.proofs = ()
        self.scores = self.begin_run()["scores"]

    @property
    def children(self) -> tuple[str, ...]:
        """The child processes so far, each name once."""
        return () if self.processes is None else tuple(self.processes.children)

    @property
    def untracked(self) -> tuple[str, ...]:
        """Senders whose requests are neither replayed nor refused, one line each."""
        if not (self.clients or self.earlier or self.children or (self.processes and self.processes.senders)):
            return ()
        children = (f"child process: {child}" for child in self.children)
        senders = () if self.processes is None else self.processes.senders
        clients = (f"client beyond Python: {client}" for client in self.clients)
        return (*children, *senders, *clients, *(f"before the test: {request}" for request in self.earlier))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader about the cassette, and about senders that planguard cannot track."""
        around = () if self.endpoint is None else self.endpoint.notes
        around = around if self.commands is None else (*around, *self.commands.notes)
        untracked = (f"{who}: what it sends is not replayed or refused" for who in self.untracked)
        return (*self.recording.notes, *around, *untracked)

    @property
    def stale_reasons(self) -> tuple[str, ...]:
        """Why the cassette is stale, one line each, for answered and unanswered requests."""
        return (*self.stale, *self.recording.stale_misses, *self.expired)

    @property
    def asked(self) -> bool:
        """True if the test has sent a request that its cassette has seen."""
        return self.session is not None and bool(self.session.exchanges or self.session.misses)

    @property
    def nodeid(self) -> str:
        """The test's id."""
        return self.item.nodeid

    @property
    def relative_path(self) -> str:
        """The cassette's path relative to the root folder, with forward slashes, for messages and rows."""
        try:
            return self.path.resolve().relative_to(self.item.config.rootpath.resolve()).as_posix()
        except ValueError:
            return self.path.as_posix()

    @property
    def shown_path(self) -> str:
        """The cassette's path relative to the folder in which pytest started, for commands."""
        return shown_path(self.item.config, self.path)

    def keep_score(self, name: str, value: float) -> None:
        """Keep a score under a name. Raises UsageError if the score is not a finite number or the name is empty."""
        if not isinstance(name, str) or not name.strip() or not isinstance(value, int | float) or not isfinite(value):
            raise UsageError(f"score({name!r}, {value!r}): expected a name and a finite number")
        self.scores[name] = float(value)

    def record_command(self, mode: str) -> str:
        """Return the command that records this test."""
        return record_command(self.item.config, self.nodeid, mode)


def new_case(item: pytest.Item) -> Case:
    """Return a fresh case for a marked test, kept on the item until its last report."""
    spec = item.stash[SPEC]
    settings = settings_of(item.config)
    case = item.stash[CASE] = Case(item, spec, settings, case_key(item, spec))
    return case


# The name that a test gives to the current conversation.

IDENTIFIED: ContextVar[str | None] = ContextVar("planguard_conversation", default=None)
"""The conversation that requests belong to. Tasks started inside inherit it."""


@contextmanager
def identified(name: str | None) -> Iterator[None]:
    """Assign requests inside a `with` block to the conversation with this name."""
    token = IDENTIFIED.set(name)
    try:
        yield
    finally:
        IDENTIFIED.reset(token)
