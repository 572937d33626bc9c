"""Draw values from shapes with Hypothesis, and find the shape behind each place of a value."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from ...contract.constraints.text_constraints import matches
from ...document.path import Path
from ...errors import UsageError
from .shapes import (
    ENDLESS,
    Anything,
    Bound,
    Choice,
    Given,
    Items,
    Null,
    Number,
    Record,
    Reference,
    Shape,
    Shapes,
    Span,
    Text,
    Truth,
    Values,
)

Draw = Callable[[st.SearchStrategy[Any]], Any]
Strategy = st.SearchStrategy[Any]

LARGEST = 2**53 - 1
"""Largest integer that every JSON reader preserves: JavaScript's numbers are doubles."""
MORE_ITEMS = 3
"""Maximum number of items by which a list without a maximum may exceed its minimum."""
DEEPEST = 4
"""Depth of references at which only required parts are drawn, so that recursive schemas end."""
FULL = 2
"""Minimum number of items in a full list, if the schema allows it: enough to repeat an item."""
FULLEST = 2
"""Maximum depth of references at which lists are full. Deeper nested lists would grow too fast."""


@dataclass(slots=True)
class Maker:
    """Creates the strategy for a contract's values."""

    shapes: Shapes
    turn: int | None = None
    """Draw full values: with every optional member, items in every list, and in every union the alternative with this
    0-based number, modulo their count. None draws values of any size."""
    _named: dict[tuple[str, int], Strategy] = field(default_factory=dict)

    def value(self, draw: Draw) -> tuple[Any, list[Site]]:
        """Return a value and its places, parents first."""
        value = draw(self._of(Reference(""), -1))
        return value, list(sites(self.shapes, self.shapes.root, value))

    def _of(self, shape: Shape, depth: int) -> Strategy:
        """Return the strategy of a shape below `depth` references."""
        if isinstance(shape, Reference):
            key = shape.name, depth + 1
            if key not in self._named:
                named = self.shapes.definitions[shape.name] if shape.name else self.shapes.root
                self._named[key] = self._of(named, depth + 1)
            return self._named[key]
        if isinstance(shape, Choice):
            return self._choice(shape, depth)
        if isinstance(shape, Given):
            given = isinstance(shape.make, st.SearchStrategy)
            return shape.make if given else self._of(shape.shape, depth).map(shape.make)
        if isinstance(shape, Items):
            return self._items(shape, depth)
        return self._record(shape, depth) if isinstance(shape, Record) else _scalar(shape)

    def _choice(self, shape: Choice, depth: int) -> Strategy:
        if depth >= DEEPEST:
            return self._of(min(shape.options, key=self.shapes.depth), depth)
        if not self._is_full(depth):
            return st.one_of([self._of(option, depth) for option in shape.options])
        options = self.shapes.real(shape) or shape.options
        return self._of(options[(self.turn or 0) % len(options)], depth)

    def _items(self, shape: Items, depth: int) -> Strategy:
        held = [demand.value for demand in shape.holds]
        least = max(shape.count.least - len(held), len(shape.first))
        most = least + MORE_ITEMS
        most = most if shape.count.most is None else max(least, min(shape.count.most - len(held), most))
        if depth >= DEEPEST or self.shapes.depth(shape.item) >= ENDLESS:
            most = least
        first = st.tuples(*(self._of(item, depth) for item in shape.first)).map(list)
        if most == len(shape.first):
            return first.map(lambda items: [*held, *items])
        unlike = None if shape.unlike is None else shape.unlike.value
        apart = [demand.value for demand in shape.lacks] + (held if unlike else [])
        item = self._of(shape.item, depth)
        rest = st.lists(
            item.filter(lambda one: one not in apart) if apart else item,
            min_size=(max(least, min(most, FULL)) if self._is_full(depth) else least) - len(shape.first),
            max_size=most - len(shape.first),
            unique_by=unlike,
        )
        if not shape.first:
            return rest.map(lambda items: [*held, *items]) if held else rest
        both = st.tuples(first, rest).map(lambda parts: [*held, *parts[0], *parts[1]])
        return both if unlike is None else both.filter(lambda items: len({*map(unlike, items)}) == len(items))

    def _record(self, shape: Record, depth: int) -> Strategy:
        if shape.alike:
            return self._alike(shape, depth)
        needed = {name: one for name, one in shape.members.items() if one.required or self._is_full(depth)}
        others = {name: one for name, one in shape.members.items() if name not in needed and depth < DEEPEST}
        drawn = st.fixed_dictionaries(
            {name: self._of(one.shape, depth) for name, one in needed.items()},
            optional={name: self._of(one.shape, depth) for name, one in others.items()},
        )
        named = drawn.map(lambda made: {name: made[name] for name in shape.members if name in made})  # as models do
        least, most = shape.count.least, shape.count.most
        if shape.others is None and (shape.closed or len(needed) >= least):
            return named
        further = self._of(shape.others or Anything(), depth)
        names = text_strategy(shape.names).filter(lambda name: name not in shape.members)

        @st.composite
        def record(draw: Draw) -> dict[str, Any]:
            made = draw(named)
            low = max(least - len(made), 0)
            room = low if shape.others is None or depth >= DEEPEST else least + MORE_ITEMS - len(made)
            high = max(low, room if most is None else min(most - len(made), room))
            low = max(low, min(high, FULL)) if self._is_full(depth) else low
            return {**made, **draw(st.dictionaries(names, further, min_size=low, max_size=high))}

        return record()

    def _alike(self, shape: Record, depth: int) -> Strategy:
        """Draw a length for the lists in the first group, then the record with lists of that length."""
        group, *groups = shape.alike
        lists = {
            name: items for name in group if isinstance(items := self.shapes.resolve(shape.members[name].shape), Items)
        }
        least = max((items.count.least for items in lists.values()), default=0)
        ends = [items.count.most for items in lists.values() if items.count.most is not None]

        def with_size(size: int) -> Strategy:
            exactly = Span(Bound(size, None), Bound(size, None))
            changed = {
                name: replace(shape.members[name], shape=replace(items, count=exactly)) for name, items in lists.items()
            }
            return self._record(replace(shape, members={**shape.members, **changed}, alike=tuple(groups)), depth)

        most = min([least + MORE_ITEMS, *ends])
        return st.integers(most if self._is_full(depth) else least, max(least, most)).flatmap(with_size)

    def _is_full(self, depth: int) -> bool:
        return self.turn is not None and depth < FULLEST


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a drawn value at which to put a mistake, and the shape that it was drawn from."""

    path: Path
    shape: Shape
    nullable: bool
    """True if the place may be null."""


def sites(shapes: Shapes, shape: Shape, value: Any, path: Path = (), *, nullable: bool = False) -> Iterator[Site]:
    """Yield the places of a value.

    This skips places with values from the user. It also skips alternatives that the value doesn't identify, because a
    change may make another alternative valid.
    """
    shape = shapes.resolve(shape)
    if isinstance(shape, Choice):
        chosen = shapes.told(shape, value)
        if chosen is not None:
            yield from sites(shapes, chosen, value, path, nullable=len(shapes.real(shape)) < len(shape.options))
        return
    if isinstance(shape, Given):
        return
    yield Site(path, shape, nullable)
    if isinstance(shape, Items):
        held = [demand.value for demand in shape.holds]
        for at, item in enumerate(value):
            inner = shape.first[at - len(held)] if 0 <= at - len(held) < len(shape.first) else shape.item
            if at >= len(held):
                yield from sites(shapes, inner, item, (*path, at))
    elif isinstance(shape, Record):
        for name, below in value.items():
            member = shape.members.get(name)
            inner = member.shape if member is not None else shape.others or Anything()
            yield from sites(shapes, inner, below, (*path, name))


def _scalar(shape: Shape) -> Strategy:
    if isinstance(shape, Text):
        return text_strategy(shape)
    if isinstance(shape, Number):
        return _number(shape)
    if isinstance(shape, Values):
        return st.sampled_from(shape.values)
    if isinstance(shape, Truth):
        return st.booleans()
    return st.none() if isinstance(shape, Null) else _JSON


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text("abc é", max_size=8),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(st.text("abc", min_size=1), below, max_size=2),
    max_leaves=4,
)


def _number(shape: Number) -> Strategy:
    """Draw integers, floats other than -0.0, or multiples. Multiples are computed in decimals, so 3 * 0.1 is 0.3."""
    lows = [end for end in (shape.size.low.limit if shape.size.low else None, shape.above) if end is not None]
    highs = [end for end in (shape.size.high.limit if shape.size.high else None, shape.below) if end is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    no_low, no_high = low is not None and low == shape.above, high is not None and high == shape.below
    if shape.multiple_of is None and not shape.whole:
        floats = st.floats(low, high, allow_nan=False, allow_infinity=False, exclude_min=no_low, exclude_max=no_high)
        return floats.map(lambda number: number or 0.0)
    step = Decimal(str(1 if shape.multiple_of is None else shape.multiple_of))
    least = None if low is None else math.ceil(Decimal(str(low)) / step)
    most = None if high is None else math.floor(Decimal(str(high)) / step)
    least = least if least is None else least + (no_low and step * least == Decimal(str(low)))
    most = most if most is None else most - (no_high and step * most == Decimal(str(high)))
    if shape.multiple_of is None:
        return st.integers(-LARGEST if least is None else least, LARGEST if most is None else most)
    least = -1000 if least is None else least
    times = st.integers(least, least + 2000 if most is None else most)
    return times.map(lambda number: int(number * step) if shape.whole else float(number * step))


# A single text with a given length, pattern or format, and required or forbidden words.


LONGER = 12
"""Maximum number of characters by which a text without a maximum length may exceed its minimum: enough to vary, short
enough to read."""
_INNER = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;!?/'\"\\{}[]äé中😀"
"""Letters, digits, characters that JSON escapes, and characters outside ASCII and outside the basic plane."""
_FIRST = [chr(n) for n in range(0x20, 0x7F)]
"""ASCII only: pattern engines disagree about `\\d` and `\\w` beyond it."""


def text_strategy(shape: Text) -> st.SearchStrategy[str]:
    """Return a strategy for the shape. Texts have no outer white space, because constraints ignore it."""
    if shape.format is not None:
        strategy: st.SearchStrategy[str] = _FORMATS[shape.format]()
        return strategy
    if shape.patterns:
        return _of_patterns(shape)
    held = " ".join(str(demand.value) for demand in shape.holds)
    low = max(shape.length.least - len(held) - (1 if held else 0), 0)
    most = shape.length.most
    room = low + LONGER if most is None else max(low, most - len(held) - (1 if held else 0))
    free = st.text(_INNER, min_size=low, max_size=min(room, low + LONGER)).map(_solid)
    drawn = free.map(lambda text: f"{text} {held}".strip()) if held else free
    return drawn.filter(lambda text: _lacks(text, shape)) if shape.lacks else drawn


def _solid(text: str) -> str:
    """Return the text with each outer white space replaced by another character, which keeps its length."""
    bare = text.lstrip()
    text = "a" * (len(text) - len(bare)) + bare
    bare = text.rstrip()
    return bare + "a" * (len(text) - len(bare))


def _lacks(text: str, shape: Text) -> bool:
    return not any(str(demand.value).casefold() in text.casefold() for demand in shape.lacks)


def _of_patterns(shape: Text) -> st.SearchStrategy[str]:
    """Draw from the first pattern, and pad the text if the pattern is not anchored. Other patterns filter."""
    first = str(shape.patterns[0].value)
    python = first.replace(r"\z", r"\Z")  # the very end, as Rust and Python write it
    try:
        core = st.from_regex(python, alphabet=st.sampled_from(_FIRST), fullmatch=_anchored(first))
    except re.error as exc:
        raise UsageError(f"no text is made for the pattern {first!r}: {exc}; give a strategy with `given`") from None
    low = shape.length.least
    return core.map(lambda text: _padded(text, first, low)).filter(lambda text: fits(shape, text))


def fits(shape: Text, text: str) -> bool:
    """Return True if a text satisfies the bounds, patterns and words of a shape that has no format."""
    low, most = shape.length.least, shape.length.most
    if len(text.strip()) < low or (most is not None and len(text) > most) or not _lacks(text, shape):
        return False
    return all(matches(str(demand.value), text) for demand in shape.patterns) and all(
        str(demand.value) in text for demand in shape.holds
    )


def _anchored(pattern: str) -> bool:
    return pattern.startswith(("^", r"\A")) and pattern.endswith(("$", r"\z", r"\Z"))


def _padded(text: str, pattern: str, low: int) -> str:
    lacking = low - len(text.strip())
    if lacking <= 0 or _anchored(pattern):
        return text
    return text + "x" * lacking if not pattern.endswith(("$", r"\z", r"\Z")) else "x" * lacking + text


def _moments() -> st.SearchStrategy[dt.datetime]:
    low, high = dt.datetime(1970, 1, 2), dt.datetime(2099, 12, 31)
    return st.datetimes(low, high, timezones=st.just(dt.UTC)).map(lambda moment: moment.replace(microsecond=0))


def _durations() -> st.SearchStrategy[str]:
    return st.tuples(st.integers(0, 99), st.integers(0, 23), st.integers(0, 59)).map(
        lambda parts: f"P{parts[0]}DT{parts[1]}H{parts[2]}M"
    )


_FORMATS: dict[str, Any] = {
    "date": lambda: st.dates(dt.date(1970, 1, 1), dt.date(2099, 12, 31)).map(str),
    "date-time": lambda: _moments().map(lambda moment: moment.isoformat()),
    "time": lambda: st.times().map(lambda moment: moment.replace(microsecond=0).isoformat() + "Z"),
    "duration": _durations,
    "uuid": lambda: st.uuids().map(str),
    "uuid4": lambda: st.uuids(version=4).map(str),
    "email": lambda: st.from_regex(r"[a-z]{1,8}\.[a-z]{1,8}@example\.(com|org)", fullmatch=True),
    "uri": lambda: st.from_regex(r"https://example\.(com|org)/[a-z0-9]{0,12}", fullmatch=True),
    "ipv4": lambda: st.ip_addresses(v=4).map(str),
    "ipv6": lambda: st.ip_addresses(v=6).map(str),
}
"""Maps a format to a strategy for common spellings, which every validator accepts."""
