"""Count how often a schema validates one value: once for each path through the schema that leads to it.

`{"anyOf": [{"properties": {"child": N}}, {"properties": {"child": N}}]}` validates the child twice. If N is the same
schema again, a value n levels deep is validated 2^n times, and each time may produce errors.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping
from enum import Enum, auto
from typing import Any, Generic, TypeVar

from ...document.limits import MAX_DEPTH
from .bounds import target_of

MANY = 100
"""Maximum number of validations of one value for which a validator may list its errors. A list of a union of 20 models,
each with a union of 5, reaches exactly this number."""
MAX_RECURSIVE = 6
"""Maximum number of self-referencing schemas for which `is_valid` of jsonschema-rs is fast.

It caches results only at references that close a cycle. If n schemas all refer to each other, up to 2^n paths remain.
For an invalid answer of 3n levels, it took 1 ms for 8 schemas, 0.4 s for 12, and 12 s for 16.
"""
_MAX_VISITS = 50_000
"""Maximum number of schema parts to visit, counting alternatives at every place. Beyond this, growth is assumed."""

# The parts of a JSON Schema, and what each validates: the value itself, one of its members, or one of its items.

Node = Mapping[str, Any]


class Part(Enum):
    """The values that a part of a schema validates, if not a single key or index."""

    HERE = auto()
    """The value itself."""
    MEMBERS = auto()
    """Members of an object, under any key."""
    ITEMS = auto()
    """Items of a list, at any index."""
    NAMES = auto()
    """The keys of an object."""


Judged = Part | str | int
"""A part of a value: "title" is a member, 0 an item."""

_HERE_LISTS = ("allOf", "anyOf", "oneOf")
_SINGLE: tuple[tuple[str, Judged], ...] = (
    *((keyword, Part.HERE) for keyword in ("not", "if", "then", "else")),
    ("additionalProperties", Part.MEMBERS),
    ("unevaluatedProperties", Part.MEMBERS),
    ("items", Part.ITEMS),
    ("additionalItems", Part.ITEMS),
    ("unevaluatedItems", Part.ITEMS),
    ("contains", Part.ITEMS),
    ("propertyNames", Part.NAMES),
)
_MAPS = (("patternProperties", Part.MEMBERS), ("dependentSchemas", Part.HERE), ("dependencies", Part.HERE))
_LISTS = (*_HERE_LISTS, "prefixItems", "items")
"""Keywords whose value may be a list of schemas."""
_ALL_MAPS = ("properties", *(name for name, _ in _MAPS))
"""Keywords whose value is an object of schemas."""


def is_legacy(schema: Node) -> bool:
    """Return True if the schema follows draft 4, 6 or 7, in which a `$ref` hides all keywords beside it."""
    return "/draft-0" in str(schema.get("$schema", ""))


def parts(node: Node, *, legacy: bool) -> Iterator[tuple[Judged, Node]]:
    """Yield the schemas directly in a schema, each with the part that it judges. References are not followed."""
    if not (legacy and "$ref" in node):
        yield from ((judged, inner) for judged, inner in _parts(node) if isinstance(inner, Mapping))


def _parts(node: Node) -> Iterator[tuple[Judged, object]]:
    for keyword, judged in _SINGLE:
        yield judged, node.get(keyword)
    for keyword, judged in _MAPS:
        yield from ((judged, inner) for inner in _items(node.get(keyword)).values())
    yield from _items(node.get("properties")).items()
    for keyword in _LISTS:
        listed = node.get(keyword)
        for index, inner in enumerate(listed if isinstance(listed, list) else ()):
            yield (Part.HERE if keyword in _HERE_LISTS else index), inner


def _items(schemas: object) -> Mapping[str, object]:
    return schemas if isinstance(schemas, Mapping) else {}


def with_parts(node: Node, written: Callable[[Any], object]) -> dict[str, Any]:
    """Return a schema with `written` applied to each schema directly in it."""
    left = dict(node)
    for keyword, _ in _SINGLE:
        if isinstance(left.get(keyword), Mapping):
            left[keyword] = written(left[keyword])
    for keyword in _ALL_MAPS:
        if isinstance(left.get(keyword), Mapping):
            left[keyword] = {name: written(inner) for name, inner in left[keyword].items()}
    for keyword in _LISTS:
        if isinstance(left.get(keyword), list):
            left[keyword] = [written(inner) for inner in left[keyword]]
    return left


# How often a value is validated, for any kind of schema.

Parts = Callable[..., Iterable[tuple[Judged, Any]]]
"""Returns the parts of a schema node, with references followed, and the part that each judges. If a value is given too,
only the parts that can judge it."""
_Groups = list[list[Any]]


def most_judgements(root: object, parts_of: Parts, levels: int = MAX_DEPTH) -> int:
    """Return how often one value may be validated, at most `MANY` + 1, in answers of this depth.

    Args:
        root: the schema.
        parts_of: its parts, for JSON Schema or pydantic's core schema. Nodes are compared by identity.
        levels: the nesting depth of objects and lists in the answer.
    """
    groups = _places(root, parts_of)
    if groups is None:
        return MANY + 1
    counts = dict.fromkeys(groups, 1)
    for _ in range(levels):
        grown = {
            # Beyond `MANY` the number does not matter: 2**200 would only be slow to add up.
            place: min(MANY + 1, max(sum(counts[id(node)] for node in group) for group in of))
            for place, of in groups.items()
        }
        if grown == counts or max(grown.values()) > MANY:
            return max(grown.values())
        counts = grown
    return max(counts.values())


def _places(root: object, parts_of: Parts) -> dict[int, _Groups] | None:
    """Return, for each schema that judges its own value, the groups of schemas that judge the same part."""
    found: dict[int, _Groups] = {}
    waiting, visits = [root], 0
    while waiting:
        place = waiting.pop()
        if id(place) in found:
            continue
        below: dict[Judged, list[object]] = {}
        here = [place]
        for node in here:  # grows during the loop
            for judged, inner in parts_of(node):
                (here if judged is Part.HERE else below.setdefault(judged, [])).append(inner)
            visits += 1
            if visits > _MAX_VISITS or len(here) > _MAX_VISITS:
                return None
        found[id(place)] = _same_value(below)
        waiting += [node for group in found[id(place)] for node in group]
    return found


def _same_value(below: Mapping[Judged, list[Any]]) -> _Groups:
    """Return the schemas of each part, plus those that judge any key or index."""
    any_member, any_item = below.get(Part.MEMBERS, []), below.get(Part.ITEMS, [])
    named = [
        nodes + (any_item if isinstance(key, int) else any_member)
        for key, nodes in below.items()
        if not isinstance(key, Part)
    ]
    return [*named, any_member, any_item]


# The parts of a JSON Schema with its references followed.


def json_schema_parts(schema: Node, stop: frozenset[int] = frozenset()) -> Parts:
    """Return the parts of the schema's nodes; do not follow a reference to a node in `stop` (by identity)."""
    legacy = is_legacy(schema)

    def parts_of(node: Node, _: object = None) -> Iterable[tuple[Judged, Node]]:
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = target_of(node.get(keyword), schema)
            if target is not None and id(target) not in stop:
                yield Part.HERE, target
        yield from parts(node, legacy=legacy)

    return parts_of


