"""Conditions that pause a pipeline: `field:value` on an answer, `Task:state` on a task; settings in the environment."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..document.limits import possessive
from ..document.path_pattern import parse_path
from ..errors import UsageError

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
        values = (found for _, found in parse_path(self.name).select(data))
        return next((text for text in map(_as_text, values) if self._meets(text)), None)

    def matches_task(self, task: str, state: str) -> bool:
        """Return True if the task is in the state."""
        return self.name == task and self.value.casefold() == state.strip().casefold()

    def _meets(self, text: str) -> bool:
        found, wanted = text.strip().casefold(), self.value.casefold()
        rest = found[len(wanted) :]
        return found.startswith(wanted) and not rest[:1].isalnum()


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


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
