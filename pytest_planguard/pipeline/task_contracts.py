"""The contracts of a pipeline's tasks in one registry: schema and constraints by task, redlines for all of them."""

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
    """Return a constraint of severity fail for each `field:value`; a contract of any task takes them.

    The value counts anywhere in the field's text, in any case. A finding of severity fail ends the retries, and opens
    a gate that is given the findings: `gate.check(task, value, findings=verdict.findings)`.

    Args:
        conditions: such as "go_no_go_recommendation:Do Not Execute"; several may stand in one text, with commas.
        language: that of the values, which good answers in another one would not hold.

    Raises:
        UsageError: a condition without a colon, an empty name or value, a quote that is not closed.
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
    """What the answers of each task have to hold.

    Args:
        redlines: `field:value` on the answer of any task, as `redline` takes it. Each counts for every task whose
            schema has the field.

    Raises:
        UsageError: a malformed redline.
    """

    def __init__(self, *redlines: str) -> None:
        self._redlines = redline(*redlines)
        self._contracts: Registry[Contract[Any]] = Registry("task", {})

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
            UsageError: the task is there already, or as `Contract`.
        """
        own = (*constraints, *(one for one in self._redlines if _has_field(schema, one)))
        contract = Contract(schema, constraints=own, name=task)
        self._contracts.register(task, contract)
        return contract

    def contract(self, task: str) -> Contract[Any]:
        """Return the contract of a task.

        Raises:
            UsageError: there is no such task; the message has the nearest name and all of them.
        """
        return self._contracts.lookup(task)


def _has_field(schema: object, constraint: ContentConstraint) -> bool:
    """Return whether an answer that keeps the schema can have the field; where the schema leaves that open, it can."""
    try:
        fields = Contract(schema).json_schema
    except UsageError:  # it names a type that is not defined yet
        return True
    if fields is None:
        return True
    lacking = missing_field(fields, constraint.pattern.steps, closed=not isinstance(schema, Mapping))
    return lacking is None or not lacking.closed
