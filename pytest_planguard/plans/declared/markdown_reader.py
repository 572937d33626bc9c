"""Read Markdown by the description of its format, and report headings that nearly look like its tasks."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ..plan import Defect, Place, Plan, Traits
from ..reading.outline import Block, Source
from ..reading.section_names import SYNONYMS, names_section
from ..reading.task_drafts import Collector, Draft, goal_of
from ..reading.task_forms import UNREAD_TASKS, headed_task
from ..status import CHECKBOX
from .details import DetailReader
from .settings import FormatSettings, SectionSettings, TaskSettings, exact, lenient

_LEAD = re.compile(r"[*_`~\W]*([^\W\d_]+)")  # the first word of a pattern: "Step" in "Step {id}: {title}"
_AROUND = " \t*_`~:.,;()[]—–-"  # characters that may enclose an id: "[R-05]", "R-05:"


def _looks_like_one(text: str, tasks: TaskSettings) -> bool:
    """Return True if a heading begins with the pattern's own word, or has an id among its first two words.

    "Step (owner: ops)" and "Stp R-05 Restart" if a task is "Step R-05 …"; not "Notes on R-05".
    """
    words = [word.strip(_AROUND) for word in text.split(maxsplit=2)[:2]]
    lead = _LEAD.match(tasks.pattern.partition("{")[0])
    if lead is not None and words and words[0].casefold() == lead[1].casefold():
        return True
    return "{id}" in tasks.pattern and any(re.fullmatch(tasks.id, word, re.IGNORECASE) for word in words)


def _defect(block: Block, tasks: TaskSettings, message: str) -> Defect:
    place, expected = Place(("unread", block.line), block.at()), f"{'#' * block.level} {tasks.pattern}"
    return Defect(UNREAD_TASKS, message, place, expected)


def read_markdown(settings: FormatSettings, traits: Traits, source: Source) -> Plan:
    """Return the plan of a document in a described format."""
    collector, tasks = Collector(source), settings.tasks
    own = [*_Reading(settings, tasks, collector).defects_of_tasks()] if tasks is not None else []
    names = [name.strip(" :") for name in (settings.goal or "").split("|") if name.strip(" :")]
    words = [word for name in names for word in SYNONYMS.get(name.lower(), (name,))]
    goal = goal_of(collector.blocks, tuple(words), tuple(map(str.lower, names)))
    plan = collector.plan(settings.format, traits, goal)
    return replace(plan, defects=(*plan.defects, *own))


class _Reading:
    """A document while it is read."""

    def __init__(self, settings: FormatSettings, tasks: TaskSettings, collector: Collector) -> None:
        self.settings, self.tasks, self.collector = settings, tasks, collector
        self.exact, self.lenient = exact(tasks.pattern, tasks.id), lenient(tasks.pattern)
        self.current: Draft | None = None  # the task whose details follow
        self.above: list[Block] = []  # the headings above the block, outermost first
        self.defects: list[Defect] = []
        self.misplaced: list[Block] = []  # headings that look like tasks but are in the wrong section
        self.headed: set[int] = set()  # lines of the headings that were read as tasks or sections

    def defects_of_tasks(self) -> Iterator[Defect]:
        """Collect the tasks and sections, and yield what is wrong with their form."""
        tasks = self.tasks
        details = DetailReader(tasks, self.collector)
        for block in self.collector.blocks:
            if block.kind == "heading":
                self._heading(block)
            elif block.kind == "item":
                self._item(block)
            task = self.current if tasks.form == "headings" else self.collector.around(block)
            if task is not None and block.kind in ("heading", "item", "text"):
                self.collector.read.add(block.line)
                details.read(task, block)
        yield from (*details.missing(), *details.slips.values(), *details.defects, *self.defects)
        if tasks.form == "headings":
            yield from self._near_tasks()
            for block in self.misplaced[:1] if not self.collector.tasks else ():
                message = f"the {tasks.noun} {block.text[:60]!r} is not below a heading {tasks.under!r}"
                yield _defect(block, tasks, message)

    def _near_tasks(self) -> Iterator[Defect]:
        """Yield a defect for each unread heading of the tasks' level that begins like a task, or with an id."""
        tasks = self.tasks
        for block in self.collector.blocks:
            wanted = block.kind == "heading" and tasks.level in (None, block.level) and block.line not in self.headed
            if wanted and headed_task(block.text) is None and _looks_like_one(block.text, tasks):
                message = f"the heading {block.text[:60]!r} looks like a {tasks.noun} but was not read as one"
                yield _defect(block, tasks, message)

    def _heading(self, block: Block) -> None:
        while self.above and self.above[-1].level >= block.level:
            self.above.pop()
        section = self.settings.sections
        if section is not None and self._begins_section(block, section):
            self.headed.add(block.line)
            self.current = None
        elif self.tasks.form == "headings" and self._inside() and self._is_task(block):
            self.headed.add(block.line)
        else:
            if self.tasks.form == "headings" and not self._inside():
                self.headed.add(block.line)
                self.misplaced += [block] if self.exact.match(block.text) else []
            if self.current is not None and block.level <= self.current.level:
                self.current = None
        self.above.append(block)

    def _begins_section(self, block: Block, section: SectionSettings) -> bool:
        found = exact(section.pattern, self.tasks.id).fullmatch(block.text)
        if found is None or block.level != section.level:
            return False
        fields = found.groupdict()
        title, number = fields.get("title") or block.text, fields.get("number")
        key = " ".join(block.text[: found.end("number")].split()) if number else title
        self.collector.section(block, title.strip(), key, number)
        return True

    def _inside(self) -> bool:
        under = self.tasks.under
        names = [name.strip() for name in under.split("|")] if under is not None else []
        return under is None or any(names_section(heading.text, name) for heading in self.above for name in names)

    def _match(self, block: Block) -> re.Match[str] | None:
        return self.exact.match(block.text) or (self.lenient.match(block.text) if self.lenient else None)

    def _is_task(self, block: Block) -> bool:
        """Begin a task if a heading names one. A heading of another level or form of id is accepted with a finding."""
        tasks = self.tasks
        found = self._match(block)
        if found is None:
            return False
        if tasks.level is not None and block.level != tasks.level:
            if self.lenient is None:  # only its level distinguishes it from other headings
                return False
            message = f"the {tasks.noun} {block.text[:60]!r} is a heading of level {block.level}"
            seen, level = f"{'#' * block.level} …", f"{'#' * tasks.level} …"
            place = Place(("sections", block.text), block.at())
            self.defects.append(Defect("header-format", message, place, level, seen))
        self.current = self._begin(block, found.groupdict(), found.start("id") if "{id}" in tasks.pattern else 0)
        return True

    def _begin(self, block: Block, fields: dict[str, str | None], offset: int = 0, scope: str = "") -> Draft:
        title = (fields.get("title") or "").strip(" *_")
        draft = self.collector.task(block, fields.get("id"), title, offset, scope=scope)
        draft.parallel = bool(self.tasks.parallel) and str(self.tasks.parallel) in block.text
        if fields.get("mark") is not None:
            draft.status = CHECKBOX[str(fields["mark"])]
        return draft

    def _item(self, block: Block) -> None:
        if self.tasks.form == "headings":
            if block.mark is not None and self.current is not None:  # boxes below a task are its steps
                self._step(block, self.current)
            return
        owner = self.collector.above(block)
        draft = self._item_task(block, owner) if self._inside() else None
        if draft is not None:
            draft.parent = owner.key if owner else None

    def _item_task(self, block: Block, owner: Draft | None) -> Draft | None:
        """Return the task of an item; None for any other item."""
        tasks = self.tasks
        shaped = {"items": True, "checkboxes": block.mark is not None, "numbered": block.number is not None}
        if not shaped[tasks.form]:
            return None
        found = self._match(block)
        wrong_depth = tasks.level is not None and block.level != tasks.level
        if tasks.form == "numbered" and not wrong_depth and block.level == 1:
            scope = self.above[-1].text if self.above else ""  # the numbers of a list count within its heading
            return self._begin(block, {"id": block.number, "title": _first(block)}, 0, scope)
        if found is not None and not wrong_depth:
            offset = found.start("id") if "{id}" in tasks.pattern else 0
            return self._begin(block, found.groupdict(), offset)
        if block.mark is None:
            return None
        return self._step(block, owner) if owner else self._begin(block, {"title": _first(block)})

    def _step(self, block: Block, task: Draft) -> Draft:
        step = self._begin(block, {"title": _first(block)})
        step.parent, step.section = task.key, task.section
        return step


def _first(block: Block) -> str:
    return block.text.split("\n", 1)[0].strip(" *_")
