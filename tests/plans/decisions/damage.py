"""What is read in documents of data that are damaged at each place, in answers around a plan, and in large files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from pytest_planguard import Contract, plan_rules
from pytest_planguard.plans.profiles.formats import PROFILES

from ...support.decisions import Block, Decided, Messages, sorted_out
from .descriptions import put
from .pieces import BEGINNINGS
from .show import check_text, found, whole

FIXTURES = Path(__file__).parents[3] / "fixtures" / "plans"
MAX_MARKDOWN = 2_000_000
"""Characters that a Markdown plan may have."""
_ODD: tuple[tuple[Any, ...], ...] = ((), (5,), ("TBD",), (["x", 5, None],), ({"a": 1},), (True,))
_OF_SCHEMA: tuple[tuple[Any, ...], ...] = ((), (["x", 5],))
"""Fewer values for artifacts, of whose fields a schema says more."""


def damaged(page: Messages) -> Iterator[Block]:
    """A sound document of each format of data, with each value left out, and with one of another type."""
    for profile in PROFILES:
        for file in FIXTURES.glob(f"{profile.name}.*") if profile.medium == "data" else ():
            data = _first_items(yaml.safe_load(file.read_text(encoding="utf-8")))
            usual = _lines(page, data, profile.name)
            made = []
            for path in (one for one in _paths(data) if 1 not in one):  # a second item stays as it is
                ways = []
                for values in _OF_SCHEMA if profile.family == "autospec" else _ODD:
                    lines = _lines(page, put(data, path, *values), profile.name)
                    added = ", ".join([line for line in lines if line not in usual][:2])[:120]
                    left = sum(line in lines for line in usual)
                    ways.append((f"{left} left{', ' * bool(added)}{added}", str(values)[1:-1] or "gone"))
                name = ".".join(map(str, path))
                made.append(Decided(f"{profile.name} {name}", sorted_out(ways), name))
            yield Block(f"{profile.name}: {len(usual)} lines", made)


def _lines(page: Messages, data: Any, name: str) -> list[str]:
    said = whole(page, check_text(json.dumps(data), path="a.json", format=name))
    return [line.partition("@")[0] for part in said.split(" / ") for line in part.split("; ")]


def _first_items(value: Any) -> Any:
    """Return a value with the first two items of each of its lists."""
    if isinstance(value, dict):
        return {key: _first_items(one) for key, one in value.items()}
    return [_first_items(one) for one in value[:2]] if isinstance(value, list) else value


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield (*path, key)
        yield from _paths(below, (*path, key))


_DEFECTS = {
    "spec-kit-tasks": "- [ ] T901 Again TBD\n  more of T904\n",
    "kiro-tasks": "- [ ] 1. Again TBD\n  more\n  - _Depends on: 9_\n",
    "superpowers": "### Task 1: Again TBD\n\n- [✓] a\n  TBD: b\n",
    "openspec-tasks": "- [ ] 1.1 Again TBD\n  after 1.9\n",
    "openspec-delta": "### Requirement: c\n\nIt is TBD.\n",
}
_AROUND = (*("{}", "Here it is:\n\n```markdown\n{}```\n", "\n\n{}", "Here it is: {}", "a\r\n\r\n```md\r\n{}```"),)


def answers(page: Messages) -> Iterator[Block]:
    """Where findings stand in an answer with a plan in it: in a fence, behind words, and as the whole."""
    for name, damage in _DEFECTS.items():
        contract = Contract(None, rules=plan_rules(name))
        made = []
        for around in _AROUND:
            verdict = contract.check(around.format(BEGINNINGS[name] + damage))
            made.append(Decided(f"{name} {around}", "; ".join(found(page, verdict.findings)), repr(around)))
        yield Block(name, made)


def large(page: Messages) -> Iterator[Block]:
    """What is decided about documents that are too large, and at each bound."""
    made = []
    for length in (MAX_MARKDOWN, MAX_MARKDOWN + 1):
        said = "; ".join(found(page, check_text("# A\n\n".ljust(length, "x"), path="a.md").findings))
        made.append((f"{length}", said))
    yield Block("characters", made)
