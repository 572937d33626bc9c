"""What is said of artifacts, of step plans at each level, in amelia's loop, of words of a policy, and of fixes."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from pytest_planguard.errors import UsageError
from pytest_planguard.plans.artifacts.artifact_fixes import fix_artifact
from pytest_planguard.plans.artifacts.field_checks import check_object
from pytest_planguard.plans.artifacts.schemas import schema_of
from pytest_planguard.plans.artifacts.validate import validate_artifact
from pytest_planguard.plans.compat import amelia
from pytest_planguard.plans.compat.atomicguard_levels import check_level
from pytest_planguard.plans.compat.autospec_words import design_lines, error_strings, validate
from pytest_planguard.plans.detect import detect
from pytest_planguard.plans.fix import fix_plan
from pytest_planguard.plans.judging.judge_files import check_text, read_document
from pytest_planguard.plans.model.plan import Traits
from pytest_planguard.plans.policy import policy_of
from pytest_planguard.plans.profiles.profile_table import PROFILES
from pytest_planguard.plans.reading.source import Source

from . import damage
from .descriptions import described, put, wrong_descriptions
from .documents import folders, rendered, rule_settings, scores, told
from .judged import judged
from .settings import mended, rules, traces, weighed

FIXTURES = Path(__file__).parents[3] / "fixtures" / "plans"
DOCUMENTS = Path(__file__).parents[1] / "readings" / "documents"
KINDS = ("spec", "plan", "tasks", "analysis", "checklist", "constitution")
_MORE: dict[str, tuple[tuple[tuple[Any, ...], Any], ...]] = {
    "spec": ((("feature", "input"), "as asked"),),
    "plan": ((("technical_context", "constraints"), ["none"]),),
    "tasks": ((("phases", 0, "tasks", 0, "notes"), "as planned"),),
    "checklist": (
        (("checklist", "audience"), "author"),
        (("checklist", "depth"), "standard"),
        (("categories", 0, "items", 0, "quality_dimension"), "clarity"),
    ),
    "constitution": ((("sections",), [{"name": "Scope", "content": "All of it."}]),),
}
"""Fields that the sound artifacts do without."""
_ODD: tuple[Any, ...] = (None, 5, "x" * 1001, ["x"], {"x": 1}, True)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield (*path, key)
        yield from _paths(below, (*path, key))


def schemas() -> Iterator[str]:
    """Each field of each artifact: left out, and with a value of each type."""
    for kind in KINDS:
        data = yaml.safe_load((FIXTURES / f"autospec-{kind}.yaml").read_text(encoding="utf-8"))
        for path, value in _MORE.get(kind, ()):
            data = put(data, path, value)
        for version in ("completed", "implemented"):
            fields = schema_of(kind, version)
            for strict in (False, True):
                yield f"# {kind} {version} strict={strict} {_breaches({}, fields, strict)}"
                for path in _paths(data) if version == "completed" else [("feature", "status")] * (kind == "spec"):
                    for values in ((), *((odd,) for odd in _ODD)):
                        found = _breaches(put(data, path, *values), fields, strict)
                        if found:
                            yield f"{'.'.join(map(str, path))} {str(values)[:12]}: {found}"


def _breaches(data: Any, fields: Any, strict: bool) -> str:
    found = check_object(data, fields, (), strict=strict)
    return "; ".join(
        f"{b.code} {b.path} {b.at} {b.message} | {b.expected} | {b.actual!s:.20} | {b.hint}" for b in found
    )


_TOP = (
    "tasks",
    "phases",
    "summary",
    "feature",
    "user_stories",
    "plan",
    "analysis",
    "findings",
    "checklist",
    "principles",
)
"""Fields of artifacts, each of which is a hint of a kind."""
ARTIFACTS = (
    ("spec", "feature: {branch: 1, created: x, status: Drft}\nuser_stories: []\n"),
    ("spec", "[]\n"),
    ("spec", "a: [\n"),
    (
        "tasks",
        "feature: 5\nphases:\n  - {number: 1, tasks: [{id: T1, status: Blocked}, {id: T1, dependencies: [T1, T9]}]}\n",
    ),
    ("plan", "risks: [{id: R1, impact: high}, {impact: high, mitigation: ' '}, {impact: high, mitigation: x}, 5]\n"),
    ("tasks", "phases: [{tasks: [{id: T001, dependencies: [T002]}, {id: T002, dependencies: [T001]}]}]\n"),
    ("tasks", "phases: 5\n"),
    ("tasks", "phases: [{tasks: [{id: T001, dependencies: [T001, T001]}]}]\n"),
    ("plan", "summary: {a: 1}\nsummary: x\n"),
    (
        "tasks",
        f"phases: [{{tasks: [{{id: T001, notes: {'n' * 1001}, status: Done}}, {{id: T001, notes: {'n' * 1000}}}]}}]\n",
    ),
    ("plan", "X: 1\nsummary: X\nrisks: X\n"),
    ("spec", "_meta: {}\r\nfeature: {status: draft}\r\nuser_stories: [{priority: p1}, {priority: 'P 2'}]\r\n"),
    ("spec", "feature: {status: Draft}\rodd: 1"),
    ("spec", "feature: {status: draft}"),
    ("tasks", "phases: [{tasks: [{id: T001, dependencies: [T002]}, {id: T002, dependencies: [T003, T001]}]}]\n"),
    ("tasks", "# only a comment\n\n  # more\n"),
    ("tasks", "summary: {total_tasks: 5, total_phases: 1}\nphases: [{number: 1, tasks: [{id: T001}, {id: T002}]}]\n"),
    ("tasks", "phases: [5, {tasks: 5}, {tasks: [5, {status: Blocked, blocked_reason: x}, {status: Blocked}]}]\n"),
    (
        "checklist",
        "checklist: {audience: me}\ncategories: [{items: [{id: 1, quality_dimension: Clarity}]}]\n",
    ),
    ("analysis", "analysis: {timestamp: 5}\nfindings: [{severity: HIGH, category: odd}]\nsummary: []\n"),
    ("constitution", "constitution: {version: 1}\nprinciples: [{name: a, category: odd, priority: MUST}, 5]\n"),
    ("plan", "Here it is:\n\n```yaml\nsummary: x\n```\n"),
)


def artifacts() -> Iterator[str]:
    """Broken artifacts: findings, the words of the original and of its design, and what is fixed."""
    for kind, text in ARTIFACTS:
        for strict in (False, True):
            report = validate_artifact(text, kind, strict=strict)
            said = [
                f"{f.span} {f.path} {f.code} {f.severity.value} {f.message} {f.expected} {f.actual} {f.hint}"
                for f in report.findings
            ]
            weights = f"{report.valid} {len(report.errors)} {len(report.warnings)}"
            yield "\n".join([f"{kind} {text!r} strict={strict}: {report.kind} {weights}", *said])
        yield "\n".join(["  original:", *error_strings(validate(text, kind))])
        yield "\n".join(["  design:", *design_lines(validate_artifact(text, kind).findings, kind)])
        fixed = fix_artifact(text, kind)
        yield f"  fixed: {fixed.after!r} {fixed.changes} {fixed.proposed}"
        yield f"  {fixed.diff()!r} {fixed.diff('b.yaml').splitlines()[:2]}"
    for text in (*(f"{name}: {{}}\n" for name in _TOP), "", "a: 1\n", "phases: []\ntasks: {}\nsummary: {}\n"):
        yield f"{text!r} {validate_artifact(text).kind}"
    for kind, version in (("odd", "completed"), ("spec", "odd")):
        yield _or_error(lambda k=kind, v=version: validate_artifact("a: 1", k, version=v))  # type: ignore[misc]


def _or_error(work: Any) -> str:
    try:
        return str(work())
    except UsageError as error:
        return f"UsageError: {error}"


def levels() -> Iterator[str]:
    """The sound step plan, damaged at each place, at each level."""
    data = json.loads((FIXTURES / "atomicguard.json").read_text(encoding="utf-8"))
    for level in ("minimal", "medium", "expansive"):
        for path in [(), *_paths(data)]:
            for values in ((), (["x"],), (1000,)) if path else (("same",),):
                text = json.dumps(put(data, path, *values) if path else data)
                for catalogue in (None, ("syntax",)):
                    found = check_level(text, level, catalogue=catalogue, r_max=10, max_explorations=3)  # type: ignore[arg-type]
                    said = [f"{f.code} {f.path} {f.message}; {f.expected}; {f.hint}" for f in found.findings]
                    yield f"{level} {path} {values} {catalogue}: {found.outcome.value} {said}"


_RACES: tuple[tuple[dict[str, list[str]], ...], ...] = (
    ({"needs": ["y"], "gives": ["x"]}, {"needs": [], "gives": ["y"]}),
    ({"needs": ["y"], "gives": ["x"], "after": ["s1"]}, {"needs": [], "gives": ["y"]}),
    ({"needs": [], "gives": ["y"]}, {"needs": ["y"], "gives": [], "after": ["s0"]}),
)


def races() -> Iterator[str]:
    """What is found when every order of a step plan is walked, with as many steps as may be looked at and one less."""
    for steps in _RACES:
        listed = [
            {
                "step_id": f"s{at}",
                "name": f"Step {at}",
                "guard": "syntax",
                "retry_budget": 1,
                "preconditions": one["needs"],
                "effects": one["gives"],
                "dependencies": one.get("after", []),
            }
            for at, one in enumerate(steps)
        ]
        text = json.dumps({"plan_id": "p", "initial_state": [], "goal_state": ["x"], "steps": listed})
        for level in ("minimal", "medium", "expansive"):
            for limit in (1, 2, 3, 4, 5):
                found = check_level(text, level, r_max=10, max_explorations=limit)  # type: ignore[arg-type]
                said = [f"{f.code} {f.path} {f.message}; {f.expected}; {f.hint}" for f in found.findings]
                yield f"{steps} {level} {limit}: {found.outcome.value} {found.explored} {said}"


GOALS = (
    "# Refresh Implementation Plan\n\n**Goal:** Renew a\nsession\n\nmore",
    "# Refresh implementation plan",
    "# Implementation Plan",
    "# Refresh",
    "no title",
    "**Goal:**\n\n# A",
    "**Goal:** a\n# b",
    "**Goal:** a\n**b**",
    "**Goal:**\na",
    "## Only a section",
)
_LONG = "### Task 1: Write it\n\nCreate: `src/a.py`\nModify: src/b.tsx, and\nTest: c.odd Edit: d.md) Delete: `x.py`\n"


def loops() -> Iterator[str]:
    """What amelia's node makes of plans: goals, files, verdicts, routes."""
    for text in (*GOALS, _LONG, "### Task 1.2: a\n### Task 2:\n### Task x:\n"):
        count, files = amelia.extract_task_count(text), amelia.extract_key_files(text)
        yield f"{text!r}: {amelia.extract_goal(text)!r} {count} {files}"
    for ending in ("py", "tsx", "ts", "jsx", "js", "go", "rs", "md", "odd"):
        yield f"{amelia.extract_key_files(f'Create: a.{ending}, b')} {amelia.extract_key_files(f'Move: a.{ending}')}"
    for length in (99, 199, 200, 201):
        text = (_LONG + "**Goal:** a\n## Phase\n" + "x" * 300)[:length]
        for goal in (None, "", "Implementation plan", "a", " TODO. "):
            for mode in ("compat", "strict"):
                found = amelia.validate_plan_structure(goal, text, mode=mode)  # type: ignore[arg-type]
                codes = [(one.code, one.actual, one.expected) for one in found.findings]
                yield f"{length} {goal!r} {mode}: {found.valid} {found.severity.value} {found.issues} {codes}"
        yield f"{length} {amelia.looks_like_plan(text)}"
    for text in (f"### Task 1: {'a' * 87}", f"### Task 1: {'a' * 88}", "a" * 100, f"a ### Task 1: {'a' * 100}"):
        yield f"{len(text)} {text[:14]!r} {amelia.looks_like_plan(text)}"
    bad = amelia.PlanValidationResult(valid=False, issues=("one", "two"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for result in (None, amelia.PlanValidationResult(valid=True), bad):
            routes = [amelia.route_after_plan_validation(result, n) for n in (0, 1, 2, 3, 4)]
            yield f"{routes} {amelia.route_after_plan_validation(result, 1, 1)} {amelia.revision_feedback(result)!r}"
    yield f"{[str(one.message) for one in caught]}"
    for marker, ini in ((None, None), (1, None), (None, 2), (1, 2), (0, 5)):
        yield f"{marker} {ini} {_or_error(partial(amelia.max_iterations_from, marker, ini))}"


_WORDS = (
    *((), ("spec-kit",), ("spec-kit-tasks",), ("kiro", "bmad"), ("spekit",), ("id-unique=warn",), ("id-unique=off",)),
    *(("id-unique=odd",), ("id-uniq=warn",), ("schema=off",), ("schema=implemented",), ("schema=odd",), ("schema",)),
    *(("legacy/*:id-unique=warn",), ("legacy/*:id-unique",), ("legacy/*:odd=warn",), ("a/*:id-gap=off",)),
    *(("level=minimal",), ("level=odd",), ("r_max=5",), ("r_max=x",), ("level=expansive", "max_explorations=0")),
    *(("catalogue=a,b",), ("catalogue=",), (" kiro ",)),
)


def policies() -> Iterator[str]:
    """What words of a policy set, or why they set nothing."""
    plain = policy_of()
    for words in _WORDS:
        yield f"{words}: {_or_error(lambda words=words: _policy(words, plain.digest))}"  # type: ignore[misc]


def _policy(words: tuple[str, ...], plain: str) -> str:
    found = policy_of(words)
    off = sorted({rule.code for rule in policy_of().rules} - {rule.code for rule in found.rules})
    severity = {code: level.value for code, level in found.severity.items()}
    said = f"{found.format} off={off} {severity} schema={found.schema} {found.version} {found.overrides} {found.levels}"
    return f"{said} {found.catalogue} {found.medium} {found.unknown()} same={found.digest == plain}"


COMMENTED = (
    (
        "# Tasks\n\n## Phase 1: a\n\n- [ ] T001 Write a.py\n<!-- planguard-disable-next-line id-unique -- kept -->\n"
        "- [ ] T001 Write b.py\n- [ ] T001 Again <!-- planguard-disable-line id-unique, id-gap -- so -->\n- [ ] T001\n"
    ),
    "# Tasks\n<!-- planguard-disable-file id-unique -- all -->\n## Phase 1: a\n\n- [ ] T001 Write\n- [ ] T001 Write\n",
    (
        "# Tasks\n<!-- planguard-disable-file id-unique -->\n<!-- planguard-disable-file odd -- x -->\n"
        "  <!-- planguard-disable-file -- x -->\n## Phase 1: a\n\n- [ ] T001 Write\n- [ ] T001 Write\n"
    ),
)
FIXED = (
    (
        "autospec-tasks",
        (
            "phases:\n- number: 1\n  title: a\n  tasks:\n  - {id: T001, title: a, status: pending}\n"
            "  - {id: T002, title: b, status: 'in progress'}\n  - {id: T003, title: c, status: odd}\n"
        ),
    ),
    ("spec-kit-tasks", "# Tasks\n\n## Phase 1: a (5 tasks)\n\n- [ ] T001 Write a.py\n\n**Total Tasks**: 4\n"),
    (
        "bmad-story",
        "# Story 1.1: a\n\nStatus: In progress\n\n## Acceptance Criteria\n\n1. a\n\n## Tasks\n\n- [ ] Task 1\n",
    ),
)


def fixes() -> Iterator[str]:
    """What comments switch off, and what is fixed."""
    for text in COMMENTED:
        report = policy_of().judge({"specs/a/tasks.md": text})["specs/a/tasks.md"]
        said = [f"{f.span} {f.code} {f.path} {f.message} {f.expected}" for f in report.findings]
        yield "\n".join([repr(text), *said])
    for name, text in FIXED:
        for schema in (False, True):
            report = check_text(text, format=name)
            found = fix_plan(report, lambda one, name=name: check_text(one, format=name), schema=schema)  # type: ignore[misc]
            yield f"{name} {schema}: {found.after!r} {found.changes} {found.proposed}"


def detections() -> Iterator[str]:
    """The format that each document is told to be of, and those that are close, with and without its place."""
    for file in sorted([*FIXTURES.iterdir(), *(one for one in DOCUMENTS.glob("*/*") if one.suffix != ".txt")]):
        text = file.read_text(encoding="utf-8")
        for place in (
            file.name,
            f"specs/a/{file.name}",
            f"openspec/changes/a/{file.name}",
            f"docs/stories/{file.name}",
        ):
            found = detect(Source(read_document(text, file.name), place), PROFILES)
            shown = "none" if found is None else f"{found.profile.name} {found.close}"
            yield f"{file.parent.name}/{place}: {shown}"


def formats() -> Iterator[str]:
    """What each format is, beside how it is read; and what rules are told of each of its documents."""
    for profile in PROFILES:
        words = (profile.name, profile.family, profile.medium, profile.about, profile.looks_alike)
        writes = "written" if profile.render else "read only"
        yield f"{words} {writes} {profile.places} {profile.own_places} schema={profile.schema is not None}"
    for file in sorted(one for one in DOCUMENTS.glob("*/*") if one.suffix != ".txt"):
        plan = check_text(file.read_text(encoding="utf-8"), path=file.name, format=file.parent.name).plan
        yield f"{file.parent.name}/{file.name}: {None if plan is None else _traits(plan.traits)}"


def _traits(traits: Traits) -> str:
    """Return what differs from a format of which nothing is said; sets in order."""
    usual = Traits()
    own = [(one.name, getattr(traits, one.name)) for one in fields(traits)]
    said = [(name, value) for name, value in own if value != getattr(usual, name)]
    return ", ".join(f"{name}={sorted(value) if isinstance(value, frozenset) else value}" for name, value in said)


def signs() -> Iterator[str]:
    """What each line of a format's own documents says for the format."""
    for profile in PROFILES:
        for file in sorted((DOCUMENTS / profile.name).glob("*.md")):
            for line in dict.fromkeys(file.read_text(encoding="utf-8").splitlines()):
                score = profile.score(Source(read_document(line, file.name), file.name))
                if score:
                    yield f"{profile.name} {score}: {line}"


CASES = (
    *(schemas, artifacts, levels, loops, policies, fixes, detections, formats, signs),
    *(races, described, wrong_descriptions, scores, rendered, folders, rule_settings),
    *(judged, told, rules, weighed, mended, traces),
    *damage.CASES,
)
