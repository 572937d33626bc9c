"""Tasks while they are being collected from a Markdown document."""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from ...contract.phrasing import as_json
from ...document.positions import Span
from ..plan import NOWHERE, Defect, Edge, Place, Plan, Ref, Section, Task, Traits
from ..status import CHECKBOX, Status
from .named_in_text import LEAD, MAX_LIST, ids_after
from .outline import Block, Source, most_names, prose, too_much
from .section_names import names_section
from .task_forms import HeadedTask, headed_task, is_checklist, left_out

_T = TypeVar("_T")
_PLAIN_BOX = re.compile(r"\[[ xX~-]\]\*?")  # "[x]", "[ ]*"
_TEXT = Place(("text",))  # the first step of the path of running text


@dataclass(slots=True)
class Draft:
    """A task that is still being read."""

    key: str
    id: str | None
    title: str
    place: Place
    level: int
    """Heading level, or depth in the list."""
    section: int | None = None
    parent: str | None = None
    scope: str = ""
    status: Status | None = None
    status_text: str | None = None
    status_place: Place | None = None
    parallel: bool = False
    optional: bool = False
    listing: bool = False
    """True while the list of its files is read."""
    edges: list[Edge] = field(default_factory=list)
    files: list[Ref] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    """The names of `files`."""
    cites: list[Ref] = field(default_factory=list)

    def done(self) -> Task:
        """Return the finished task."""
        title = self.title.replace("**", "", self.title.count("**") % 2)  # "**Task 1: Store** (AC: 1)" was bold before
        first = (self.key, self.id, title, self.place, self.section, self.parent, self.scope)
        named = (tuple(self.edges), tuple(self.files), tuple(self.cites))
        return Task(
            *first, self.status, self.status_text, *named, self.parallel, self.optional, status_place=self.status_place
        )


