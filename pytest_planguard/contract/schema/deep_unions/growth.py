"""How often a schema judges one value: once for each way through the schema that leads to it.

`{"anyOf": [{"properties": {"child": N}}, {"properties": {"child": N}}]}` judges the child twice. Where N is that schema
again, a value n levels deep is judged 2^n times, and each time may give errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ....document.limits import MAX_DEPTH, MAX_PROBLEMS
from ...phrasing import too_many
from ..reference_bounds import target_of
from ..values import levels
from .schema_walk import Judged, Node, Part, is_legacy, parts

if TYPE_CHECKING:
    from ...finding import Finding
    from .piecewise import Piecewise


MANY = 100
"""Judgements of one value from which on a validator is not trusted to list its errors. A list of a union of 20 models,
each with a union of 5, stays at it."""
MAX_RECURSIVE = 6
"""Schemas that refer to themselves, up to which `is_valid` of jsonschema-rs is quick.

It remembers its answers at references that close a circle only. Between n schemas that all refer to each other up to
2^n ways stay open: measured for a wrong answer of 3n levels, 1 ms for 8 schemas, 0.4 s for 12, 12 s for 16.
"""
_MAX_VISITS = 50_000
"""Parts of the schema that are looked at, alternatives counted at every place; what has more counts as growing."""

Parts = Callable[..., Iterable[tuple[Judged, Any]]]
"""The parts of a node of some schema, references followed, with what each judges; where a value is given as well, the
parts that can judge that value."""
_Groups = list[list[Any]]


def most_judgements(root: object, parts_of: Parts, levels: int = MAX_DEPTH) -> int:
    """Return how often one value may be judged, at most `MANY` + 1, in answers of so many levels.

    Args:
        root: the schema.
        parts_of: its parts; those of JSON Schema or of pydantic's core schema. Nodes are told apart by their identity.
        levels: objects and lists around each other in the answer.
    """
    groups = _places(root, parts_of)
    if groups is None:
        return MANY + 1
    counts = dict.fromkeys(groups, 1)
    for _ in range(levels):
        grown = {
            place: min(MANY + 1, max((sum(counts[id(node)] for node in group) for group in of), default=1))
            for place, of in groups.items()
        }
        if grown == counts or max(grown.values()) > MANY:
            return max(grown.values())
        counts = grown
    return max(counts.values())


def _places(root: object, parts_of: Parts) -> dict[int, _Groups] | None:
    """Return for each schema that judges a value of its own the schemas that judge the same part of it."""
    found: dict[int, _Groups] = {}
    waiting, visits = [root], 0
    while waiting:
        place = waiting.pop()
        if id(place) in found:
            continue
        below: dict[Judged, list[Any]] = {}
        here = [place]
        for node in here:  # grows on the way
            for judged, inner in parts_of(node):
                (here if judged is Part.HERE else below.setdefault(judged, [])).append(inner)
            visits += 1
            if visits > _MAX_VISITS or len(here) > _MAX_VISITS:
                return None
        found[id(place)] = _same_value(below)
        waiting += [node for group in found[id(place)] for node in group]
    return found


def _same_value(below: Mapping[Judged, list[Any]]) -> _Groups:
    """Return the schemas of each part, with those that judge it whatever its key or index is."""
    any_member, any_item = below.get(Part.MEMBERS, []), below.get(Part.ITEMS, [])
    named = [
        nodes + (any_item if isinstance(key, int) else any_member)
        for key, nodes in below.items()
        if not isinstance(key, Part)
    ]
    return [*named, any_member, any_item]


# The parts of a JSON Schema with its references followed.


def json_schema_parts(schema: Node, stop: frozenset[int] = frozenset()) -> Parts:
    """Return the parts of the schema's nodes; a reference to a node in `stop` (by identity) is not followed."""
    legacy = is_legacy(schema)

    def parts_of(node: Node, _: object = None) -> Iterable[tuple[Judged, Node]]:
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = target_of(node.get(keyword), schema)
            if target is not None and id(target) not in stop:
                yield Part.HERE, target
        yield from parts(node, legacy=legacy)

    return parts_of


