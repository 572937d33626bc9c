"""Values drawn from shapes, with a note of the shape that stood behind each place."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from ...document.path import Path
from .shapes import (
    ENDLESS,
    Anything,
    Choice,
    Given,
    Items,
    Null,
    Number,
    Record,
    Reference,
    Shape,
    Shapes,
    Text,
    Truth,
    Values,
)
from .texts_drawn import fits, text_strategy

Draw = Callable[[st.SearchStrategy[Any]], Any]

LARGEST = 2**53 - 1
"""Largest integer that every JSON reader keeps: JavaScript's numbers are doubles."""
MORE_ITEMS = 3
"""Items that a list without an upper bound may have beyond its lower one."""
DEEPEST = 4
"""Levels of references below which only what is needed is drawn, so that recursive schemas end."""
FULLEST = 2
"""Levels of references above which a full value has all that it may have: a list in a list in a list grows fast."""


@dataclass(frozen=True, slots=True)
class Site:
    """One place of a drawn value and the shape that it was drawn from."""

    path: Path
    shape: Shape
    sure: bool
    """False below an alternative that values do not tell apart: a change there may make another alternative fit."""
    nullable: bool
    """Whether null is an alternative there."""


@dataclass(slots=True)
class Maker:
    """Draws values of one contract. Strategies are built once for each shape."""

    shapes: Shapes
    turn: int | None = None
    """For full values: they have every optional member, as many items as their lists may have, and in every union the
    alternative of this number, from 0, which starts over at the last one. None for values of any size."""
    _strategies: dict[int, st.SearchStrategy[Any]] = field(default_factory=dict)
    _kept: list[Shape] = field(default_factory=list)

    def value(self, draw: Draw) -> tuple[Any, list[Site]]:
        """Return one value and its places, parents first."""
        sites: list[Site] = []
        return self._of(draw, self.shapes.root, (), 0, sites, sure=True, nullable=False), sites

    def _of(
        self, draw: Draw, shape: Shape, path: Path, depth: int, sites: list[Site], *, sure: bool, nullable: bool
    ) -> Any:
        if isinstance(shape, Reference):
            return self._of(draw, self.shapes.resolve(shape), path, depth + 1, sites, sure=sure, nullable=nullable)
        if isinstance(shape, Choice):
            return self._choice(draw, shape, path, depth, sites, sure=sure)
        if isinstance(shape, Given):
            return self._given(draw, shape, path, depth)
        sites.append(Site(path, shape, sure, nullable))
        if isinstance(shape, Items):
            return self._items(draw, shape, path, depth, sites, sure=sure)
        if isinstance(shape, Record):
            return self._record(draw, shape, path, depth, sites, sure=sure)
        return draw(self._strategy(shape))

    def _choice(self, draw: Draw, shape: Choice, path: Path, depth: int, sites: list[Site], *, sure: bool) -> Any:
        options = list(shape.options)
        if depth >= DEEPEST:
            options = sorted(options, key=self.shapes.depth)[:1]
        elif self._is_full(depth):
            options = [one for one in options if not isinstance(self.shapes.resolve(one), Null)] or options
        turn = self.turn if self._is_full(depth) else None
        index = draw(self._index(len(options))) if turn is None else turn % len(options)
        real = [option for option in shape.options if not isinstance(self.shapes.resolve(option), Null)]
        still = sure and (shape.told or len(real) <= 1)
        return self._of(draw, options[index], path, depth, sites, sure=still, nullable=len(real) < len(shape.options))

    def _given(self, draw: Draw, shape: Given, path: Path, depth: int) -> Any:
        """What the user makes is a place that is never changed."""
        if isinstance(shape.make, st.SearchStrategy):
            return draw(shape.make)
        return shape.make(self._of(draw, shape.shape, path, depth, [], sure=False, nullable=False))

    def _items(self, draw: Draw, shape: Items, path: Path, depth: int, sites: list[Site], *, sure: bool) -> list[Any]:
        size = self._size(draw, shape, depth)
        items: list[Any] = [demand.value for demand in shape.holds]
        seen = {shape.unlike.value(item) for item in items} if shape.unlike else set()
        tries = 0
        while len(items) < size and tries < size + 50:
            tries += 1
            at = len(items)
            before = len(sites)
            inner = shape.first[at] if at < len(shape.first) else shape.item
            item = self._of(draw, inner, (*path, at), depth, sites, sure=sure, nullable=False)
            if shape.unlike and shape.unlike.value(item) in seen and len(sites) == before + 1:
                item = next(
                    (one for one in variants(sites[-1].shape, item) if shape.unlike.value(one) not in seen), item
                )
            key = shape.unlike.value(item) if shape.unlike else None
            if (shape.unlike and key in seen) or any(item == demand.value for demand in shape.lacks):
                del sites[before:]
                continue
            seen.add(key)
            items.append(item)
        if len(items) < self._least(shape):
            reject()  # as many different items are not drawn; the next example is tried
        return items

    @staticmethod
    def _least(shape: Items) -> int:
        return max(shape.count.least, len(shape.first), len(shape.holds))

    def _size(self, draw: Draw, shape: Items, depth: int) -> int:
        least = self._least(shape)
        most = least + MORE_ITEMS if shape.count.most is None else min(shape.count.most, least + MORE_ITEMS)
        if depth >= DEEPEST or self.shapes.depth(shape.item) >= ENDLESS:
            return least
        if self._is_full(depth):
            return most
        return least + draw(self._index(most - least + 1)) if most > least else least

    def _is_full(self, depth: int) -> bool:
        return self.turn is not None and depth < FULLEST

    def _record(
        self, draw: Draw, shape: Record, path: Path, depth: int, sites: list[Site], *, sure: bool
    ) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, member in shape.members.items():
            if member.required or self._is_full(depth) or (depth < DEEPEST and draw(_COIN)):
                made[name] = self._of(draw, member.shape, (*path, name), depth, sites, sure=sure, nullable=False)
        self._add_others(draw, shape, path, depth, sites, made, sure=sure)
        for group in shape.alike:
            self._level(draw, shape, group, made, path, depth, sites)
        return made

    def _add_others(
        self, draw: Draw, shape: Record, path: Path, depth: int, sites: list[Site], made: dict[str, Any], *, sure: bool
    ) -> None:
        least, most = shape.count.least, shape.count.most
        others = shape.others or (Anything() if len(made) < least and not shape.closed else None)
        if others is None:
            return
        room = least + MORE_ITEMS if most is None else min(most, least + MORE_ITEMS)
        extra = max(least - len(made), 0)
        if shape.others is not None and depth < DEEPEST and room - len(made) > extra:
            more = room - len(made) - extra
            extra += more if self._is_full(depth) else draw(self._index(more + 1))
        names = self._strategy(shape.names)
        tries = 0
        while extra and tries < 100:
            tries += 1
            name = draw(names)
            if name in made or name in shape.members:
                continue
            made[name] = self._of(draw, others, (*path, name), depth, sites, sure=sure, nullable=False)
            extra -= 1

    def _level(
        self,
        draw: Draw,
        shape: Record,
        group: tuple[str, ...],
        made: dict[str, Any],
        path: Path,
        depth: int,
        sites: list[Site],
    ) -> None:
        """Give the lists of a group as many items as the shortest of them that is long enough for all."""
        lists = [name for name in group if isinstance(made.get(name), list)]
        size = max((len(made[name]) for name in lists), default=0)
        for name in lists:
            items = self.shapes.resolve(shape.members[name].shape)
            tries = 0
            while isinstance(items, Items) and len(made[name]) < size and tries < 50:
                tries += 1
                at = (*path, name, len(made[name]))
                before = len(sites)
                item = self._of(draw, items.item, at, depth, sites, sure=False, nullable=False)
                if items.unlike and items.unlike.value(item) in {items.unlike.value(other) for other in made[name]}:
                    del sites[before:]
                    continue
                made[name].append(item)

    def _strategy(self, shape: Shape) -> st.SearchStrategy[Any]:
        found = self._strategies.get(id(shape))
        if found is None:
            found = self._strategies[id(shape)] = _scalar(shape)
            self._kept.append(shape)  # an id is only one's own while the object lives
        return found

    def _index(self, count: int) -> st.SearchStrategy[int]:
        """Return a strategy for one of so many positions; the same object for the same count."""
        key = -count  # no id is negative
        if key not in self._strategies:
            self._strategies[key] = st.integers(0, count - 1)
        return self._strategies[key]


