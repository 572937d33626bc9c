"""Kiro: tasks.md (`- [ ] 1. …`, `- [ ] 1.1 …` with `_Requirements: 1.2_`) and requirements.md."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from ..plan import EVERY, Defect, Place, Plan, Requirement, Traits
from ..reading.named_in_text import EVERY_WORD, WAITS_FOR_LABEL, files_in, ids_in, listed_ids
from ..reading.outline import Block, Source
from ..reading.profile import Profile, signs
from ..reading.task_drafts import Collector, Draft, goal_of, other_form, said_by
from ..reading.task_forms import HeadedTask, headed_task, is_checklist
from ..status import Status

_ID = r"\d+(?:\.\d+)*|[A-Z][A-Z0-9]*-\d+(?:\.\d+)*"  # "1", "1.1", "AUTH-2.1"
# "1. ", "**Task 1.1:** "
_TASK = re.compile(rf"(?:\*\*)?(?:Task[ \t]+)?(?P<id>{_ID})\*?(?:[.:)]|(?=[ \t]))(?:\*\*)?[ \t]*")
# "_Requirements: 1.2_", "**Validates: Requirements 1.2**"
_REQUIREMENTS = re.compile(
    r"(?:_|\*\*)(?:Requirements?|Validates: Requirements?|验证|需求)(?:\*\*)?[:：](?:\*\*)?"
    r"[ \t]*(?:Requirements?[ \t]*)?"
)
_DEPENDS = re.compile(rf"(?:_|\*\*)(?:{WAITS_FOR_LABEL}):(?:\*\*)?[ \t]*")  # "_Dependencies: 1.2_", "**Depends on:** 1"
_CITED = r"(?:[A-Z]{1,4}-?)?\d+(?:\.\d+)*"  # "1.2", "R2.1", "FR-3"
_EVERY = re.compile(rf"{EVERY_WORD}(?![^\W_])", re.IGNORECASE)
"""A word for every requirement: "_Requirements: All requirements_"."""
_PHASE = re.compile(r"Phases?[ \t]+\d")  # "Phase 3", a section of the text
_HEADED = re.compile(r"(?:Task[ \t]+)?(?P<id>\d+(?:\.\d+)*)[.:)][ \t]+", re.IGNORECASE)
"""A task as a heading: "## 1. Parser", "### Task 1.1: Parser"."""
_WORDS = "Requirement|Exigence|Requisito|Requerimiento|Anforderung|Требование|需求|要件|요구사항"
_REQUIREMENT = re.compile(
    rf"(?:{_WORDS}|User Story|US|DR|R)[ \t-]?(?:0*(?P<number>\d+)|(?P<lettered>[A-Z]\d{{1,3}}))\b", re.IGNORECASE
)
"""The heading of a requirement: "Requirement 3", "Exigence 3", "US-3: …", "US003: …", "需求 A01"."""
_CRITERIA_WORDS = (
    "acceptance criteria|crit[eè]res d.acceptation|criterios de aceptaci[oó]n|crit[eé]rios de aceita[cç][aã]o|"
    "akzeptanzkriterien|критерии приёмки|验收标准|验收条件|驗收條件|驗收標準|受け入れ基準|수용 기준"
)
_CRITERIA = re.compile(_CRITERIA_WORDS, re.IGNORECASE)  # "#### Acceptance Criteria"

TASKS = Traits(id_pattern=_ID, id_example="1 or 1.1")
REQUIREMENTS = Traits(
    needs_tasks=False,
    required=("Overview", "Requirements"),
    needs_requirements=("requirement",),
    scenario="acceptance criterion",
)


def read_tasks(source: Source) -> Plan:
    """Read tasks.md: numbered boxes. Ids are unique within a `##` section, since tools append their own lists."""
    collector = Collector(source)
    reader = _Reader(collector)
    for block in collector.blocks:
        reader.take(block)
    spoken_of = tuple(sorted({*_spoken_of(collector)}))
    plan = collector.plan("kiro-tasks", TASKS, goal_of(collector.blocks, ("Goal",), ("overview",)))
    return replace(plan, defects=(*reader.defects, *plan.defects), spoken_of=spoken_of)


_OF_ALL = re.compile(
    rf"(?<!\w){_EVERY.pattern}[^\n]{{0,20}}(?:requirement|criteri|requisito|exigence|anforderung|требован|需求|要件|요구)",
    re.IGNORECASE,
)
"""Words that may cite every requirement: "_Validates: All requirements_"."""
_DOTTED = re.compile(r"(?<![\w.])\d{1,3}\.\d{1,3}(?![\w.])")  # "2.3", not the "2.3" of "v2.3.1"


def _spoken_of(collector: Collector) -> Iterator[str]:
    """Yield numbers such as 2.3 that may cite a criterion, although they were not read as citations."""
    cited = {ref.place.span for draft in collector.tasks for ref in draft.cites}
    for block in collector.blocks:
        if _OF_ALL.search(block.text) is not None:
            yield EVERY
        for name, offset in collector.counted(ids_in(block.text, _DOTTED)) if "." in block.text else ():
            place = block.at(offset, offset + len(name))
            if collector.own.get(block.line) != offset and place not in cited:
                yield name


class _Reader:
    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._scopes = _scopes(collector)
        boxes = [block for block in collector.blocks if block.mark is not None and block.kind == "item"]
        self._lists = {one.section for one in boxes if one.number is not None or _TASK.match(one.text) is not None}
        self._current: Draft | None = None
        self._headed = False
        self.defects: list[Defect] = []

    def take(self, block: Block) -> None:
        if block.kind == "heading":
            self._heading(block)
        elif block.kind == "item" and block.mark is not None:
            self._box(block)
        elif self._current is not None and block.kind in ("item", "text") and (block.owner >= 0 or self._headed):
            _detail(self._collector, self._current, block)

    def _heading(self, block: Block) -> None:
        """Begin a section or, in a document without numbered boxes, a numbered task."""
        self._current, self._headed = None, False
        found = None if self._lists or block.level == 1 else _headed(block.text)
        if found is not None:
            self._current = self._collector.headed(block, found)
            self._current.status, self._headed = Status.DONE if found.done else Status.TODO, True
            self._odd(self._current, "is a heading", f"{'#' * block.level} {block.text}")
        elif block.level == 2:
            self._collector.section(block, block.text)
        if self._lists:  # "## Task 1" above the boxes 1.1, 1.2 names a group
            self._collector.read.add(block.line)

    def _box(self, block: Block) -> None:
        found, owner = _TASK.match(block.text), self._collector.above(block)
        number, title, offset = None, block.text, 0
        if found is not None:
            number, title, offset = found["id"], block.text[found.end() :], found.start("id")
        elif block.number is not None and block.owner < 0:
            number = block.number
        elif owner is None and not self._headed:
            listed = block.section in self._lists
            # a box outside the numbered lists or, in a document without any, in a checklist
            if not listed and (self._lists or is_checklist(self._collector.blocks, block.section)):
                return
        title = title.split("\n", 1)[0].strip().removesuffix("**")
        task = self._collector.task(block, number, title, offset, scope=self._scopes.get(block.section, ""))
        heads = self._current if self._headed else None
        above = owner or (heads if number is None else None)
        task.parent = above.key if above is not None else _parent(self._collector, task)
        if found is None and number is not None:
            self._odd(task, "has its number before the checkbox", f"{number}. [ ] {title}")
        if heads is None:
            self._current = task
        _detail(self._collector, task, block)

    def _odd(self, task: Draft, what: str, seen: str) -> None:
        expected = f"- [ ] {task.id}. {task.title}"[:80]
        self.defects.append(replace(other_form(task, what, seen), expected=expected))


def _headed(text: str) -> HeadedTask | None:
    """Return the task that a heading names: "Task 1: Parser", "任务 1", or a number alone ("1. Parser")."""
    found = _HEADED.match(text)
    return headed_task(text) or (found and HeadedTask(found["id"], found.start("id"), found.end(), done=False))


def _scopes(collector: Collector) -> dict[int, str]:
    """Return the scope of ids below each heading: a `##` section that repeats earlier ids starts its own list."""
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


def _parent(collector: Collector, task: Draft) -> str | None:
    """Return the task whose number is a prefix of this one's."""
    head, dot, _ = (task.id or "").rpartition(".")
    key = f"{task.scope}/{head}" if task.scope else head
    # a parent is shortly before its subtasks; a look at all tasks for each of them would take quadratic time
    return key if dot and any(other.key == key for other in reversed(collector.tasks[-200:])) else None


