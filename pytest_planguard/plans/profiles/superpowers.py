"""Markdown plans of headed tasks (`### Task N: title`), as the writing-plans skill and amelia write them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ...contract.finding import Severity
from ..plan import NOWHERE, Defect, Plan, Ref, Task, Traits
from ..reading.named_in_text import CODE, WAITS_FOR_LABEL, blanked, files_in
from ..reading.outline import Block, Source
from ..reading.parsed_data import Parts, name_of, object_of
from ..reading.profile import Profile, signs
from ..reading.section_names import SYNONYMS
from ..reading.task_drafts import Collector, Draft, goal_of, unboxed_tasks, unheaded_tasks
from ..reading.task_forms import WORDS, HeadedTask, headed_task
from ..rules.judge_plan import RULES
from ..status import CHECKBOX, Status


def read_sidecar(source: Source) -> Plan:
    """Read the JSON form: a goal and tasks with files and steps."""
    parts, data = Parts(source), object_of(source.data)
    goal = data.get("goal")
    tasks: list[Task] = []
    for record, place in parts.records(data.get("tasks"), NOWHERE.sub("tasks")):
        number = name_of(record.get("number"))
        key = number or place.stand_in
        files = [ref for field in ("files_to_create", "files_to_modify") for ref in parts.names(record, field, place)]
        tasks.append(Task(key, number, parts.text(record, "title", place), place, files=tuple(files)))
        for step, where in parts.items(record.get("steps"), place.sub("steps")):
            title = step if isinstance(step, str) else ""
            tasks.append(Task(f"?{where.path}", None, title, where, parent=key, status=Status.TODO))
    traits = Traits(id_pattern=r"[1-9]\d*(?:\.[1-9]\d*)?", id_example="1 or 2.1", needs_goal=True, ordered=True)
    ref = Ref(goal, NOWHERE.sub("goal")) if isinstance(goal, str) else None
    return parts.finished(Plan("superpowers-sidecar", goal=ref, tasks=tuple(tasks), traits=traits))


_EXACT = re.compile(r"Task (?P<id>[A-Z]?\d+(?:\.\d+)*[a-z]?):")  # "Task 2.1:"
_TASKS, _STEPS = "Task", "Step"
_WORDS = (_TASKS, r"Slice|PR|Work[ \t]?(?:Item|Package|Unit)|Increment|Deliverable", _STEPS)
"""The names of tasks. The first in use counts: "### Task 2: Mailbox", else "## Slice 2: Mailbox", else "### Step 2"."""
_STEP_LABEL = re.compile(r"(?:\*\*)?Step[ \t]+(\d+(?:\.\d+)*)\b", re.IGNORECASE)  # "**Step 1: Write it**"
_STEP_NUMBER = re.compile(r"\W{0,3}(\d+(?:\.\d+)+)\b")
"""The number of a step that is a box: "**4.1 Write the traits.**"."""
_SECTION = re.compile(r"(?:Phase|Part|Milestone|Chunk|Stage)[ \t]+(\d+)", re.IGNORECASE)  # "Phase 2: Core"
_DEPENDS = re.compile(rf"\*\*(?:{WAITS_FOR_LABEL}):?\*\*:?", re.IGNORECASE)  # "**Depends on:**"
_FILES_HEAD = re.compile(
    r"\*\*(?:Key |Affected |Related )?Files?(?: to \w+| changed| involved)?:?(?:\*\*|(?=[ \t]*`))|^Files?:", re.I | re.M
)
"""The label of a task's files: "**Files:**", "**File: `x`**", "**Files to modify**"."""
_FILES = re.compile(r"(?:Create|Modify|Test|Delete|Update|Rename|Move|Overwrite):")  # "Modify: `a.py`"
_LIST = re.compile(r"[^(;\n]*")  # up to "(…" or ";", which begin another topic
_NUMBER = r"[A-Z]?\d+(?:\.\d+)*"  # "2", "A2.1"
# "Task 3"; not "no Task 3", "Task 4 hours"
_MENTION = re.compile(r"(?<!\bno )\bTasks?[ \t]+(\d+(?:\.\d+)*)\b(?!\.\w)(?![ \t]*(?:tasks|steps|hours|days|min))")
_FILE = re.compile(r"`([^`\s:]+)(?::[\d-]+)?`")  # "`src/a.py:10-20`"

TRAITS = Traits(
    id_pattern=r"[A-Z]?(?:[1-9]\d*(?:\.\d+)*|0(?:\.\d+)+)[a-z]?", id_example="1 or 2.1", needs_goal=True, ordered=True
)


