"""What documents are taken for and read as, what plans are written as, and what files of a folder say of each other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from pytest_planguard import Contract, UsageError, plan_rules
from pytest_planguard.extend import Source, Traits
from pytest_planguard.plans.judging.judge_files import read_document
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.plans.profiles.formats import PROFILES
from pytest_planguard.testing.answers.plan_writers import WRITERS

from ...support.decisions import Block, Decided, Messages, inputs, sorted_out
from ...support.readings import documents
from .show import check_text, decided, found, read_as

FIXTURES = Path(__file__).parents[3] / "fixtures" / "plans"
DOCUMENTS = Path(__file__).parents[1] / "readings" / "documents"
_STEP = {"step_id": "a", "preconditions": [], "effects": [], "retry_budget": 1}
_TASK = {"id": 1, "title": "a"}
_WAITING = {"dependent_task_id": 1, "depends_on_task_id_list": 1}
DATA = inputs("plans", "documents_of_data")


def _score(profile: Any, text: str, path: str) -> int:
    score: int = profile.score(Source(read_document(text, path), path))
    return score


def scores(page: Messages) -> Iterator[Block]:
    """How surely each format takes a document for its own; those that are sure it is none are left out."""
    made = []
    for data in DATA:
        text = json.dumps(data)
        sure = {one.name: _score(one, text, "a.json") for one in PROFILES if one.medium == "data"}
        made.append(Decided(text, ", ".join(f"{name} {score}" for name, score in sure.items() if score) or "none"))
    yield Block("a document of data", made)
    made = []
    for text in inputs("plans", "signs_of"):
        sure = {one.name: _score(one, text, "a.md") for one in PROFILES if one.medium == "markdown"}
        made.append(Decided(text, ", ".join(f"{name} {score}" for name, score in sure.items() if score) or "none"))
    yield Block("signs in Markdown", made)


def signs(page: Messages) -> Iterator[Block]:
    """What each line of a format's own documents says for the format; lines that say nothing are left out."""
    for profile in PROFILES:
        made = {}
        for file in sorted((DOCUMENTS / profile.name).glob("*.md")):
            for line in dict.fromkeys(file.read_text(encoding="utf-8").splitlines()):
                made[line] = _score(profile, line, file.name)
        if made:
            yield Block(
                profile.name,
                [Decided(f"{profile.name}: {line}", str(score), line[:50]) for line, score in made.items() if score],
            )


def rendered(page: Messages) -> Iterator[Block]:
    """Every document that can be written again: whether it is read as before; and without sections, goal and title."""
    for profile in PROFILES:
        if profile.name not in WRITERS:
            continue
        made = []
        for file in [*documents(DOCUMENTS), *sorted(FIXTURES.glob(f"{profile.name}.*"))]:
            if profile.name not in (file.parent.name, file.stem):
                continue
            text = file.read_text(encoding="utf-8")
            plan = check_text(text, path=file.name, format=profile.name).plan
            assert plan is not None
            tasks = tuple(replace(task, section=None) for task in plan.tasks[:3])
            bare = replace(plan, tasks=tasks, sections=(), goal=None, title="", start=None, goals=None, budget=None)
            said = " | ".join(_again(page, one, profile, file.name) for one in (plan, bare))
            made.append(Decided(f"{profile.name}: {text}", said, f"{file.parent.name}/{file.name}"))
        yield Block(profile.name, made)


def _again(page: Messages, plan: Any, profile: Any, name: str) -> str:
    """Return how many lines a plan is written as, what is found in it, and what is read otherwise than before."""
    text = WRITERS[profile.name](plan)
    report = check_text(text, path=name, format=profile.name)
    before, after = list(read_as(plan)), list(read_as(report.plan))
    other = [line for line in after if line not in before] + [f"gone {line}" for line in before if line not in after]
    codes = sorted({one.code for one in report.findings})
    return f"{len(text.splitlines())} lines, {' '.join(codes) or 'sound'}, {'; '.join(other[:2]) or 'as before'}"


