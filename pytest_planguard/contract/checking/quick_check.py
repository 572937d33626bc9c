"""One check of one answer. Thousands of good ones are told by the schema alone; everything else is checked in full."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ...document.answer import read
from ..verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...document.answer import Document, Extract, Format
    from ..constraints.constraint import ContentConstraint
    from ..context import CheckContext
    from ..finding import Finding
    from ..schema.schema import SchemaCheck

Rule = Callable[[Any, "Document"], Iterable["Finding"]]
"""A rule over the whole document: plain data and the document (for places) in, findings out."""
Validated = tuple[Any, "list[Finding]"]
"""What a schema says of a document: the value, None where it is bad, and the findings."""


class Checker:
    """The parts of a contract that a check needs."""

    __slots__ = ("constraints", "extract", "format", "name", "rules", "schema")

    def __init__(
        self,
        name: str,
        schema: SchemaCheck,
        constraints: Sequence[ContentConstraint],
        rules: Sequence[Rule],
        format_name: Format,
        extract: Extract,
    ) -> None:
        self.name = name
        self.schema = schema
        self.constraints = constraints
        self.rules = rules
        self.format: Format = format_name
        self.extract: Extract = extract

    def reading(self, format_name: Format) -> Checker:
        """The same for answers whose format is known."""
        return Checker(self.name, self.schema, self.constraints, self.rules, format_name, self.extract)

    def check(self, answer: Any, finish: str | None, refusal: str | None, context: CheckContext | None) -> Verdict:
        """The verdict on one answer: its text, or a value that was parsed already. Never raises for any answer."""
        if finish is not None or refusal is not None:
            from .full_check import declined

            refused = declined(self, answer, finish, refusal)
            if refused is not None:
                return refused
        if not isinstance(answer, (str, bytes)):
            from .full_check import check_value

            return check_value(self, answer, finish, context)
        return self._check_text(read(answer, format=self.format, extract=self.extract), finish, context)

    def _check_text(self, document: Document, finish: str | None, context: CheckContext | None) -> Verdict:
        sound = not (document.problems or document.notes or finish is not None or self.constraints or self.rules)
        validated = self.schema.validate(document.data, document.json_text) if sound else None
        if validated is not None and not validated[1]:
            return Verdict(self.name, document.text, (), validated[0], document.data, document.format)
        from .full_check import full_check

        return full_check(self, document, finish, context, validated=validated)
