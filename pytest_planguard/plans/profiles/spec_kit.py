"""spec-kit: tasks.md (`- [ ] T001 [P] [US1] text with path`), spec.md and plan.md, read and written."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ...contract.severity import Severity
from ..model.place import Place
from ..model.plan import Count, Ref, Requirement, Traits
from ..model.status import Status
from .profile import Profile, signs
from .task_drafts import Collector, Draft, goal_of, mention
from .task_text import files_in, ids_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model.plan import Plan, Task
    from ..reading.outline import Block
    from ..reading.source import Source


# Write a plan as spec-kit's tasks.md.

_MARKS = {Status.DONE: "x", Status.ACTIVE: "-"}


def render(plan: Plan) -> str:
    """Return the plan as tasks.md. Every task needs an id; what the format cannot say is left out."""
    lines = [f"# {plan.title}", ""]
    lines += [_rendered_task(task) for task in plan.tasks if task.section is None]
    for number, section in enumerate(plan.sections):
        lines += ["", f"## {section.title}", ""]
        lines += [_rendered_task(task) for task in plan.tasks if task.section == number]
    return "\n".join(lines) + "\n"


def _rendered_task(task: Task) -> str:
    mark = _MARKS.get(task.status, " ") if task.status is not None else " "
    labels = "".join([" [P]" * task.parallel, *(f" [{ref.name}]" for ref in task.cites if ref.name.startswith("US"))])
    return f"- [{mark}] {task.id}{labels} {task.title}"


_SUFFIX = r"(?:[A-Za-z]|\.\d{1,2}|-[A-Za-z])?"  # "T024a", "T063.1", "T024-A"
_ID = re.compile(rf"\bT\d{{3,}}{_SUFFIX}\b")
_TASK = re.compile(
    rf"(?:\*\*|~~)?(?P<id>T\d+{_SUFFIX})\b(?:\*\*|~~)?:?[ \t]*(?P<labels>(?:\[[^\]\n]{{1,20}}\][ \t]*)*)"
)
_LABEL = re.compile(r"\[([^\]\n]+)\]")
_STORY = re.compile(r"US-?\d+")
_BOXED = re.compile(rf"\[P\][ \t]*(?P<id>T\d+{_SUFFIX})\b")
_SECTION = re.compile(r"Phase[ \t]+([0-9A-Z]+(?:\.\d+)?)[ \t]*[:：—–-]", re.IGNORECASE)
_DEPENDS = re.compile(r"\b(?:depends on|requires|blocked by|dependency:|dependencies:)[ \t]*", re.IGNORECASE)
_LISTED = re.compile(r"(?:[^.;)\n]|\.(?=\d))*")  # to the end of the sentence; the dot of "T063.1" ends none
_FR = re.compile(r"\b(?:FR|NFR|SC)-\d{1,4}[a-z]?\b")
_TOTAL = re.compile(
    r"^\W*Total(?: tasks| task count)?\W*?:\W*(\d{1,6})(?![\d-])(?!\W*(?:new|tests|hours|points))", re.I | re.M
)
_IN_PHASE = re.compile(r"\((\d{1,5}) tasks?\)\s*$")
_CODE = re.compile(r"`[^`\n]*`")
_REQUIREMENT = re.compile(r"\*\*((?:FR|NFR|SC)-\d+[a-z]?)\*\*")
_USER_STORY = re.compile(r"(?:User )?Story (\d+)\b")

TASKS = Traits(
    id_pattern=rf"T\d{{3,}}{_SUFFIX}",
    id_example="T001",
    severities={"trace-forward": Severity.INFO},
)
SPEC = Traits(needs_tasks=False, required=("User Scenarios|User Stor", "Requirements", "Success Criteria"))
PLAN = Traits(needs_tasks=False, required=("Summary", "Technical Context", "Project Structure"))


def read_tasks(source: Source) -> Plan:
    """Read tasks.md: checkbox items with T-numbers, under phases."""
    collector = Collector(source)
    current: Draft | None = None
    for block in collector.blocks:
        if block.kind == "heading":
            current = None
            if block.level <= 3 and (found := _SECTION.match(block.text)) is not None:
                collector.section(block, block.text, f"Phase {found[1]}", found[1])
            elif block.level == 2:
                collector.section(block, block.text)
        elif block.kind == "item" and block.mark is not None and block.owner < 0:
            current = _task(collector, block)
        elif current is not None and block.owner >= 0 and block.kind in ("item", "text"):
            _detail(collector, current, block)
    plan = collector.plan("spec-kit-tasks", TASKS)
    counts = (*_totals(collector), *_phase_counts(collector))
    return replace(plan, mentions=tuple(_mentions(collector)), cites=tuple(_coverage(collector)), counts=counts)


def _task(collector: Collector, block: Block) -> Draft | None:
    """A checkbox item is a task where it has a T-number; a box without one is a task only among numbered ones."""
    found = _TASK.match(block.text)
    if found is None:
        boxed = _BOXED.match(block.text)
        if boxed is None:
            return None
        draft = collector.task(block, boxed["id"], block.text[boxed.end() :].strip(), boxed.start("id"))
        draft.parallel = True
    else:
        draft = collector.task(block, found["id"], block.text[found.end() :].strip(), found.start("id"))
        for label in _LABEL.finditer(found["labels"]):
            _label(collector, draft, block, label[1], found.start("labels") + label.start(1))
    draft.title = draft.title.split("\n", 1)[0]
    _detail(collector, draft, block)
    return draft


def _label(collector: Collector, draft: Draft, block: Block, label: str, offset: int) -> None:
    if label == "P":
        draft.parallel = True
    for story in _STORY.finditer(label):
        name = story[0].replace("-", "")
        draft.cites.append(collector.ref(draft, "stories", name, block, offset + story.start()))


def _detail(collector: Collector, draft: Draft, block: Block) -> None:
    """Files, dependencies and requirements that a task's own text names."""
    known = {file.name for file in draft.files}
    draft.files += [collector.ref(draft, "files", n, block, at) for n, at in files_in(block.text) if n not in known]
    if "R-" in block.text or "SC-" in block.text:
        draft.cites += [collector.ref(draft, "cites", name, block, at) for name, at in ids_in(block.text, _FR)]
    waits = "epend" in block.text or "equires" in block.text or "locked by" in block.text
    for depends in _DEPENDS.finditer(block.text) if waits else ():
        listed = _LISTED.match(block.text, depends.end())
        for name, offset in ids_in(listed[0] if listed else "", _ID):
            collector.edge(draft, name, block, depends.end() + offset)


