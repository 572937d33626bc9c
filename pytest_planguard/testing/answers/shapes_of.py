"""The shapes of a contract: its schema, its constraints and what the user gives, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...contract.contract import Contract
from ...errors import UsageError
from .constraint_shapes import constrained, with_given
from .schema_shapes import SchemaReader
from .shapes import Anything, Shapes
from .validators import OpaqueValidator, opaque_validators


def shapes_of(contract: Contract, given: Mapping[str, Any]) -> Shapes:
    """Return what the answers of a contract may be.

    Raises:
        UsageError: something that no value can be made for, named with its field; or demands that exclude each other.
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
    """Return the plan format whose rules are all that a contract demands; None where it demands anything else."""
    if contract.schema is not None or contract.constraints or len(contract.rules) != 1:
        return None
    return getattr(contract.rules[0], "plan_format", None)


def _refuse_opaque(contract: Contract, given: Mapping[str, Any]) -> None:
    """Refuse rules and validators that only their own code knows, where the user gives nothing for their fields."""
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


def _covered(field: str, given: Mapping[str, Any]) -> bool:
    """Return whether the user gives a value at the field or above it: "" covers all, "tasks" covers "tasks[*].id"."""
    return any(field == own or not own or field.startswith((f"{own}.", f"{own}[")) for own in given)
