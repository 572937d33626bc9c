"""Where an element of a plan stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...document.path import Path, Span


class Place:
    """A path into the document and, where it is already known, the place in the text.

    In Markdown the path is made of ids (`("tasks", "T007")`), so that it names the same task in the next attempt;
    in JSON and YAML it is the real path, and its place in the text is looked up only when a finding needs it.
    Never changes; equal to any other place of the same path and span.
    """

    __slots__ = ()

    def __new__(cls, path: Path = (), span: Span | None = None) -> Place:  # noqa: PYI034 - one of the two below
        """Return the place of a path and a span."""
        place = _new(_PathPlace)
        place._path, place._span = path, span  # noqa: SLF001
        return place

    @property
    def path(self) -> Path:
        """Keys and indices from the root; () is the whole document."""
        raise NotImplementedError

    @property
    def span(self) -> Span | None:
        """None in JSON and YAML until it is looked up; see `Plan.locate`."""
        raise NotImplementedError

    @property
    def line(self) -> int | None:
        """The first line, from 1; None where `span` is."""
        span = self.span
        return None if span is None else span.line

    @property
    def stand_in(self) -> str:
        """What a task without an id is called: after the place where it stands, "steps[2]"."""
        from ...document.path import to_dotted

        return to_dotted(self.path)

    def sub(self, *parts: str | int) -> Place:
        """Return a place below this one, by its path alone: `place.sub("dependencies", 0)`."""
        return Place((*self.path, *parts))

    def __eq__(self, other: object) -> bool:
        """Equal when path and span are."""
        return isinstance(other, Place) and self.path == other.path and self.span == other.span

    def __hash__(self) -> int:
        """As `__eq__`."""
        return hash((self.path, self.span))

    def __repr__(self) -> str:
        """As it would be written."""
        return f"Place(path={self.path!r}, span={self.span!r})"

    def __reduce__(self) -> tuple[type[Place], tuple[Path, Span | None]]:
        """Pickle and copy as a path and a span."""
        return Place, (self.path, self.span)


class _PathPlace(Place):
    """A place that was made of its path and its span."""

    __slots__ = ("_path", "_span")
    _path: Path
    _span: Span | None

    @property
    def path(self) -> Path:
        """As given."""
        return self._path

    @property
    def span(self) -> Span | None:
        """As given."""
        return self._span


class NamePlace(Place):
    """The place of a name in one line of Markdown: an id, a file, a citation.

    Makes its path and its span when it is asked for them. A large plan has thousands of names, of which few are
    reported, and a path and a span take more than twice the memory of this.
    """

    __slots__ = ("_above", "_column", "_kind", "_length", "_line", "_name")
    _above: Place
    _kind: str | int
    _name: str | int
    _line: int
    _column: int
    _length: int | None

    def __new__(
        cls, above: Place, kind: str | int, name: str | int, line: int, column: int, length: int | None
    ) -> Self:
        """Return the place of a name.

        Args:
            above: the element that the name belongs to.
            kind: what it is there, the next to last step of the path: "tasks", "dependencies", the line of a text.
            name: the last step of the path.
            line: from 1.
            column: of the first character, from 1.
            length: characters in the text; None where only its beginning is known.
        """
        place = _new(cls)
        place._above, place._kind, place._name = above, kind, name  # noqa: SLF001
        place._line, place._column, place._length = line, column, length  # noqa: SLF001
        return place

    @property
    def path(self) -> Path:
        """That of the element above, with the kind and the name."""
        return (*self._above.path, self._kind, self._name)

    @property
    def span(self) -> Span:
        """From the first character of the name to its last."""
        from ...document.path import Span

        if self._length is None:
            return Span(self._line, self._column)
        return Span(self._line, self._column, self._line, self._column + self._length)

    @property
    def line(self) -> int:
        """Its only line."""
        return self._line


_new = object.__new__


def position(text: str, starts: Sequence[tuple[int, int]], offset: int) -> tuple[int, int]:
    """Line and column of an offset in a text whose lines (split at LF) start at these lines and columns."""
    if len(starts) == 1:
        return starts[0][0], starts[0][1] + offset
    line, column = starts[min(text.count("\n", 0, offset), len(starts) - 1)]
    return line, column + offset - (text.rfind("\n", 0, offset) + 1)


NOWHERE = Place()
"""The whole document."""