def read(source: Source) -> Plan:
    """Read a plan whose tasks are headings."""
    collector = Collector(source)
    defects: list[Defect] = []
    word = next((word for word in _WORDS if any(_headed(block, word) for block in collector.blocks)), _STEPS)
    current: Draft | None = None
    last: Draft | None = None
    for block in collector.blocks:
        last = current or last
        is_step = block.mark is not None or (block.kind == "heading" and last is not None and block.level > last.level)
        if current is None and last is not None and is_step and _STEP_LABEL.match(block.text):
            current = last  # a heading in between belongs to an example whose fence ended early
        if block.kind == "heading":
            current = _heading(collector, block, current, defects, word)
            collector.scope = f"{collector.sections[-1].title}" if word == _STEPS and collector.sections else ""
        elif current is not None and block.kind in ("item", "text"):
            collector.read.add(block.line)
            _detail(collector, current, block)
    defects += [*unheaded_tasks(collector), *unboxed_tasks(collector)]
    mentions = tuple(_mentions(collector))
    plan = collector.plan("superpowers", TRAITS, goal_of(collector.blocks, SYNONYMS["goal"], ("goal", "overview")))
    return replace(plan, mentions=mentions, defects=(*plan.defects, *defects))


def _headed(block: Block, word: str) -> HeadedTask | None:
    if block.kind != "heading" or not 2 <= block.level <= 4:
        return None
    if word == _TASKS:
        return headed_task(block.text)
    number = rf"(?:{word})[ \t]+(?P<id>\d+(?:\.\d+)*[a-z]?)[ \t]*(?:[:：.—–-]|$)"
    found = re.match(number, block.text, re.IGNORECASE)
    return None if found is None else HeadedTask(found["id"], found.start("id"), found.end(), done=False)


def _heading(
    collector: Collector, block: Block, current: Draft | None, defects: list[Defect], word: str
) -> Draft | None:
    found = _headed(block, word)
    if found is not None:
        task = collector.headed(block, found, scope=collector.scope)
        task.status = Status.DONE if found.done else None
        if block.level != 3 or _EXACT.match(block.text) is None:
            seen, expected = f"{'#' * block.level} {block.text}"[:60], f"### Task {task.id}: {task.title}"[:80]
            message = f"the header of task {task.id} is {seen!r}"
            defects.append(Defect("header-format", message, task.place, expected, seen))
        return task
    if (section := _SECTION.match(block.text)) is not None and (current is None or block.level < current.level):
        collector.section(block, block.text, number=section[1])
    return current if current is not None and block.level > current.level else None


def _detail(collector: Collector, task: Draft, block: Block) -> None:
    """Add the files, dependencies and steps that the text of a task names."""
    heads = _FILES_HEAD.search(block.text) is not None
    task.listing = heads or (task.listing and block.kind == "item" and block.mark is None)
    if task.listing or _FILES.match(block.text):
        quoted = {found[1]: found.start(1) for found in _FILE.finditer(block.text)}
        collector.files(task, block, {**quoted, **dict(files_in(block.text))}.items())
    collector.waits(task, block, _DEPENDS, _LIST, _NUMBER)
    if block.mark is not None:  # one of its steps
        step = collector.task(block, None, block.text.strip("*").split("\n", 1)[0])
        step.parent, step.section, step.status = task.key, task.section, CHECKBOX[block.mark]


def _mentions(collector: Collector) -> Iterator[Ref]:
    """Yield the task numbers that running text mentions."""
    steps = {found[1] for block in collector.blocks if (found := _STEP_LABEL.match(block.text)) is not None}
    steps |= {found[1] for block in collector.blocks if block.mark and (found := _STEP_NUMBER.match(block.text))}
    steps.add("0")  # skills call their own preparation "Task 0"
    for block in collector.blocks:
        if block.kind in ("item", "text") and "Task" in block.text:
            text = blanked(CODE, block.text)
            named = (one for one in _MENTION.finditer(text) if one[1] not in steps)  # "Task 17.5" for Step 17.5
            yield from (collector.mention(block, one[1], one.start(1)) for one in named)


_WORK = re.compile(
    r"\n#+ .*\b(?:task|step|slice|phase|implementation plan)|\n *- \[.\]|executing-plans|subagent-driven", re.IGNORECASE
)
"""A sign that a document plans work: a heading that names a task, a box, a note to people who will do the work."""


def _planned(*patterns: tuple[str, int]) -> Callable[[Source], int]:
    """Return a score from signs of a plan. Without a sign of work it stays low: such a page is a design."""
    score = signs(*patterns)
    return lambda source: score(source) if _WORK.search(source.sketch) else min(score(source), 5)


