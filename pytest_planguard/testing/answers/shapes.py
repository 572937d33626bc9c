"""The shapes of a contract: its schema and constraints folded into one tree that values are drawn from.

A bound remembers its source, since a schema and a constraint report a breach as different kinds of finding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...contract.failure_kinds import FailureKind


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range, inclusive."""

    limit: float
    kind: FailureKind | None
    """The kind of finding for a value beyond it; None if that is reported elsewhere."""


@dataclass(frozen=True, slots=True)
class Span:
    """The length, number or size that something may have. None leaves an end open."""

    low: Bound | None = None
    high: Bound | None = None

    def within(self, other: Span) -> Span:
        """Return the values that both allow; the stricter bound of each end counts."""
        return Span(_stricter(self.low, other.low, max), _stricter(self.high, other.high, min))

    @property
    def least(self) -> int:
        """The lower end of a length or a count; 0 if it is open."""
        return 0 if self.low is None else max(0, int(self.low.limit))

    @property
    def most(self) -> int | None:
        """The upper end of a length or a count."""
        return None if self.high is None else int(self.high.limit)

    @property
    def empty(self) -> bool:
        """True if no value fits."""
        return self.low is not None and self.high is not None and self.low.limit > self.high.limit


@dataclass(frozen=True, slots=True)
class Demand:
    """Something that a value must have or must not have, and how a breach is reported."""

    value: Any
    kind: FailureKind | None
    """None if nothing reports it: pydantic turns a list with equal items into a set."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    length: Span = Span()
    patterns: tuple[Demand, ...] = ()
    """Regular expressions that must all match somewhere in the text."""
    format: str | None = None
    """A format of JSON Schema: "date", "uuid"."""
    holds: tuple[Demand, ...] = ()
    """Texts that it must contain."""
    lacks: tuple[Demand, ...] = ()
    """Texts that it must not contain."""
    typed: FailureKind | None = FailureKind.TYPE
    """The kind of finding for a value of another type, here and below; None if nothing reports it."""


@dataclass(frozen=True, slots=True)
class Number:
    """An integer or a number with a fraction."""

    whole: bool
    size: Span = Span()
    above: float | None = None
    """An exclusive lower end."""
    below: float | None = None
    """An exclusive upper end."""
    multiple_of: float | None = None
    typed: FailureKind | None = FailureKind.TYPE


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Null:
    """Nothing."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value."""


@dataclass(frozen=True, slots=True)
class Values:
    """One of some values."""

    values: tuple[Any, ...]
    kind: FailureKind
    """The kind of finding for another value."""
    refused: tuple[Any, ...] = ()
    """Values that the schema lists and a constraint refuses."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    item: Shape
    first: tuple[Shape, ...] = ()
    """Shapes of the first items, if they differ from the rest."""
    count: Span = Span()
    unlike: Demand | None = None
    """Makes all items differ; its value is the function that returns what is compared."""
    holds: tuple[Demand, ...] = ()
    """Items that it must have."""
    lacks: tuple[Demand, ...] = ()
    """Items that it must not have."""
    typed: FailureKind | None = FailureKind.TYPE


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an object."""

    shape: Shape
    required: FailureKind | None = None
    """How its absence is reported; None if it is optional."""


@dataclass(frozen=True, slots=True)
class Record:
    """An object."""

    members: Mapping[str, Member]
    others: Shape | None = None
    """The shape of further members; None if no further members should be made up."""
    closed: bool = False
    """True if further members are refused."""
    count: Span = Span()
    names: Text = Text()
    """Names of further members."""
    alike: tuple[tuple[str, ...], ...] = ()
    """Groups of lists of equal length."""
    tag: str | None = None
    """The member that says which alternative of a union this is."""
    typed: FailureKind | None = FailureKind.TYPE


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several shapes."""

    options: tuple[Shape, ...]
    told: bool = False
    """True if the value's tag says which of them it is."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A shape with a name, which may contain itself."""

    name: str


@dataclass(frozen=True, slots=True)
class Given:
    """Values from the user: a strategy that replaces ours, or a function applied to what ours draws."""

    shape: Shape
    make: Any


Shape = Text | Number | Truth | Null | Anything | Values | Items | Record | Choice | Reference | Given
Change = Callable[[Shape], Shape]


@dataclass(frozen=True, slots=True)
class Shapes:
    """A whole contract as a tree."""

    root: Shape
    definitions: Mapping[str, Shape] = field(default_factory=dict)

    def resolve(self, shape: Shape) -> Shape:
        """Return the shape that a reference names."""
        while isinstance(shape, Reference):
            shape = self.definitions[shape.name]
        return shape

    def real(self, shape: Choice) -> list[Shape]:
        """Return the alternatives that are not null."""
        return [option for option in shape.options if not isinstance(self.resolve(option), Null)]

    def told(self, shape: Choice, value: Any) -> Shape | None:
        """Return the alternative that a value was drawn from; None for null, and if the value does not show it."""
        real = self.real(shape)
        if value is None or len(real) <= 1:
            return real[0] if real and value is not None else None
        for option in map(self.resolve, real) if shape.told and isinstance(value, Mapping) else ():
            tag = option.members[option.tag].shape if isinstance(option, Record) and option.tag else None
            if isinstance(option, Record) and isinstance(tag, Values) and value.get(option.tag) in tag.values:
                return option
        return None

    def depth(self, shape: Shape, seen: frozenset[str] = frozenset()) -> int:
        """Return how many levels the flattest value of a shape has; 1,000 if it never ends."""
        if isinstance(shape, Reference):
            if shape.name in seen:
                return ENDLESS
            return self.depth(self.definitions[shape.name], seen | {shape.name})
        if isinstance(shape, Choice):
            return min(self.depth(option, seen) for option in shape.options)
        if isinstance(shape, Given):
            return self.depth(shape.shape, seen)
        return min(ENDLESS, 1 + max((self.depth(below, seen) for below in self._needed(shape)), default=0))

    def _needed(self, shape: Shape) -> Iterator[Shape]:
        """Yield the shapes below that every value of this one has."""
        if isinstance(shape, Items):
            yield from shape.first
            if shape.count.least > len(shape.first):
                yield shape.item
        elif isinstance(shape, Record):
            yield from (member.shape for member in shape.members.values() if member.required)
            if shape.others is not None and shape.count.least > len(shape.members):
                yield shape.others


ENDLESS = 1_000
"""Depth of a shape whose every value contains another value of it: no value is this deep."""


def _stricter(one: Bound | None, other: Bound | None, choose: Callable[..., Bound]) -> Bound | None:
    if one is None or other is None:
        return one or other
    return choose(one, other, key=lambda bound: bound.limit)
