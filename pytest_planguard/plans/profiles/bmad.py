"""BMAD's story files: `# Story 1.2: …` with Story, Acceptance Criteria, Tasks."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ..plan import EVERY as EVERY_REQUIREMENT
from ..plan import Place, Plan, Ref, Requirement, Traits
from ..reading.named_in_text import EVERY_WORD, files_in, ids_in, listed_ids
from ..reading.outline import Block, Source
from ..reading.profile import Profile, signs
from ..reading.section_names import names_section
from ..reading.task_drafts import Collector, Draft, goal_of
from ..reading.task_forms import headed_task, is_checklist
from ..status import Status

# "**Task 3:** ", "Task 4.1 - "
_TASK = re.compile(r"(?:\*\*)?Task[ \t]+(?P<id>\d+[a-z]?(?:\.\d+)*)[ \t]*[:.—–-]?(?:\*\*)?[ \t]*")
_SUBTASK = re.compile(r"(?:\*\*)?(?P<id>\d+(?:\.\d+)+)[:.]?(?:\*\*)?[ \t]+")  # "3.1 ", "**3.1:** "
# "(AC: 1, 2)", "(ACs #3)"
_AC = re.compile(r"\(ACs?:?[ \t]*(?P<listed>[^)\n]{1,80})\)")
EVERY = "every criterion"
_EVERY = re.compile(EVERY_WORD, re.IGNORECASE)  # a task that serves all criteria: "(AC: all)"
_NAMED_AC = re.compile(r"(?:\*\*)?AC[ \t-]?#?(\d{1,3})\b")  # "AC3", "**AC 4"
_CLEAN = re.compile(r"[^\w/(),.:—–-]+|_+")  # marks around a status: "✅ **done**"

STATUSES = {
    **dict.fromkeys(["backlog", "draft", "drafted", "approved", "ready-for-dev", "ready-for-development"], Status.TODO),
    **dict.fromkeys(("in-progress", "inprogress"), Status.ACTIVE),
    **dict.fromkeys(("review", "ready-for-review", "in-review"), Status.REVIEW),
    **dict.fromkeys(("done", "complete", "completed"), Status.DONE),
}
"""BMAD's own words and the spellings of earlier versions, in lower case with dashes."""
_KNOWN = "|".join(STATUSES).replace("-", "[ -]")  # "in-progress", "in progress"
_STATUS = re.compile(
    r"^(?:\*\*)?Status(?:(?::(?:\*\*)?|\*\*:?)[ \t]*(\S.*)?"
    rf"|[ \t]+((?:{_KNOWN})(?:[ \t]*\(.*)?)[ \t]*)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A status with a colon or in bold, or a known one: "**Status:** done", "Status done"; not "Status codes are kept"."""
STORY = Traits(
    statuses=("backlog", "ready-for-dev", "in-progress", "review", "done"),
    required=("Story", "Acceptance Criteria", "Tasks"),
)


def read_story(source: Source) -> Plan:
    """Read a story: boxes under Tasks are its tasks, boxes elsewhere are separate checklists."""
    collector = Collector(source)
    section = ""
    headed: Draft | None = None
    requirements: list[Requirement] = []
    dropped: set[str] = set()
    forms = {one.kind for one in collector.blocks if one.kind in ("heading", "text") and _NAMED_AC.match(one.text)}
    # criteria are headings ("### AC1: Filter"), else paragraphs ("**AC1 — Filter:**"), else items
    form = "heading" if "heading" in forms else "text" if forms else "item"
    for block in collector.blocks:
        if block.kind == "heading" and block.level <= 2:
            section, headed = block.text, None
        elif block.kind == "heading" and names_section(section, "tasks"):
            headed = _headed(collector, block)
        elif names_section(section, "acceptance criteria"):
            requirements += (read := _criterion(block, len(requirements), form))
            dropped |= {one.id for one in read if _DROPPED.search(block.text)}
        elif block.kind == "item" and block.mark is not None and names_section(section, "tasks"):
            _task(collector, block, collector.above(block) or headed)
    _take_the_rest(collector)
    for draft in collector.tasks:  # replace a citation of all criteria by one of each
        every = next((ref for ref in draft.cites if ref.name == EVERY), None)
        if every is not None:
            draft.cites = [Ref(one.id, every.place) for one in collector.counted(requirements)]
    # "Status: done" below the title "# Story 4.2: Renewal" is not a goal
    below_title = [block for block in collector.blocks if block.kind != "heading" or block.level > 1]
    goal = goal_of(below_title, (), ("story", "story overview", "user story"))
    plan = replace(
        collector.plan("bmad-story", STORY, goal),
        requirements=tuple(requirements),
        spoken_of=tuple(sorted({*_criteria_spoken_of(collector), *dropped})),
        unsure=("requirements", "references") if _has_other_criteria(collector.blocks, form) else (),
    )
    return _with_status(plan, collector)


def _take_the_rest(collector: Collector) -> None:
    """Read the tasks of a story without a task section. Mark mere references to tasks, and checklists, as read."""
    if not collector.tasks:
        _tasks_anywhere(collector)
    if not collector.tasks:
        _steps(collector)
    known = {draft.id for draft in collector.tasks}
    for block in collector.blocks:
        noted = headed_task(block.text) if block.kind == "heading" else None
        in_checklist = bool(collector.tasks) and block.mark is not None
        if in_checklist or (noted is not None and noted.id in known):  # "### Task 1: Exact change to types.ts"
            collector.read.add(block.line)


_HEADED_PART = re.compile(r"(?P<id>T\d{1,2})[ \t]*[:：.—–-][ \t]*")
"""A task in a story with short ids: "### T1 : Enrich the service"."""


def _headed(collector: Collector, block: Block, *, parts: bool = False) -> Draft | None:
    """Return the task that a heading names: "### Task 13: Update docstrings (AC: 12)"."""
    draft: Draft | None = None
    if (part := _HEADED_PART.match(block.text) if parts else None) is not None:
        draft = collector.matched(block, part)
    elif (task := headed_task(block.text)) is not None:
        draft = collector.headed(block, task)
    if draft is not None:
        _citations(collector, draft, block)
    return draft


def _tasks_anywhere(collector: Collector) -> None:
    """Read the tasks of a story without a section for them: headings that name one, else boxes outside checklists."""
    headed: Draft | None = None
    level = 7
    for block in collector.blocks:
        if block.kind == "heading":
            found = _headed(collector, block, parts=True) if block.level > 1 else None
            if found is not None:
                headed, level = found, block.level
            elif block.level <= level:
                headed = None
        elif headed is not None and block.kind == "item" and block.mark is not None and block.owner < 0:
            _task(collector, block, headed)
    if not collector.tasks:
        for block in collector.blocks:
            if block.mark is not None and block.owner < 0 and not is_checklist(collector.blocks, block.section):
                _task(collector, block, None)


_STEP = re.compile(
    r"(?:Phase|Step|Part|阶段|階段|步骤|フェーズ)[ \t]*(?P<id>\d{1,2})[ \t]*[:：.—–-]?[ \t]*", re.IGNORECASE
)
"""A step of a story as a heading: "### Phase 1: The service"."""


def _steps(collector: Collector) -> None:
    """Read the steps below "Implementation Steps", in a story without any other task: headings, else a list."""
    below = [*collector.below("steps")]
    headed = [(block, found) for block in below if block.kind == "heading" and (found := _STEP.match(block.text))]
    for block, found in headed:
        collector.matched(block, found)
    for block in () if headed else below:
        if block.number is not None and block.owner < 0:
            collector.task(block, block.number, block.text.split("\n", 1)[0].strip(" *"))


def _criterion(block: Block, count: int, form: str) -> list[Requirement]:
    """Return the criterion of an item, numbered as Markdown renders it; below a named criterion, items are clauses."""
    named = _NAMED_AC.match(block.text)
    if block.kind != form or (form != "item" and named is None) or (form != "heading" and block.level > 1):
        return []
    number = named[1] if named else str(count + 1)
    return [Requirement(number, "AC", Place(("acceptance", number), block.at()))]


_SPOKEN = re.compile(r"\bACs?\b[^\n]{0,80}|(?<=\bAC)[\d–—-][^\n]{0,80}|\bcriteri(?:a|on)\b[^\n]{0,80}", re.IGNORECASE)
"""Words that may cite criteria: "AC #2 and the cases of 3", "AC1-AC5", "criteria 2, 3"."""
_DROPPED = re.compile(
    r"~~|\b(?:out of scope|not in scope|hors p[ée]rim[èe]tre|non-goals?|voided|absorb(?:s|ed)|deferred|dropped)\b"
    r"|\b(?:removed|superseded|not applicable|n/a|optional)\b",
    re.IGNORECASE,
)
"""A criterion that needs no task: "9. Nullable values are OUT OF SCOPE"."""
_COUNT = re.compile(r"\d{1,3}")  # the 2 of "AC 2"


def _criteria_spoken_of(collector: Collector) -> Iterator[str]:
    """Yield the numbers of criteria that any text outside their section may cite, in any form."""
    section = ""
    for block in collector.blocks:
        if block.kind == "heading" and block.level <= 2:
            section = block.text
        elif not names_section(section, "acceptance criteria"):
            for words in _SPOKEN.finditer(block.text):
                if _EVERY.search(words[0]):
                    yield EVERY_REQUIREMENT
                yield from (name.lstrip("0") for name, _ in collector.counted(ids_in(words[0], _COUNT)))


_OTHER_CRITERIA = re.compile(r"^(?:\||\**\d{1,3}[.):])", re.MULTILINE)
"""A row of a table, or a number in a paragraph: Markdown reads "4. …" below a line of text as part of that text."""


def _has_other_criteria(blocks: list[Block], form: str) -> bool:
    """Return True if the criteria are in several sections, or if some have a form that was not read."""
    inside, sections = False, 0
    for block in blocks:
        if block.kind == "heading" and block.level <= 2:
            inside = names_section(block.text, "acceptance criteria")
            sections += inside
        elif inside and (
            (block.kind == "heading" and form != "heading")
            or (block.kind == "text" and _OTHER_CRITERIA.search(block.text) is not None)
        ):
            return True
    return sections > 1


def _task(collector: Collector, block: Block, owner: Draft | None) -> Draft:
    found = _TASK.match(block.text) or _SUBTASK.match(block.text)
    title = block.text[found.end() if found else 0 :].split("\n", 1)[0].strip()
    number = found["id"] if found and (owner is None or "." in found["id"]) else None
    draft = collector.task(block, number, title, found.start("id") if found else 0)
    draft.parent = owner.key if owner else None
    _citations(collector, draft, block)
    collector.files(draft, block, files_in(block.text))
    return draft


def _citations(collector: Collector, draft: Draft, block: Block) -> None:
    for listed in _AC.finditer(block.text):
        if _EVERY.fullmatch(listed["listed"].strip()):
            draft.cites.append(collector.ref(draft, "acceptance", EVERY, block, listed.start("listed")))
        for name, offset in collector.counted(listed_ids(listed["listed"], 0, r"\d{1,3}")):
            draft.cites.append(collector.ref(draft, "acceptance", name, block, listed.start("listed") + offset))


def _with_status(plan: Plan, collector: Collector) -> Plan:
    """Return the plan with the story's status: a line "Status: done", or the first text under a heading Status."""
    for index, block in enumerate(collector.blocks):
        if block.kind == "heading" and block.text.strip().lower() == "status" and index + 1 < len(collector.blocks):
            below = collector.blocks[index + 1]
            return _status(plan, below.text, Place(("status",), below.at()))
        if block.kind == "text" and (found := _STATUS.search(block.text)) is not None and (group := found.lastindex):
            return _status(plan, found[group], Place(("status",), block.at(found.start(group), found.end(group))))
        if block.kind == "heading" and block.level == 2 and "story" in block.text.lower():
            break
    return plan


_MERGED = re.compile(r"\b(?:merged|superseded|replaced|obsolete|moved|absorbed|cancell?ed)\b", re.IGNORECASE)
"""A status that says that the work was done elsewhere: "Completed (Merged into Story 4.1)"."""


def _status(plan: Plan, text: str, place: Place) -> Plan:
    first = _CLEAN.sub(" ", text.split("\n", 1)[0].split("(", 1)[0]).strip().split(" - ", 1)[0]
    word = "-".join(first.lower().split())
    longer = (status for name, status in STATUSES.items() if word.startswith(f"{name}-"))  # "done-with-notes"
    known = STATUSES[word] if word in STATUSES else next(longer, None)
    if known is Status.DONE and _MERGED.search(text.split("\n", 1)[0]) is not None:
        return plan
    return replace(plan, status=known, status_text=first[:60], status_place=place)


PROFILES = (
    Profile(
        "bmad-story",
        "bmad",
        "Story files: status, story, acceptance criteria, tasks that cite `(AC: 1)`.",
        signs(
            (r"^# Story[ :]", 45),
            (r"(?i)^# Story.*\b(summary|findings|report|retrospective|review notes|code review|completion)\b", -60),
            (r"(?i)^# Story.*\b(closure|evidence|evidencia|cierre|informe|rapport|bericht)\b", -60),
            (r"^## Acceptance Criteria", 15),
            (r"^## Tasks ?/ ?Subtasks", 30),
            (r"^(## )?Status:?\b", 5),
            (r"\(AC: ?#?\d", 20),
            (r"^(?:\*\*As an?\*\*|As an? )", 5),
        ),
        read_story,
        places=(r"(^|/)stories/", r"(^|/)implementation-artifacts/"),
    ),
)
