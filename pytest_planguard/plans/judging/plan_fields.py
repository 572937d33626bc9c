"""Plans in fields of an answer. Each one is judged as a separate document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...contract.checking.document_findings import parse_findings
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...contract.phrasing import as_json
from ...contract.schema.values import to_json_text
from ...document.answer import read

if TYPE_CHECKING:
    from ...document.answer import Document, Format
    from ...document.path import Path
    from ...document.path_pattern import PathPattern


@dataclass(frozen=True, slots=True)
class PlanFields:
    """The plan in one field, or the plans in all fields that a wildcard matches."""

    at: PathPattern
    format: Format
    """ "markdown" if the plans are texts; "auto" if they are JSON or YAML, or values of the answer itself."""
    judge: Callable[[Document], Iterable[Finding]]

    def findings(self, data: object) -> Iterator[Finding]:
        """Yield the findings of each plan. Their paths begin with the field. A null is not a plan."""
        for path in self.at.missing(data):
            yield Finding("missing", path, "required, missing", FailureKind.MISSING, expected="a plan")
        for path, value in self.at.select(data):
            if isinstance(value, str):
                yield from self._of_text(value, path)
            elif isinstance(value, dict | list) and self.format != "markdown":
                # The places of these findings are looked up in the answer.
                yield from (_below(one, path) for one in self.judge(read(to_json_text(value) or "", format="json")))
            elif value is not None:
                message = f"expected a plan as text; got {as_json(value)}"
                yield Finding("type", path, message, FailureKind.TYPE, expected="a plan as text", actual=as_json(value))

    def _of_text(self, text: str, path: Path) -> Iterator[Finding]:
        document = read(text, format=self.format)
        unread = [replace(one, kind=FailureKind.RULE) for one in parse_findings(document, None)]
        judged = () if any(one.severity.bad for one in unread) else self.judge(document)
        for one in (*unread, *judged):
            # A finding about the whole plan gets the place of the field.
            yield _below(one, path) if one.span is None else replace(one, path=(*path, *one.path), inside=path)


def _below(found: Finding, path: Path) -> Finding:
    related = tuple(replace(one, path=(*path, *one.path), span=None) for one in found.related)
    return replace(found, path=(*path, *found.path), span=None, related=related)