_COIN = st.booleans()


def _scalar(shape: Shape) -> st.SearchStrategy[Any]:
    if isinstance(shape, Text):
        return text_strategy(shape)
    if isinstance(shape, Number):
        return _number(shape)
    if isinstance(shape, Values):
        return st.sampled_from(shape.values)
    if isinstance(shape, Truth):
        return st.booleans()
    return st.none() if isinstance(shape, Null) else _json_values()


def _json_values() -> st.SearchStrategy[Any]:
    scalars = st.none() | st.booleans() | st.integers(-LARGEST, LARGEST) | st.text("abc é", max_size=8)
    names = st.text("abc", min_size=1)
    return st.recursive(
        scalars,
        lambda below: st.lists(below, max_size=2) | st.dictionaries(names, below, max_size=2),
        max_leaves=4,
    )


def _number(shape: Number) -> st.SearchStrategy[Any]:
    if shape.multiple_of is not None:
        return _multiples(shape, shape.multiple_of)
    low, high = _ends(shape)
    no_low, no_high = low is not None and low == shape.above, high is not None and high == shape.below
    if shape.whole:
        least = -LARGEST if low is None else math.ceil(low) + (no_low and low == math.ceil(low))
        most = LARGEST if high is None else math.floor(high) - (no_high and high == math.floor(high))
        return st.integers(least, most)
    floats = st.floats(low, high, allow_nan=False, allow_infinity=False, exclude_min=no_low, exclude_max=no_high)
    return floats.map(_short)


