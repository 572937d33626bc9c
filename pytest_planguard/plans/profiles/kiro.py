"""Kiro: tasks.md (`- [ ] 1. …`, `- [ ] 1.1 …` with `_Requirements: 1.2_`) and requirements.md."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model.place import Place
from ..model.plan import Requirement, Traits
from .profile import Profile, signs
from .task_drafts import Collector, Draft, goal_of
from .task_text import files_in, ids_in

if TYPE_CHECKING:
    from ..model.plan import Plan
    from ..reading.outline import Block
    from ..reading.source import Source

_ID = r"\d+(?:\.\d+)*|[A-Z][A-Z0-9]*-\d+(?:\.\d+)*"
_TASK = re.compile(rf"(?:\*\*)?(?:Task[ \t]+)?(?P<id>{_ID})\*?(?:[.:)]|(?=[ \t]))(?:\*\*)?[ \t]*")
_REQUIREMENTS = re.compile(
    r"(?:_|\*\*)(?:Requirements?|Validates: Requirements?|验证|需求)(?:\*\*)?[:：](?:\*\*)?"
    r"[ \t]*(?:Requirements?[ \t]*)?"
)
_DEPENDS = re.compile(r"(?:_|\*\*)(?:Dependencies|Depends|Depends on|Blocked by):(?:\*\*)?[ \t]*")
_LISTED = re.compile(r"[^(_\n]*")
_CITED = re.compile(r"\b(?:[A-Z]{1,4}-?)?\d+(?:\.\d+)*\b")
_TARGET = re.compile(rf"\b(?:{_ID})\b")
_PHASE = re.compile(r"\bPhases?[ \t]+\d+\b")
_REQUIREMENT = re.compile(r"(?:Requirement|需求|DR|R)[ \t]?(\d+)\b")
_CRITERIA = re.compile(r"(?i)acceptance criteria|验收标准")
_CRITERION = re.compile(r"(\d+(?:\.\d+)+)[ \t]")

TASKS = Traits(id_pattern=_ID, id_example="1 or 1.1")
REQUIREMENTS = Traits(needs_tasks=False, required=("Introduction|Overview|简介|概述", "Requirement|需求"))


def read_tasks(source: Source) -> Plan:
    """Read tasks.md: numbered boxes; ids are unique within a `##` section, since tools append lists of their own."""
    collector = Collector(source)
    scopes = _scopes(collector)
    by_item: dict[int, Draft] = {}
    current: Draft | None = None
    for index, block in enumerate(collector.blocks):
        if block.kind == "heading":
            current = None
            if block.level == 2:
                collector.section(block, block.text)
        elif block.kind == "item" and block.mark is not None and (found := _TASK.match(block.text)) is not None:
            title = block.text[found.end() :].split("\n", 1)[0].strip().removesuffix("**")
            current = collector.task(block, found["id"], title, found.start("id"), scope=scopes.get(block.section, ""))
            current.parent = _parent(collector, current, by_item.get(block.owner))
            by_item[index] = current
            _detail(collector, current, block)
        elif current is not None and block.owner >= 0 and block.kind in ("item", "text"):
            _detail(collector, current, block)
    return collector.plan("kiro-tasks", TASKS, goal_of(collector.blocks, ("Goal",), ("overview", "introduction")))


def _scopes(collector: Collector) -> dict[int, str]:
    """Return the scope of ids below each heading: a `##` section whose ids stood before has a list of its own."""
    section, group_of = -1, {-1: -1}
    ids: dict[int, set[str]] = {}
    for index, block in enumerate(collector.blocks):
        if block.kind == "heading":
            section = index if block.level <= 2 else section
            group_of[index] = section
        elif block.kind == "item" and block.mark is not None and (found := _TASK.match(block.text)) is not None:
            ids.setdefault(section, set()).add(found["id"])
    seen: set[str] = set()
    scope: dict[int, str] = {}
    for group, names in ids.items():
        scope[group] = collector.blocks[group].text if names & seen and group >= 0 else ""
        seen |= names
    return {heading: scope.get(group, "") for heading, group in group_of.items()}


def _parent(collector: Collector, task: Draft, outer: Draft | None) -> str | None:
    """Return the task whose number this one's begins with, or whose item it stands in."""
    if outer is not None:
        return outer.key
    head, dot, _ = (task.id or "").rpartition(".")
    key = f"{task.scope}/{head}" if task.scope else head
    return key if dot and any(other.key == key for other in reversed(collector.tasks[-200:])) else None


