"""Check one answer. Thousands of good ones need the schema alone; what is wrong with any other is said in full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...document.answer import read
from ..verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...document.answer import Document, Extract, Format
    from ..constraints.constraint import ContentConstraint
    from ..constraints.scene import CheckContext
    from ..finding import Finding
    from ..schema.schema import SchemaCheck

    DocumentRule = Callable[[Any, Document], Iterable[Finding]]
    """A rule over the whole document: plain data and the document (for places) in, findings out."""


@dataclass(frozen=True, slots=True)
class Checker:
    """The parts of a contract that a check needs."""

    name: str
    schema: SchemaCheck
    constraints: Sequence[ContentConstraint]
    rules: Sequence[DocumentRule]
    format: Format
    extract: Extract

    def check(
        self, answer: object, finish: str | None, refusal: str | None, context: CheckContext | None, *, located: bool
    ) -> Verdict:
        """Return the verdict on one answer: its text, or a value that was parsed already. Never raises for any answer.

        `located` is whether findings get places in the text; those of a value that was parsed already have none.
        """
        if finish is not None or refusal is not None:
            from .full_check import declined

            refused = declined(self, answer, finish, refusal)
            if refused is not None:
                return refused
        if not isinstance(answer, (str, bytes)):
            from .full_check import check_value

            return check_value(self, answer, finish, context)
        document = read(answer, format=self.format, extract=self.extract)
        # YAML without a schema and Markdown may be words that only look like a document: the full check tells.
        sure = document.format == "json" or (document.format == "yaml" and self.schema.json_schema() is not None)
        around = document.problems or document.notes or finish is not None
        plain = sure and not (around or self.constraints or self.rules)
        validated = self.schema.validate(document.data, document.json_text) if plain else None
        if validated is not None and not validated[1]:
            return Verdict(self.name, document.text, (), validated[0], document.data, document.format)
        from .full_check import full_check

        return full_check(self, document, finish, context, located=located, validated=validated)
