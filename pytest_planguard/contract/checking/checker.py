"""The parts of a contract that a check needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...document.answer import Document, Extract, Format
    from ..constraints.constraint import ContentConstraint
    from ..finding import Finding
    from ..schema.list_wrapping import ListWrapping
    from ..schema.schema import SchemaCheck

    DocumentRule = Callable[[Any, Document], Iterable[Finding]]
    """A rule over the whole document: plain data and the document (for places) in, findings out."""
    Validated = tuple[object, list[Finding]]
    """What a schema says of a document: the value, None where it is bad, and the findings."""


class Checker:
    """Schema, constraints and rules, and how to read an answer."""

    __slots__ = ("constraints", "extract", "format", "name", "rules", "schema")

    def __init__(
        self,
        name: str,
        schema: SchemaCheck,
        constraints: Sequence[ContentConstraint],
        rules: Sequence[DocumentRule],
        format_name: Format,
        extract: Extract,
    ) -> None:
        self.name = name
        self.schema = schema
        self.constraints = constraints
        self.rules = rules
        self.format: Format = format_name
        self.extract: Extract = extract

    @property
    def wrapping(self) -> ListWrapping | None:
        """The schema check where it takes a bare list for a field; None for all others."""
        return cast("ListWrapping", self.schema) if hasattr(self.schema, "as_written") else None

    def reading(self, format_name: Format) -> Checker:
        """Return the same for answers whose format is known."""
        return Checker(self.name, self.schema, self.constraints, self.rules, format_name, self.extract)
