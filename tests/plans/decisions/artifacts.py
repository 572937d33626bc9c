"""What is decided about artifacts of a schema, step plans at each level, and plans in amelia's loop."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from pytest_planguard import Finding
from pytest_planguard.plans.profiles.superpowers import extract_goal

from ...support.artifacts import validate_artifact
from ...support.decisions import Block, Decided, Messages, inputs, sorted_out
from ...support.levels import at_level
from ...support.places import dotted
from ...support.plans import fix_artifact
from ..compat import amelia
from ..compat.autospec_words import design_lines, error_strings, validate
from .descriptions import put
from .show import found, refused

FIXTURES = Path(__file__).parents[3] / "fixtures" / "plans"
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
_VALUES: dict[str, tuple[Any, ...]] = {
    "gone": (),
    "null": (None,),
    "5": (5,),
    "long": ("x" * 1001,),
    "list": (["x"],),
    "object": ({"x": 1},),
    "true": (True,),
}


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield (*path, key)
        yield from _paths(below, (*path, key))


def schemas(page: Messages) -> Iterator[Block]:
    """Each field of each artifact: left out, and with a value of each type."""
    for kind in KINDS:
        data = yaml.safe_load((FIXTURES / f"autospec-{kind}.yaml").read_text(encoding="utf-8"))
        for path, value in _MORE.get(kind, ()):
            data = put(data, path, value)
        for version in ("completed", "implemented"):
            paths = [*_paths(data)] if version == "completed" else [("feature", "status")] * (kind == "spec")
            ways: dict[str, list[tuple[str, str]]] = {".".join(map(str, path)): [] for path in paths}
            for strict, (value, values) in product((False, True), _VALUES.items()):
                name = f"{value}{' strictly' * strict}"
                for path, found_so in _broken(kind, data, paths, values, strict=strict, version=version):
                    said = "; ".join(found(page, found_so, 3)) or "sound"
                    ways[".".join(map(str, path))].append((said.replace(f"{dotted(path)} ", ""), name))
            made = [
                Decided(f"{kind} {version} {path}", sorted_out(_without_spans(some)), path)
                for path, some in ways.items()
            ]
            empty = validate_artifact("{}", kind, version=version)
            made.append(Decided(f"{kind} {version} empty", "; ".join(found(page, empty.findings)), "empty"))
            yield Block(f"{kind} {version}, a field that is left out and with each value", made)


def _broken(
    kind: str, data: Any, paths: list[Any], values: tuple[Any, ...], **how: Any
) -> Iterator[tuple[Any, list[Finding]]]:
    """Yield what is found at each path where all values of its depth are others, or are left out."""
    for depth in sorted({len(path) for path in paths}):
        level = [path for path in paths if len(path) == depth]
        changed = data
        for path in reversed(level):  # a later item first: the places of the others stay
            changed = put(changed, path, *values)
        findings = validate_artifact(json.dumps(changed), kind, **how).findings
        usual = {(one.code, one.path) for one in validate_artifact(json.dumps(data), kind, **how).findings}
        for path in level:
            own = [one for one in findings if one.path[:depth] == path and (one.code, one.path) not in usual]
            yield path, own


def _without_spans(ways: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield decisions without the places in the text: all of it is on one line."""
    for said, name in ways:
        yield "; ".join(one.partition("@")[0] for one in said.split("; ")), name


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
ARTIFACTS = inputs("plans", "broken_artifacts")


