"""Refuse constraints on fields that the schema cannot have: where the contract is defined, with the nearest name."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...errors import PlanguardWarning, UsageError, nearest, offer
from ..schema.schema_fields import NoField, missing_field
from .english_words_hint import users_level

if TYPE_CHECKING:
    from .constraint import ContentConstraint


def check_fields(
    name: str, schema: Mapping[str, Any], constraints: Iterable[ContentConstraint], *, model: bool
) -> None:
    """Look for every field of the constraints in a contract's JSON Schema.

    Args:
        name: of the contract.
        schema: its JSON Schema.
        constraints: those of the contract.
        model: whether the schema is that of a pydantic model or type, which passes over fields that it does not have.

    Raises:
        UsageError: an answer cannot have a field. Where it may, although the schema does not name it, and a field of a
            near name is there, a PlanguardWarning says so.
    """
    for constraint in constraints:
        lacking = missing_field(schema, constraint.pattern.steps, closed=model)
        if lacking is not None:
            _refuse(name, constraint, lacking)


def _refuse(name: str, constraint: ContentConstraint, lacking: NoField) -> None:
    near = nearest(lacking.step, lacking.known)
    rule = f"the constraint {constraint.constraint_type} on {constraint.field!r}"
    what = f"{name} has no field {lacking.step!r}: got {rule}"
    if lacking.closed:
        raise UsageError(f"{what}{offer(near, lacking.known, listed='Its fields')}")
    if near is not None:
        warnings.warn(f"{what}{offer(near)}", PlanguardWarning, stacklevel=users_level())
