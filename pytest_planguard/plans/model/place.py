"""The place of a plan element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...document.path import Path, to_dotted
from ...document.spans import Span


@dataclass(frozen=True, slots=True)
class Place:
    """A path into the document, with its place in the text if that is already known.

    In Markdown the path consists of ids (`("tasks", "T007")`), so it names the same task in the next attempt. In JSON
    and YAML it is the real path. Its place in the text is looked up only when a finding needs it.
    """

    path: Path = ()
    """Keys and indices from the root; () is the whole document."""
    span: Span | None = None
    """None in JSON and YAML until it is looked up; see `Plan.locate`."""

    @property
    def line(self) -> int | None:
        """The first line, 1-based; None without a span."""
        return None if self.span is None else self.span.line

    @property
    def stand_in(self) -> str:
        """The name of a task that has no id, made from its path: "steps[2]"."""
        return to_dotted(self.path)

    def sub(self, *parts: str | int) -> Place:
        """Return a place below this one without a span: `place.sub("dependencies", 0)`."""
        return Place((*self.path, *parts))


def position(text: str, starts: Sequence[tuple[int, int]], offset: int) -> tuple[int, int]:
    """Return the line and column of an offset. `starts` holds the line and column at which each line of `text` starts.

    Lines are split at LF.
    """
    if len(starts) == 1:
        return starts[0][0], starts[0][1] + offset
    line, column = starts[min(text.count("\n", 0, offset), len(starts) - 1)]
    return line, column + offset - (text.rfind("\n", 0, offset) + 1)


NOWHERE = Place()
"""The whole document."""
