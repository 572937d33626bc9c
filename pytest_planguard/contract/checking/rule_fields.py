"""When a contract is defined, refuse rules that cannot judge its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...errors import UsageError, nearest, offer
from ..schema.schema_fields import missing_field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..schema.schema import SchemaCheck
    from .check import DocumentRule


def refuse_unfit_rules(name: str, schema: object, check: SchemaCheck, rules: Iterable[DocumentRule]) -> None:
    """Refuse Markdown rules for a JSON schema, and rules on a field that the schema does not have.

    Raises:
        UsageError: a rule does not fit; the message says what to write.
    """
    for rule in rules:
        at = getattr(rule, "at", None)
        if at is None and getattr(rule, "reads", None) != "markdown":
            continue
        try:
            fields = check.json_schema() or {}
        except UsageError:  # a type refers to an undefined name: the first check reports it
            return
        what = getattr(rule, "__name__", "a rule")
        if at is not None:
            lacking = missing_field(fields, at.steps, closed=not isinstance(schema, Mapping))
            if lacking is not None and lacking.closed:
                rest = offer(nearest(lacking.step, lacking.known), lacking.known, listed="Its fields")
                raise UsageError(f"{name} has no field {lacking.step!r}: got {what} at {at.text!r}{rest}")
        elif not _may_be_text(fields):
            texts = [key for key, field in fields.get("properties", {}).items() if field.get("type") == "string"]
            raise UsageError(
                f"{what} judges Markdown: got {name}, whose answers are JSON; name the field that holds the plan: "
                f'at="{texts[-1] if texts else "FIELD"}"'
            )


def _may_be_text(schema: Mapping[str, Any]) -> bool:
    return not schema or schema.get("type") == "string" or any(map(_may_be_text, schema.get("anyOf", ())))
