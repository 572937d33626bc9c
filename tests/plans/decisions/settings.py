"""What the catalogue says of each rule, and what settings, comments and fixes make of findings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pytest_planguard.plan_search.plan_guards import check_level
from pytest_planguard.plans.judging.fix import fix_plan
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.plans.profiles.atomicguard import LevelSettings
from pytest_planguard.plans.rules.judge_plan import RULES
from pytest_planguard.report.plan_text import rule_text, rule_values

from ...support.decisions import Block, Decided, Messages, inputs
from ..compat.amelia_rows import plan_state, step_trace
from .show import PlanReport, check_text, decided, refused, said

FIXTURES = Path(__file__).parents[3] / "fixtures" / "plans"
_TWICE = "# Tasks\n\n## Phase 1: Setup\n\n- [ ] T001 a.py{0}\n- [ ] T001 b.py{1}\n{2}- [ ] T001 c.py\n"


def rules(page: Messages) -> Iterator[Block]:
    """How each rule weighs, and what it rests on; its words are on the page."""
    made = []
    for rule in RULES:
        values = rule_values(rule)
        page.add("about a rule", values["checks"])
        assert values["checks"] in rule_text(rule)
        rests_on = f", rests on {' '.join(values['rests_on'])}" if values["rests_on"] else ""
        made.append((rule.code, f"{values['severity']}, {'on' if values['on'] else 'off'}{rests_on}"))
    yield Block("rules", made)


def comments(page: Messages) -> Iterator[Block]:
    """What is found in a list of equal ids with a comment beside, above and in front of them."""
    made = []
    for comment in inputs("plans", "comments"):
        texts = (
            _TWICE.format("", f" {comment}", ""),
            _TWICE.format("", "", f"{comment}\n"),
            f"{comment}\n" + _TWICE.format("", "", ""),
        )
        reports = (policy_of(["spec-kit-tasks"]).judge({"a.md": one}, {"a.md"})["a.md"] for one in texts)
        made.append(Decided(comment, " | ".join(_codes(page, report) for report in reports)))
    yield Block("a comment beside, above and in front", made)


def _codes(page: Messages, report: PlanReport) -> str:
    """Return the findings of a report in short."""
    for one in report.findings:
        said(page, one)
    codes = [f"{one.code}:{one.severity.value}@{one.span.line if one.span else '-'}" for one in report.findings]
    return f"{report.verdict} {' '.join(codes)}".rstrip()


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


def weighed(page: Messages) -> Iterator[Block]:
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
    given: dict[str, list[tuple[str, str]]] = {path: [] for path in (*texts, "other.md")}
    for words in _SETTINGS:
        for path, report in policy_of(words).judge(texts).items():
            given[path].append((" ".join(words) or "no setting", _codes(page, report)))
    for name in ("spec-kit", "spec-kit-tasks", "atomicguard", "openspec", "autospec"):
        for forced in ((), (*texts, "other.md")):
            for path, report in policy_of([name]).judge(texts, forced).items():
                given[path].append((f"{name}{', forced' * bool(forced)}", _codes(page, report)))
    for path, ways in given.items():
        yield Block(path, [Decided(f"{path} {words}", codes, words) for words, codes in ways])
    made = []
    for level, finish in (("minimal", None), ("medium", None), ("expansive", None), ("minimal", "length")):
        text = texts["a/b.json"] if finish is None else texts["list.json"]
        findings = check_level(text, LevelSettings(level, None, 10), finish=finish)  # type: ignore[arg-type]
        codes = " ".join(f"{one.code}:{one.severity.value}" for one in findings)
        made.append((f"{level} {finish}", codes))
    digests = [policy_of(words).digest for words in (*_SETTINGS, ("spec-kit",), ("kiro",), ("schema=completed",))]
    made.append(("digests", f"{len(digests)} settings, {len(set(digests))} digests"))
    yield Block("levels", made)


_WORDS = (
    *((), ("spec-kit",), ("spec-kit-tasks",), ("kiro", "bmad"), ("spekit",), ("id-unique=warn",), ("id-unique=off",)),
    *(("id-unique=odd",), ("id-uniq=warn",), ("schema=off",), ("schema=implemented",), ("schema=odd",), ("schema",)),
    *(("legacy/*:id-unique=warn",), ("legacy/*:id-unique",), ("legacy/*:odd=warn",), ("a/*:id-gap=off",)),
    *(("level=minimal",), ("level=odd",), ("r_max=5",), ("r_max=x",), ("level=expansive", "max_explorations=0")),
    *(("catalogue=a,b",), ("catalogue=",), (" kiro ",)),
)


def policies(page: Messages) -> Iterator[Block]:
    """What words of a policy set, or that they set nothing."""
    plain = policy_of()
    yield Block("words", [(f"{one}", refused(page, partial(_policy, page, one, plain))) for one in _WORDS])


def _policy(page: Messages, words: tuple[str, ...], plain: Any) -> str:
    one = policy_of(words)
    page.add("no plan", one.unknown())
    off = sorted({rule.code for rule in plain.rules} - {rule.code for rule in one.rules})
    severity = {code: level.value for code, level in one.severity.items()}
    set_so = {
        "format": one.format,
        "off": off,
        "severity": severity,
        "schema": one.schema,
        "version": one.version,
        "overrides": len(one.overrides),
        "levels": one.levels,
        "catalogue": one.catalogue,
        "medium": one.medium,
    }
    return ", ".join(f"{name} {value}" for name, value in set_so.items() if value) + ", as plain" * (
        one.digest == plain.digest
    )


COMMENTED = inputs("plans", "commented")
FIXED = inputs("plans", "fixed_documents")
_STATES = inputs("plans", "words_for_states")
_LISTS = inputs("plans", "lists_with_totals")


def fixes(page: Messages) -> Iterator[Block]:
    """What comments switch off, and what becomes of words for a state, of totals, and of what a schema asks for."""
    reports = {text: policy_of().judge({"specs/a/tasks.md": text})["specs/a/tasks.md"] for text in COMMENTED}
    yield Block("comments", [Decided(text, decided(page, report)) for text, report in reports.items()])
    made = [
        Decided(f"{name} {text}", " | ".join(_fixed(page, name, text, schema=one) for one in (False, True)), f"{name}")
        for name, text in FIXED
    ]
    yield Block("documents that are fixed", made)
    made = []
    for word in _STATES:
        inline = f"{_PART}  - {{id: T001, title: a, status: {word}}}\n"
        block = f"{_PART}  - id: T001\n    title: a\n    status: {word}\n"
        story = f"# Story 1.1: a\n\nStatus: {word}\n\n## Acceptance Criteria\n\n1. a\n"
        ways = [_fixed(page, "autospec-tasks", inline, schema=schema) for schema in (False, True)]
        ways += [_fixed(page, "autospec-tasks", block, schema=False), _fixed(page, "bmad-story", story, schema=True)]
        made.append((word, " | ".join(ways)))
    yield Block("words for a state: in a line, by the schema, in a block, of a story", made)
    made = []
    for text in _LISTS:
        ways = [_fixed(page, "spec-kit-tasks", text.format(total), schema=False) for total in ("2", "3", "0")]
        made.append(Decided(text, " | ".join(ways)))
    yield Block("a total of 2, 3 and 0", made)


def _fixed(page: Messages, name: str, text: str, *, schema: bool) -> str:
    """Return the lines that a fix changes."""
    one = fix_plan(check_text(text, format=name), lambda changed: check_text(changed, format=name), schema=schema)
    for line in (*one.changes, *one.proposed):
        page.add("fix", str(line))
    before, after = text.splitlines(), one.after.splitlines()
    changed = "; ".join(line.strip() for line in after if line not in before)
    return (
        f"{changed or 'other lines'}{f', {len(one.proposed)} proposed' if one.proposed else ''}"
        if after != before
        else "same"
    )


def traces(page: Messages) -> Iterator[Block]:
    """The contracts of a row in the order of their answers, and the state of a plan after attempts."""
    first = {"contract": "b", "attempts": [{"exchange": 2}, {"exchange": 4}]}
    second = {"contract": "a", "attempts": [{"exchange": 1}, {"exchange": 3}]}
    rows: tuple[list[dict[str, Any]], ...] = ([first, second], [{"contract": "a", "attempts": []}], [])
    yield Block("rows", [Decided(f"{row}", f"{step_trace(row)}", f"{len(row)} contracts") for row in rows])
    severities = ("info", "warn", "retry", "fail")
    made = []
    for number in range(5):
        findings = [
            {"severity": one, "message": one, "span": {"line": 3} if one == "fail" else None}
            for one in severities[:number]
        ]
        attempts = [{"ok": False, "findings": []}, {"ok": number < 3, "findings": findings}]
        states = [plan_state({"attempts": some}) for some in (attempts, attempts[: number // 4])]
        said = " | ".join(_state(state) for state in states)
        made.append((f"{number} findings", said))
    yield Block("states", made)
    words = (("odd.yaml",), ("json-schema=gone.json",), ("kiro", "json-schema=gone.json"), ("json-schema=",))
    made = [(f"{one}", refused(page, partial(policy_of, one, folder="nowhere"))) for one in words]
    yield Block("files that are not there", made)


def _state(state: dict[str, Any]) -> str:
    one, revisions = state["plan_validation_result"], state["plan_revision_count"]
    valid = "valid" if one["valid"] else "invalid"
    return f"{valid} {one['severity']} {len(one['issues'])}, {revisions} revisions"