MINIMUM_LENGTH = 200
"""Minimum number of characters of a plan, without white space at both ends."""
FALLBACK_GOAL = "Implementation plan"
"""The result of amelia's extraction without a goal. It does not count as a goal."""
NO_HEADERS = (
    "No '### Task N:' headers found. Plan must have structured task headers with headers like "
    "'### Task 1: Component Name'."
)
NO_GOAL = "No goal found. Plan must include a clear goal statement (e.g. '**Goal:** Add user authentication')."
TOO_SHORT = (
    f"Plan content is too short to be a complete implementation plan. Expected at least {MINIMUM_LENGTH} characters."
)
HEADER = re.compile(r"^### Task \d+(?:\.\d+)?:", re.MULTILINE)
_GOAL = re.compile(r"\*\*Goal:\*\*")
_TITLE = re.compile(r"^#[ \t]+(\S[^\n]*)", re.MULTILINE)
_TITLE_END = "implementation plan"
_SEVERITIES = dict.fromkeys(("header-format", "goal-nonempty", "min-length"), Severity.RETRY) | {"fence": Severity.WARN}
"""A plan that is one code fence is valid for amelia, which reads the raw text."""


def defects_of(text: str, goal: str | None) -> Iterator[Defect]:
    """Yield the plan's issues, as the original calls them; `goal` is the extracted goal."""
    if not HEADER.search(text):
        yield Defect("header-format", NO_HEADERS)
    if not goal or goal == FALLBACK_GOAL:
        yield Defect("goal-nonempty", NO_GOAL)
    length = len(text.strip())
    if length < MINIMUM_LENGTH:
        yield Defect("min-length", TOO_SHORT, expected=f"at least {MINIMUM_LENGTH} characters", actual=str(length))


def extract_goal(plan_markdown: str) -> str:
    """Return the text after `**Goal:**` up to a blank line, heading or bold text; else the first title or a default."""
    marked = _GOAL.search(plan_markdown)
    if marked is not None:
        lines: list[str] = []
        for line in plan_markdown[marked.end() :].split("\n"):
            if not line.strip() or line.startswith(("#", "**")):
                break
            lines.append(line.strip())
        if lines:
            return " ".join(lines)
    title = _TITLE.search(plan_markdown)
    if title is None:
        return FALLBACK_GOAL
    text = title[1].strip()
    if text.lower().endswith(_TITLE_END):
        text = text[: -len(_TITLE_END)].strip()
    return f"Implement {text}" if text else FALLBACK_GOAL


def read_amelia(source: Source) -> Plan:
    """Read as much of a plan as amelia's validator does, which checks the raw text, with its verdicts and messages.

    It counts a header inside a code fence, and takes a shell comment for the title; `read` does neither.
    """
    text = source.document.text  # includes the text around the plan, as the original reads its file
    goal = extract_goal(text)
    off = frozenset(rule.code for rule in RULES.built_in) - _SEVERITIES.keys()
    traits = Traits(needs_tasks=False, severities=_SEVERITIES, off=off)
    return Plan("amelia", goal=Ref(goal), defects=tuple(defects_of(text, goal)), traits=traits)


PROFILES = (
    Profile(
        "superpowers",
        "superpowers",
        "Implementation plans of headed tasks with files and steps (writing-plans, amelia).",
        _planned(
            (rf"(?i)^#{{2,4}} (\W{{1,3}} ?)?({'|'.join(WORDS)}) ?[A-Z]?\d", 50),
            (r"(?i)^# .*\b(summary|report|retrospective|findings)\b", -40),
            (r"(?i)^#{2,3} (Slice|Work Item|Work Package) \d", 20),
            (r"^\*\*Goal:\*\*", 20),
            (r"^\*\*Architecture:\*\*", 10),
            (r"^\*\*Tech Stack:\*\*", 10),
            (r"^# .*Implementation Plan$", 5),
            (r"\*\*Step \d", 10),
        ),
        read,
        places=(r"(^|/)docs/(superpowers/)?plans/",),
    ),
    Profile(
        "superpowers-sidecar",
        "superpowers",
        "The JSON that amelia's write_plan tool takes and stores with the Markdown.",
        lambda source: 70 if object_of(source.data).keys() >= {"goal", "architecture_summary", "tasks"} else 0,
        read_sidecar,
        "data",
    ),
    Profile(
        "amelia",
        "amelia",
        "The rules of amelia's validator: `### Task N:`, a goal, 200 characters. Only if you name this format.",
        lambda _: 0,
        read_amelia,
    ),
)
