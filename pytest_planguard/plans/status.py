"""The status of a task, and the checkboxes that show it.

The status words of a format are its own: `words` in a file of `plans/formats`, or `STATUSES` in its profile.
"""

from enum import StrEnum


class Status(StrEnum):
    """The progress of a task. Formats use many words for it; each profile maps its format's words to these."""

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
"""The marks of Markdown checkboxes; "[-]" and "[~]" are work in progress."""
