"""What a running test knows of its children: where they ask models, and which commands are replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path


class Endpoint(Protocol):
    """Where the children of a running test ask models."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What children asked around it, one line each."""
        ...


class Commands(Protocol):
    """The commands of a running test that are recorded and replayed."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of their runs, one line each."""
        ...

    @property
    def problems(self) -> tuple[str, ...]:
        """Why a run was refused, where the recording does not say it."""
        ...

    @property
    def is_cut_off(self) -> bool:
        """Whether a run is replayed now whose recording has no end: whoever waits for it waits in vain."""
        ...

    def own(self, path: Path) -> None:
        """Count a file as written by the test: it is no work of somebody else in a git work tree."""
        ...

    def settle(self) -> None:
        """Wait for runs that end now, and end the others: the recording is about to be closed."""
        ...
