"""Derive a contract's shapes from its schema, its constraints and the user's `given`, or explain why it has none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...contract.contract import Contract
from ...contract.schema.deep_type import core_schema_parts
from ...contract.schema.schema_growth import Judged, Part
from ...errors import UsageError
from .constraint_shapes import constrained, with_given
from .schema_shapes import SchemaReader
from .shapes import Anything, Shapes


def shapes_of(contract: Contract, given: Mapping[str, object]) -> Shapes:
    """Return the shapes of a contract's answers.

    Raises:
        UsageError: no value can be generated for a part (the message names its field), or demands contradict each
            other.
    """
    _refuse_opaque(contract, given)
    schema = contract.json_schema
    plain = isinstance(contract.schema, Mapping)
    shapes = Shapes(Anything()) if schema is None else SchemaReader(schema, plain=plain).shapes()
    for constraint in contract.constraints:
        if not _covered(constraint.field, given):
            shapes = constrained(shapes, constraint)
    return with_given(shapes, given)


def plan_format(contract: Contract) -> str | None:
    """Return the plan format if the contract consists only of that format's rules; otherwise None."""
    if contract.schema is not None or contract.constraints or len(contract.rules) != 1:
        return None
    return getattr(contract.rules[0], "plan_format", None)


def _refuse_opaque(contract: Contract, given: Mapping[str, object]) -> None:
    """Refuse rules and validators that run user code, unless `given` has values for their fields."""
    for validator in _validators(contract):
        if not _covered(validator.field, given):
            what = (
                f"no values are made for {validator.name}"
                if validator.is_type
                else f"the validator {validator.name} decides by its own code"
            )
            raise UsageError(
                f"{what}: pass given={{{validator.field!r}: …}} with a "
                "strategy for that field, or a function that fixes the value drawn there"
            )
    if contract.rules and "" not in given:
        names = ", ".join(getattr(rule, "__name__", type(rule).__name__) for rule in contract.rules)
        raise UsageError(
            f"the contract's rules ({names}) decide by their own code: pass given={{'': …}} with a strategy for the "
            "whole answer, or a function that fixes the value drawn"
        )


def _validators(contract: Contract) -> Iterable[OpaqueValidator]:
    if contract.schema is None or isinstance(contract.schema, Mapping):
        return ()
    from pydantic import TypeAdapter

    return opaque_validators(TypeAdapter(contract.schema).core_schema)


def _covered(field: str, given: Mapping[str, object]) -> bool:
    """Return True if `given` has the field or one of its parents: "" covers all, "tasks" covers "tasks[*].id"."""
    return any(field == own or not own or field.startswith((f"{own}.", f"{own}[")) for own in given)


_FUNCTIONS = frozenset(["function-after", "function-before", "function-wrap", "function-plain"])
"""Types of core schemas that run a function."""
_KEYS = frozenset(["int", "float", "decimal", "bool", "date", "datetime", "time", "timedelta", "uuid"])
"""Key types that a mapping's JSON Schema doesn't express: `dict[int, str]`."""
_OWN = ("pydantic", "pydantic_core", "pydantic_extra_types", "email_validator")
"""Packages whose functions implement types that JSON Schema describes, such as URLs and paths."""


@dataclass(frozen=True, slots=True)
class OpaqueValidator:
    """One validator, and the field whose content it validates."""

    name: str
    field: str
    """Path with wildcards, "" for the whole answer."""
    is_type: bool = False
    """True for a pydantic type, False for a user's function."""


def opaque_validators(core_schema: Any) -> Iterator[OpaqueValidator]:
    """Yield the user's validators in a core schema, without duplicates."""
    parts_of = core_schema_parts(core_schema)
    seen: set[int] = set()
    stack: list[tuple[Any, str]] = [(core_schema, "")]
    while stack:
        node, field = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        name, untold = _own_function(node), _untold(node)
        if name is not None:
            yield OpaqueValidator(name, field)
        if untold is not None:
            yield OpaqueValidator(untold, field, is_type=True)
        stack.extend((inner, field + _below(part, field)) for part, inner in parts_of(node))


def _below(part: Judged, field: str) -> str:
    """Return how a path goes on to a part: ".title", "[0]", "[*]"."""
    if isinstance(part, Part):
        return {Part.ITEMS: "[*]", Part.MEMBERS: ".*"}.get(part, "")
    return f"[{part}]" if isinstance(part, int) else f".{part}" if field else part


def _own_function(node: dict[str, Any]) -> str | None:
    if node.get("type") not in _FUNCTIONS:
        return None
    function = node["function"]["function"]
    module = getattr(function, "__module__", None) or ""
    if module.partition(".")[0] in _OWN:
        return None
    return str(getattr(function, "__qualname__", function)).rpartition("<locals>.")[2]


def _untold(node: dict[str, Any]) -> str | None:
    """Return what a pydantic type demands beyond its JSON Schema; None if nothing."""
    kind = node.get("type")
    if kind in ("date", "datetime") and node.get("now_op"):
        return f"a {kind} in the {node['now_op']}"
    if kind == "datetime" and node.get("tz_constraint") == "naive":
        return "a datetime without a time zone"
    if kind == "decimal" and {"max_digits", "decimal_places"} & node.keys():
        return "a Decimal of a limited number of digits"
    if kind == "dict" and node.get("keys_schema", {}).get("type") in _KEYS:
        return f"a mapping with keys of type {node['keys_schema']['type']}"
    return "a text of JSON" if kind == "json" else None
