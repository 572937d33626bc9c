"""One difference between two values: what was added, removed, changed or moved, where, and which rule it touches."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ...document.path import Path


class Absent(Enum):
    """The value of what is not there. A missing field, `null` and "" are three different things."""

    MISSING = "missing"


MISSING: Final = Absent.MISSING


class ChangeKind(StrEnum):
    """What became of a field or an item."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    """An item of a list moved among the items that stayed; what changed inside it is its own change."""


_MIRRORED = {ChangeKind.ADDED: ChangeKind.REMOVED, ChangeKind.REMOVED: ChangeKind.ADDED}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One difference.

    Both paths lead from the root. The last step of `path` is where the field was before, the last step of
    `path_after` where it is now; for an added or removed field both have the one step that there is.
    """

    kind: ChangeKind
    path: Path
    path_after: Path
    before: Any = MISSING
    """The value before; MISSING for what was added and for a move."""
    after: Any = MISSING
    """The value now; MISSING for what was removed and for a move."""
    where: str = field(default="", compare=False)
    """The place for people, keyed items by their key: "levers[lever_id=b664].review"; "(whole answer)" is the root."""
    breaks: tuple[str, ...] = ()
    """Codes of the rules that this change breaks, sorted."""
    fixes: tuple[str, ...] = ()
    """Codes of the rules that this change fixes, sorted."""
    verdict: bool = False
    """A field that the user marked as the answer's conclusion."""

    def mirrored(self) -> FieldChange:
        """Return the same difference seen from the other side."""
        return replace(
            self,
            kind=_MIRRORED.get(self.kind, self.kind),
            path=self.path_after,
            path_after=self.path,
            before=self.after,
            after=self.before,
            breaks=self.fixes,
            fixes=self.breaks,
        )
