"""What the catalogue says of each rule, and what settings and comments make of findings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pytest_planguard.errors import UsageError
from pytest_planguard.plans.catalogue import explain, list_rules, rule_values
from pytest_planguard.plans.compat.amelia_rows import plan_state, step_trace
from pytest_planguard.plans.compat.atomicguard_levels import check_level
from pytest_planguard.plans.fix import fix_plan
from pytest_planguard.plans.judging.judge_files import PlanReport, check_text
from pytest_planguard.plans.policy import policy_of
from pytest_planguard.plans.rules.rule_table import RULES
from pytest_planguard.report.explain.lookup import meanings

FIXTURES = Path(__file__).parents[3] / "fixtures" / "plans"
_TWICE = "# Tasks\n\n## Phase 1: Setup\n\n- [ ] T001 a.py{0}\n- [ ] T001 b.py{1}\n{2}- [ ] T001 c.py\n"


def rules() -> Iterator[str]:
    """What is listed, explained and given to programs of each rule."""
    yield list_rules()
    for rule in RULES:
        yield explain(rule)
        yield str(rule_values(rule))
        yield from (entry.why for entry in meanings(rule.code))


def comments(comment: str) -> str:
    """Return what is found in a list of equal ids with a comment beside, above and in front of them."""
    texts = (
        _TWICE.format("", f" {comment}", ""),
        _TWICE.format("", "", f"{comment}\n"),
        f"{comment}\n" + _TWICE.format("", "", ""),
    )
    return "; ".join(
        _codes(policy_of(["spec-kit-tasks"]).judge({"tasks.md": text}, {"tasks.md"})["tasks.md"]) for text in texts
    )


def _codes(report: PlanReport) -> str:
    """Return the findings of a report in short."""
    said = [f"{one.code}:{one.severity.value}@{one.span.line if one.span else '-'}" for one in report.findings]
    return f"{report.verdict} {' '.join(said)}".rstrip()


_PART = "phases:\n- number: 1\n  title: a\n  tasks:\n"
_SETTINGS: tuple[tuple[str, ...], ...] = (
    *(
        (),
        ("level=minimal",),
        ("level=medium",),
        ("level=expansive",),
        ("level=medium", "r_max=1"),
        ("catalogue=syntax",),
    ),
    *(("level=expansive", "max_explorations=1"), ("level=medium", "catalogue=syntax,tests"), ("schema=off",)),
    *(("schema=implemented",), ("budget-sum=fail",), ("budget-sum=off", "id-unique=info"), ("a/*:id-unique=warn",)),
    *(
        ("a/*:id-unique=off", "a/b*:id-unique=info"),
        ("b/*:id-unique=off",),
        ("file-path-present=info",),
        ("id-gap=warn",),
    ),
)


def weighed() -> Iterator[str]:
    """What is found in files with each setting, where they are told by their content, named, and forced."""
    steps = json.loads((FIXTURES / "atomicguard.json").read_text(encoding="utf-8"))
    texts = {
        "a/plan.json": json.dumps({**steps, "total_retry_budget": 1}),
        "a/b.json": json.dumps({**steps, "goal_state": ["odd"]}),
        "a/spec.yaml": (FIXTURES / "autospec-spec.yaml").read_text(encoding="utf-8").replace("status: ", "status: X"),
        "a/tasks.md": _TWICE.format("", "", ""),
        "b/tasks.md": _TWICE.format("", "", "").replace("T001 c", "T004 Write c"),
        "notes.md": "# Notes\n\n- [ ] Write it\n",
        "list.json": "[1",
        "mixed.yaml": "_meta: {artifact_type: tasks}\nphases:\n- tasks:\n  - {id: T001, title: 5}\n  - {id: T001}\n",
        "fenced.yaml": f"Here:\n\n```yaml\n{_PART}  - {{id: T001, title: a}}\n```\n",
    }
    for words in _SETTINGS:
        yield f"# {words}"
        yield from (f"  {path}: {_codes(report)}" for path, report in policy_of(words).judge(texts).items())
    for name in ("spec-kit", "spec-kit-tasks", "atomicguard", "openspec", "autospec"):
        policy = policy_of([name])
        yield f"# {name} {policy.medium} {policy.unknown()}"
        for forced in ((), (*texts, "other.md")):
            yield from (
                f"  {path}{'!' * bool(forced)}: {_codes(report)}"
                for path, report in policy.judge(texts, forced).items()
            )
    for level, finish in (("minimal", None), ("medium", None), ("expansive", None), ("minimal", "length")):
        text = texts["a/b.json"] if finish is None else texts["list.json"]
        verdict = check_level(text, level, r_max=10, finish=finish)  # type: ignore[arg-type]
        yield f"{level} {finish}: {[f'{one.code}:{one.severity.value}' for one in verdict.findings]}"
    digests = [policy_of(words).digest for words in (*_SETTINGS, ("spec-kit",), ("kiro",), ("schema=completed",))]
    yield f"{len(digests)} settings, {len(set(digests))} digests"


_STATES = (
    *(
        "in progress",
        "'in progress'",
        '"in-progress"',
        "IN_PROGRESS",
        "InProgress",
        "completed",
        "'completed",
        "complete",
        "pend ing",
    ),
    *("Blocked ", "'5'", "5", "''", "odd", "x y z", "blocked # kept", "{a: 1}", "[pending]"),
)
_LISTS = (
    "# Tasks\n\n## Phase 1: a ({0} tasks)\n\n- [ ] T001 a.py\n- [ ] T002 b.py\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "# Tasks\n\n## Phase 1: a\n\n- [✓] T001 a.py\n- [ ] T002 b.py\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "# Tasks\n\n## Phase 1: a\n\n- [ ] T001 a.py\n- [ ] T001 b.py\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "# Tasks\n\n## Phase 1: a\n\n- [ ] T001 a.py\n- [ ] T002 b.py\n- [ ] c.py\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "# Tasks\n\n## Phase 1: a\n\n### T001 a.py\n- [ ] T002 b.py\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "# Tasks\n\n## Phase 1: a\n\n- [ ] T001 a.py\n  - [ ] T002 b.py\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "# Tasks\n\n## Phase 1: a\n\n- [ ] T001 a.py\n* [x] T002 b.py\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "## Phase 1: a\n\n- [ ] T001 a\n- [ ] T002 b\n\n## More\n\n- [ ] c\n- [ ] d\n\n## Notes\n\n**Total Tasks**: {0}\n",
    "## Phase 1: a\r\n\r\n- [ ] T001 a.py\r\n- [ ] T002 b.py\r\n\r\n## Notes\r\n\r\n**Total Tasks**: {0}\r\n",
    "# Tasks\r\r## Phase 1: a\r\r- [ ] T001 a.py\r- [ ] T002 b.py\r\r## Notes\r\r**Total Tasks**: {0}\r",
    "# Tasks\n\n**Total Tasks**: {0}\n\n## Phase 1: a\n\nNone.\n",
)


def mended() -> Iterator[str]:
    """What becomes of words for a state, of totals, and of what the schema asks for."""
    for word in _STATES:
        text = f"{_PART}  - {{id: T001, title: a, status: {word}}}\n"
        yield f"{word}: {_fixed('autospec-tasks', text, schema=False)} | {_fixed('autospec-tasks', text, schema=True)}"
        text = f"{_PART}  - id: T001\n    title: a\n    status: {word}\n"
        yield f"  below: {_fixed('autospec-tasks', text, schema=False)}"
        story = f"# Story 1.1: a\n\nStatus: {word}\n\n## Acceptance Criteria\n\n1. a\n"
        yield f"  of a story: {_fixed('bmad-story', story, schema=True)}"
    for text in _LISTS:
        for total in ("2", "3", "0"):
            yield f"{text!r} {total}: {_fixed('spec-kit-tasks', text.format(total), schema=False)}"


def _fixed(name: str, text: str, *, schema: bool) -> str:
    found = fix_plan(check_text(text, format=name), lambda one: check_text(one, format=name), schema=schema)
    before, after = text.splitlines(), found.after.splitlines()
    changed = [line for line in after if line not in before]
    return f"{changed if after != before else 'same'} {list(found.changes)} {list(found.proposed)}"


def traces() -> Iterator[str]:
    """The contracts of a row in the order of their answers, and a code that is not known."""
    first = {"contract": "b", "attempts": [{"exchange": 2}, {"exchange": 4}]}
    second = {"contract": "a", "attempts": [{"exchange": 1}, {"exchange": 3}]}
    rows: tuple[list[dict[str, Any]], ...] = ([first, second], [{"contract": "a", "attempts": []}], [])
    yield from (f"{step_trace(row)}" for row in rows)
    severities = ("info", "warn", "retry", "fail")
    for number in range(5):
        findings = [
            {"severity": one, "message": one, "line": 3 if one == "fail" else None} for one in severities[:number]
        ]
        attempts = [{"ok": False, "findings": []}, {"ok": number < 3, "findings": findings}]
        yield f"{plan_state({'attempts': attempts})} {plan_state({'attempts': attempts[: number // 4]})}"
    for words in (("odd.yaml",), ("json-schema=gone.json",), ("kiro", "json-schema=gone.json"), ("json-schema=",)):
        yield f"{words}: {_or_error(partial(policy_of, words, folder='nowhere'))}"


def _or_error(work: partial[object]) -> str:
    try:
        return str(work())
    except UsageError as error:
        return f"UsageError: {error}"
