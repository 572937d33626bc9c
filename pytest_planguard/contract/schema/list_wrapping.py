"""Accept a bare list in place of an object whose only list field it is, and add a finding.

Models often leave out an outer object that only holds a list: `[{...}, {...}]` for `{"tasks": [{...}, {...}]}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ...errors import UsageError
from ..failure_kinds import FailureKind
from ..finding import Finding, Related, Severity
from ..phrasing import as_json
from .schema import SchemaCheck
from .schema_fields import nodes_of

T = TypeVar("T", Finding, Related)
LIST_WRAPPED = "list_wrapped"
"""The code of the finding about a list that was read as a field. Its severity is info, because the answer is valid."""


class ListWrapping(SchemaCheck):
    """A schema check that accepts a bare list as the only list field of its objects. Paths refer to the answer."""

    def __init__(self, check: SchemaCheck) -> None:
        """Find the field.

        Raises:
            UsageError: the schema has no list field, or more than one.
        """
        self._check = check
        self.field = _only_list_field(check)
        self.other_names = check.other_names

    @property
    def name(self) -> str:
        """The name of the wrapped schema."""
        return self._check.name

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:
        """Return the validated value and the findings.

        For a bare list, paths of errors start at the list, not at the field.
        """
        if not isinstance(data, list):
            return self._check.validate(data, text)
        value, found = self._check.validate(self.wrapped(data))  # no text: what was written is the list alone
        bad = [item for item in found if item.severity.bad]
        if any(item.path[:1] != (self.field,) for item in bad):  # another field is missing: the list is not an answer
            return self._check.validate(data, text)
        if bad:
            return None, self.as_written(found)
        message = f"a bare list was read as the field {as_json(self.field)}"
        note = Finding(LIST_WRAPPED, (), message, FailureKind.WRAPPED, Severity.INFO, expected="an object")
        return value, [*self.as_written(found), note]

    def plain(self, value: object, data: object) -> Any:
        """Return a validated value as plain data."""
        return self._check.plain(value, self.wrapped(data))

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:
        """Return the valid parts of the object, or of a bare list below its field."""
        if not isinstance(data, list):
            return self._check.sound(data, text, broken)
        data = self.wrapped(data)
        return self._check.sound(data, None, [item for item in self._check.validate(data)[1] if item.severity.bad])

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema of the object, which is what the model should return."""
        return self._check.json_schema()

    def wrapped(self, data: object) -> Any:
        """Return the data in the form that the schema wants: a bare list becomes the value of the field."""
        return {self.field: data} if isinstance(data, list) else data

    def as_written(self, found: Iterable[Finding]) -> list[Finding]:
        """Return findings about the object, with paths that start at the bare list."""
        below = [self._without_field(item) for item in found]
        return [replace(item, related=tuple(map(self._without_field, item.related))) for item in below]

    def _without_field(self, item: T) -> T:
        return replace(item, path=item.path[1:]) if item.path[:1] == (self.field,) else item


def _only_list_field(check: SchemaCheck) -> str:
    schema = check.json_schema() or {}
    members = [member for node in nodes_of(schema, schema) for member in node.get("properties", {}).items()]
    lists = [name for name, member in members if any(_is_list(node) for node in nodes_of(schema, member))]
    if len(lists) == 1:
        return str(lists[0])
    seen = ", ".join(lists) or "none"
    raise UsageError(f"wrap_list needs a schema with one list field: got {seen} in {check.name}; leave wrap_list out")


def _is_list(node: Mapping[str, object]) -> bool:
    types = node.get("type")
    return types == "array" or (isinstance(types, list) and "array" in types)