def is_valid_is_quick(schema: Node) -> bool:
    """Return whether `is_valid` of jsonschema-rs takes time that grows with the answer, and no faster."""
    recursive = _recursive_targets(schema)
    stop = frozenset(recursive)
    parts_of = json_schema_parts(schema, stop)
    roots = [schema, *recursive.values()]
    return len(recursive) <= MAX_RECURSIVE and all(most_judgements(root, parts_of) <= MANY for root in roots)


def _recursive_targets(schema: Node) -> dict[int, Node]:
    """Return what references lead to in a circle, or between two circles, by identity."""
    nodes: dict[int, Node] = {}
    to: dict[int, set[int]] = {}
    waiting = [schema]
    while waiting:
        start = waiting.pop()
        if id(start) in nodes:
            continue
        nodes[id(start)] = start
        targets = _targets_in(start, schema)
        to[id(start)] = {id(target) for target in targets}
        waiting += targets
    return {place: nodes[place] for place in _in_circles(to)}


def _targets_in(start: Node, schema: Node) -> list[Node]:
    legacy = is_legacy(schema)
    found, seen, here = [], set(), [start]
    for node in here:  # grows on the way
        if id(node) in seen:
            continue
        seen.add(id(node))
        target = target_of(node.get("$ref"), schema)
        found += [] if target is None else [target]
        here += [inner for _, inner in parts(node, legacy=legacy)]
    return found


def _in_circles(to: Mapping[int, set[int]]) -> set[int]:
    """Return what is left when all that leads nowhere, or that nothing leads to, is taken away again and again."""
    left = set(to)
    while True:
        led_to = {end for start in left for end in to[start]}
        kept = {place for place in left & led_to if to[place] & left}
        if kept == left:
            return left
        left = kept


# A JSON Schema that judges one value again and again: how to find out what is wrong with an answer all the same.

Compile = Callable[[dict[str, Any]], Any]


def deep_schema(schema: Mapping[str, object], compiled: Compile) -> DeepSchema | None:
    """Return the schema in pieces; None where no value of an answer is judged more than `MANY` times."""
    if most_judgements(schema, json_schema_parts(schema)) <= MANY:
        return None
    return DeepSchema(schema, compiled)


class DeepSchema:
    """A schema whose number of judgements grows with the depth of the answer."""

    def __init__(self, schema: Mapping[str, object], compiled: Compile) -> None:
        self._schema = schema
        self._compiled = compiled
        self.quick = is_valid_is_quick(schema)
        """Whether the validator may be asked whether an answer holds."""

    @cached_property
    def _piecewise(self) -> Piecewise | None:
        """The pieces; None where the schema cannot be cut."""
        from .pieces import InseparableError, Pieces
        from .piecewise import Piecewise

        try:
            return Piecewise(Pieces(self._schema), self._compiled, quick=self.quick)
        except (InseparableError, ValueError, RecursionError):
            return None

    def findings(self, data: object, listed: Callable[[Any], Iterator[Finding]]) -> list[Finding]:
        """Return what is wrong with an answer, [] for nothing.

        Args:
            data: the answer. Where `quick` is true it is known not to hold.
            listed: what the validator lists by itself, for answers that are not deep.
        """
        if self._piecewise is None:
            return self._as_a_whole(data, listed)
        judged = self._piecewise.judge(data)
        if judged.complete:
            return judged.findings
        found = judged.findings
        steps = None if len(found) == MAX_PROBLEMS else judged.steps
        return [*found, too_many(len(found), steps=steps, known_bad=bool(found))]

    def _as_a_whole(self, data: object, listed: Callable[[Any], Iterator[Finding]]) -> list[Finding]:
        """Return what the validator lists where the answer is flat enough for that; else that nobody looked."""
        deep = levels(data, MAX_DEPTH)
        if most_judgements(self._schema, json_schema_parts(self._schema), deep) <= MANY:
            return list(listed(data))
        return [too_many(0, known_bad=False)]