def _mentions(collector: Collector) -> Iterator[Ref]:
    """T-numbers in running text; those of tasks themselves and those in code do not count."""
    for block in collector.blocks:
        if block.kind not in ("item", "text", "heading"):
            continue
        text = _CODE.sub(lambda code: " " * len(code[0]), block.text) if "`" in block.text else block.text
        for name, offset in ids_in(text, _ID):
            if (block.line, offset) not in collector.own:
                yield mention(block, name, offset)


def _coverage(collector: Collector) -> Iterator[Ref]:
    """Requirements that text outside the tasks says are covered: "Output (FR-028-FR-030): T038"."""
    for block in collector.blocks:
        if block.kind in ("item", "text") and block.mark is None and ("R-" in block.text or "SC-" in block.text):
            yield from (mention(block, name, offset) for name, offset in ids_in(block.text, _FR))


def _totals(collector: Collector) -> Iterator[Count]:
    """Yield a line like "**Total Tasks**: 78"."""
    actual = len(collector.tasks)
    for block in collector.blocks:
        if block.kind in ("item", "text") and "otal" in block.text:
            for found in _TOTAL.finditer(block.text):
                rest = block.text[found.end() : found.end() + 12].lower()
                if "task" in found[0].lower() or rest.lstrip("* ").startswith("task"):
                    place = Place(("text", block.line, "total"), block.at(found.start(1), found.end(1)))
                    yield Count("tasks", int(found[1]), actual, place)


def _phase_counts(collector: Collector) -> Iterator[Count]:
    """Yield a phase heading that ends in "(4 tasks)"."""
    held: dict[int | None, int] = {}
    for draft in collector.tasks:
        held[draft.section] = held.get(draft.section, 0) + 1
    for number, section in enumerate(collector.sections):
        found = _IN_PHASE.search(section.title)
        if found is not None and section.number is not None:
            yield Count("tasks in this phase", int(found[1]), held.get(number, 0), section.place)


def read_spec(source: Source) -> Plan:
    """Read spec.md: user stories, requirements, success criteria."""
    collector = Collector(source)
    requirements: list[Requirement] = []
    for block in collector.blocks:
        if block.kind == "heading" and (story := _USER_STORY.match(block.text)) is not None:
            place = Place(("stories", f"US{story[1]}"), block.at(0, story.end()))
            requirements.append(Requirement(f"US{story[1]}", "story", place))
        elif block.kind == "item" and (found := _REQUIREMENT.match(block.text)) is not None:
            place = Place(("requirements", found[1]), block.at(found.start(1), found.end(1)))
            requirements.append(Requirement(found[1], found[1].split("-")[0], place))
    goal = goal_of(collector.blocks, ("Input",), ("summary",))
    return replace(collector.plan("spec-kit-spec", SPEC, goal), requirements=tuple(requirements))


def read_plan(source: Source) -> Plan:
    """Read plan.md: sections and a summary, no tasks."""
    collector = Collector(source)
    return collector.plan("spec-kit-plan", PLAN, goal_of(collector.blocks, (), ("summary",)))


PROFILES = (
    Profile(
        "spec-kit-tasks",
        "spec-kit",
        "markdown",
        "tasks.md: checkbox items T001 with [P] and [US1], under phases.",
        signs(
            (r"^- \[.\] (\*\*)?T\d{3,}[A-Za-z]?\b", 60),
            (r"^- \[.\] .*\[US\d+\]", 10),
            (r"^## Phase \d+", 10),
            (r"^# (Implementation )?Tasks:", 4),
        ),
        read_tasks,
        render,
        places=(r"(^|/)specs/[^/]+/tasks\.md$",),
    ),
    Profile(
        "spec-kit-spec",
        "spec-kit",
        "markdown",
        "spec.md: user stories, FR and SC requirements.",
        signs(
            (r"^# Feature Specification:", 60),
            (r"^- \*\*FR-\d+\*\*", 30),
            (r"^### User Story \d+", 20),
            (r"^- \*\*SC-\d+\*\*", 10),
            (r"^\*\*Feature Branch\*\*", 10),
        ),
        read_spec,
        places=(r"(^|/)specs/[^/]+/spec\.md$",),
    ),
    Profile(
        "spec-kit-plan",
        "spec-kit",
        "markdown",
        "plan.md: technical context, constitution check, project structure.",
        signs(
            (r"^## Technical Context", 40),
            (r"^## Constitution Check", 30),
            (r"^# Implementation Plan:", 10),
            (r"^\*\*Branch\*\*:", 10),
        ),
        read_plan,
        places=(r"(^|/)specs/[^/]+/plan\.md$",),
    ),
)
