"""Rules about the document as a whole: tasks, goal, sections, headers, stated totals."""

from collections.abc import Iterator

from ...contract.finding import Severity
from ...contract.phrasing import as_json
from ..index import PlanIndex
from ..plan import NOWHERE, Plan
from ..reading.section_names import names_section
from .rule import Hit, Rules, reported_by_reader

RULES = Rules()

PLACEHOLDER_GOALS = frozenset({"implementation plan", "goal", "tbd", "todo", "...", "…", "n/a", "none"})
"""Goals without content, in lower case, without brackets or final dots."""

RULES.reported(
    "root-shape",
    Severity.RETRY,
    "The document and its parts have the types that the format requires.",
    "`steps` is a string instead of a list.",
    "Give the field the type that the finding names.",
    unread=True,
    rests_on=("document",),
)
RULES.reported(
    "format-detect",
    Severity.INFO,
    "The format is detected from the content. The finding names the formats that fit nearly as well.",
    "A `tasks.json` whose dependencies are `{taskId: …}` is not Task Master's.",
    "Name the format if the wrong one was taken.",
)


@RULES.add(
    Severity.RETRY,
    "The only `### Task 1:` is inside a code fence.",
    "Write the tasks as the format requires.",
    unread=True,
    rests_on=("list",),
)
def has_tasks(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """A task plan has at least one task in its format's syntax.

    Headers and boxes inside code fences are text, not tasks.
    """
    if plan.traits.needs_tasks and not plan.tasks:
        noun = plan.traits.noun
        left_out = any(defect.code == "unread-tasks" for defect in plan.defects)  # already reported
        severity = Severity.INFO if left_out else None
        yield Hit(NOWHERE, f"the plan has no {noun}s", f"at least one {noun}", severity=severity)


@RULES.add(Severity.WARN, "`## Task 1 - Parser`", "Write `### Task 1: Parser`.", rests_on=("form",), about="defects")
def header_format(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Task headers are written as `### Task N: title`.

    Other levels and separators are read too, but tools that expect the exact form miss them.
    """
    # In a guessed format, "### 任务 2" is accepted, since the project may use another language.
    for hit in reported_by_reader("header-format", plan):
        is_habit = hit.actual is not None and not hit.actual[:9].isascii()
        if plan.known_by != "text" or not is_habit:
            yield hit


RULES.reported(
    "task-form",
    Severity.WARN,
    "Tasks have the form that the format requires. Headings, ids in brackets, other words for a task and items "
    "without a checkbox are read too, but tools that expect the exact form miss them.",
    "`### T004: Write the parser`in a list of `- [ ] T003 …`",
    "Write the task as the finding says.",
    rests_on=("form",),
)


@RULES.add(
    Severity.WARN, "`- [ ] 1.2`, and nothing after it", "Write what to do, or remove the number.", rests_on=("form",)
)
def task_text(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """Every task says what to do, and no numbered group is empty."""
    for task in plan.tasks:  # in JSON and YAML, a schema checks titles
        if task.place.line is not None and not task.title.strip(" *_.:"):
            yield Hit(task.place, f"{task.id or 'a task'} has no description", "what is to be done")
    yield from reported_by_reader("task-text", plan)


RULES.reported(
    "unread-tasks",
    Severity.RETRY,
    "Everything that looks like a task was read as one. The finding names checkboxes, headed tasks and tables "
    "that the format has no place for. Checklists (Definition of Done, Validation) don't count as tasks.",
    "A second list of checkboxes without ids, under a separate heading",
    "Write the tasks as the format requires, or call the list a checklist.",
    unread=True,
    rests_on=("document",),
)
RULES.reported(
    "box-mark",
    Severity.WARN,
    "Checkboxes are `[ ]`, `[x]`, `[-]` or `[~]`, followed by a space. Others are read as tasks too, but tools "
    "that expect the exact form miss them.",
    "`- [✓] 1.2 Write the parser`",
    "Write `- [x] 1.2 Write the parser`.",
    rests_on=("form",),
)


@RULES.add(
    Severity.RETRY,
    "`**Goal:** [One sentence]`",
    "Write one or two sentences on what the plan accomplishes.",
    rests_on=("document",),
)
def goal_nonempty(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """The plan has a goal, as `**Goal:** …` or under a heading such as Goal or Overview, and it is not a placeholder.

    A comment in a code block is never the goal.
    """
    yield from reported_by_reader("goal-nonempty", plan)
    if not plan.traits.needs_goal:
        return
    if plan.goal is None:
        # "# 008 Offline mode: Tasks" is a task list beside the plan
        if plan.known_by != "text" or not names_section(plan.title, "tasks"):
            yield Hit(NOWHERE, "the plan has no goal", expected="a line like **Goal:** Add user authentication")
        return
    text = plan.goal.name.strip()
    bare = text.strip("[]{}<>*_. ").lower()
    # "[One sentence]" is a template, "[Login] works offline" is a goal
    if not bare or bare in PLACEHOLDER_GOALS or (text[0] in "[{<" and text[-1] in "]}>"):
        message = f"the goal {as_json(text)} is only a placeholder" if text else "the goal is empty"
        yield Hit(plan.goal.place, message, "one or two sentences on what the plan accomplishes", as_json(text))


RULES.reported(
    "min-length",
    Severity.RETRY,
    "A plan is at least as long as its tool requires: 200 characters for amelia.",
    "A plan of one sentence.",
    "Write the plan out.",
)


@RULES.add(Severity.WARN, "A story without Acceptance Criteria.", "Add the section.", rests_on=("document",))
def required_sections(plan: Plan, _: PlanIndex) -> Iterator[Hit]:
    """The document has the sections that the format requires."""
    yield from reported_by_reader("required-sections", plan)
    for name in plan.traits.required:
        if name == "Tasks" and plan.tasks and plan.known_by == "text" and _has(plan, "steps"):
            continue  # the project may use another name for the section: "Implementation Steps"
        names = [one.strip() for one in name.split("|")]
        if not any(_has(plan, one) for one in names):
            wanted = " or ".join(map(as_json, names[:2]))
            yield Hit(NOWHERE.sub("sections", name), f"the section {wanted} is missing", f"a heading with {wanted}")


def _has(plan: Plan, section: str) -> bool:
    return any(names_section(heading.name, section) for heading in plan.headings)


RULES.reported(
    "unread-field",
    Severity.WARN,
    "Each field that a format description names appears in at least one record, and other fields have no dependencies.",
    "The description says `depends: needs`, and no step has a field `needs`.",
    "Correct the name in the description. Turn the rule off if no task waits for another.",
)
RULES.reported(
    "count-matches",
    Severity.WARN,
    "The totals that a plan states match its content.",
    "`total_tasks: 12`, and there are 11.",
    "Correct the total, or add what is missing.",
    rests_on=("tasks",),
)
RULES.reported(
    "parallel-arrays",
    Severity.RETRY,
    "Two lists that belong together item by item have the same length.",
    "Three ids in `depends_on_task_id_list` and two texts in `depends_on_task_explanation_list`.",
    "Give every item in one list its partner in the other.",
)
