"""What a case holds of others: the shapes of its endpoint, its commands and its guards, and how live answers compare.

For type checkers, but for `LiveCheck`: no session of checks alone loads it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class LiveCheck:
    """How a case ended in its cassette, and how it ends with live answers (`--planguard-record=verify`)."""

    recorded: str
    """'converged after 2 attempts'; several conversations joined by a comma."""
    live: str
    change: Literal["same", "changed", "better", "worse", "unanswered"]
    """"worse" where more conversations are bad than in the cassette, "better" where fewer are; "unanswered" where the
    endpoint gave nothing to judge."""


class BodyGuard(Protocol):
    """Refuses what a test without a cassette asks."""

    @property
    def refused(self) -> str | None:
        """The explanation of the last refusal; None where nothing was refused."""
        ...

    @property
    def times(self) -> int:
        """How many connections were refused."""
        ...

    def end(self) -> None:
        """Stop refusing."""
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
