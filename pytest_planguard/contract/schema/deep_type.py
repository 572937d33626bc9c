"""Decide if pydantic may validate an answer, for types whose validators visit a value many times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ..phrasing import UNCOUNTED
from .pydantic_location import FIELDS, Node, aliases, definitions, named_fields
from .schema_growth import Judged, OverBudgetError, Part, Parts, Questions, Work

_INNER: Mapping[str, Judged] = {
    **dict.fromkeys(("schema", "json_schema", "lax_schema"), Part.HERE),
    **dict.fromkeys(("values_schema", "extras_schema"), Part.MEMBERS),
    "items_schema": Part.ITEMS,
}
"""Maps node keys that hold one schema to the part of the value that the schema validates."""
_Found = Iterator[tuple[Judged, Node]]


def core_schema_parts(core_schema: Node) -> Parts:
    """Return a function that yields the parts of a core schema node.

    If it gets a value, only the parts for that value.
    """
    known = definitions(core_schema)

    def parts_of(node: Node, value: object = None) -> _Found:
        kind = str(node.get("type"))
        if kind == "definition-ref":
            target = known.get(str(node.get("schema_ref")))
            yield from () if target is None else ((Part.HERE, target),)
            return
        if kind in _KINDS:
            yield from _KINDS[kind](node, value)
        for key, judged in _INNER.items():
            if isinstance(node.get(key), Mapping):
                yield judged, node[key]

    return parts_of


def _fields(node: Node, _: object) -> _Found:
    for name, field in named_fields(node):
        for key in dict.fromkeys([name, *(str(path[0]) for path in aliases(field))]):
            yield key, field["schema"]


def _tuple(node: Node, _: object) -> _Found:
    variadic = node.get("variadic_item_index")
    for index, item in enumerate(node["items_schema"]):
        yield (Part.ITEMS if variadic is not None and index >= variadic else index), item


def _tagged(node: Node, value: object) -> _Found:
    """Yield the alternative that the tag names; all of them if the tag is unknown, or computed by a function."""
    name = node.get("discriminator")
    tag = value.get(name) if isinstance(name, str) and isinstance(value, Mapping) else None
    chosen = node["choices"].get(tag) if isinstance(tag, (str, int)) else None
    for choice in node["choices"].values() if chosen is None else (chosen,):
        if isinstance(choice, Mapping):
            yield Part.HERE, choice


_KINDS: Mapping[str, Callable[[Node, Any], _Found]] = {
    **dict.fromkeys(FIELDS, _fields),
    "tuple": _tuple,
    "chain": lambda node, _: ((Part.HERE, step) for step in node["steps"]),
    "union": lambda node, _: ((Part.HERE, one[0] if isinstance(one, tuple) else one) for one in node["choices"]),
    "tagged-union": _tagged,
}


# Count how often a validator that tries every alternative visits the parts of one value.

_Question = tuple[Any, Any]
"""A node of the schema, and a value."""


class Visits(NamedTuple):
    """The work of a validator on one answer."""

    total: int
    """Number of times that a part of the schema judges a part of the answer, counted over every path through the
    schema."""
    pairs: int
    """The same, but each pair of parts is counted once."""


def count_visits(root: object, parts_of: Parts, data: object, limit: int) -> Visits | None:
    """Return the visits for an answer; None if there are more than `limit` pairs. Takes time linear in the pairs.

    Args:
        root: the schema.
        parts_of: the parts of a node for a value.
        data: the answer.
        limit: the maximum number of pairs to count.
    """

    def work(question: _Question) -> Work[_Question, int]:
        node, value = question
        total, here = 1, [node]
        for one in here:  # grows during the loop
            for judged, inner in parts_of(one, value):
                if judged is Part.HERE:
                    total += 1
                    here.append(inner)
                    continue
                for part in _parts_of_value(value, judged):
                    total += yield (inner, part)
        return min(total, UNCOUNTED)

    questions = Questions(work, lambda question: (id(question[0]), id(question[1])), limit)
    try:
        return Visits(questions.answer((root, data)), questions.steps + 1)
    except OverBudgetError:
        return None


def _parts_of_value(value: object, judged: Judged) -> Iterator[object]:
    if isinstance(value, Mapping):
        if judged is Part.MEMBERS:
            yield from value.values()
        elif isinstance(judged, str) and judged in value:
            yield value[judged]
    elif isinstance(value, list):
        if judged is Part.ITEMS:
            yield from value
        elif isinstance(judged, int) and judged < len(value):
            yield value[judged]


ASKED = 10_000
"""Maximum number of visits for which pydantic is called. It tries every alternative, and creates an error of about 2 kB
for each mismatch. For a union of two models with errors 9 levels deep (9,207 visits), it took 9 ms and 4 MB for 2,558
errors."""
ASKED_OF_GOOD = 300_000
"""The same for an answer that matches the JSON Schema, for which pydantic stores no errors: 25 ms for 14 levels. If the
type rejects it anyway (a custom validator, or `Literal[1]` for 1.0), the errors take up to 200 MB."""
REPEATED = 8
"""Visits per pair of schema and value up to which a large answer is accepted: a list of 5,000 small trees needs more
than `ASKED` visits in total, but only a few per value."""
READ = 500
"""Maximum number of pydantic errors to read if alternatives repeat. Locating one takes 0.2 ms, and few are kept."""
_PAIRS = 500_000
"""Maximum number of pairs to count, which takes about a second. pydantic is not called for an answer with more."""


def visits_by(core_schema: Node, parts: Parts, data: object) -> int | None:
    """Return how often pydantic would visit the parts of an answer; 0 if the answer is merely large.

    Return None if the number is beyond the counting limit.
    """
    counted = count_visits(core_schema, parts, data, _PAIRS)
    if counted is None:
        return None
    return 0 if counted.total <= REPEATED * counted.pairs else counted.total