def _detail(collector: Collector, task: Draft, block: Block) -> None:
    """Add the requirements, dependencies and files that a task's own text names."""
    for marker in _REQUIREMENTS.finditer(block.text):
        if (every := _EVERY.match(block.text, marker.end())) is not None:
            task.cites.append(collector.ref(task, "requirements", EVERY, block, every.start()))
        for name, offset in collector.counted(listed_ids(block.text, marker.end(), _CITED)):
            task.cites.append(collector.ref(task, "requirements", name, block, offset))
    for marker in _DEPENDS.finditer(block.text):
        is_phase = _PHASE.match(block.text, marker.end())  # "Phase 3 complete" refers to sections of the text, not ids
        for name, offset in () if is_phase else collector.counted(listed_ids(block.text, marker.end(), _ID)):
            elsewhere = task.scope and f"{task.scope}/{name}" not in collector.scoped
            collector.edge(task, name, block, offset, name if elsewhere else None)
    if block.owner < 0 or block.mark is None:
        collector.files(task, block, files_in(block.text))


_LETTERED = re.compile(r"\W{0,3}[A-Z]{1,4}-?\d{1,3}\b")
"""An item that may be numbered with the criteria: "- **BR1**: Backup at 2 am"."""
_IN_TEXT = re.compile(r"^\d{1,3}[.)] ", re.MULTILINE)
"""A number in a paragraph: Markdown reads "4. …" below a line of text as part of that text."""


