"""Bounds of a schema's work: unfolded `$ref`s, copies of long enums, and answers with very many errors.

`d0: {allOf: [{$ref: d1}, {$ref: d1}]}` doubles the work with every such line. A validator lists all errors at once:
2 MB of `[1,1,…]` for a list of texts took 1 GB, and 15,000 wrong words of an enum of 2,000 took 2 GB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from ...document.limits import MAX_PROBLEMS
from ...document.path import get_at
from ...errors import UsageError

if TYPE_CHECKING:
    from ...document.path import Path
    from ..finding import Finding


MAX_UNFOLDED = 10_000
"""Maximum number of schemas to which the references at one place may unfold. Real ones stay below a hundred."""
_ONE, _MANY = ("not", "if", "then", "else"), ("allOf", "anyOf", "oneOf")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def check_references(schema: Mapping[str, object]) -> None:
    """Check that a schema's references end.

    Raises:
        UsageError: they form a cycle, or unfold to more than `MAX_UNFOLDED` schemas at one place.
    """
    sizes: dict[int, int] = {}
    for root in mappings_in(schema):
        _measure(root, schema, sizes)


def _measure(root: Mapping[str, object], schema: Mapping[str, object], sizes: dict[int, int]) -> None:
    """Measure a schema and those that apply at the same place, without recursion, since chains may be long."""
    begun: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in sizes:
            continue
        inner = list(_here(node, schema))
        if ready:
            begun.discard(id(node))
            sizes[id(node)] = _sum(sizes[id(one)] for one in inner)
        else:
            if any(id(one) in begun or one is node for one in inner):
                reference = next((node[key] for key in _REFERENCES if key in node), None)
                name = "alternatives that contain themselves" if reference is None else repr(str(reference)[:80])
                raise UsageError(
                    f"the references of a JSON Schema run in a circle: got {name}; "
                    "let one of them say what the value must be"
                )
            begun.add(id(node))
            # The node comes again, as ready, when all schemas above it on the stack have their sizes.
            stack += [(node, True), *((one, False) for one in inner)]


def _sum(sizes: Iterator[int]) -> int:
    """Return the size of a schema that unfolds to others of these sizes. Raises UsageError."""
    size = 1 + sum(sizes)
    if size > MAX_UNFOLDED:
        raise UsageError(
            f"the references of a JSON Schema unfold to too much: got more than {MAX_UNFOLDED:,} schemas at one place "
            "of the document; name each rule once"
        )
    return size


def _here(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, object]]:
    """Yield the schemas that judge the same value as this one."""
    for key in _REFERENCES:
        target = target_of(node.get(key), schema)
        if target is not None:
            yield target
    for key in _ONE:
        if isinstance(node.get(key), Mapping):
            yield node[key]
    for key in _MANY:
        alternatives = node.get(key)
        if isinstance(alternatives, list):
            yield from (one for one in alternatives if isinstance(one, Mapping))


def target_of(reference: object, schema: Mapping[str, object]) -> Mapping[str, Any] | None:
    """Return the target of a reference within the schema; None for other references, which the validator handles."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    fragment = unquote(reference)
    if fragment[1:2] not in ("", "/"):
        return _names(_Root(schema)).get(fragment)
    here: Any = schema
    for step in fragment.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(here, list):
            # A hostile index of 5,000 digits would raise: Python refuses to read it.
            index = int(step) if step.isdecimal() and len(step) < 10 else len(here)
            here = here[index] if index < len(here) else None
        else:
            here = here.get(step) if isinstance(here, Mapping) else None
    return here if isinstance(here, Mapping) else None


class _Root:
    """A schema as a key: compared by identity, since a dict has no hash."""

    __slots__ = ("schema",)

    def __init__(self, schema: Mapping[str, object]) -> None:
        self.schema = schema

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Root) and other.schema is self.schema

    def __hash__(self) -> int:
        return id(self.schema)


@lru_cache(maxsize=8)  # a search for each of 4,000 references to 4,000 names took seven minutes
def _names(root: _Root) -> dict[str, Mapping[str, Any]]:
    """Return schemas by name: `{"$anchor": "node"}` by "#node"; in old drafts it is `{"$id": "#node"}`."""
    found: dict[str, Mapping[str, Any]] = {}
    for one in mappings_in(root.schema):
        for key, mark in (("$anchor", "#"), ("$dynamicAnchor", "#"), ("$id", ""), ("id", "")):
            if isinstance(one.get(key), str):
                found.setdefault(f"{mark}{one[key]}", one)
    return found


def mappings_in(schema: object) -> Iterator[Mapping[str, Any]]:
    """Yield every mapping in a part of a schema once."""
    seen: set[int] = set()
    stack: list[object] = [schema]
    while stack:
        node = stack.pop()
        if id(node) in seen or not isinstance(node, Mapping | list):
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            yield node
        stack += node.values() if isinstance(node, Mapping) else node


LONG = 20
"""Maximum number of values of an enum that errors may copy: about a kilobyte."""
_SHOWN = 4
"""Number of values of a long enum that an error copies. The validator's message names two and counts the others."""
_WITHOUT_IF = ("/draft-03", "/draft-04", "/draft-06")
"""Drafts that ignore `if`."""
_DATA = ("const", "default", "dependencies", "dependentRequired", "enum", "examples")
"""Keywords whose values may hold a list named "enum" that is data, or names of keys."""


