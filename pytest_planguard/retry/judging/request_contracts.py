"""`--contract auto`: make contracts from the schemas in the requests."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...contract import Contract
from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...errors import UsageError
from .schema_shape import SchemaShape

if TYPE_CHECKING:
    from ...contract import Contract
    from ...document.answer import Extract
    from ...wire.exchange import Exchange

OUTPUT_TOOLS = ("final_result", "__mirascope_formatted_output_tool__")
"""Prefixes of the names that frameworks give the tool whose arguments are the answer."""
UNKNOWN_TOOL = FailureKind.UNKNOWN_TOOL
NO_SCHEMA = "the request demands no schema; name a contract to judge it"
MISSING_EXTRA = (
    "--contract auto judges by JSON Schema and needs the extra: pip install 'pytest-planguard[jsonschema]'. "
    "Or name a contract: --contract module:NAME."
)


class AutoContracts:
    """Makes contracts from requests. Makes each contract once, even if many cassettes demand the same schema."""

    def __init__(self, extract: Extract = "embedded") -> None:
        self._extract: Extract = extract
        self._made: dict[tuple[str | None, str], Contract | str] = {}

    def of(self, exchanges: Iterable[Exchange]) -> tuple[Contract, ...]:
        """Return the contracts of these exchanges, without duplicates, in order of first use.

        If one request forces a tool, the tool also gets a contract in other requests that declare it as optional. Each
        answer is judged by the schema in its own request. Raises UsageError if the extra is not installed.
        """
        exchanges = tuple(exchanges)
        outputs = _outputs(exchanges)
        found: dict[tuple[str | None, str], Contract] = {}
        for exchange in exchanges:
            for tool, schema in (*demanded(exchange), *_declared(exchange, outputs)):
                key = (tool, json.dumps(schema, sort_keys=True, default=str))
                made = self._contract(key, schema)
                if not isinstance(made, str):
                    found[key] = made
        return tuple(found.values())

    def why_not(self, exchange: Exchange) -> str:
        """Return why an exchange was not judged."""
        reasons = [
            self._made.get((tool, json.dumps(schema, sort_keys=True, default=str)))
            for tool, schema in demanded(exchange)
        ]
        return next((reason for reason in reasons if isinstance(reason, str)), NO_SCHEMA)

    def findings(self, exchange: Exchange) -> list[Finding]:
        """Check an answer against the request's own tools and schemas.

        Returns a finding for each call of an unknown tool, and the findings of arguments or a text that violate their
        schema. Without the extra, schemas are not checked.
        """
        found = [finding for _, broken in self._calls(exchange, exchange.tools) for finding in broken]
        if exchange.output_schema and not exchange.calls:
            found += self._errors(None, exchange.output_schema, exchange.answer_text)
        return found

    def arguments(self, exchange: Exchange) -> Iterator[tuple[str, Sequence[Finding]]]:
        """Yield each call of an ordinary tool that has a declared schema, with the findings on its arguments."""
        outputs = {tool for tool, _ in demanded(exchange)}
        declared = {name: schema for name, schema in exchange.tools.items() if schema and name not in outputs}
        yield from ((tool, broken) for tool, broken in self._calls(exchange, declared) if tool in declared)

    def _calls(
        self, exchange: Exchange, declared: Mapping[str, Mapping[str, object]]
    ) -> Iterator[tuple[str, Sequence[Finding]]]:
        for call in exchange.calls:
            name = call.name or ""
            if name in declared:
                yield name, self._errors(name, declared[name], call.text)
            elif exchange.tools and name not in exchange.tools:
                yield name, [Finding(UNKNOWN_TOOL.value, (), f"unknown tool {name}", UNKNOWN_TOOL)]

    def _errors(self, tool: str | None, schema: Mapping[str, object], text: str) -> Sequence[Finding]:
        if importlib.util.find_spec("jsonschema_rs") is None:
            return ()
        contract = self._contract((tool, json.dumps(schema, sort_keys=True, default=str)), schema)
        return () if isinstance(contract, str) else contract.check(text or "{}").errors

    def _contract(self, key: tuple[str | None, str], schema: Mapping[str, object]) -> Contract | str:
        if key not in self._made:
            self._made[key] = self._make(key[0], schema)
        return self._made[key]

    def _make(self, tool: str | None, schema: Mapping[str, object]) -> Contract | str:
        if importlib.util.find_spec("jsonschema_rs") is None:
            raise UsageError(MISSING_EXTRA)
        name = tool or str(schema.get("title") or "answer")
        try:
            return Contract(dict(schema), name=name, extract=self._extract, judged=tool or "text")
        except Exception as error:  # a recorded schema is hostile input; an error in one must not stop the others
            return f"the request's schema {name!r} cannot be used: {type(error).__name__}: {str(error)[:120]}"


def demanded(exchange: Exchange) -> Iterator[tuple[str | None, Mapping[str, Any]]]:
    """Yield the schemas that the answer must meet.

    Yields (None, schema of the text) and (tool name, schema of its arguments).
    """
    if exchange.output_schema:
        yield None, exchange.output_schema
    for name, schema in exchange.tools.items():
        if schema and _is_output(name, exchange):
            yield name, schema


def _outputs(exchanges: Iterable[Exchange]) -> Mapping[str, Sequence[SchemaShape]]:
    """Return the tools that at least one request demands as its answer, each with its schemas."""
    found: dict[str, list[SchemaShape]] = {}
    for exchange in exchanges:
        for tool, schema in demanded(exchange):
            if tool is not None:
                found.setdefault(tool, []).append(SchemaShape(schema))
    return found


def _declared(
    exchange: Exchange, outputs: Mapping[str, Sequence[SchemaShape]]
) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield the optional tools of a request that another request demands as its answer, each with its schema."""
    for name, schema in exchange.tools.items() if outputs else ():
        if schema and name in outputs and not _is_output(name, exchange):
            shape = SchemaShape(schema)
            if not all(shape.shares_no_field(other) for other in outputs[name]):
                yield name, schema


def _is_output(name: str, exchange: Exchange) -> bool:
    """Return True if a tool's arguments are the answer.

    Then the request forces this tool, or the tool has a name that frameworks use.
    """
    forced = exchange.tool_choice == name
    only = exchange.tool_choice == "required" and len(exchange.tools) == 1
    return forced or only or name.startswith(OUTPUT_TOOLS)
