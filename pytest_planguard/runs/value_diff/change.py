"""One difference between two values: what was added, removed, changed or moved, its place, and the rules it affects."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ...document.path import Path


class Absent(Enum):
    """The value of something absent. A missing field, `null` and "" are three different things."""

    MISSING = "missing"


MISSING: Final = Absent.MISSING


class ChangeKind(StrEnum):
    """How a field or an item changed."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"
    """An item that moved within its list. Changes inside it are separate."""


_MIRRORED = {ChangeKind.ADDED: ChangeKind.REMOVED, ChangeKind.REMOVED: ChangeKind.ADDED}


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One difference.

    Both paths lead from the root. The last step of `path` is the field's place before, that of `path_after` its place
    now. For an added or removed field, both have its only place.
    """

    kind: ChangeKind
    path: Path
    path_after: Path
    before: Any = MISSING
    """The value before; MISSING if it was added or moved."""
    after: Any = MISSING
    """The value now; MISSING if it was removed or moved."""
    where: str = field(default="", compare=False)
    """The place in readable form, with items by their key: "levers[lever_id=b664].review"; "(whole answer)" is the
    root.
    """
    breaks: tuple[str, ...] = ()
    """Codes of the rules that this change breaks, sorted."""
    fixes: tuple[str, ...] = ()
    """Codes of the rules that this change fixes, sorted."""
    verdict: bool = False
    """True for a field that the user marked as a verdict."""

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
