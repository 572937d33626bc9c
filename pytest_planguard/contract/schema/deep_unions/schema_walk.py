"""The parts of a JSON Schema, and which value each of them judges: this one, a member of it, an item of it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterator, Mapping
from enum import Enum, auto
from typing import Any, Generic, TypeVar

Node = Mapping[str, Any]


class Part(Enum):
    """Which values a part of a schema judges, where no single key or index tells."""

    HERE = auto()
    """The value that the whole schema judges."""
    MEMBERS = auto()
    """Members of an object, whatever their keys."""
    ITEMS = auto()
    """Items of a list, whatever their indices."""
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
    """Return whether the schema follows draft 4, 6 or 7, in which a `$ref` hides all that stands beside it."""
    return "/draft-0" in str(schema.get("$schema", ""))


def parts(node: Node, *, legacy: bool) -> Iterator[tuple[Judged, Node]]:
    """Yield the schemas directly in a schema, each with what it judges. References are not followed."""
    if not (legacy and "$ref" in node):
        yield from ((judged, inner) for judged, inner in _parts(node) if isinstance(inner, Mapping))


def _parts(node: Node) -> Iterator[tuple[Judged, Any]]:
    for keyword, judged in _SINGLE:
        yield judged, node.get(keyword)
    for keyword, judged in _MAPS:
        yield from ((judged, inner) for inner in _items(node.get(keyword)).values())
    yield from _items(node.get("properties")).items()
    for keyword in _LISTS:
        listed = node.get(keyword)
        for index, inner in enumerate(listed if isinstance(listed, list) else ()):
            yield (Part.HERE if keyword in _HERE_LISTS else index), inner


def _items(schemas: object) -> Mapping[str, Any]:
    return schemas if isinstance(schemas, Mapping) else {}


def with_parts(node: Node, written: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a schema in which each schema directly in it is what `written` makes of it."""
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


# Recursion over a schema and a value: each question is answered once, within a budget, off the interpreter's stack.

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Work = Generator[Question, Answer, Answer]
"""Yields the questions that it depends on, gets their answers, and returns its own."""


class OverBudgetError(Exception):
    """More steps were needed than are allowed."""


class Questions(Generic[Question, Answer]):
    """Answers a question by way of the questions that it depends on."""

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