_SPEC = """\
# Feature Specification: Renewal

## User Scenarios & Testing

### User Story 1 - Renew (Priority: P1)

**Acceptance Scenarios**:

1. **Given** a, **When** b, **Then** c

## Requirements

- **FR-001**: System MUST renew
- **FR-002**: System MUST tell

## Success Criteria

- **SC-001**: All renew
"""
_TASKS = """\
# Tasks: Renewal

## Phase 1: Setup

- [ ] T001 [US1] Write a.py for FR-001
- [ ] T002 [US2] Write b.py for FR-009
"""
_REQUIREMENTS = """\
# Requirements Document

## Introduction

Renew.

## Requirements

### Requirement 1

#### Acceptance Criteria

1. WHEN a THEN b
2. WHEN c THEN d

### Requirement 2

#### Acceptance Criteria

1. WHEN a THEN b
"""
_PLAN = "# Implementation Plan\n\n- [ ] 1. Write a.py\n  - _Requirements: 1.1, 3.1_\n- [ ] 2. Write b.py\n"
FOLDERS: dict[str, dict[str, str]] = {
    "spec-kit": {"a/spec.md": _SPEC, "a/tasks.md": _TASKS},
    "spec-kit apart": {"a/spec.md": _SPEC, "b/tasks.md": _TASKS},
    "spec-kit without tasks": {"a/spec.md": _SPEC, "a/tasks.md": "# Tasks: Renewal\n\n## Phase 1: Setup\n"},
    "kiro": {"s/requirements.md": _REQUIREMENTS, "s/tasks.md": _PLAN},
    "kiro, all": {"s/requirements.md": _REQUIREMENTS, "s/tasks.md": _PLAN.replace("1.1, 3.1", "All requirements")},
    "kiro, spoken of": {"s/requirements.md": _REQUIREMENTS, "s/tasks.md": f"{_PLAN}\nSee 1.2 and 2.1.\n"},
    "mixed": {"s/requirements.md": _REQUIREMENTS, "s/tasks.md": _TASKS, "s/spec.md": _SPEC},
}


def folders(page: Messages) -> Iterator[Block]:
    """What is found in files that stand together, by default, and with other weights of the rules between them."""
    for name, files in FOLDERS.items():
        made = []
        for words in ((), ("trace-forward=fail", "trace-backward=warn"), ("trace-forward=off",)):
            for path, report in policy_of(words).judge(files).items():
                made.append(Decided(f"{name} {words} {path}", decided(page, report), f"{path} {' '.join(words)}"))
        yield Block(name, made)


_JSON = (FIXTURES / "atomicguard.json").read_text(encoding="utf-8")
_ASKED: tuple[dict[str, Any], ...] = (
    *({"format": "atomicguard"}, {"format": "atomicguard", "level": "expansive", "r_max": 1, "max_explorations": 1}),
    *(
        {"format": "atomicguard", "level": "medium", "catalogue": ["syntax"]},
        {"format": "atomicguard", "only": ["budget-sum"]},
    ),
    *(
        {"format": "odd"},
        {"format": "atomicgard"},
        {"format": "spec-kit", "ignore": ["id-uniq"]},
        {"format": "kiro", "only": ["x"]},
    ),
    *({"format": "kiro", "severity": {"id-gap": "odd"}}, {"format": "kiro", "severity": {"odd": "warn"}}),
    *(
        {"format": "atomicguard", "level": "odd"},
        {"format": "autospec-tasks", "version": "odd"},
        {"format": "autospec"},
    ),
    *({"format": "kiro", "level": "minimal"}, {"format": "autospec-spec", "schema": False}),
)


