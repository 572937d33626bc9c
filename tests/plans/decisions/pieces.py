"""What one piece adds to the reading of a sound document, and what single texts are read as."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from ...support.decisions import Block, Decided, Messages, inputs, quoted
from .show import check_text, decided, read_as, whole

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


def _reading(page: Messages, text: str, name: str) -> str:
    """Return what is read and found, with the rule that is off and asks every task for its files."""
    return whole(page, check_text(text, path="a.md", format=name))


@cache
def _usual(name: str) -> tuple[str, ...]:
    return tuple(_lines(Messages(), BEGINNINGS[name], name))


def _lines(page: Messages, text: str, name: str) -> list[str]:
    return [line for part in _reading(page, text, name).split(" / ") for line in part.split("; ")]


def pieces(page: Messages) -> Iterator[Block]:
    """What each piece adds to the reading of a beginning, and what of that is gone."""
    for name in BEGINNINGS:
        made = [Decided(piece, _added(page, piece, name)) for piece in inputs("plans", f"in_{name}")]
        yield Block(f"added to {name}", made)
    yield Block("whole documents, beside the first of their format", [*_alone(page)])


def _alone(page: Messages) -> Iterator[Decided]:
    """Yield what is read and found otherwise than in the first document of the format."""
    firsts: dict[str, str] = {}
    for piece in inputs("plans", "alone"):
        name, _, text = piece.partition("\n")
        first = firsts.setdefault(name, text)
        usual, lines = _lines(page, first, name), _lines(page, text, name)
        gone = [f"gone: {line}" for line in usual if line not in lines]
        said = usual if first is text else [*(line for line in lines if line not in usual), *gone]
        yield Decided(piece, "; ".join(said) or "-", f"{name} {quoted(text if first is text else _own(text, first))}")


def _own(text: str, other: str) -> str:
    """Return what stands between the beginning and the end that a text has in common with another."""
    start = next((at for at, (one, two) in enumerate(zip(text, other, strict=False)) if one != two), 0)
    rest, of_other = text[start:], other[start:]
    ends = next((at for at, pair in enumerate(zip(rest[::-1], of_other[::-1], strict=False)) if pair[0] != pair[1]), 0)
    return rest[: len(rest) - ends]


def _added(page: Messages, piece: str, name: str) -> str:
    usual, lines = _usual(name), _lines(page, f"{BEGINNINGS[name]}{piece}\n", name)
    gone = [f"gone: {line}" for line in usual if line not in lines]
    return "; ".join([*(line for line in lines if line not in usual), *gone]) or "-"


def texts(page: Messages) -> Iterator[Block]:
    """What a text in a document is taken for: a heading, files, a box, a headed task, ids and what waits for them."""
    yield Block("files that a task names", [*_in_tasks(page, "files", "- [ ] T001 {}\n")])
    boxes = [Decided(text, _superpowers(page, f"### Task 1: a\n\n- {text}\n")) for text in inputs("plans", "boxes")]
    yield Block("the box of a step", boxes)
    headed = [Decided(text, _superpowers(page, f"### {text}\n\n- [ ] a\n")) for text in inputs("plans", "headed")]
    yield Block("a headed task", headed)
    yield Block("what waits for what", [*_waits(page, inputs("plans", "stated"), "{}", "{}")])
    yield Block("ids", [*_waits(page, inputs("plans", "ids"), "T010 depends on {}", "_Depends on: {}_")])


_TEN = "".join(f"- [ ] T{number:03} Write it\n" for number in range(1, 10))
_IDS = re.compile(r"T\d{3}")
_NUMBERS = "".join(f"- [ ] {n}. Part\n" + "".join(f"  - [ ] {n}.{m} Write\n" for m in (1, 2, 3)) for n in (1, 2, 3, 5))


def _waits(page: Messages, given: Iterable[str], form: str, of_kiro: str) -> Iterator[Decided]:
    """Yield what waits for what where a text stands below tasks with ids of spec-kit, and with numbers."""
    for text in given:
        phase, said = f"# Tasks: a\n\n## Phase 1: Setup\n\n{_TEN}", form.replace("{}", text)
        ways = [("spec-kit-tasks", f"{phase}- [ ] T010 Write\n\n## Dependencies\n\n- {said}\n")]
        if _IDS.search(text):
            ways.append(("spec-kit-tasks", f"{phase}- [ ] T010 Write ({said.removeprefix('T010 ')})\n"))
        else:
            noted = of_kiro.replace("{}", text)
            ways.append(("kiro-tasks", f"# Implementation Plan\n\n{_NUMBERS}- [ ] 9. Last\n  - {noted}\n"))
        said = (_edges(page, document, name) for name, document in ways)
        yield Decided(text, " | ".join(dict.fromkeys(said)))


def _edges(page: Messages, text: str, name: str) -> str:
    """Return what waits for what, and the codes of what is found."""
    report = check_text(text, path="a.md", format=name)
    decided(page, report)
    tasks = report.plan.tasks if report.plan else ()
    edges = [f"{one.id} after {edge.target}" for one in tasks for edge in one.edges]
    sections = [f"{key} after {edge.target}" for key, edge in report.plan.section_edges] if report.plan else []
    shown = [*edges, *sections]
    shown = shown if len(shown) < 9 else [*shown[:2], f"{len(shown)} in all", shown[-1]]
    codes = sorted({f.code for f in report.findings if f.code.startswith(("dep", "ref"))})
    return "; ".join([", ".join(shown), *codes]).strip("; ") or "-"


def _in_tasks(page: Messages, name: str, form: str) -> Iterator[Decided]:
    for text in inputs("plans", name):
        document = f"# Tasks: a\n\n## Phase 1: Setup\n\n{form.replace('{}', text)}"
        report = check_text(document, path="a.md", format="spec-kit-tasks")
        decided(page, report)
        tasks = report.plan.tasks if report.plan else ()
        yield Decided(text, " ".join(ref.name for one in tasks for ref in one.files) or "none")


def _superpowers(page: Messages, text: str) -> str:
    report = check_text(f"# A Implementation Plan\n\n**Goal:** b\n\n{text}", path="a.md", format="superpowers")
    codes = [f"{one.code}@{one.span}" for one in report.findings]
    decided(page, report)
    return "; ".join([*codes, *list(read_as(report.plan))[2:]])