class Collector:
    """Collects sections and tasks of one Markdown document, and gives each a place and a path that names it."""

    def __init__(self, source: Source) -> None:
        self.blocks = source.outline
        self._body = source.document.body
        self._most = most_names(self._body)
        self._names = 0
        self.sections: list[Section] = []
        self.tasks: list[Draft] = []
        self.own: dict[int, int] = {}
        """Maps the line of every task's block to the offset of the task's own id in it."""
        self.read: set[int] = set()
        """Lines of the blocks that belong to tasks. Boxes elsewhere are reported as unread."""
        self.notes: frozenset[int] = frozenset()
        """Lines of boxes that only note what was done."""
        self.scoped: set[str] = set()
        """Keys of the tasks whose ids are relative to a scope."""
        self.scope = ""
        """The section to which ids are relative, in formats that number each section separately."""
        self._of: dict[int, Draft] = {}  # the task of a block, by the block's identity
        self._titles: dict[str, int] = {}  # names of tasks, with how many have each

    def below(self, meaning: str) -> Iterator[Block]:
        """Yield the blocks below each heading of this meaning, at any depth."""
        level = 0
        for block in self.blocks:
            if block.kind == "heading" and (level == 0 or block.level <= level):
                level = block.level if names_section(block.text, meaning) else 0
            elif level:
                yield block

    def section(self, block: Block, title: str, key: str = "", number: str | None = None) -> None:
        """Begin a new section at this heading."""
        place = block.place_of(key or title, 0, None, NOWHERE, "sections")
        self.sections.append(Section(title, key, number, block.level, place))

    def task(self, block: Block, task_id: str | None, title: str, offset: int = 0, *, scope: str = "") -> Draft:
        """Return a new task that begins at this offset of a heading or item."""
        name = task_id if task_id is not None else title[:40]
        count = self._titles[name] = self._titles.get(name, 0) + 1
        name = name if count == 1 else f"{name} #{count}"  # two tasks "Write it" have two paths
        key = (f"{scope}/{task_id}" if scope else task_id) if task_id is not None else f"?{len(self.tasks)}"
        place = block.place_of(name, offset, len(task_id or title), NOWHERE, "tasks")
        self.own[block.line] = offset
        if scope:
            self.scoped.add(key)
        self.read.add(block.line)
        draft = Draft(key, task_id, title, place, block.level, scope=scope)
        draft.section = len(self.sections) - 1 if self.sections else None
        draft.status = None if block.mark is None else CHECKBOX[block.mark]
        draft.optional = block.starred
        self.tasks.append(draft)
        self._of[id(block)] = draft
        return draft

    def above(self, block: Block) -> Draft | None:
        """Return the task of the item that contains a block, if any."""
        return self._of.get(id(self.blocks[block.owner])) if block.owner >= 0 else None

    def around(self, block: Block) -> Draft | None:
        """Return the task of a block, or of the closest item around it that is a task."""
        while block.owner >= 0 and id(block) not in self._of:
            block = self.blocks[block.owner]
        return self._of.get(id(block))

    def headed(self, block: Block, task: HeadedTask, *, scope: str = "") -> Draft:
        """Return a new task that a heading names."""
        return self.task(block, task.id, block.text[task.end :].strip(), task.offset, scope=scope)

    def matched(self, block: Block, found: re.Match[str] | None, scope: str = "", marks: str | None = None) -> Draft:
        """Return a new task from the first line of a block, whose id is the group `id` of a match, if any.

        The title loses the `marks` at both ends, or white space.
        """
        title = block.text[found.end() if found else 0 :].split("\n", 1)[0].strip(marks)
        return self.task(block, found["id"] if found else None, title, found.start("id") if found else 0, scope=scope)

    def counted(self, names: Iterable[_T]) -> Iterator[_T]:
        """Yield the names of lists and ranges. Raises TooMuchError if all together exceed the document's limit."""
        for name in names:
            self._names += 1
            if self._names > self._most:
                what = f"the lists and ranges of the document name more than {self._most:,} tasks or requirements"
                raise too_much(what, self._most, self._body)
            yield name

    def ref(self, draft: Draft, kind: str, name: str, block: Block, offset: int) -> Ref:
        """Return a name in this block that belongs to this task."""
        return Ref(name, block.place_of(name, offset, len(name), draft.place, kind))

    def mention(self, block: Block, name: str, offset: int) -> Ref:
        """Return a task that running text mentions."""
        return Ref(name, block.place_of(name, offset, len(name), _TEXT, block.line))

    def edge(self, draft: Draft, text: str, block: Block, offset: int, target: str | None = None) -> None:
        """Make a task wait for another one."""
        place = block.place_of(text, offset, len(text), draft.place, "dependencies")
        draft.edges += (Edge(target or (f"{draft.scope}/{text}" if draft.scope else text), text, place),)

    def waits(self, draft: Draft, block: Block, markers: re.Pattern[str], clause: re.Pattern[str], one: str) -> None:
        """Make a task wait for the ids (`one`) in the clause after each marker: "(depends on T003)"."""
        for marker in markers.finditer(block.text):
            # a limit, because each of many markers on one line would read the rest of it
            found = clause.match(block.text, marker.end(), marker.end() + LEAD + MAX_LIST)
            end = found.end() if found else marker.end()
            for name, offset in self.counted(ids_after(block.text, marker.end(), end, one)):
                self.edge(draft, name, block, offset)

    def files(self, draft: Draft, block: Block, named: Iterable[tuple[str, int]]) -> None:
        """Add files in a block, with their offsets, to a task, unless it names them already."""
        new = [one for one in named if one[0] not in draft.named]
        draft.files += [self.ref(draft, "files", name, block, at) for name, at in new]
        draft.named.update(name for name, _ in new)

    def plan(self, name: str, traits: Traits, goal: Ref | None = None) -> Plan:
        """Return the plan from the collected parts."""
        defects = tuple(self._defects()) if traits.needs_tasks else ()
        headed = [block for block in self.blocks if block.kind == "heading"]
        title = next((block.text for block in headed if block.level == 1), "")
        places = (block.place_of(block.text, 0, None, NOWHERE, "sections") for block in headed)
        headings = tuple(Ref(block.text, place) for block, place in zip(headed, places, strict=True))
        tasks, texts = tuple([draft.done() for draft in self.tasks]), tuple(prose(self.blocks))
        said = (name, title, goal, tuple(self.sections), tasks)
        return Plan(*said, headings=headings, prose=texts, defects=defects, traits=traits)

    def _defects(self) -> Iterator[Defect]:
        """Yield nonstandard boxes, unread parts that look like tasks, and empty numbered groups."""
        yield from odd_boxes([block for block in self.blocks if block.line not in self.notes], self.own)
        yield from left_out(self.blocks, self.read | self.notes)
        headings = {block.line: at for at, block in enumerate(self.blocks, 1) if block.kind == "heading"}
        for section in self.sections if self.tasks else ():
            below = headings.get(section.place.line or 0) if section.number is not None else None
            first = [] if below is None else self.blocks[below : below + 1]
            if below is not None and all(one.kind == "heading" and one.level <= section.level for one in first):
                yield Defect("task-text", f"{as_json(section.title)} is empty", section.place, "a task, or why none")


def odd_boxes(blocks: Iterable[Block], tasks: Container[int]) -> Iterable[Defect]:
    """Yield every checkbox that other tools would not read. `tasks` has the lines of tasks."""
    messages: dict[str, str] = {}
    for block in blocks:
        if block.odd_box is not None:
            box, column = block.odd_box
            span = Span(block.text_line, column, block.text_line, column + len(box))
            place = Place(("boxes", block.line), span)
            standard = _PLAIN_BOX.fullmatch(box) is not None
            message = f"no space after the checkbox {box}" if standard else f"the checkbox {box} has a nonstandard form"
            message = messages.setdefault(box, message)  # one text for thousands of boxes
            is_check = block.line not in tasks  # a checklist, or the verdict of a review
            yield Defect("box-mark", message, place, "[ ], [x], [-] or [~], then a space", box, is_habit=is_check)


