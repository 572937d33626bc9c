"""Shapes: a contract's schema and constraints as one tree, from which values are drawn.

A bound remembers its source, because a schema and a constraint report different failure kinds.
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
    """The failure kind of a value beyond the bound; None if something else reports it."""


@dataclass(frozen=True, slots=True)
class Span:
    """The allowed range of a length, number or size. None means no bound."""

    low: Bound | None = None
    high: Bound | None = None

    def within(self, other: Span) -> Span:
        """Return the intersection of both ranges."""
        return Span(_stricter(self.low, other.low, max), _stricter(self.high, other.high, min))

    @property
    def least(self) -> int:
        """The minimum of a length or count; 0 if there is no bound."""
        return 0 if self.low is None else max(0, int(self.low.limit))

    @property
    def most(self) -> int | None:
        """The maximum of a length or count, if any."""
        return None if self.high is None else int(self.high.limit)

    @property
    def empty(self) -> bool:
        """True if no value is in the range."""
        return self.low is not None and self.high is not None and self.low.limit > self.high.limit


@dataclass(frozen=True, slots=True)
class Demand:
    """A requirement for a value, and the failure kind if the value does not meet it."""

    value: Any
    kind: FailureKind | None
    """The failure kind. None if nothing reports it: pydantic silently turns a list with equal items into a set."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""

    length: Span = Span()
    patterns: tuple[Demand, ...] = ()
    """Regular expressions that must all match somewhere in the text."""
    format: str | None = None
    """A JSON Schema format: "date", "uuid"."""
    holds: tuple[Demand, ...] = ()
    """Texts that it must contain."""
    lacks: tuple[Demand, ...] = ()
    """Texts that it must not contain."""
    typed: FailureKind | None = FailureKind.TYPE
    """The failure kind of a value of another type, here and below; None if nothing reports it."""


@dataclass(frozen=True, slots=True)
class Number:
    """An integer or a float."""

    whole: bool
    size: Span = Span()
    above: float | None = None
    """An exclusive lower bound."""
    below: float | None = None
    """An exclusive upper bound."""
    multiple_of: float | None = None
    typed: FailureKind | None = FailureKind.TYPE


@dataclass(frozen=True, slots=True)
class Truth:
    """True or false."""


@dataclass(frozen=True, slots=True)
class Null:
    """Null."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value."""


@dataclass(frozen=True, slots=True)
class Values:
    """One of some values."""

    values: tuple[Any, ...]
    kind: FailureKind
    """The failure kind of any other value."""
    refused: tuple[Any, ...] = ()
    """Values that the schema allows but a constraint forbids."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    item: Shape
    first: tuple[Shape, ...] = ()
    """Shapes of the first items, if they differ from the rest."""
    count: Span = Span()
    unlike: Demand | None = None
    """Requires distinct items. Its value is the function that returns an item's comparison key."""
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
    """The failure kind if the member is missing; None if it is optional."""


@dataclass(frozen=True, slots=True)
class Record:
    """An object."""

    members: Mapping[str, Member]
    others: Shape | None = None
    """The shape of additional members; None to generate none."""
    closed: bool = False
    """True if additional members are forbidden."""
    count: Span = Span()
    names: Text = Text()
    """The shape of additional members' names."""
    alike: tuple[tuple[str, ...], ...] = ()
    """Groups of members whose lists must have the same length."""
    tag: str | None = None
    """The member that identifies this alternative of a union."""
    typed: FailureKind | None = FailureKind.TYPE


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several shapes."""

    options: tuple[Shape, ...]
    told: bool = False
    """True if a tag in the value identifies the shape."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a named shape, which may be recursive."""

    name: str


@dataclass(frozen=True, slots=True)
class Given:
    """Values from the user: a strategy that replaces the generated one, or a function applied to generated values."""

    shape: Shape
    make: Any


Shape = Text | Number | Truth | Null | Anything | Values | Items | Record | Choice | Reference | Given
Change = Callable[[Shape], Shape]


@dataclass(frozen=True, slots=True)
class Shapes:
    """A contract as a tree of shapes."""

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
        """Return the alternative that a value was drawn from; None for null, or if the value doesn't show it."""
        real = self.real(shape)
        if value is None or len(real) <= 1:
            return real[0] if real and value is not None else None
        for option in map(self.resolve, real) if shape.told and isinstance(value, Mapping) else ():
            tag = option.members[option.tag].shape if isinstance(option, Record) and option.tag else None
            if isinstance(option, Record) and isinstance(tag, Values) and value.get(option.tag) in tag.values:
                return option
        return None

    def depth(self, shape: Shape, seen: frozenset[str] = frozenset()) -> int:
        """Return the depth of the shape's shallowest value; 1,000 if every value is infinite."""
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
        """Yield the shapes of the parts that every value must have."""
        if isinstance(shape, Items):
            yield from shape.first
            if shape.count.least > len(shape.first):
                yield shape.item
        elif isinstance(shape, Record):
            yield from (member.shape for member in shape.members.values() if member.required)
            if shape.others is not None and shape.count.least > len(shape.members):
                yield shape.others


ENDLESS = 1_000
"""The depth of a shape without finite values. No real value is this deep."""


def _stricter(one: Bound | None, other: Bound | None, choose: Callable[..., Bound]) -> Bound | None:
    if one is None or other is None:
        return one or other
    return choose(one, other, key=lambda bound: bound.limit)
