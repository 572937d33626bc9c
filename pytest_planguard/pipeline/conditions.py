"""Conditions that pause a pipeline (`field:value`, `Task:state`), and the contracts of its tasks, with redlines."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from ..contract.constraints.constraint import ContentConstraint
from ..contract.contract import Contract
from ..contract.schema.schema_fields import missing_field
from ..document.limits import possessive
from ..document.path_pattern import parse_path
from ..errors import UsageError
from ..registry import Registry

_YES = frozenset({"true", "1", "yes", "on"})


def setting(environ: Mapping[str, str], name: str) -> str:
    """Return the value of `PLANGUARD_<name>`, or of PlanExe's `PLANEXE_<name>`, or ""."""
    return environ.get(f"PLANGUARD_{name}") or environ.get(f"PLANEXE_{name}") or ""


def switched_on(environ: Mapping[str, str], name: str) -> bool:
    """Return True if a setting is `true`, `1`, `yes` or `on`, in any case."""
    return setting(environ, name).strip().lower() in _YES


_IN_QUOTES = possessive(r'[^"\\]|\\.')
_ENTRY = re.compile("(" + possessive(f'"{_IN_QUOTES}"|[^,"]') + r")(,|\Z)")
"""One entry up to its comma; in `field:"a, b",Task:blocked` the first comma belongs to the value."""
_QUOTED = re.compile(f'"({_IN_QUOTES})"')
"""`"a, b"`. The group is the text between the quotes."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition. The caller checks it against an answer's fields or against a task."""

    name: str
    """A field's path in the syntax of constraints ("steps[*].risk"), or a task's name."""
    value: str
    """The field's value, or the task's state."""

    def __str__(self) -> str:
        return f"{self.name}:{self.value}"

    def matching_value(self, data: object) -> str | None:
        """Return the value of an answer's field that meets the condition; None if no value does.

        Case does not matter, and the value may continue after the words: "Do not execute. The …" meets "Do Not
        Execute".
        """
        try:
            path = parse_path(self.name)
        except UsageError:  # the name of a task may be any text: "Draft the plan:blocked"
            return None
        values = (found for _, found in path.select(data))
        texts = (
            text if isinstance(text, str) else json.dumps(text, ensure_ascii=False, default=str) for text in values
        )
        return next(filter(self._meets, texts), None)

    def matches_task(self, task: str, state: str) -> bool:
        """Return True if the task is in the state."""
        return self.name == task and self.value.casefold() == state.strip().casefold()

    def _meets(self, text: str) -> bool:
        found, wanted = text.strip().casefold(), self.value.casefold()
        rest = found[len(wanted) :]
        return found.startswith(wanted) and not rest[:1].isalnum()  # "Go" is not met by "Gone"


def parse_conditions(text: str) -> tuple[Condition, ...]:
    """Return the conditions of a comma-separated list; quotes protect commas and blanks in a value.

    Raises:
        UsageError: an entry without a colon, an empty name or value, or an unclosed quote.
    """
    entries, at = [], 0
    while at < len(text):
        entry = _ENTRY.match(text, at)
        if entry is None:
            raise UsageError(f"wrong list of conditions: got {text[at:]!r} with a quote that is not closed; close it")
        entries.append(entry[1].strip())
        at = entry.end()
    return tuple(_condition(entry) for entry in entries if entry)


def pause_on(environ: Mapping[str, str] = os.environ) -> tuple[Condition, ...]:
    """Return the conditions of `PLANGUARD_PAUSE_ON`, or of `PLANEXE_PAUSE_ON`; () if neither is set.

    Raises:
        UsageError: as for `parse_conditions`.
    """
    return parse_conditions(setting(environ, "PAUSE_ON"))


def _condition(entry: str) -> Condition:
    whole = _QUOTED.fullmatch(entry)
    name, colon, value = (_unquoted(whole[1]) if whole else entry).partition(":")
    quoted = _QUOTED.fullmatch(value.strip())
    value = _unquoted(quoted[1]) if quoted else value.strip()
    if not colon or not name.strip() or not value:
        raise UsageError(f"wrong condition to pause on: got {entry!r}; write field:value or Task:state")
    return Condition(name.strip(), value)


def _unquoted(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


# A pipeline's contracts: a schema and constraints per task, and redlines for all tasks.


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
