"""Plans with goals, sections, totals, headers, requirements, tokens and budgets, sound and broken."""

from __future__ import annotations

from dataclasses import replace

from pytest_planguard.contract.finding import Severity
from pytest_planguard.document.positions import Span
from pytest_planguard.plans.plan import Defect, Place, Plan, Ref, Traits
from pytest_planguard.plans.reading.task_forms import wrong_total

from .making import IDS, at, plan, refs, task, tasks, wanted

WHOLE: dict[str, Plan] = {
    "empty": plan(traits=Traits(noun="step")),
    "empty, none needed": plan(traits=Traits(needs_tasks=False)),
    "empty, a list left out": plan(defects=(Defect("unread-tasks", "2 boxes", at(2), boxes=(at(2), at(3), at(4))),)),
    "a hundred boxes left out": plan(
        task("T1", after="T9"),
        defects=(Defect("unread-tasks", "many", at(2), boxes=tuple(at(n) for n in range(1, 103))),),
    ),
    "titles": plan(
        task("T1", " *_.:"), task("x", "", id=None), task("T2", "a"), replace(task("T3", ""), place=Place(("a",)))
    ),
    "headers": plan(
        *tasks(40),
        defects=(
            *(
                Defect("header-format", f"h{n}", at(n), actual=actual)
                for n, actual in enumerate((None, "## Task 2", "### 任务 2", "### Task 任", "### Tas 任务"), 1)
            ),
        ),
        traits=IDS,
    ),
    "headers of most": plan(*tasks(4), defects=(Defect("header-format", "h1", at(1), actual="## Task 2"),)),
    "headers of one in ten": plan(
        *tasks(10), *tasks(10, 20, parent="T001"), defects=(Defect("header-format", "h1", at(1), actual="## Task 2"),)
    ),
    "headers of one in nine": plan(
        *tasks(9), *tasks(10, 20, parent="T001"), defects=(Defect("header-format", "h1", at(1), actual="## Task 2"),)
    ),
    "boxes of one in ten": plan(
        *tasks(9), *tasks(1, 20, parent="T001"), defects=(Defect("box-mark", "b1", at(1), "a", "b", "c"),)
    ),
    "boxes of one in nine": plan(*tasks(9), defects=(Defect("box-mark", "b1", at(1), "a", "b", "c"),)),
    "a habit": plan(*tasks(30), defects=(Defect("box-mark", "b1", at(1), is_habit=True),)),
    "a hundred boxes": plan(
        *tasks(30), defects=(Defect("task-form", "b1", at(1), boxes=tuple(at(n) for n in range(1, 103))),)
    ),
    "no goal": plan(*tasks(1), traits=Traits(needs_goal=True)),
    "no goal, a list": plan(*tasks(1), title="008 Offline: Tasks", traits=Traits(needs_goal=True)),
    "no goal, none needed": plan(*tasks(1)),
    "sections": plan(
        *tasks(1),
        traits=Traits(required=("Purpose", "Rollback | Back out|Undo", "Tasks", "Goal")),
        headings=refs("Back Goals Steps"),
    ),
    "sections, steps": plan(traits=Traits(required=("Tasks",), needs_tasks=False), headings=refs("Steps")),
    "sections, steps and more": plan(*tasks(1), traits=Traits(required=("Tasks", "Goal")), headings=refs("Steps")),
    "sections, all": plan(*tasks(1), traits=Traits(required=("Tasks", "Goal|Undo")), headings=refs("Tasks Undo")),
    "sections, by the reader": plan(*tasks(1), defects=(Defect("required-sections", "gone", at(1)),)),
    "totals": plan(*tasks(1), defects=(*wrong_total("tasks", 2, 1, at(2)), *wrong_total("phases", 3, 3, at(3)))),
    "totals, a list left out": plan(
        *tasks(1), defects=(*wrong_total("tasks", 2, 1, at(2)), Defect("unread-tasks", "2 boxes", at(2)))
    ),
    "pairs": plan(
        *tasks(1), defects=(Defect("parallel-arrays", "a has 2 items but b has 1", at(2), "2 items in b", "1"),)
    ),
    "unsure": plan(task("T1", after="T9"), unsure=("tasks",)),
    "a template": plan(task("T1", after="T9"), unsure=("element",)),
    "unsure of others": plan(task("T1", after="T9", cites="FR-9"), requirements=wanted("FR-1"), unsure=("references",)),
    "unsure of requirements": plan(
        task("T1", cites="FR-9 FR-1"), requirements=wanted("FR-1 FR-2"), unsure=("requirements",)
    ),
    "of a tool that refuses others": plan(task("T1", after="T9"), traits=Traits(validated=True, required=("Goal",))),
    "in data": plan(
        task("T1", after="T9"),
        traits=Traits(required=("Goal",)),
        find=lambda paths: {path: Span(2, 2) for path in paths if len(path) < 2},
    ),
    "weighed": plan(
        task("T1", after="T9 T1"),
        task("T1", "Other", line=40),
        traits=Traits(
            severities={"dep-exists": Severity.WARN, "id-gap": Severity.WARN, "id-unique": Severity.FAIL},
            off=frozenset({"dep-self"}),
        ),
    ),
    "very many": plan(*(task(f"T{n}", after="T999") for n in range(202))),
    "many": plan(*(task(f"T{n}", after="T999") for n in range(200))),
    "requirements": plan(
        *tasks(1),
        requirements=(
            *wanted("FR-1 FR-1", text="a"),
            *wanted("FR-1", text="b"),
            *wanted("1 1", "AC"),
            *wanted("FR-1", scope="b"),
            *wanted("US1 US1", "story"),
        ),
    ),
    "requirements that say nothing": plan(
        *tasks(1),
        requirements=(*wanted("FR-1", text=" "), *wanted("FR-2", text=""), *wanted("FR-3", text="a"), *wanted("FR-4")),
    ),
    "requirements without scenarios": plan(
        *tasks(1),
        requirements=(
            *wanted("FR-1", scenarios=0),
            *wanted("FR-2", scenarios=1),
            *wanted(" ".join(f"SC-{n}" for n in range(8)), "SC"),
        ),
        traits=Traits(scenario="test"),
    ),
    "requirements without scenarios, many": plan(
        *tasks(40),
        requirements=(
            *wanted("FR-1", scenarios=0),
            *wanted("FR-2", scenarios=1),
            *wanted(" ".join(f"SC-{n}" for n in range(7)), "SC"),
        ),
    ),
    "no requirements": plan(
        traits=Traits(needs_requirements=("FR", "story"), needs_tasks=False), requirements=wanted("SC-1", "SC")
    ),
    "a requirement": plan(
        traits=Traits(needs_requirements=("FR", "story"), needs_tasks=False), requirements=wanted("1", "story")
    ),
}
TOKENS: dict[str, Plan] = {
    "all given": plan(
        task("T1", needs="a", gives="b"), task("T2", needs="b", gives="c", after="T1"), start=refs("a"), goals=refs("c")
    ),
    "not given": plan(
        task("T1", needs="b x", gives="a"), task("T2", needs="aa", gives="a"), start=refs("ab"), goals=refs("c a ab")
    ),
    "by chance": plan(
        task("T1", gives="a"), task("T2", needs="a", gives="b"), task("T3", needs="b a", after="T2"), goals=refs("b")
    ),
    "by seven": plan(*(task(f"T{n}", gives="a") for n in range(1, 8)), task("T9", needs="a"), goals=()),
    "by itself": plan(task("T1", needs="a", gives="a"), start=()),
    "through others": plan(task("T1", gives="a"), task("T2", after="T1"), task("T3", needs="a", after="T2"), goals=()),
    "of a repeated id": plan(
        task("T1", gives="a"), task("T1", gives="b", line=30), task("T2", needs="a b", after="T1"), start=()
    ),
    "in a circle": plan(task("T1", needs="x", after="T2"), task("T2", after="T1"), start=(), goals=refs("c")),
    "no tokens": plan(task("T1", needs="x")),
    "tokens by format": plan(task("T1", needs="x", gives="y"), traits=Traits(tokens=True)),
    "useless": plan(task("T1", gives="a"), task("T2"), task("T3", after="T2", gives="g"), goals=refs("g")),
    "budget": plan(task("T1", budget=3), task("T2", budget=4), task("T3"), budget=6),
    "budget, just": plan(task("T1", budget=3), task("T2", budget=4), budget=7),
    "no budget": plan(task("T1", budget=3)),
    "resources": plan(
        task("T1", resource=Ref("syntax")),
        task("T2", resource=Ref("syntx", at(2, "r"))),
        task("T3", id=None, resource=Ref("odd")),
    ),
}
