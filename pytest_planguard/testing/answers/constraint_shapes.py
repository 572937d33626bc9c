"""Content constraints, and what the user gives, folded into the shapes of a schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from ...contract.constraints.constraint import ContentConstraint
from ...contract.constraints.text_constraints import matches
from ...contract.failure_kinds import FailureKind
from ...contract.phrasing import fold
from ...document.path_pattern import Either, Step, Wildcard, parse_path
from ...errors import UsageError
from .schema_shapes import as_text
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
    """A constraint that no value of a shape can keep."""


def constrained(shapes: Shapes, constraint: ContentConstraint) -> Shapes:
    """Return the shapes with one constraint on the field that it names.

    Raises:
        UsageError: the constraint's type is opaque (custom), or the schema leaves no value that keeps it.
    """
    change = _CHANGES.get(constraint.constraint_type)
    if change is None:
        raise UsageError(
            f"no values are made for the {constraint.constraint_type} constraint on {constraint.field!r}: "
            f"pass given={{{constraint.field!r}: …}} with a strategy, or a function that fixes what is drawn"
        )
    needed = CONTENT if constraint.kind.needs_value else None
    try:
        root = _at(shapes, shapes.root, constraint.pattern.steps, partial(change, params=constraint.params), needed)
    except Impossible as exc:
        raise UsageError(f"no answer keeps {constraint.constraint_type} on {constraint.field!r}: {exc}") from None
    return replace(shapes, root=root)


def with_given(shapes: Shapes, given: Mapping[str, Any]) -> Shapes:
    """Return the shapes with the user's strategies and functions at their fields.

    Raises:
        UsageError: a field that the schema does not have.
    """
    root = shapes.root
    for field, make in given.items():
        try:
            root = _at(shapes, root, parse_path(field).steps, partial(Given, make=make), None)
        except Impossible as exc:
            raise UsageError(f"given[{field!r}]: {exc}") from None
    return replace(shapes, root=root)


def _at(shapes: Shapes, shape: Shape, steps: Sequence[Step], change: Change, needed: FailureKind | None) -> Shape:
    """Return a copy of the shape with the change made where the steps lead, in each alternative that has the place."""
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
    raise Impossible(f"the schema has no such place (at {_step(step)})")


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
            if steps and needed is None:  # the constraint holds where its field cannot be
                kept.append(option)
    if not kept or (reason is not None and len(kept) == len(shape.options) and steps and not _changed(kept, shape)):
        raise reason or Impossible("the schema has no alternative that fits")
    return kept[0] if len(kept) == 1 else replace(shape, options=tuple(kept))


def _changed(kept: list[Shape], shape: Choice) -> bool:
    return any(one is not other for one, other in zip(kept, shape.options, strict=True))


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


def _step(step: Step) -> str:
    return "[*]" if isinstance(step, Wildcard) else repr(step)


# What each type of constraint changes. A shape that no value of it can keep the constraint raises Impossible.

_Change = Callable[..., Shape]


def _non_empty(shape: Shape) -> Shape:
    at_least_one = Span(low=Bound(1, CONTENT))
    if isinstance(shape, Text):
        return replace(shape, length=_span(shape.length, at_least_one))
    if isinstance(shape, Items | Record):
        return replace(shape, count=_span(shape.count, at_least_one))
    if isinstance(shape, Null):
        raise Impossible("the schema leaves null alone")
    return (
        Text(at_least_one, typed=None)
        if isinstance(shape, Anything)
        else _filtered(shape, lambda v: v not in (None, "", [], {}))
    )


def _min_length(shape: Shape, params: Mapping[str, Any]) -> Shape:
    low = Span(low=Bound(params["chars"], CONTENT))
    if isinstance(shape, Values):
        return _filtered(shape, lambda v: isinstance(v, str) and len(v.strip()) >= params["chars"])
    text = _text(shape)
    return replace(text, length=_span(text.length, low))


def _max_length(shape: Shape, params: Mapping[str, Any]) -> Shape:
    high = Span(high=Bound(params["chars"], CONTENT))
    if isinstance(shape, Values):
        return _filtered(shape, lambda v: isinstance(v, str) and len(v) <= params["chars"])
    text = _text(shape)
    return replace(text, length=_span(text.length, high))


def _regex(shape: Shape, params: Mapping[str, Any]) -> Shape:
    pattern = params["pattern"] if params["match"] == "search" else rf"^(?:{params['pattern']})$"
    if isinstance(shape, Values):
        return _filtered(shape, lambda v: isinstance(v, str) and matches(params["pattern"], v, params["match"]))
    text = _text(shape)
    return replace(text, patterns=(*text.patterns, Demand(pattern, CONTENT)))


def _one_of(shape: Shape, params: Mapping[str, Any]) -> Shape:
    """Values that the schema lists as well; where it lists none, all that the constraint does."""
    if isinstance(shape, Values):
        return _filtered(shape, lambda v: as_text(v) in {as_text(allowed) for allowed in params["values"]})
    kept = tuple(value for value in params["values"] if _fits(shape, value))
    if not kept:
        raise Impossible("none of its values is one that the schema takes")
    return Values(kept, CONTENT)


def _count(shape: Shape, params: Mapping[str, Any]) -> Shape:
    bounds = Span(*(None if params[name] is None else Bound(params[name], CONTENT) for name in ("min", "max")))
    if isinstance(shape, Anything):
        return Items(Anything(), count=bounds, typed=CONTENT)
    if isinstance(shape, Items | Record):
        return replace(shape, count=_span(shape.count, bounds))
    raise Impossible("the schema has no list there")


def _range(shape: Shape, params: Mapping[str, Any]) -> Shape:
    bounds = Span(*(None if params[name] is None else Bound(params[name], CONTENT) for name in ("min", "max")))
    if isinstance(shape, Anything):
        return Number(whole=False, size=bounds, typed=CONTENT)
    if isinstance(shape, Number):
        return replace(shape, size=_span(shape.size, bounds))
    raise Impossible("the schema has no number there")


def _distinct(shape: Shape) -> Shape:
    if isinstance(shape, Anything):
        shape = Items(Anything(), typed=None)
    if isinstance(shape, Items):
        return replace(shape, unlike=Demand(_folded, CONTENT))
    raise Impossible("values are made for lists whose items differ, not for fields of several objects; use `given`")


def _folded(value: Any) -> str:
    """Return what two equal items share: texts are compared but for case and space."""
    return "text:" + fold(value) if isinstance(value, str) else as_text(value)


def _contains(shape: Shape, params: Mapping[str, Any]) -> Shape:
    demands = tuple(Demand(value, CONTENT) for value in params["values"])
    if isinstance(shape, Items):
        return replace(shape, holds=(*shape.holds, *demands))
    text = _text(shape)
    return replace(text, holds=(*text.holds, *demands))


def _excludes(shape: Shape, params: Mapping[str, Any]) -> Shape:
    demands = tuple(Demand(value, CONTENT) for value in params["values"])
    if isinstance(shape, Items):
        return replace(shape, lacks=(*shape.lacks, *demands))
    if isinstance(shape, Values):
        return _filtered(shape, lambda v: not any(str(unwanted) in str(v) for unwanted in params["values"]))
    text = _text(shape)
    return replace(text, lacks=(*text.lacks, *demands))


def _not_copied(shape: Shape, params: Mapping[str, Any]) -> Shape:
    """Whole example texts are left out; longer passages of them do not come about by chance."""
    if isinstance(shape, Text) and params["texts"]:
        return replace(shape, lacks=(*shape.lacks, *(Demand(text, CONTENT) for text in params["texts"])))
    return shape


def _same_length(shape: Shape, params: Mapping[str, Any]) -> Shape:
    record = Record({}, typed=CONTENT) if isinstance(shape, Anything) else shape
    if not isinstance(record, Record):
        raise Impossible("the schema has no object there")
    members = dict(record.members)
    if not record.closed:
        members |= {name: Member(Items(Anything(), typed=None)) for name in params["fields"] if name not in members}
    return replace(record, members=members, alike=(*record.alike, tuple(params["fields"])))


_CHANGES: dict[str, _Change] = {
    "non_empty": lambda shape, **_: _non_empty(shape),
    "one_of": _one_of,
    "min_length": _min_length,
    "max_length": _max_length,
    "regex": _regex,
    "distinct": lambda shape, **_: _distinct(shape),
    "not_copied": _not_copied,
    "count": _count,
    "range": _range,
    "contains": _contains,
    "excludes": _excludes,
    "same_length": _same_length,
}
"""Constraint type to what it changes. `custom` and types of an extension are opaque."""


def _span(one: Span, other: Span) -> Span:
    both = one.within(other)
    if both.empty and both.low is not None and both.high is not None:
        raise Impossible(f"at least {both.low.limit:g} and at most {both.high.limit:g} cannot both be")
    return both


def _text(shape: Shape) -> Text:
    if isinstance(shape, Text):
        return shape
    if isinstance(shape, Anything):
        return Text(typed=CONTENT)
    raise Impossible("the schema has no text there")


def _filtered(shape: Shape, keep: Callable[[Any], bool]) -> Shape:
    if not isinstance(shape, Values):
        return shape
    kept = tuple(value for value in shape.values if keep(value))
    if not kept:
        raise Impossible("none of the values that the schema lists keeps it")
    if kept == shape.values:
        return shape
    refused = tuple(value for value in shape.values if value not in kept)
    return Values(kept, shape.kind, (*shape.refused, *refused))


def _fits(shape: Shape, value: Any) -> bool:
    """Return whether a value is of the shape's type; its bounds are not looked at."""
    types: dict[type, tuple[type, ...]] = {Text: (str,), Number: (int, float), Truth: (bool,), Null: (type(None),)}
    if isinstance(value, bool):
        return isinstance(shape, Truth | Anything)
    return isinstance(shape, Anything) or isinstance(value, types.get(type(shape), ()))
