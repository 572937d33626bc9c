"""Apply content constraints and the user's `given` to the shapes of a schema."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import is_
from typing import Any, cast

from ...contract.constraints.constraint import ContentConstraint
from ...contract.failure_kinds import FailureKind
from ...contract.phrasing import equal_key
from ...document.path_pattern import Either, Step, Wildcard, parse_path
from ...errors import UsageError
from .shapes import (
    Anything,
    Bound,
    Change,
    Choice,
    Demand,
    Given,
    Items,
    Member,
    Null,
    Number,
    Record,
    Shape,
    Shapes,
    Span,
    Text,
    Truth,
    Values,
)

CONTENT = FailureKind.CONTENT


class Impossible(Exception):
    """No value of a shape can satisfy a constraint."""


def constrained(shapes: Shapes, constraint: ContentConstraint) -> Shapes:
    """Return the shapes with one constraint on the field that it names.

    Raises:
        UsageError: the constraint's type is opaque (custom), or the schema leaves no value that satisfies it.
    """
    change = _CHANGES.get(constraint.constraint_type)
    if change is None:
        raise UsageError(
            f"no values are made for the {constraint.constraint_type} constraint on {constraint.field!r}: "
            f"pass given={{{constraint.field!r}: …}} with a strategy, or a function that fixes what is drawn"
        )
    needed = CONTENT if constraint.kind.needs_value else None
    try:
        root = _at(shapes, shapes.root, constraint.pattern.steps, partial(change.of, constraint=constraint), needed)
    except Impossible as exc:
        raise UsageError(f"no answer keeps {constraint.constraint_type} on {constraint.field!r}: {exc}") from None
    return replace(shapes, root=root)


def with_given(shapes: Shapes, given: Mapping[str, object]) -> Shapes:
    """Return the shapes with the user's strategies and functions at their fields.

    Raises:
        UsageError: the schema does not have the field.
    """
    root = shapes.root
    for field, make in given.items():
        try:
            root = _at(shapes, root, parse_path(field).steps, partial(Given, make=make), None)
        except Impossible as exc:
            raise UsageError(f"given[{field!r}]: {exc}") from None
    return replace(shapes, root=root)


def _at(shapes: Shapes, shape: Shape, steps: Sequence[Step], change: Change, needed: FailureKind | None) -> Shape:
    """Return a copy of the shape with the node at the path `steps` changed, in each alternative that has it."""
    shape = shapes.resolve(shape)
    if isinstance(shape, Choice):
        return _in_choice(shapes, shape, steps, change, needed)
    if not steps:
        return change(shape)
    if isinstance(shape, Given):
        return replace(shape, shape=_at(shapes, shape.shape, steps, change, needed))
    step, rest = steps[0], steps[1:]

    def below(child: Shape) -> Shape:
        return _at(shapes, child, rest, change, needed)

    if isinstance(shape, Items) and (isinstance(step, Wildcard | Either | int)):
        return _in_items(shape, step, below)
    if isinstance(shape, Record):
        return _in_record(shape, step, below, needed)
    if isinstance(shape, Anything) and isinstance(step, str):
        return Record({step: Member(below(Anything()), needed)}, typed=needed)
    named = "[*]" if isinstance(step, Wildcard) else repr(step)
    raise Impossible(f"the schema has no such place (at {named})")


def _in_choice(
    shapes: Shapes, shape: Choice, steps: Sequence[Step], change: Change, needed: FailureKind | None
) -> Shape:
    kept: list[Shape] = []
    reason: Impossible | None = None
    for option in shape.options:
        try:
            kept.append(_at(shapes, option, steps, change, needed))
        except Impossible as exc:
            reason = exc
            if steps and needed is None:  # an alternative without the field cannot break the constraint
                kept.append(option)
    same = len(kept) == len(shape.options) and all(map(is_, kept, shape.options))
    if not kept or (reason is not None and steps and same):
        raise reason or Impossible("the schema has no alternative that fits")
    return kept[0] if len(kept) == 1 else replace(shape, options=tuple(kept))


def _in_items(shape: Items, step: Step, below: Change) -> Shape:
    if isinstance(step, Wildcard):
        return replace(shape, item=below(shape.item), first=tuple(below(item) for item in shape.first))
    index = step.number if isinstance(step, Either) else cast("int", step)
    first = [*shape.first, *[shape.item] * (index + 1 - len(shape.first))]
    first[index] = below(first[index])
    least = Span(low=Bound(index + 1, CONTENT))
    return replace(shape, first=tuple(first), count=shape.count.within(least))


def _in_record(shape: Record, step: Step, below: Change, needed: FailureKind | None) -> Shape:
    if isinstance(step, Wildcard):
        members = {name: replace(member, shape=below(member.shape)) for name, member in shape.members.items()}
        return replace(shape, members=members, others=None if shape.others is None else below(shape.others))
    name = str(step.number) if isinstance(step, Either) else str(step)
    member = shape.members.get(name)
    if member is None and shape.closed:
        raise Impossible(f"the schema has no field {name!r}")
    member = member or Member(shape.others or Anything())
    changed = Member(below(member.shape), member.required or needed)
    return replace(shape, members={**shape.members, name: changed})


# How each constraint type changes a shape. Raises Impossible if no value of the shape can satisfy it.

_Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Change:
    """How a type of constraint changes the shapes that it applies to."""

    shapes: tuple[type, ...]
    """The types of shape that the constraint changes."""
    refusal: str
    """Why values of other shapes break the constraint; "" if they satisfy it."""
    free: Shape
    """The shape to use if the schema allows any value."""
    change: Callable[[Any, _Params], Shape]

    def of(self, shape: Shape, constraint: ContentConstraint) -> Shape:
        if isinstance(shape, Values):
            return _filtered(shape, replace(constraint, field=""))
        shape = self.free if isinstance(shape, Anything) else shape
        if isinstance(shape, self.shapes):
            return self.change(shape, constraint.params)
        if self.refusal:
            raise Impossible(self.refusal)
        return shape


def _at_least(chars: float) -> Span:
    return Span(low=Bound(chars, CONTENT))


def _ends(params: _Params) -> Span:
    return Span(*(None if params[name] is None else Bound(params[name], CONTENT) for name in ("min", "max")))


def _non_empty(shape: Text | Items | Record | Null, _: _Params) -> Shape:
    if isinstance(shape, Null):
        raise Impossible("the schema leaves null alone")
    if isinstance(shape, Text):
        return replace(shape, length=_span(shape.length, _at_least(1)))
    return replace(shape, count=_span(shape.count, _at_least(1)))


def _regex(text: Text, params: _Params) -> Shape:
    pattern = params["pattern"] if params["match"] == "search" else rf"^(?:{params['pattern']})$"
    return replace(text, patterns=(*text.patterns, Demand(pattern, CONTENT)))


def _demands(values: Iterable[object]) -> tuple[Demand, ...]:
    return tuple(Demand(value, CONTENT) for value in values)


def _one_of(shape: Shape, params: _Params) -> Shape:
    """Return the values that both the constraint and the schema allow."""
    kept = tuple(value for value in params["values"] if _fits(shape, value))
    if not kept:
        raise Impossible("none of its values is one that the schema takes")
    return Values(kept, CONTENT)


def _same_length(record: Record, params: _Params) -> Shape:
    members = dict(record.members)
    if not record.closed:
        members |= {name: Member(Items(Anything(), typed=None)) for name in params["fields"] if name not in members}
    return replace(record, members=members, alike=(*record.alike, tuple(params["fields"])))


_NO_TEXT = "the schema has no text there"
_FREE = Text(typed=CONTENT)


def _of_texts(change: Callable[[Any, _Params], Shape], *others: type) -> _Change:
    return _Change((Text, *others), _NO_TEXT, _FREE, change)


_CHANGES: Mapping[str, _Change] = {
    "non_empty": _Change((Text, Items, Record, Null), "", Text(typed=None), _non_empty),
    "one_of": _Change((object,), "", Anything(), _one_of),
    "min_length": _of_texts(lambda text, params: replace(text, length=_span(text.length, _at_least(params["chars"])))),
    "max_length": _of_texts(
        lambda text, params: replace(text, length=_span(text.length, Span(high=Bound(params["chars"], CONTENT))))
    ),
    "regex": _of_texts(_regex),
    "distinct": _Change(
        (Items,),
        "values are made for lists whose items differ, not for fields of several objects; use `given`",
        Items(Anything(), typed=None),
        lambda items, _: replace(items, unlike=Demand(equal_key, CONTENT)),
    ),
    # This excludes whole example texts. Long passages of them do not occur by chance.
    "not_copied": _Change(
        (Text,),
        "",
        Anything(),
        lambda text, params: replace(text, lacks=(*text.lacks, *_demands(params["texts"] or ()))),
    ),
    "count": _Change(
        (Items, Record),
        "the schema has no list there",
        Items(Anything(), typed=CONTENT),
        lambda several, params: replace(several, count=_span(several.count, _ends(params))),
    ),
    "range": _Change(
        (Number,),
        "the schema has no number there",
        Number(whole=False, typed=CONTENT),
        lambda number, params: replace(number, size=_span(number.size, _ends(params))),
    ),
    "contains": _of_texts(
        lambda shape, params: replace(shape, holds=(*shape.holds, *_demands(params["values"]))), Items
    ),
    "excludes": _of_texts(
        lambda shape, params: replace(shape, lacks=(*shape.lacks, *_demands(params["values"]))), Items
    ),
    "same_length": _Change((Record,), "the schema has no object there", Record({}, typed=CONTENT), _same_length),
}
"""Maps a constraint type to its change. `custom` and types from extensions are opaque."""


def _span(one: Span, other: Span) -> Span:
    both = one.within(other)
    if both.empty and both.low is not None and both.high is not None:
        raise Impossible(f"at least {both.low.limit:g} and at most {both.high.limit:g} cannot both be")
    return both


def _filtered(shape: Values, constraint: ContentConstraint) -> Shape:
    """Return the listed values that satisfy the constraint."""
    kept = tuple(value for value in shape.values if not any(constraint.findings(value)))
    if not kept:
        raise Impossible("none of the values that the schema lists keeps it")
    refused = tuple(value for value in shape.values if value not in kept)
    return Values(kept, shape.kind, (*shape.refused, *refused))


def _fits(shape: Shape, value: object) -> bool:
    """Return True if a value is of the shape's type. Bounds are not checked."""
    types: dict[type, tuple[type, ...]] = {Text: (str,), Number: (int, float), Truth: (bool,), Null: (type(None),)}
    if isinstance(value, bool):
        return isinstance(shape, Truth | Anything)
    return isinstance(shape, Anything) or isinstance(value, types.get(type(shape), ()))
