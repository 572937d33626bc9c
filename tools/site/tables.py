"""The generated pages of the reference: commands, options, plan rules, failure kinds, rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from typing import Any, get_type_hints

import click

from pytest_planguard.cli.commands import every_command
from pytest_planguard.cli.main import planguard
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.plans.profiles.formats import PROFILES
from pytest_planguard.plans.rules.judge_plan import RULES
from pytest_planguard.plugin.options import INI, OPTIONS
from pytest_planguard.report.plan_text import rule_text
from pytest_planguard.runs.model.run import CaseRow, RunHeader

from ..frameworks.table import table
from .names import fields_of, names_page


def commands() -> str:
    """Return the page of the command line, from click."""
    told = [("planguard", planguard), *((f"planguard {name}", one) for name, one in every_command(planguard))]
    parts = [f"## {name}\n\n```text\n{_help(name, one)}\n```\n" for name, one in told]
    return "\n".join(["# Command line\n", *parts])


def _help(name: str, command: click.Command) -> str:
    with click.Context(command, info_name=name, max_content_width=100) as context:
        return command.get_help(context)


def options() -> str:
    """Return the page of the plugin's options and ini values."""
    line = [f"| `{name}`<br>{_values(one.values)} | {_with_code(_cell(one.help))} |" for name, one in OPTIONS.items()]
    ini = [f"| `planguard_{name}` | {_cell(_ini_help(one))} |" for name, one in INI.items()]
    return "\n".join(
        [
            "# Options\n\nThe command line wins over the marker, and the marker over the ini file.\n",
            *("## Command line\n", "| option and values | meaning |", "|---|---|", *line),
            *("\n## Ini file\n", "| ini value | meaning |", "|---|---|", *ini, ""),
        ]
    )


def _with_code(text: str) -> str:
    """Return a help text with its example as code, which does not break inside an option."""
    return re.sub(r"(?<=Example: )(.+?)(?=\.?$)", r"`\1`", text)


def _values(values: tuple[str, ...] | str) -> str:
    return " ".join(f"`{value}`" for value in values) if isinstance(values, tuple) else values


def _ini_help(one: Any) -> str:
    return str(getattr(one, "help", one))


def plan_rules() -> str:
    """Return the page of plan rules and formats, from their table."""
    lines = ["# Plan rules\n\nEvery structural rule, with its default severity and an example, then every format.\n"]
    for rule in RULES:
        heading, _, what, *_ = rule_text(rule).splitlines()  # "dep-self (retry)", "", "No task waits for itself."
        lines += [f"## {rule.code}\n", f"{heading.partition(' ')[2].strip('()')}. {what}\n"]
        lines += [f"Example: {rule.example}\n", f"Fix: {rule.mend}\n"]
    lines += ["## Formats\n", "| format | family | document |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| `{one.name}` | {one.family} | {_cell(one.about)} |" for one in PROFILES), ""])


def failure_kinds() -> str:
    """Return the page of failure kinds: the phase of each, and if asking again can help."""
    rows = [f"| `{kind.value}` | {kind.phase.value} | {kind.reask.value} |" for kind in FailureKind]
    head = "# Failure kinds\n\nEvery finding has one of these kinds.\n\n| kind | phase | does asking again help? |"
    return "\n".join([head, "|---|---|---|", *rows, ""])


def rows() -> str:
    """Return the page of rows: each value in a run file, and its fields."""
    lines = ["# Rows\n\nA run file has a header, then one row per case. Each is one JSON object on one line.\n"]
    for cls in _values_below(RunHeader, CaseRow):
        lines += [f"## {cls.__name__}\n", f"{(cls.__doc__ or '').strip()}\n"]
        lines += [*(f"- `{name}`: {said}" for name, said in fields_of(cls).items()), ""]
    return "\n".join(lines)


def frameworks() -> str:
    """Return the page of every framework and SDK that was run, from the kept results."""
    head = "# Frameworks that were run\n\nEach case is an app that gets a bad answer and asks again."
    return f"{head}\n\n{table()}\n"


def _values_below(*classes: type) -> Iterator[type]:
    """Yield these dataclasses and those in their fields, each once."""
    seen: list[type] = []
    waiting = list(classes)
    while waiting:
        cls = waiting.pop(0)
        if cls not in seen:
            seen.append(cls)
            waiting += [one for hint in get_type_hints(cls).values() for one in _dataclasses(hint)]
    yield from seen


def _dataclasses(hint: Any) -> Iterator[type]:
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for inner in getattr(hint, "__args__", ()):
        yield from _dataclasses(inner)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


PAGES: Mapping[str, Callable[[], str]] = {
    "reference/command-line.md": commands,
    "reference/options.md": options,
    "reference/names.md": names_page,
    "reference/failure-kinds.md": failure_kinds,
    "reference/frameworks.md": frameworks,
    "reference/plan-rules.md": plan_rules,
    "reference/rows.md": rows,
}
"""Generated page to the function that writes it. Pages of docs/ link to them as if they existed there."""