def is_valid_is_quick(schema: Node) -> bool:
    """Return True if the time of `is_valid` in jsonschema-rs grows no faster than the answer."""
    recursive = _recursive_targets(schema)
    stop = frozenset(recursive)
    parts_of = json_schema_parts(schema, stop)
    roots = [schema, *recursive.values()]
    return len(recursive) <= MAX_RECURSIVE and all(most_judgements(root, parts_of) <= MANY for root in roots)


def _recursive_targets(schema: Node) -> dict[int, Node]:
    """Return the targets of references in a cycle, or between two cycles, by identity."""
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
    for node in here:  # grows during the loop
        if id(node) in seen:
            continue
        seen.add(id(node))
        target = target_of(node.get("$ref"), schema)
        found += [] if target is None else [target]
        here += [inner for _, inner in parts(node, legacy=legacy)]
    return found


def _in_circles(to: Mapping[int, set[int]]) -> set[int]:
    """Return the nodes that remain after repeatedly removing those without an incoming or an outgoing reference."""
    left = set(to)
    while True:
        led_to = {end for start in left for end in to[start]}
        kept = {place for place in left & led_to if to[place] & left}
        if kept == left:
            return left
        left = kept


# Recursion over a schema and a value: answer each question once, within a budget, without using the call stack.

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Work = Generator[Question, Answer, Answer]
"""Yields the questions that it depends on, receives their answers, and returns its own."""


class OverBudgetError(Exception):
    """The step limit was exceeded."""


class Questions(Generic[Question, Answer]):
    """Answers a question by first answering the questions that it depends on."""

    def __init__(
        self, work: Callable[[Question], Work[Question, Answer]], key: Callable[[Question], Hashable], limit: int
    ) -> None:
        self._work = work
        self._key = key
        self._limit = limit
        self._known: dict[Hashable, Answer] = {}
        self.steps = 0

    def step(self) -> None:
        """Count a step. Raises OverBudgetError."""
        self.steps += 1
        if self.steps > self._limit:
            raise OverBudgetError

    def answer(self, question: Question) -> Answer:
        """Return the answer. Raises OverBudgetError."""
        open_work = [(self._key(question), self._work(question))]
        answer: Answer | None = None
        while True:
            key, work = open_work[-1]
            try:
                asked = work.send(answer)  # type: ignore[arg-type] # None starts it
            except StopIteration as done:
                answer = self._known[key] = done.value
                open_work.pop()
                if not open_work:
                    return done.value  # type: ignore[no-any-return] # what a generator returns is not typed
                continue
            self.step()
            key = self._key(asked)
            answer = self._known.get(key)
            if answer is None:
                open_work.append((key, self._work(asked)))
