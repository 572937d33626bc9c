"""A marked test while it runs: what it asked planguard, what its recording saw, and what follows from it."""

from __future__ import annotations

from contextvars import ContextVar
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ..errors import UsageError
from ..replay.files.names import sample_path
from .marker.identity import case_key, recording_path
from .marker.marker import SPEC
from .options import settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from ..contract import Contract
    from ..contract.verdict import Verdict
    from ..replay.refresh.rerecord_hint import RerecordHint
    from ..retry.convergence import Convergence, Outcome
    from ..retry.proof import Proof
    from ..runs.statistics import Rate
    from .fixtures.fixtures_after_body import LateFixtures
    from .marker.marker import Spec
    from .options import Settings
    from .outcome.live_check import Canary
    from .recording.null_recording import EmptyTape
    from .recording.recording import Tape

CASE: pytest.StashKey[Case] = pytest.StashKey()


class Checked(NamedTuple):
    """One call of `planguard.check`."""

    contract: Contract
    verdict: Verdict


class Case:
    """The state of one run of one marked test; a rerun gets a new one. A plain class: thousands of tests load it."""

    def __init__(self, item: pytest.Item, spec: Spec, settings: Settings, key: str) -> None:
        self.item = item
        self.spec = spec
        self.settings = settings
        self.key = key
        """The case key."""
        self.result = "passed"
        """The worst outcome of the test's reports so far: "passed", "skipped", "xfailed", "failed", "error"."""
        self.tape: Tape | EmptyTape | None = None
        self.checked: list[Checked] = []
        self.driven: list[Convergence] = []
        """What `converge` returned or failed with: the test saw each of them."""
        self.expected: dict[str, Outcome] = {}
        """Outcomes other than converged that the test declared, by conversation."""
        self.conversations: tuple[Convergence, ...] = ()
        """All of them, once judged."""
        self.late: LateFixtures | None = None
        """Refuses what fixtures ask that are torn down after the body; None where there are none."""
        self.skipped = False
        self.failure: str | None = None
        """The text that is shown instead of a traceback: what planguard found at the end of the test."""
        self.stale: tuple[str, ...] = ()
        """Why the recording no longer fits what is sent, one line a request."""
        self.expired: tuple[str, ...] = ()
        """That the recording is older than allowed, where nothing else is wrong with it."""
        self.canary: Canary | None = None
        """How the live answers compare with the recorded ones; None where they were not asked to be."""
        self.proofs: tuple[Proof, ...] = ()
        """What interventions have shown."""
        self.pruned: list[str] = []
        """Recordings of older variants that were removed."""
        self.anew: RerecordHint | None = None
        """How a stale case is recorded anew; None for others, and for one with a bug that a recording would keep."""
        self.scores: dict[str, float] = {}
        """What the test measured itself, by name."""
        self.rekey: str | None = None
        """The command that mends a stale recording without a call, where only the envelope of its requests changed."""
        self.sections: list[tuple[str, str]] = []
        """(title, text) shown below a failure of the test's own."""
        self.sample = 1
        """Which of its samples runs, from 1."""
        self.samples: Rate | None = None
        """How many of its samples are good; None for a case of one."""
        self.bad_samples: tuple[tuple[int, str], ...] = ()
        """Number and failure, on one line, of each that is not."""

    @cached_property
    def path(self) -> Path:
        """Of its recording, whether it exists or not."""
        return self.sample_path(self.sample)

    def sample_path(self, number: int) -> Path:
        """Where a sample is recorded: in NAME.yaml, NAME.2.yaml and so on."""
        return sample_path(recording_path(self.item, self.spec, self.key), number)

    def start_sample(self, number: int) -> None:
        """Forget what the sample before was judged by; its tape is closed already."""
        self.sample = number
        self.__dict__.pop("path", None)
        self.conversations, self.stale, self.expired, self.failure = (), (), (), None
        for kept in (self.checked, self.driven, self.expected):
            kept.clear()

    @property
    def misfit(self) -> tuple[str, ...]:
        """Why the recording is stale, whether the requests were served all the same or not, one line each."""
        return (*self.stale, *(self.tape.misfits if self.tape is not None else ()), *self.expired)

    @property
    def nodeid(self) -> str:
        """The test's id."""
        return self.item.nodeid

    @property
    def recording(self) -> str:
        """The recording's path relative to the root folder, with forward slashes, for people and rows."""
        try:
            return self.path.resolve().relative_to(self.item.config.rootpath.resolve()).as_posix()
        except ValueError:
            return self.path.as_posix()

    @property
    def shown_path(self) -> str:
        """The recording's path relative to where pytest was started, for commands."""
        from .commands import shown_path

        return shown_path(self.item.config, self.path)

    def keep_score(self, name: str, value: float) -> None:
        """Keep a number under a name. Raises UsageError where it is no finite number, or the name no text."""
        if not isinstance(name, str) or not name.strip() or not isinstance(value, int | float) or not isfinite(value):
            raise UsageError(f"score({name!r}, {value!r}): a name and a finite number are needed")
        self.scores[name] = float(value)

    def record_command(self, mode: str) -> str:
        """The command that records this test."""
        from .commands import record_command

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