def with_short_enums(schema: Mapping[str, object]) -> dict[str, Any]:
    """Return an equivalent schema whose errors about an enum list `LONG` of its values at most.

    `{"enum": [2,000 values]}` becomes `{"if": {"enum": (2,000 values)}, "else": {"enum": (4 values)}}`: the error is
    still one of an enum at the same place, and `whole_enum` finds all values by its path. Schemas of old drafts and
    those without long enums are returned unchanged.
    """
    old = any(draft in str(schema.get("$schema", "")) for draft in _WITHOUT_IF)
    return dict(schema) if old else _shortened(schema, {})


def _shortened(node: object, known: dict[int, Any]) -> Any:
    """Return a part of the schema with short enums; parts that were one object stay one object.

    Args:
        node: the part.
        known: the results for other parts, by identity.
    """
    if not isinstance(node, Mapping | list):
        return node
    if id(node) not in known:
        if isinstance(node, list):
            known[id(node)] = [_shortened(one, known) for one in node]
        else:
            left = {key: value if key in _DATA else _shortened(value, known) for key, value in node.items()}
            known[id(node)] = _with_condition(left)
    return known[id(node)]


def _with_condition(node: dict[str, Any]) -> dict[str, object]:
    values = node.get("enum")
    if not isinstance(values, list) or len(values) <= LONG:
        return node
    short = {"if": {"enum": tuple(values)}, "else": {"enum": tuple(values[:_SHOWN])}}
    left = {key: value for key, value in node.items() if key != "enum"}
    return {**left, "allOf": [*left.get("allOf", ()), short]}


def whole_enum(condition: object) -> tuple[Any, ...] | None:
    """Return all values of an enum from the schema that replaced it; None for any other schema."""
    if not isinstance(condition, Mapping) or not isinstance(condition.get("if"), Mapping):
        return None
    values = condition["if"].get("enum")
    return values if isinstance(values, tuple) else None


def whole_message(message: str, number: int) -> str:
    """Return the validator's message about a shortened enum as it is for all of its values."""
    short = f" or {_SHOWN - 2} other candidates"
    return f"{message.removesuffix(short)} or {number - 2} other candidates" if message.endswith(short) else message


FEW = 10_000
"""Maximum number of values or errors in an answer whose errors are all listed. They may take 10 MB."""
_NOTHING = object()
_OF_THE_WHOLE = frozenset({"minItems", "minProperties", "too_short", "contains", "value_error", "assertion_error"})
"""The validator's codes for rules that a list or an object may break only because it was cut."""


@dataclass(frozen=True, slots=True)
class Start:
    """The start of an answer."""

    data: object
    path: Path
    """The path of the last object or list that was cut. Only those around it were cut, too."""
    whole: object

    def true_findings(self, found: Iterable[Finding]) -> Iterator[Finding]:
        """Yield the findings that do not come from the cut."""
        for one in found:
            if one.code == "missing":
                true = get_at(self.whole, one.path, _NOTHING) is _NOTHING
            else:
                true = one.validator_code not in _OF_THE_WHOLE or self.path[: len(one.path)] != one.path
            if true:
                yield one


def start_with_errors(data: object, errors_of: Callable[[object], int]) -> Start | None:
    """Return a start of an answer that has more than `MAX_PROBLEMS` errors, if possible fewer than twice as many.

    None if the answer has at most `FEW` values, or if its first half has so few errors that all can be listed.

    Args:
        data: the answer.
        errors_of: counts the errors of a start of the answer.
    """
    if _start(data, FEW) is None:
        return None
    size = MAX_PROBLEMS // 2
    while (start := _start(data, size)) is not None:
        count = errors_of(start.data)
        if count > MAX_PROBLEMS:
            return start
        # 200 errors in 500 values: 3,000 values are likely to have 1,200. The errors may also be at the end.
        likely = min(6 * MAX_PROBLEMS * size // (5 * max(count, 1)), 8 * size)
        size = likely if likely > 2 * size and _start(data, likely) is not None else 2 * size
    return None


def findings_of_start(
    data: object, errors_of: Callable[[object], int], listed: Callable[[object], Iterable[Finding]]
) -> list[Finding]:
    """Return the findings of the start of an answer with very many errors; [] for any other answer.

    Args:
        data: an answer that is known to be wrong.
        errors_of: counts the errors of a start of the answer.
        listed: returns the findings of a start of the answer.
    """
    from ..phrasing import TOO_MANY, too_many

    start = start_with_errors(data, errors_of)
    every = () if start is None else start.true_findings(listed(start.data))
    found = [one for one in every if one.code != TOO_MANY]
    return [*found, too_many(len(found), known_bad=True)] if found else []


def _start(data: object, size: int) -> Start | None:
    """Return the first `size` values of an answer, with the objects and lists around them; None if it has no more."""
    left = size
    end: Path | None = None

    def cut(value: object, path: Path) -> object:
        nonlocal left, end
        if not isinstance(value, Mapping | list):
            return value
        kept = []
        for key, inner in value.items() if isinstance(value, Mapping) else enumerate(value):
            if not left:
                end = end or path
                break
            left -= 1
            kept.append((key, cut(inner, (*path, key))))
        return dict(kept) if isinstance(value, Mapping) else [inner for _, inner in kept]

    part = cut(data, ())
    return None if end is None else Start(part, end, data)