def artifacts(page: Messages) -> Iterator[Block]:
    """Broken artifacts: findings, how many words the original has for them, and what is fixed."""
    made = []
    for kind, text in ARTIFACTS:
        ways = []
        for strict in (False, True):
            report = validate_artifact(text, kind, strict=strict)
            ways.append(
                "; ".join([f"{'valid' if report.valid else 'invalid'} {report.kind}", *found(page, report.findings)])
            )
        words, design = error_strings(validate(text, kind)), design_lines(validate_artifact(text, kind).findings, kind)
        for line in (*words, *design):
            page.add("words of autospec", line)
        fixed = fix_artifact(text, kind)
        changes = [line for line in fixed.diff().splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
        strict_ways = "as strictly" if ways[0] == ways[1] else f"strictly {ways[1]}"
        said = f"{ways[0]} | {strict_ways} | {len(words)} and {len(design)} lines"
        made.append(Decided(f"{kind} {text}", f"{said} | fixed {changes} {len(fixed.changes)} {len(fixed.proposed)}"))
    yield Block("artifacts", made)
    kinds = (*(f"{name}: {{}}\n" for name in _TOP), "", "a: 1\n", "phases: []\ntasks: {}\nsummary: {}\n")
    yield Block("a kind that is told", [Decided(text, str(validate_artifact(text).kind)) for text in kinds])
    wrong = (("spec", "odd"),)
    made = [(f"{one}", refused(page, partial(validate_artifact, "a: 1", one[0], version=one[1]))) for one in wrong]
    yield Block("no kind and no version", made)


_LEVELS: tuple[Any, ...] = ("minimal", "medium", "expansive")


def levels(page: Messages) -> Iterator[Block]:
    """The sound step plan, damaged at each place, at each level."""
    data = json.loads((FIXTURES / "atomicguard.json").read_text(encoding="utf-8"))
    made = []
    for path in [(), *_paths(data)]:
        ways = []
        for values in ((), (["x"],), (1000,)) if path else (("same",),):
            text = json.dumps(put(data, path, *values) if path else data)
            for level in _LEVELS:
                for catalogue in (None, ("syntax",)):
                    one = at_level(text, level, catalogue=catalogue, r_max=10, max_explorations=3)
                    said = "; ".join([one.outcome, *found(page, one.findings)])
                    name = f"{str(values)[1:-1]} {level}{' by a catalogue' * (catalogue is not None)}"
                    ways.append((said.replace("@1:1", ""), name.strip()))
        name = ".".join(map(str, path)) or "the whole"
        made.append((name, sorted_out(_without_spans(ways))))
    yield Block("a step plan that is damaged at a place", made)


_RACES: tuple[tuple[dict[str, list[str]], ...], ...] = (
    ({"needs": ["y"], "gives": ["x"]}, {"needs": [], "gives": ["y"]}),
    ({"needs": ["y"], "gives": ["x"], "after": ["s1"]}, {"needs": [], "gives": ["y"]}),
    ({"needs": [], "gives": ["y"]}, {"needs": ["y"], "gives": [], "after": ["s0"]}),
)


def races(page: Messages) -> Iterator[Block]:
    """What is found when every order of a step plan is walked, with as many steps as may be looked at and one less."""
    for number, steps in enumerate(_RACES, 1):
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
        made = []
        for level in _LEVELS:
            for limit in (1, 2, 3, 4, 5):
                one = at_level(text, level, r_max=10, max_explorations=limit)
                said = "; ".join([f"{one.outcome}", *found(page, one.findings)])
                made.append(Decided(f"{steps} {level} {limit}", said, f"{level} {limit}"))
        yield Block(f"race {number}", made)


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


def loops(page: Messages) -> Iterator[Block]:
    """What amelia's node makes of plans: goals, files, verdicts, routes."""
    made = []
    for text in (*GOALS, _LONG, "### Task 1.2: a\n### Task 2:\n### Task x:\n"):
        count, files = amelia.extract_task_count(text), amelia.extract_key_files(text)
        made.append(Decided(text, f"{extract_goal(text)!r} {count} {' '.join(files)}"))
    for ending in ("py", "tsx", "ts", "jsx", "js", "go", "rs", "md", "odd"):
        files = (amelia.extract_key_files(f"Create: a.{ending}, b"), amelia.extract_key_files(f"Move: a.{ending}"))
        made.append((ending, f"{'known' if files[0] else 'unknown'} {len(files[1])}"))
    yield Block("goals and files", made)
    made = []
    for length in (99, 199, 200, 201):
        text = (_LONG + "**Goal:** a\n## Phase\n" + "x" * 300)[:length]
        for goal in (None, "", "Implementation plan", "a", " TODO. "):
            for mode in ("compat", "strict"):
                one = amelia.validate_plan_structure(goal, text, mode=mode)  # type: ignore[arg-type]
                for issue in one.issues:
                    page.add("words of amelia", issue)
                codes = " ".join(f.code for f in one.findings)
                said = f"{'valid' if one.valid else one.severity.value} {len(one.issues)} {codes}"
                name = f"{length} {goal!r} {mode}"
                made.append((name, said))
        made.append(Decided(f"{length}", f"{amelia.looks_like_plan(text)}", f"{length} looks like a plan"))
    texts = (f"### Task 1: {'a' * 87}", f"### Task 1: {'a' * 88}", "a" * 100, f"a ### Task 1: {'a' * 100}")
    made += [Decided(text, str(amelia.looks_like_plan(text))) for text in texts]
    yield Block("verdicts", made)
    yield Block("routes", [*_routes(page)])


def _routes(page: Messages) -> Iterator[Decided]:
    bad = amelia.PlanValidationResult(valid=False, issues=("one", "two"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = {"none": None, "valid": amelia.PlanValidationResult(valid=True), "bad": bad}
        for name, one in results.items():
            routes = [str(amelia.route_after_plan_validation(one, n)) for n in (0, 1, 2, 3, 4)]
            page.add("words of amelia", amelia.revision_feedback(one))
            yield (name, f"{' '.join(routes)}, {amelia.route_after_plan_validation(one, 1, 1)}")
    for one in caught:
        page.add("words of amelia", str(one.message))
    for marker, ini in ((None, None), (1, None), (None, 2), (1, 2), (0, 5)):
        name = f"{marker} {ini}"
        yield (name, refused(page, partial(amelia.max_iterations_from, marker, ini)))
    for key in ("ABC-1", "a/b", "a\\b", "../a", "a..b", "....", "/", "X/Y", "..X"):
        work = partial(amelia.resolve_plan_path, "docs/{date}-{issue_key}.md", date="2026-01-04", issue_key=key)
        yield (key, refused(page, work))
    for pattern in ("{odd}", "{0}", "{", "{date", "a.md"):
        work = partial(amelia.resolve_plan_path, pattern, date="d", issue_key="k")
        yield (pattern, refused(page, work))