def rule_settings(page: Messages) -> Iterator[Block]:
    """What `plan_rules` makes of its settings, and what it finds in one plan."""
    made = []
    for asked in _ASKED:
        try:
            (rule,) = plan_rules(**asked)
        except UsageError as error:
            page.add("refused setting", str(error))
            made.append((f"{asked}", "refused"))
            continue
        named: Any = rule
        verdict = Contract(None, format="json", rules=[rule]).check(_JSON)
        said = "; ".join(found(page, verdict.findings))
        made.append((f"{asked}", f"{named.reads} {named.plan_format}: {said}"))
    yield Block("settings of plan_rules", made)


_SMALL = inputs("plans", "small_documents")
_PLACES = inputs("plans", "places_of_documents")


def told(page: Messages) -> Iterator[Block]:
    """What small documents are taken for at each place and by a hint, how surely, and what is found."""
    made = []
    for text in _SMALL:
        ways = [(_told(text, place), place) for place in _PLACES]
        ways += [(_told(text, "notes.md", hints=True), "by a hint"), (_told(text, "notes.md", named=True), "named")]
        made.append(Decided(text, sorted_out(ways)))
    yield Block("small documents, by where they stand", made)


def _told(text: str, place: str, **asked: bool) -> str:
    report = check_text(text, path=place, **asked)
    codes = " ".join(f"{one.code}:{one.severity.value}" for one in report.findings)
    if report.plan is None:
        return f"no plan {codes}"
    doubts = [
        f" {name} {' '.join(one.code for one in some)}"
        for name, some in (("unread", report.unread), ("unsure", report.unsure))
        if some
    ]
    return f"{report.verdict} {report.plan.format} by {report.plan.known_by} {codes}{' '.join(doubts)}"


def detections(page: Messages) -> Iterator[Block]:
    """The format that each document is told to be of, with and without its place."""
    made = []
    for file in sorted([*FIXTURES.iterdir(), *(one for one in DOCUMENTS.glob("*/*") if one.suffix != ".txt")]):
        text = file.read_text(encoding="utf-8")
        places = (file.name, f"specs/a/{file.name}", f"openspec/changes/a/{file.name}", f"docs/stories/{file.name}")
        ways = []
        for place in places:
            report = check_text(text, path=place)
            told = report.plan.format if report.plan else " ".join(one.code for one in report.findings[:2])
            ways.append(
                (f"{told} by {report.plan.known_by}" if report.plan else told, place.rpartition("/")[0] or "anywhere")
            )
        name = f"{file.parent.name}/{file.name}"
        made.append(Decided(f"{name}: {text}", sorted_out(ways), name))
    yield Block("documents, by where they stand", made)


def formats(page: Messages) -> Iterator[Block]:
    """What each format is, beside how it is read; and what rules are told of each of its documents."""
    made = []
    for one in PROFILES:
        page.add("about a format", one.about)
        writes = "written" if one.name in WRITERS else "read only"
        more = f"{', looks alike' * one.looks_alike}{', schema' * (one.schema is not None)}"
        places = f"{len(one.places)} places, {len(one.own_places)} of its own"
        made.append((one.name, f"{one.family} {one.medium}, {writes}, {places}{more}"))
    yield Block("formats", made)
    made = []
    for file in sorted(one for one in DOCUMENTS.glob("*/*") if one.suffix != ".txt"):
        text = file.read_text(encoding="utf-8")
        report = check_text(text, path=file.name, format=file.parent.name)
        plan = report.plan
        name = f"{file.parent.name}/{file.name}"
        decided(page, report)
        made.append(Decided(f"{name}: {text}", "no plan" if plan is None else _traits(plan.traits), name))
    yield Block("what rules are told of documents", made)


def _traits(traits: Traits) -> str:
    """Return what differs from a format of which nothing is said; sets in order."""
    usual = Traits()
    own = [(one.name, getattr(traits, one.name)) for one in fields(traits)]
    said = [(name, value) for name, value in own if value != getattr(usual, name)]
    return ", ".join(f"{name}={sorted(value) if isinstance(value, frozenset) else value}" for name, value in said)
