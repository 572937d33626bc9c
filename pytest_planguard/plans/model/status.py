"""How far a task is, in the words of every format."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """How far a task is. Formats have many words for these; a profile maps its own words to them."""

    TODO = "todo"
    ACTIVE = "active"
    REVIEW = "review"
    BLOCKED = "blocked"
    DONE = "done"
    DEFERRED = "deferred"
    CANCELLED = "cancelled"

    @property
    def open(self) -> bool:
        """True while work remains: neither done nor given up."""
        return self not in (Status.DONE, Status.CANCELLED, Status.DEFERRED)


CHECKBOX = {" ": Status.TODO, "x": Status.DONE, "X": Status.DONE, "-": Status.ACTIVE, "~": Status.ACTIVE}
"""What the mark in a Markdown checkbox means; "[-]" and "[~]" are work in progress."""