def goal_of(blocks: list[Block], words: tuple[str, ...], headed: tuple[str, ...]) -> Ref | None:
    """Return the goal, "" if it is empty: text after a bold word ("**Goal:** …"), or under a heading of these names."""
    for block in blocks if words else ():
        found = _mark(words).search(block.text) if block.kind in ("text", "item") and "**" in block.text else None
        if found is not None:
            # the next label ends the goal: "**Goal:** Login\n**Architecture:** OAuth"
            rest = block.text[found.end() :].split("\n**", 1)[0]
            return Ref(" ".join(rest.split()), Place(("goal",), block.at(found.start())))
    for index, block in enumerate(blocks):
        if block.kind == "heading" and any(names_section(block.text, name, whole=True) for name in headed):
            below = _first_text(blocks, index)
            name, place = ("", block.at()) if below is None else (" ".join(below.text.split()), below.at())
            return Ref(name, Place(("goal",), place))
    return None


def said_by(blocks: list[Block], index: int, end: int) -> str:
    """Return the text of a heading after its number, which ends at `end`, and the first text below it."""
    below = _first_text(blocks, index)
    return f"{blocks[index].text[end:].strip(' .:：–—-')} {'' if below is None else below.text}".strip()


def _first_text(blocks: list[Block], index: int) -> Block | None:
    """Return the text right below a heading, or below the first heading within it; None if its section is empty."""
    for block in blocks[index + 1 : index + 3]:
        if block.kind == "heading" and block.level <= blocks[index].level:
            return None
        if block.text and block.kind in ("text", "item"):
            return block
    return None


@cache
def _mark(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of one of the words in bold at the head of a line: "**Goal:**", "**目标**:"."""
    named = "|".join(map(re.escape, words))
    return re.compile(rf"^\*\*(?:{named})(?:[ \t]?[:：]\*\*|\*\*[ \t]?[:：])", re.MULTILINE | re.IGNORECASE)


def unboxed_tasks(collector: Collector) -> Iterator[Defect]:
    """Read headings such as "Task 3: Parser", else numbered items below a heading about tasks. Yield a defect each."""
    if collector.tasks:
        return
    for block in collector.blocks:
        task = headed_task(block.text) if block.kind == "heading" and block.level > 1 else None
        if task is not None:
            yield other_form(collector.headed(block, task), "is a heading", block.text)
    if not collector.tasks:
        for block in collector.blocks:
            heading = collector.blocks[block.section].text if block.section >= 0 else ""
            below_tasks = names_section(heading, "tasks") or names_section(heading, "steps", whole=True)
            if block.number is not None and block.owner < 0 and below_tasks:
                title = block.text.split("\n", 1)[0].strip(" *")
                yield other_form(collector.task(block, block.number, title), "has no checkbox", block.text)


_BOX_ID = re.compile(r"(?:\*\*|`)?(?P<id>\d{1,3}(?:\.\d+)*[a-z]?)[.:)]?(?:\*\*|`)?[.:]?[ \t]+(?=\S)")
"""The id of a box: "1a. Read it", "**2.1** Write it"."""


def unheaded_tasks(collector: Collector) -> Iterator[Defect]:
    """Read the boxes of a plan without task headings, except in checklists, as tasks. Yield one defect for all."""
    if collector.tasks:
        return
    for block in collector.blocks:
        if block.kind != "item" or block.mark is None or is_checklist(collector.blocks, block.section):
            continue
        if block.owner >= 0 and collector.blocks[block.owner].line in collector.read:
            collector.read.add(block.line)  # a box inside a task's box is a part of it
            continue
        found = _BOX_ID.match(block.text)
        scope = collector.blocks[block.section].text if block.section >= 0 and found else ""
        collector.matched(block, found, scope, " *")
    if collector.tasks:
        first, many = collector.tasks[0], len(collector.tasks)
        message = f"no task has a header; {many} checkbox{'es are' if many > 1 else ' is'} read as tasks"
        yield Defect("header-format", message, first.place, f"### Task 1: {first.title}"[:80], is_habit=True)


def other_form(draft: Draft, what: str, seen: str) -> Defect:
    """Return the defect of a task in another form than a numbered box; `what` says which: "is a heading"."""
    expected, seen = f"- [ ] {draft.id} {draft.title}"[:80], seen.split("\n", 1)[0][:60]
    return Defect("task-form", f"task {draft.id} {what}", draft.place, expected, seen)
