"""What is known about a run as a whole: the first line of its record."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What is known about a whole run. Everything may be unknown but the name."""

    name: str
    """How the user calls it: a saved name, a file, a folder."""
    run: str | None = None
    """Id of the session."""
    created: str | None = None
    """When it was written: ISO 8601 with a zone."""
    commit: str | None = None
    dirty: bool | None = None
    """Whether the working tree had changes that are not in `commit`."""
    packages: dict[str, str] = field(default_factory=dict)
    """Package name to version."""
    match: str | None = None
    """How requests were matched to cassettes: "gated", "strict", …"""
    record: str | None = None
    """Whether the session recorded: "none", "missing", …"""
