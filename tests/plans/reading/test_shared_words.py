"""Words that several formats read mean the same in all of them."""

from __future__ import annotations

import pytest

from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.model.elements import EVERY

ALL = [
    "All",
    "every",
    "tutti",
    "tutte",
    "todos",
    "todas",
    "tous",
    "toutes",
    "alle",
    "все",
    "全部",
    "所有",
    "すべて",
    "모두",
]
KIRO = "# Implementation Plan\n\n- [ ] 1. Write the parser\n  - {detail}\n- [ ] 2. Test the parser\n"
STORY = """# Story 1.1: Parser

Status: draft

## Acceptance Criteria

1. It reads a file.
2. It names the line of an error.

## Tasks / Subtasks

- [ ] Task 1: Write the parser (AC: {word})
"""
SPEC_KIT = (
    "# Tasks: Parser\n\n## Phase 1: Setup\n\n- [ ] T001 Write the parser\n- [ ] T002 Test the parser ({words} T001)\n"
)
OPENSPEC = "## 1. Parser\n\n- [ ] 1.1 Write the parser\n- [ ] 1.2 Test the parser ({words} 1.1)\n"
SUPERPOWERS = """# Parser Implementation Plan

**Goal:** Read files.

### Task 1: Write the parser

- [ ] **Step 1: Write it**

### Task 2: Test the parser

**{label}:** Task 1

- [ ] **Step 1: Test it**
"""


def edges(text: str, name: str) -> list[str]:
    """What the tasks of a plan wait for."""
    plan = check_text(text, path="plan.md", format=name).plan
    assert plan is not None
    return [edge.text for task in plan.tasks for edge in task.edges]


def cited(text: str, name: str) -> list[str]:
    """What the tasks of a plan cite."""
    plan = check_text(text, path="plan.md", format=name).plan
    assert plan is not None
    return [ref.name for task in plan.tasks for ref in task.cites]


@pytest.mark.parametrize("word", ALL)
def test_every_requirement_is_cited_in_each_language(word: str) -> None:
    """By a task of Kiro and by one of a story alike."""
    assert cited(KIRO.format(detail=f"_Requirements: {word}_"), "kiro-tasks") == [EVERY]
    assert cited(STORY.format(word=word), "bmad-story") == ["1", "2"]


@pytest.mark.parametrize(
    "words", ["depends on", "depends upon", "requires", "blocked by", "is blocked by", "waits for", "waits on"]
)
def test_a_task_says_in_its_own_words_what_it_waits_for(words: str) -> None:
    """In a list of spec-kit and of OpenSpec alike."""
    assert edges(SPEC_KIT.format(words=words), "spec-kit-tasks") == ["T001"]
    assert edges(OPENSPEC.format(words=words), "openspec-tasks") == ["1.1"]


@pytest.mark.parametrize("words", ["does not depend on", "need not wait for", "is no prerequisite of"])
def test_a_task_that_waits_for_nothing_may_say_so(words: str) -> None:
    """The base form of a verb is the one that is denied."""
    assert edges(SPEC_KIT.format(words=words), "spec-kit-tasks") == []
    assert edges(OPENSPEC.format(words=words), "openspec-tasks") == []


@pytest.mark.parametrize(
    "label", ["Dependencies", "Dependency", "Depends", "Depends on", "Blocked by", "Prerequisite", "Prerequisites"]
)
def test_a_label_names_what_a_task_waits_for(label: str) -> None:
    """In spec-kit, Kiro and superpowers alike."""
    assert edges(SPEC_KIT.format(words=f"{label}:"), "spec-kit-tasks") == ["T001"]
    assert edges(KIRO.format(detail=f"_{label}: 2_"), "kiro-tasks") == ["2"]
    assert edges(SUPERPOWERS.format(label=label), "superpowers") == ["1"]
