"""What is read in documents of data that are damaged at each place, in answers around a plan, and in large files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from pytest_planguard import Contract, plan_rules
from pytest_planguard.document.answer import Document
from pytest_planguard.errors import UsageError
from pytest_planguard.plans.compat.amelia import resolve_plan_path
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.profiles.profile_table import PROFILES
from pytest_planguard.plans.reading.outline import MAX_MARKDOWN, too_large

from ...support.readings import reading_of, shown_finding
from .descriptions import put
from .pieces import BEGINNINGS

FIXTURES = Path(__file__).parents[3] / "fixtures" / "plans"
_ODD: tuple[tuple[Any, ...], ...] = ((), (5,), ("TBD",), (["x", 5, None],), ({"a": 1},), (True,))
_OF_SCHEMA: tuple[tuple[Any, ...], ...] = ((), (["x", 5],))
"""Fewer values for artifacts, of whose fields a schema says more."""
_PLACE = re.compile(r"@?\b\d+:\d+(?:-\d+:\d+)? ?")
"""A place in the text, which moves when a value before it is another one: "@3:12", "3:12-3:15 "."""
_LONGEST = 240
"""Characters of a line that are shown."""


def damaged() -> Iterator[str]:
    """A sound document of each format of data, with each value left out, and with one of another type."""
    for profile in PROFILES:
        for file in FIXTURES.glob(f"{profile.name}.*") if profile.medium == "data" else ():
            data = _first_items(yaml.safe_load(file.read_text(encoding="utf-8")))
            usual = _lines(data, profile.name)
            yield f"# {profile.name}: {len(usual)} lines"
            for path in (one for one in _paths(data) if 1 not in one):  # a second item stays as it is, beside the first
                for values in _OF_SCHEMA if profile.family == "autospec" else _ODD:
                    lines = _lines(put(data, path, *values), profile.name)
                    added = [line for line in lines if line not in usual]
                    left = sum(line in lines for line in usual)
                    shown = " / ".join(added)
                    yield f"{'.'.join(map(str, path))} {str(values)[1:-1]}: {left} {shown[:_LONGEST]}"


def _lines(data: Any, name: str) -> list[str]:
    said = reading_of(check_text(json.dumps(data), path="a.json", format=name))
    return _PLACE.sub("", said).splitlines()


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


def answers() -> Iterator[str]:
    """Where findings stand in an answer with a plan in it: in a fence, behind words, and as the whole."""
    for name, damage in _DEFECTS.items():
        contract = Contract(None, rules=plan_rules(name))
        for around in (
            "{}",
            "Here it is:\n\n```markdown\n{}```\n",
            "\n\n{}",
            "Here it is: {}",
            "a\r\n\r\n```md\r\n{}```",
        ):
            verdict = contract.check(around.format(BEGINNINGS[name] + damage))
            yield f"# {name} {around!r}"
            yield from (shown_finding(finding)[:_LONGEST] for finding in verdict.findings)


def large() -> Iterator[str]:
    """What is said of documents that are too large, and at each bound."""
    for length in (MAX_MARKDOWN, MAX_MARKDOWN + 1):
        text = "x" * length
        found = too_large(Document(text, text, 0, "markdown", text))
        yield f"{length}: {found and shown_finding(found)} {too_large(Document(text, text, 0, 'json', text))}"


def paths() -> Iterator[str]:
    """Paths of amelia's plans for keys that would leave the folder, and patterns with other placeholders."""
    for key in ("ABC-1", "a/b", "a\\b", "../a", "a..b", "....", "/", "X/Y", "..X"):
        yield f"{key}: {resolve_plan_path('docs/{date}-{issue_key}.md', date='2026-01-04', issue_key=key)}"
    for pattern in ("{odd}", "{0}", "{", "{date", "a.md"):
        try:
            yield f"{pattern}: {resolve_plan_path(pattern, date='d', issue_key='k')}"
        except UsageError as error:
            yield f"{pattern}: {error}"


CASES = (damaged, answers, large, paths)