def _detail(collector: Collector, task: Draft, block: Block) -> None:
    """Requirements, dependencies and files that a task's own text names."""
    for marker in _REQUIREMENTS.finditer(block.text):
        listed = _LISTED.match(block.text, marker.end())
        for found in _CITED.finditer(listed[0] if listed else ""):
            task.cites.append(collector.ref(task, "requirements", found[0], block, marker.end() + found.start()))
    for marker in _DEPENDS.finditer(block.text):
        _edges(collector, task, block, marker.end())
    if block.owner < 0 or block.mark is None:
        known = {file.name for file in task.files}
        task.files += [collector.ref(task, "files", n, block, at) for n, at in files_in(block.text) if n not in known]


def _edges(collector: Collector, task: Draft, block: Block, start: int) -> None:
    """Ids after a dependency marker. "Phase 3 complete" is about sections of the text and no id."""
    listed = _LISTED.match(block.text, start)
    text = _PHASE.sub(lambda phase: " " * len(phase[0]), listed[0] if listed else "")
    known = {other.key for other in collector.tasks}
    for name, offset in ids_in(text, _TARGET):
        target = f"{task.scope}/{name}"
        collector.edge(task, name, block, start + offset, target if task.scope and target in known else name)


def read_requirements(source: Source) -> Plan:
    """Read requirements.md: numbered requirements with numbered acceptance criteria."""
    collector = Collector(source)
    requirements: list[Requirement] = []
    current, in_criteria = "", False
    for block in collector.blocks:
        if block.kind == "heading":
            found = _REQUIREMENT.match(block.text)
            in_criteria = bool(_CRITERIA.search(block.text))
            if found is not None:
                current = found[1] if not block.text.startswith("DR") else f"DR{found[1]}"
                requirements.append(Requirement(current, "requirement", Place(("requirements", current), block.at())))
                collector.section(block, block.text, current, current)
        elif block.kind == "item" and block.number is not None and current and in_criteria and block.level == 1:
            name = f"{current}.{block.number}"
            requirements.append(Requirement(name, "AC", Place(("requirements", name), block.at())))
        elif block.kind == "text" and _CRITERIA.search(block.text):
            in_criteria = True
    goal = goal_of(collector.blocks, (), ("introduction", "overview", "简介", "概述"))
    return replace(collector.plan("kiro-requirements", REQUIREMENTS, goal), requirements=tuple(requirements))


PROFILES = (
    Profile(
        "kiro-tasks",
        "kiro",
        "markdown",
        "tasks.md: boxes 1., 1.1 that cite `_Requirements: 1.2_`.",
        signs(
            (r"^- \[.\]\*? \d+(\.\d+)?\.? ", 20),
            (r"^- \[.\]\*? \d+\. ", 5),
            (r"^  - \[.\]\*? \d+\.\d+ ", 15),
            (r"^(?: *- )?_Requirements?: ", 35),
            (r"^# Implementation Plan\b", 10),
            (r"Validates: Requirements? \d", 20),
            (r"^ *- \[.\]\* ", 15),
            (r"\bRequirement \d", 8),
            (r"\*\*(Validates?|验证)\*\*", 20),
            (r"^## \d+\. ", -15),
        ),
        read_tasks,
        places=(r"(^|/)\.kiro/specs/.*tasks\.md$",),
    ),
    Profile(
        "kiro-requirements",
        "kiro",
        "markdown",
        "requirements.md: numbered requirements with acceptance criteria.",
        signs(
            (r"^#{2,4} (Requirement|需求) ?\d+", 50),
            (r"(?i)^#+ .*(Acceptance Criteria|验收标准)", 15),
            (r"\bSHALL\b", 10),
            (r"^# (.*Requirements( Document)?|需求文档)", 10),
            (r"^\*\*(User Story|用户故事)", 5),
        ),
        read_requirements,
        places=(r"(^|/)\.kiro/specs/.*requirements\.md$",),
    ),
)
