"""Read spec-kit's tasks.md."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from ...contract.finding import Severity
from ..plan import Defect, Edge, Place, Plan, Ref, Traits
from ..reading.named_in_text import CODE, WAITS_FOR, WAITS_FOR_LABEL, blanked, files_in, ids_in, stated_dependencies
from ..reading.outline import Block, Source
from ..reading.task_drafts import Collector, Draft, other_form
from ..reading.task_forms import SUFFIX, T_ID, done_notes, headed_task, is_checklist, wrong_total
from ..status import Status

_ID = re.compile(rf"(?<![\w./-]){T_ID}\b")  # "T003" in running text, not in "docs/T003.md"
_OWN_LETTERS = rf"(?!FR|NFR|SC|US|AC|TASK)[A-Z]{{1,4}}-?\d{{3,4}}{SUFFIX}"
"""An id with a team's own letters: "M004", "INF-001". Requirements and stories are cited, not listed: "FR-001"."""
_PART = r"T\d{3,}-\d{1,2}(?!\d)"  # a numbered part of a task: "T167-1"
_OTHER_ID = rf"(?:{_PART}|T-?\d+{SUFFIX}|TASK-\d+|{_OWN_LETTERS})"
"""Any id of a task: "T001", "T01", "T167-1", "TASK-001", "M004". `id-format` decides if it is valid."""
_STATE = r"(?:(?:SKIP(?:PED)?|DEFERRED|DROPPED|REMOVED|CANCELL?ED|OBSOLETE|OPTIONAL|BLOCKED|DONE)[:：][ \t]*)?"
"""The state of a task, before its id: "SKIP: T048 (fuzzing)"."""
# "T001 [P] [US1] ", "**T001**: ", "SKIP: T048 "
_TASK = re.compile(
    rf"(?:\*\*|~~|`)?{_STATE}(?:Task[ \t]+)?(?P<id>{_OTHER_ID})\b(?:\*\*|~~|`)?:?(?:\*\*)?[ \t]*"
    rf"(?P<labels>(?:\[[^\]\n]{{1,20}}\][ \t]*)*)"
)
_BRACKETED = re.compile(
    rf"(?:\*\*)?(?P<before>(?:\[[^\]\n]{{1,20}}\][ \t]*)*?)\[(?P<id>{_OTHER_ID})\](?:\*\*)?:?[ \t]*"
    rf"(?P<labels>(?:\[[^\]\n]{{1,20}}\][ \t]*)*)"
)
"""An id in brackets: "[T001] [P] Write it", "[P] [T001] Write it"."""
_LABELLED = re.compile(rf"(?P<before>(?:\[[^\]\n]{{1,20}}\][ \t]*)+)(?P<id>{_OTHER_ID})\b:?[ \t]*(?P<labels>)")
"""Labels before the id: "[P] T001 Write it"."""
_DEVIATIONS = {_BRACKETED: "has its id in brackets", _LABELLED: "has labels before its id"}
_SHORT = re.compile(
    r"(?:\*\*)?(?P<id>(?!US)[A-Z]{1,2}\d{1,3})(?:\*\*)?[.:)]?(?:\*\*)?[ \t]+(?P<labels>(?:\[[^\]\n]{1,20}\][ \t]*)*)"
)
"""The id of a task in a list that numbers tasks per phase: "A1 Write it", "B2: Test it"."""
_RANGE = re.compile(
    r"[ \t]?(?:[-–—~,+&/→]|->|to\b|through\b|and\b|or\b|depends|requires|blocks|can\b|must\b|is\b|are\b)[ \t]?"
)
"""The text after a mere reference: "T001-T005", "T003 depends on T002", "T003 and T004 can run together"."""
_CHECKPOINT = re.compile(r"\W*Checkpoint\b", re.IGNORECASE)  # "**Checkpoint**: all tests pass"
_LABEL = re.compile(r"\[([^\]\n]+)\]")  # "[P]", "[US1]"
_STORY = re.compile(r"US-?\d+")  # "US1", "US-1"
# "Phase 3: Login", "Phase 2.1 - Login"
_SECTION = re.compile(r"Phase[ \t]+([0-9A-Z]+(?:\.\d+)?)[ \t]*[:：—–-]", re.IGNORECASE)
# "(depends on ", "Blocked by: "
_DEPENDS = re.compile(rf"\b(?:{WAITS_FOR}|(?:{WAITS_FOR_LABEL}):)[ \t]*", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[^.;)\n]|\.(?=\d))*")  # to the end of the sentence; the dot of "T063.1" does not end it
_FR = re.compile(r"\b(?:FR|NFR|SC)-\d{1,4}[a-z]?\b")  # "FR-003", "SC-01a"
_TOTAL = re.compile(
    r"^[\W_]*Total(?: number of)?(?: tasks| task count)?\W*?:\W*(\d{1,6})(?![\d-])"
    r"\**[ \t]*(?:tasks?)?[ \t]*[.*|]*[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""The plan's own total, with nothing after it: "**Total Tasks**: 78", "Total: 78 tasks"; not "Total: 9 for the MVP"."""
_OF_A_PART = re.compile(r"\b(?:MVP|Phase|Story|US\d+|Sprint|Milestone|Increment)\b", re.IGNORECASE)
"""A heading of a part with its own total: "## MVP Scope", "## Phase 2"."""
_IN_PHASE = re.compile(r"\((\d{1,5}) tasks?\)\s*$")  # "## Phase 1: Setup (4 tasks)"
_FOLLOWED = re.compile(
    r"\b(?:per|see|from|following|follow|against|according to|based on|as in|matching|(?:defin|describ|document)ed in)"
    r"(?:[ \t]+the)?[ \t]+[`*(\[\"]*(?:[\w./-]*/)?$",
    re.IGNORECASE,
)
"""Words before a document that a task follows but does not change: "per ", "as described in `"."""
_CITED = re.compile(
    r"\b(?:per|see|according to|as in|(?:defin|describ|document)ed in)(?:[ \t]+the)?[ \t]+[`*(\[\"]*$", re.IGNORECASE
)
"""Words before other files that are only cited: "(per contracts/api.yaml)". "following" may name a model."""
_BEFORE = 200  # characters before a file's name in which these words may be: a line may name thousands of files
_DESIGN = frozenset({"spec.md", "plan.md", "research.md", "data-model.md", "quickstart.md"})
"""Documents of the feature. A task that also names another file only cites them."""
# "Phase 3: User Story 1", "(US2)"
_HEADED_STORY = re.compile(r"\bUS-?(?P<short>\d+)\b|\b(?:User )?Story[ \t]+(?P<long>\d+)\b")

TASKS = Traits(
    id_pattern=rf"{T_ID}|{_PART}|{_OWN_LETTERS}", id_example="T001", severities={"trace-forward": Severity.INFO}
)


def read_tasks(source: Source) -> Plan:
    """Read tasks.md: checkbox items with T-numbers, under phases; tasks in other forms with a defect each."""
    collector = Collector(source)
    reader = _Reader(collector)
    for block in collector.blocks:
        reader.take(block)
    section_edges = tuple(_prose_edges(collector))
    totals = [*_totals(collector)]
    mentions, cites = tuple(_mentions(collector)), tuple(_coverage(collector))
    plan = collector.plan("spec-kit-tasks", TASKS)
    defects = (*reader.defects, *totals, *plan.defects)
    return replace(plan, mentions=mentions, cites=cites, section_edges=section_edges, defects=defects)


def _is_box(block: Block) -> bool:
    return block.kind == "item" and block.mark is not None


def _says_it(block: Block, found: re.Match[str]) -> bool:
    """Return True if an item describes the task of its id, instead of only naming it: "T003", "T003-T005"."""
    return bool(block.text[found.end() :].strip()) and _RANGE.match(block.text, found.end("id")) is None


def _task_at(text: str) -> re.Match[str] | None:
    """Return the id at the start of an item, before or after labels and marks."""
    return _TASK.match(text) or _BRACKETED.match(text) or _LABELLED.match(text)


class _Reader:
    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        items = [block for block in collector.blocks if block.kind == "item" and block.owner < 0]
        short = [found["id"] for block in items if _is_box(block) and (found := _SHORT.match(block.text))]
        # "A1 Write it"; one that repeats is a priority: "P0"
        are_ids = len(short) > 1 and len(set(short)) == len(short)
        self._short = are_ids and not any(_task_at(block.text) for block in items)
        collector.notes = frozenset(self._notes())
        self._lists = {
            block.section for block, _ in self._numbered() if block.owner < 0 and block.line not in collector.notes
        }
        self._current: Draft | None = None
        self._headed = False
        self.defects: list[Defect] = []

    def _id_at(self, block: Block) -> re.Match[str] | None:
        """Return the id that an item begins with. An inner item only has one if it is a box that describes its task."""
        if self._short:
            return _SHORT.match(block.text) if _is_box(block) and block.owner < 0 else None
        found = _task_at(block.text)
        is_inner = block.owner >= 0
        return None if found is None or (is_inner and not (_is_box(block) and _says_it(block, found))) else found

    def _numbered(self) -> Iterator[tuple[Block, str]]:
        """Yield the boxes that have an id, with it."""
        boxes = (block for block in self._collector.blocks if _is_box(block))
        return ((block, found["id"]) for block in boxes if (found := self._id_at(block)) is not None)

    def _notes(self) -> Iterator[int]:
        """Yield the lines of boxes that only note what was done: without ids, or "✅ T030" beside the box of T030."""
        numbered = [*self._numbered()]
        ids = {number for block, number in numbered if block.odd_box is None}
        yield from (block.line for block, number in numbered if block.odd_box is not None and number in ids)
        if numbered:
            yield from done_notes(self._collector.blocks, lambda block: self._id_at(block) is not None)

    @cached_property
    def _boxed(self) -> frozenset[str]:
        """Ids of boxes, which few documents repeat in a heading or in an item without a box."""
        return frozenset(number for _, number in self._numbered())

    def take(self, block: Block) -> None:
        if block.line in self._collector.notes:
            self._current = self._current if block.owner >= 0 else None
        elif block.kind == "heading":
            self._current = self._heading(block)
            self._headed = self._current is not None
        elif block.kind == "item" and (task := self._item(block)) is not None:
            if block.owner < 0:
                self._current, self._headed = task, False
        elif block.kind in ("item", "text") and (task := self._around(block)) is not None:
            self._collector.read.add(block.line)
            _detail(self._collector, task, block)
        elif block.mark is not None and block.owner < 0:
            self._current = None

    def _around(self, block: Block) -> Draft | None:
        """Return the task that an item or a text belongs to."""
        if block.owner < 0:
            return self._current if self._headed else None
        return self._collector.around(block) or self._current

    def _heading(self, block: Block) -> Draft | None:
        """Begin a phase, a section, or a task that no checkbox lists."""
        collector, task = self._collector, headed_task(block.text)
        found = _SECTION.match(block.text) if block.level <= 3 else None
        if task is None or found is not None or task.id in self._boxed:
            if found is not None or block.level == 2:
                number = found[1] if found is not None else None
                collector.section(block, block.text, f"Phase {number}" if number else "", number)
            collector.read.add(block.line)
            return None
        draft = collector.headed(block, task)
        draft.title = draft.title.strip(" *")
        draft.status = Status.DONE if task.done else Status.TODO
        self.defects.append(other_form(draft, "is a heading", f"{'#' * block.level} {block.text}"))
        return draft

    def _item(self, block: Block) -> Draft | None:
        """Read an item with an id as a task. Also read a box among numbered ones, or any box if the plan has no ids.

        A box inside a task's item is a task only with an id.
        """
        found = self._id_at(block)
        if found is None:
            return self._without_id(block) if block.owner < 0 else None
        if block.mark is None and (found["id"] in self._boxed or not (self._in_phase() and _says_it(block, found))):
            return None
        above = self._collector.around(block)
        draft = self._collector.task(block, found["id"], block.text[found.end() :].strip(), found.start("id"))
        draft.parent = None if above is None else above.key
        groups = [group for group in ("before", "labels") if found.groupdict().get(group)]
        for label in [label for group in groups for label in _LABEL.finditer(block.text, *found.span(group))]:
            draft.parallel |= label[1] == "P"
            for story in _STORY.finditer(block.text, *label.span(1)):
                name = story[0].replace("-", "")
                draft.cites.append(self._collector.ref(draft, "stories", name, block, story.start()))
        draft.title = draft.title.split("\n", 1)[0]
        deviation = _DEVIATIONS.get(found.re) if block.mark is not None else "has no checkbox"
        if deviation is not None:
            self.defects.append(other_form(draft, deviation, f"- {block.text}"))
        _detail(self._collector, draft, block)
        return draft

    def _without_id(self, block: Block) -> Draft | None:
        plain = not self._lists and (self._in_phase() or not is_checklist(self._collector.blocks, block.section))
        listed = block.section in self._lists or plain
        if block.mark is None or self._headed or not listed or _CHECKPOINT.match(block.text):
            return None
        draft = self._collector.matched(block, None)
        _detail(self._collector, draft, block)
        return draft

    def _in_phase(self) -> bool:
        return any(section.number is not None for section in self._collector.sections[-1:])


def _detail(collector: Collector, draft: Draft, block: Block) -> None:
    """Add the files, dependencies and requirements that a task's own text names."""
    if named := [*files_in(block.text)]:
        _files(collector, draft, block, named)
    # words first: most texts have neither, and a pattern that begins with `\b` takes far longer to say so
    if "R-" in block.text or "SC-" in block.text:
        cited = collector.counted(ids_in(block.text, _FR))
        draft.cites += [collector.ref(draft, "cites", name, block, at) for name, at in cited]
    # parts of the words of `_DEPENDS`, without a letter that may be a capital
    waits = any(word in block.text for word in ("epend", "equire", "locked", "ait", "rerequisite"))
    if waits:
        collector.waits(draft, block, _DEPENDS, _CLAUSE, T_ID)


def _files(collector: Collector, draft: Draft, block: Block, named: Sequence[tuple[str, int]]) -> None:
    # a task only follows other documents: "per data-model.md", "as described in quickstart.md"
    changed = [
        (name, at)
        for name, at in named
        if not (_FOLLOWED if name.endswith(".md") else _CITED).search(block.text, max(0, at - _BEFORE), at)
    ]
    own = [one for one in changed if one[0].rpartition("/")[2] not in _DESIGN]
    # "… in src/a.py (data-model.md, rule 5)" changes src/a.py
    collector.files(draft, block, own if own or draft.files else changed)


def _prose_edges(collector: Collector) -> Iterator[tuple[str, Edge]]:
    """Add the tasks' dependencies from the sections about them, and yield those of phases."""
    tasks = {draft.id: draft for draft in reversed(collector.tasks)}
    known = {(draft.id, edge.text) for draft in tasks.values() for edge in draft.edges}
    for block in collector.below("dependencies"):
        if block.kind not in ("item", "text") or block.line in collector.read:
            continue
        for (waiting, _), (first, offset) in collector.counted(stated_dependencies(block.text, T_ID)):
            draft = tasks.get(waiting)
            if draft is not None and (waiting, first) not in known:
                known.add((waiting, first))
                collector.edge(draft, first, block, offset)
        for (waiting, _), (first, offset) in collector.counted(
            stated_dependencies(block.text, r"Phases?[ \t]+\d{1,2}")
        ):
            names = [f"Phase {re.sub(r'[^0-9]', '', one)}" for one in (waiting, first)]
            span = block.at(offset, offset + len(first))
            yield names[0], Edge(names[1], names[1], Place(("sections", names[0], "dependencies", names[1]), span))


def _mentions(collector: Collector) -> Iterator[Ref]:
    """Yield the T-numbers in running text, except those of tasks themselves and those in code."""
    for block in collector.blocks:
        if block.kind not in ("item", "text", "heading"):
            continue
        text, own = blanked(CODE, block.text), collector.own.get(block.line)
        for name, offset in collector.counted(named for named in ids_in(text, _ID) if named[1] != own):
            yield collector.mention(block, name, offset)


def _coverage(collector: Collector) -> Iterator[Ref]:
    """Yield requirements that text outside the tasks marks as covered: "Output (FR-028-FR-030): T038"."""
    for block in collector.blocks:
        if block.kind == "heading":
            for found in _HEADED_STORY.finditer(block.text):
                yield collector.mention(block, f"US{found['short'] or found['long']}", found.start())
        if block.kind in ("item", "text") and block.mark is None and ("R-" in block.text or "SC-" in block.text):
            yield from (collector.mention(block, *named) for named in collector.counted(ids_in(block.text, _FR)))


def _totals(collector: Collector) -> Iterator[Defect]:
    """Yield wrong totals: "**Total Tasks**: 78" outside sections about a part of the plan, "(4 tasks)" of a phase."""
    for block in collector.blocks:
        title = collector.blocks[block.section].text if block.section >= 0 else ""
        if block.kind in ("item", "text") and "otal" in block.text and _OF_A_PART.search(title) is None:
            for found in _TOTAL.finditer(block.text):
                if "task" in found[0].lower():  # "Total: 21" may count points
                    place = Place(("text", block.line, "total"), block.at(found.start(1), found.end(1)))
                    yield from wrong_total("tasks", int(found[1]), len(collector.tasks), place)
    held = Counter(draft.section for draft in collector.tasks)
    for number, section in enumerate(collector.sections):
        own = _IN_PHASE.search(section.title)
        if own is not None and section.number is not None:
            yield from wrong_total("tasks in this phase", int(own[1]), held[number], section.place)
