"""What a contract says about the complete fields of a document that has not ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...contract.contract import Contract
from ...contract.failure_kinds import FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract.finding import Finding
    from ...document.path import Path
    from .json_prefix import JsonPrefix

_ACROSS_FIELDS = frozenset({"same_length", "distinct", "custom", "not_copied"})
"""Constraints that read more than one field, or a list that may still grow."""


class PartialCheck:
    """A contract, asked about prefixes of one document. Rules over the whole document wait for its end."""

    def __init__(self, contract: Contract) -> None:
        single = [rule for rule in contract.constraints if rule.constraint_type not in _ACROSS_FIELDS]
        self._contract = Contract(contract.schema, constraints=single, format="json", strict=contract.strict)
        self._schema = contract.json_schema or {}

    def echo(self, text: str, prefix: JsonPrefix) -> Finding | None:
        """Return the finding where a document repeats its schema; None where it does not, or not yet."""
        completions = {prefix.completion(text), prefix.completion(text, opened=True)} - {None}
        for completed in completions:
            for found in self._contract.check(completed).errors:
                if found.kind is FailureKind.SCHEMA_ECHO:
                    return found
        return None

    def findings(self, text: str, prefix: JsonPrefix) -> Iterator[Finding]:
        """Yield what is wrong with complete fields, in the order of the verdict."""
        completed = prefix.completion(text)
        if completed is None or prefix.end is not None:  # an ended document is judged as a whole
            return
        growing = set(prefix.open_paths())
        for found in self._contract.check(completed).errors:
            if _is_settled(found, growing) and self._is_plain(found.path, growing):
                yield found

    def _is_plain(self, path: Path, growing: set[Path]) -> bool:
        """Whether no open container on the way could still turn out to be another member of a union."""
        node: Any = self._schema
        for depth in range(len(path)):
            node = self._resolved(node)
            if path[:depth] in growing and node is None:
                return False
            node = _child(node, path[depth])
        return True

    def _resolved(self, node: Any) -> Any:
        """A schema without its reference and without `null`; None for a union of several."""
        for _ in range(20):  # references may go in a circle
            if not isinstance(node, dict):
                return node
            if "$ref" in node:
                node = self._schema.get("$defs", {}).get(str(node["$ref"]).removeprefix("#/$defs/"))
                continue
            choices = node.get("anyOf") or node.get("oneOf")
            if not choices:
                return node
            others = [choice for choice in choices if not (isinstance(choice, dict) and choice.get("type") == "null")]
            if len(others) != 1:
                return None
            node = others[0]
        return None


def _is_settled(found: Finding, growing: set[Path]) -> bool:
    """Whether later text cannot fix a finding: it is not at an open container, and nothing that is still to come."""
    return found.path not in growing and not (found.code == "missing" and found.path[:-1] in growing)


def _child(node: Any, key: str | int) -> Any:
    if not isinstance(node, dict):
        return {}
    if isinstance(key, int):
        return node.get("items", {})
    return (node.get("properties") or {}).get(key, node.get("additionalProperties", {}))