def _ends(shape: Number) -> tuple[float | None, float | None]:
    lows = [end for end in (shape.size.low.limit if shape.size.low else None, shape.above) if end is not None]
    highs = [end for end in (shape.size.high.limit if shape.size.high else None, shape.below) if end is not None]
    return max(lows, default=None), min(highs, default=None)


def _short(number: float) -> float:
    """Return the number as JSON spells it: no minus in front of nothing."""
    return number or 0.0


def _multiples(shape: Number, step: float) -> st.SearchStrategy[Any]:
    """Draw how many times: the product is exact in decimals, where 3 * 0.1 is 0.3."""
    exact = Decimal(str(step))
    low, high = _ends(shape)
    least = -1000 if low is None else math.ceil(Decimal(str(low)) / exact)
    most = least + 2000 if high is None else math.floor(Decimal(str(high)) / exact)
    least += 1 if low is not None and low == shape.above and exact * least == Decimal(str(low)) else 0
    most -= 1 if high is not None and high == shape.below and exact * most == Decimal(str(high)) else 0
    return st.integers(least, most).map(lambda times: int(times * exact) if shape.whole else float(times * exact))


MOST = 50
"""Values that are tried; lists are far shorter."""


def variants(shape: Shape, value: Any) -> Iterator[Any]:
    """Yield other values of a shape: "ab1" for "ab", 8 and 6 for 7, the other values of an enumeration."""
    if isinstance(shape, Values):
        yield from shape.values
    elif isinstance(shape, Text) and shape.format is None:
        yield from (text for number in range(1, MOST) if fits(shape, text := f"{value}{number}"))
    elif isinstance(shape, Number) and shape.whole:
        step = int(shape.multiple_of or 1) or 1
        near = (value + sign * step * number for number in range(1, MOST) for sign in (1, -1))
        yield from (one for one in near if _is_within(shape, one))


def _is_within(shape: Number, number: int) -> bool:
    low, high = shape.size.low, shape.size.high
    included = (low is None or number >= low.limit) and (high is None or number <= high.limit)
    return included and (shape.above is None or number > shape.above) and (shape.below is None or number < shape.below)
