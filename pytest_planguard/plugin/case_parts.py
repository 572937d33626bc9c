"""What a case holds of others: the shapes of its cassette, its endpoint and its guard, and how live answers compare.

For type checkers, but for `LiveCheck`: no session of checks alone loads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..replay.session.experiment_replay import Replayed
    from ..replay.session.rerecord import RerecordHint
    from ..retry.results import Convergence


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """How a case ended in its cassette, and how it ends with live answers (`--planguard-record=verify`)."""

    recorded: str
    """'converged after 2 attempts'; several conversations joined by a comma."""
    live: str
    change: Literal["same", "changed", "better", "worse", "unanswered"]
    """"worse" where more conversations are bad than in the cassette, "better" where fewer are; "unanswered" where the
    endpoint gave nothing to judge."""


class Recording(Protocol):
    """What the cassette of a running test offers, whether there is one or not. Read the tuples after `close`."""

    @property
    def uses_file(self) -> bool:
        """Whether requests are replayed from a file or recorded into one."""
        ...

    @property
    def recorded(self) -> bool:
        """Whether this test talked to the live endpoint."""
        ...

    def exchanges_in(self, content: bytes) -> int | None:
        """How many exchanges the file holds, given its content."""
        ...

    @property
    def outgrown(self) -> bool:
        """In mode stale: whether a request after the first did not fit, so that all of it has to be recorded again."""
        ...

    @property
    def asked(self) -> bool:
        """Whether the test has sent any request yet."""
        ...

    @property
    def called_tools(self) -> tuple[str, ...]:
        """Names of the tools that the answers so far call, each once."""
        ...

    @property
    def last_exchange(self) -> int:
        """How many requests got an answer: the number of the last exchange, since they are counted from 1."""
        ...

    @property
    def misses(self) -> tuple[str, ...]:
        """Requests without an answer and connections around the cassette: an explanation each, first line first."""
        ...

    @property
    def outcome(self) -> str | None:
        """The outcome of a case whose requests found no answer; None where all did, or a retry dropped its findings."""
        ...

    @property
    def unplayed(self) -> tuple[str, ...]:
        """Recorded answers that were never asked for, one line each."""
        ...

    @property
    def stale(self) -> tuple[str, ...]:
        """How served requests differ from the recorded ones, one line each; () where convergence is proven."""
        ...

    @property
    def stale_misses(self) -> tuple[str, ...]:
        """Changed requests that no recorded answer serves, one line each; () where a retry dropped its findings."""
        ...

    @property
    def expired(self) -> tuple[str, ...]:
        """That the cassette is older than allowed, in one line; () where it is not, or its age is unknown."""
        ...

    @property
    def rerecord_hint(self) -> RerecordHint | None:
        """How the cassette is made again, and what it took; None where there is none."""
        ...

    @property
    def replayed(self) -> Sequence[Replayed]:
        """What was answered from the cassette; () where a request was not, or a live endpoint was asked."""
        ...

    @property
    def exchanged(self) -> Sequence[Replayed]:
        """What was answered, by the cassette or by the live endpoint; () where a request was not."""
        ...

    @property
    def reached(self) -> tuple[str, ...]:
        """Hosts that the test may reach and did, each once: its own database."""
        ...

    @property
    def secrets(self) -> tuple[str, ...]:
        """Secrets that were kept off the disk, one line each."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about the file, and why a test took its time."""
        ...

    @property
    def summary(self) -> str:
        """What there was to judge, for a test that judged nothing."""
        ...

    def close(self, error: BaseException | None = None, /) -> None:
        """End the cassette; `error` is what the test's body raised. Closing twice is closing once."""
        ...

    def settle(self) -> None:
        """Refuse the retries that were served until an experiment told, and that none has proven."""
        ...

    def judged(self) -> tuple[Convergence, ...]:
        """The conversations so far: requests as they were sent now, with the answers that they got."""
        ...

    def kept(self) -> tuple[Convergence, ...]:
        """The conversations that the file holds, whatever was sent now."""
        ...


class Endpoint(Protocol):
    """Where the children of a running test ask models."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What children asked around it, one line each."""
        ...

    def close(self) -> None:
        """Equip no more children, and answer none."""
        ...


class Commands(Protocol):
    """The commands of a running test that are recorded and replayed."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of their runs, one line each."""
        ...

    @property
    def problems(self) -> tuple[str, ...]:
        """Why a run was refused, where the cassette does not say it."""
        ...

    @property
    def is_cut_off(self) -> bool:
        """Whether a run is replayed now whose cassette has no end: whoever waits for it waits in vain."""
        ...

    def own(self, path: Path) -> None:
        """Count a file as written by the test: it is no work of somebody else in a git work tree."""
        ...

    def settle(self) -> None:
        """Wait for runs that end now, and end the others: the cassette is about to be closed."""
        ...

    def close(self) -> None:
        """Take the shims away, and answer no more runs."""
        ...


class FixtureGuard(Protocol):
    """Refuses what the fixtures of a test ask when its cassette is closed."""

    @property
    def refused(self) -> str | None:
        """The explanation that a fixture got; None where nothing was refused."""
        ...

    def another(self) -> FixtureGuard:
        """Return one for a further run of the test."""
        ...

    def begin(self) -> None:
        """Refuse from now on."""
        ...

    def end(self) -> None:
        """Stop refusing. Raises where a fixture asked."""
        ...
