"""What a piece of a document adds to its reading: tasks, criteria and findings, a decider for each format."""

from __future__ import annotations

from functools import cache, partial

from pytest_planguard.plans.judging.judge_files import check_text

from ...support.pins import Decide
from ...support.readings import reading_of

BEGINNINGS = {
    "spec-kit-tasks": (
        "# Tasks: a\n\n## Phase 1: Setup\n\n- [ ] T901 Write z.py\n- [ ] T902 Test it\n\n"
        "## Phase 2: Core\n\n- [ ] T903 c\n"
    ),
    "spec-kit-spec": (
        "# Feature Specification: a\n\n## User Scenarios & Testing\n\n## Success Criteria\n\n- **SC-001**: All\n\n"
        "## Requirements\n\n- **FR-901**: It MUST be\n"
    ),
    "bmad-story": (
        "# Story 1.1: a\n\nStatus: review\n\n## Story\n\nAs a user\n\n## Acceptance Criteria\n\n1. a\n2. b\n3. c\n\n"
        "## Tasks\n\n- [ ] Task 9: z (AC: 1, 2, 3)\n"
    ),
    "kiro-tasks": (
        "# Implementation Plan\n\n- [ ] 1. Set up\n  - [ ] 1.1 Write z.py\n    - _Requirements: 1.1_\n"
        "- [ ] 2. Test it\n"
    ),
    "kiro-requirements": "# Requirements Document\n\n## Introduction\n\nIt is.\n\n## Requirements\n\n",
    "superpowers": (
        "# Renewal Implementation Plan\n\n**Goal:** Renew it\n\n### Task 1: Store\n\n**Files:**\n- Create: `a.py`\n\n"
        "- [ ] **Step 1: Write it**\n\n### Task 2: Renew\n\n"
    ),
    "openspec-tasks": "## 1. Setup\n\n- [ ] 1.1 Write it\n- [ ] 1.2 Test it\n",
    "openspec-delta": (
        "## ADDED Requirements\n\n### Requirement: a\n\nIt SHALL be.\n\n#### Scenario: b\n\n"
        "- **WHEN** c\n- **THEN** d\n\n"
    ),
}
"""The beginning of a sound document, for a piece that ends it."""


def _reading(text: str, name: str) -> str:
    """Return what is read and found, with the rule that is off and asks every task for its files."""
    return reading_of(check_text(text, path="a.md", format=name, severity={"task-files": "info"}))


@cache
def _usual(name: str) -> tuple[str, ...]:
    return tuple(_reading(BEGINNINGS[name], name).splitlines())


def _added(piece: str, *, name: str) -> str:
    """Return what is read and found beside what the beginning says, and what of that is gone."""
    usual = _usual(name)
    lines = _reading(f"{BEGINNINGS[name]}{piece}\n", name).splitlines()
    gone = [f"gone: {line}" for line in usual if line not in lines]
    return " / ".join([*(line for line in lines if line not in usual), *gone]) or "-"


def _alone(piece: str) -> str:
    """Return what is read and found in a document, named by its first line: "bmad-story"."""
    name, _, text = piece.partition("\n")
    return _reading(text, name).strip().replace("\n", " / ") or "-"


DECIDERS: dict[str, Decide] = {
    **{f"in_{name}": partial(_added, name=name) for name in BEGINNINGS},
    "alone": _alone,
}
