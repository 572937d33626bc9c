"""A registry of a pipeline's contracts: a schema and constraints per task, and redlines for all tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, overload

from ..contract.constraints.constraint import ContentConstraint
from ..contract.contract import Contract
from ..contract.schema.schema_fields import missing_field
from ..errors import UsageError
from ..registry import Registry
from .conditions import parse_conditions


def redline(*conditions: str, language: str = "en") -> tuple[ContentConstraint, ...]:
    """Return a constraint of severity fail for each `field:value`; any task's contract accepts them.

    The value matches anywhere in the field's text, ignoring case. A finding of severity fail ends the retries. Pass the
    findings to a gate to pause the pipeline: `gate.check(task, value, findings=verdict.findings)`.

    Args:
        conditions: such as "go_no_go_recommendation:Do Not Execute"; a string may hold several, separated by commas.
        language: the language of the values. An answer in another language gets a finding.

    Raises:
        UsageError: a condition without a colon, an empty name or value, or an unclosed quote.
    """
    parsed = [condition for text in conditions for condition in parse_conditions(text)]
    return tuple(
        ContentConstraint(
            one.name, "excludes", {"values": (one.value,), "ignore_case": True, "language": language}, "fail"
        )
        for one in parsed
    )


M = TypeVar("M")


class TaskContracts:
    """The contracts for the answers of each task.

    Args:
        redlines: `field:value` conditions for the answers of all tasks, in the form that `redline` takes. Each applies
            to every task whose schema has the field.

    Raises:
        UsageError: a malformed redline.
    """

    def __init__(self, *redlines: str) -> None:
        self._redlines = redline(*redlines)
        self._contracts: Registry[Contract[object]] = Registry("task", {})

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of the tasks, in the order in which they were added."""
        return self._contracts.names

    @overload
    def add(self, task: str, schema: type[M], constraints: Iterable[ContentConstraint] = ...) -> Contract[M]: ...
    @overload
    def add(self, task: str, schema: object, constraints: Iterable[ContentConstraint] = ...) -> Contract[Any]: ...
    def add(self, task: str, schema: object, constraints: Iterable[ContentConstraint] = ()) -> Contract[Any]:
        """Add a task, and return its contract, which has the task's name.

        Raises:
            UsageError: the task already exists, or `Contract` rejects the arguments.
        """
        own = (*constraints, *(one for one in self._redlines if _has_field(schema, one)))
        contract = Contract(schema, constraints=own, name=task)
        self._contracts.register(task, contract)
        return contract

    def contract(self, task: str) -> Contract[Any]:
        """Return the contract for a task.

        Raises:
            UsageError: there is no such task; the message names the nearest one and all of them.
        """
        return self._contracts.lookup(task)


def _has_field(schema: object, constraint: ContentConstraint) -> bool:
    """Return True if a valid answer can have the field, or if the schema leaves that open."""
    try:
        fields = Contract(schema).json_schema
    except UsageError:  # it refers to an undefined type
        return True
    if fields is None:
        return True
    lacking = missing_field(fields, constraint.pattern.steps, closed=not isinstance(schema, Mapping))
    return lacking is None or not lacking.closed
