"""What a contract is given, looked at where it is defined: a slip of typing is an error there and not at an answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from .answer_parts.demanded_call import DemandedCall
    from .checking.checker import DocumentRule
    from .constraints.constraint import ContentConstraint
    from .schema.schema import SchemaCheck


def known_constraints(given: Any) -> tuple[ContentConstraint, ...]:
    """Return the constraints as a tuple; their types are loaded for contracts that have some. Raises UsageError."""
    found = _listed("constraints", given)
    if found:
        from .constraints.constraint import check_constraints

        check_constraints(found)
    return found


def known_rules(given: Any) -> tuple[DocumentRule, ...]:
    """Return the rules as a tuple. Raises UsageError for anything among them that cannot be called."""
    found = _listed("rules", given)
    for rule in found:
        if not callable(rule):
            way = "give it as constraints=[…]" if hasattr(rule, "constraint_type") else "give functions"
            raise UsageError(f"a contract's rules must be functions (data, document) -> findings: got {rule!r}; {way}")
    return found


def known_demands(given: Any) -> tuple[DemandedCall, ...]:
    """Return the calls that are demanded; their module is loaded for contracts that have some. Raises UsageError."""
    from .answer_parts.demanded_call import demands_of

    return demands_of(given)


def refuse_unknown_fields(
    name: str, schema: Any, checker: SchemaCheck, constraints: tuple[ContentConstraint, ...]
) -> None:
    """Raise UsageError for a constraint on a field that the schema cannot have."""
    from .constraints.known_fields import check_fields

    try:
        json_schema = checker.json_schema()
    except UsageError:  # a type that names what is not defined yet: the first check says so
        return
    if json_schema is not None and not getattr(checker, "has_other_names", False):
        check_fields(name, json_schema, constraints, model=not isinstance(schema, Mapping))


def _listed(what: str, given: Any) -> tuple[Any, ...]:
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        raise UsageError(f"a contract's {what} must be a list: got {given!r}; write {what}=[…]")
    return tuple(given)