def read_requirements(source: Source) -> Plan:
    """Read requirements.md: numbered requirements with numbered acceptance criteria."""
    collector = Collector(source)
    requirements: list[Requirement] = []
    heads: list[int] = []
    current, in_criteria, odd, others = "", False, False, False
    for index, block in enumerate(collector.blocks):
        if block.kind == "heading":
            found = _REQUIREMENT.match(block.text)
            in_criteria = bool(_CRITERIA.search(block.text))
            if found is not None:
                current = found["number"] or found["lettered"]
                current = f"DR{current}" if block.text.startswith("DR") else current
                heads.append(len(requirements))
                said = said_by(collector.blocks, index, found.end())
                place = Place(("requirements", current), block.at())
                requirements.append(Requirement(current, "requirement", place, text=said))
                collector.section(block, block.text, current, current)
        elif block.kind == "item" and block.number is not None and current and in_criteria and block.level == 1:
            is_first = len(requirements) == heads[-1] + 1
            # Markdown counts on after a repeated number
            last = 0 if is_first else int(requirements[-1].id.rpartition(".")[2])
            name = f"{current}.{max(int(block.number), last + 1)}"  # Markdown has no number of more than 9 digits
            requirements.append(Requirement(name, "AC", Place(("requirements", name), block.at()), str(len(heads))))
        elif block.kind == "text" and _CRITERIA.search(block.text):
            in_criteria = True
        elif block.kind == "item" and current and block.level == 1:
            odd |= in_criteria  # "- AC-1: WHEN …": a criterion without a number in the list
            others |= not in_criteria and _LETTERED.match(block.text) is not None
        elif block.kind == "text" and current:
            odd |= _IN_TEXT.search(block.text) is not None
    _count_criteria(requirements, heads, collector)
    goal = goal_of(collector.blocks, (), ("overview",))
    plan = collector.plan("kiro-requirements", REQUIREMENTS, goal)
    unsure = (*("requirements",) * (odd or not requirements), *("references",) * (odd or others))
    return replace(plan, requirements=tuple(requirements), unsure=unsure)


def _count_criteria(requirements: list[Requirement], heads: list[int], collector: Collector) -> None:
    """Set each requirement's number of criteria, in documents that number criteria at all."""
    if len(requirements) == len(heads) and any(block.kind == "item" for block in collector.blocks):
        return  # criteria in another form
    for at, end in pairwise([*heads, len(requirements)]):
        requirements[at] = replace(requirements[at], scenarios=end - at - 1)


PROFILES = (
    Profile(
        "kiro-tasks",
        "kiro",
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
        own_places=(r"(^|/)\.kiro/specs/.*tasks\.md$",),
    ),
    Profile(
        "kiro-requirements",
        "kiro",
        "requirements.md: numbered requirements with acceptance criteria.",
        signs(
            (rf"(?i)^#{{2,4}} ({_WORDS}) ?\d+", 50),
            (rf"(?i)^#+ .*({_CRITERIA_WORDS})", 15),
            (r"\bSHALL\b", 10),
            (r"^# (.*Requirements( Document)?|需求文档)", 10),
            (r"^\*\*(User Story|用户故事)", 5),
        ),
        read_requirements,
        own_places=(r"(^|/)\.kiro/specs/.*requirements\.md$",),
    ),
)
