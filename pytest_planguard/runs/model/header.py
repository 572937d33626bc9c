"""The header of a run, which is the first line of its record."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RunHeader:
    """The known facts about a whole run. Everything but the name may be unknown."""

    name: str
    """The user's name for it: a saved name, a file, a folder."""
    run: str | None = None
    """Id of the session."""
    created: str | None = None
    """Time of writing, as ISO 8601 with a zone."""
    commit: str | None = None
    dirty: bool | None = None
    """True if the working tree had changes that are not in `commit`."""
    packages: dict[str, str] = field(default_factory=dict)
    """Package name to version."""
    match: str | None = None
    """How requests were matched to cassettes: "gated", "strict", …"""
    record: str | None = None
    """The session's recording mode: "none", "missing", …"""
