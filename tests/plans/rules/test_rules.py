"""Every rule finds its breach, with the right code, on the right line, and says it in pinned words."""

import json
import re
from pathlib import Path

import pytest

from pytest_planguard.contract.finding import Finding
from pytest_planguard.errors import UsageError
from pytest_planguard.plans import rules
from pytest_planguard.plans.judging.judge_files import check_text, plan_graph
from pytest_planguard.plans.plan import NOWHERE, Defect, Edge, Plan, Requirement, Section, Task
from pytest_planguard.plans.rules.judge_plan import BY_CODE, GUESSES, HITS_PER_RULE, RULES, check_plan, rule_of

from ...support.one_item import in_one_item
from ...support.plans import text_of

CYCLE = "dependency cycle T002 -> T004 -> T002 (lines 30, 47)"
BREACHES = [
    # fixture, what stands there, what is put there, code, line of the finding, its message
    ("atomicguard", '"steps": [', '"steps": "none", "old": [', "root-shape", 6, "expected a list, got a string"),
    ("atomicguard", '"plan_id": "refresh-v1",\n', "", "root-shape", 1, "plan_id is missing"),
    ("openspec-tasks", "- [", "* (", "has-tasks", None, "the plan has no tasks"),
    (
        "superpowers",
        "### Task 1:",
        "## Task 1:",
        "header-format",
        11,
        "the header of task 1 is '## Task 1: Token store'",
    ),
    ("openspec-tasks", "- [ ]", "- []", "box-mark", 4, "the checkbox [] has a nonstandard form"),
    ("spec-kit-spec", "**FR-002**", "**FR-001**", "req-unique", 18, "FR-001 appears twice, first (line 17)"),
    ("spec-kit-spec", "- **FR-", "- **XR-", "has-requirements", None, "the specification states no requirement"),
    (
        "openspec-delta",
        "The system SHALL renew a session while its refresh token is valid.\n",
        "",
        "req-text",
        5,
        'the requirement "Session renewal" has no text',
    ),
    (
        "openspec-delta",
        "SHALL renew",
        "renews",
        "req-normative",
        5,
        'the requirement "Session renewal" uses neither SHALL nor MUST',
    ),
    (
        "openspec-delta",
        "#### Scenario: Valid token",
        "",
        "req-scenario",
        5,
        'the requirement "Session renewal" has no scenario',
    ),
    (
        "openspec-delta",
        "## ADDED Requirements",
        "## Notes",
        "delta-orphan",
        5,
        "the requirement 'Session renewal' is outside every delta section",
    ),
    (
        "openspec-delta",
        "Requirement: Endless sessions",
        "Requirement: Session renewal",
        "delta-conflict",
        27,
        "'Session renewal' is under ADDED and under REMOVED",
    ),
    ("spec-kit-tasks", "- [x] T001", "### T001", "task-form", 9, "task T001 is a heading"),
    ("openspec-tasks", "2.1 Add the route", "2.1", "task-text", 8, "2.1 has no description"),
    (
        "superpowers",
        "**Architecture:**",
        "## Rollout\n\n- [ ] Switch it on\n- [ ] Watch it\n\n**Architecture:**",
        "unread-tasks",
        7,
        "2 checkboxes under 'Rollout' were not read as tasks",
    ),
    ("superpowers", "**Goal:** Let", "Let", "goal-nonempty", None, "the plan has no goal"),
    (
        "superpowers",
        "Let a client renew its session without asking for the password again.",
        "[One sentence]",
        "goal-nonempty",
        3,
        'the goal "[One sentence]" is only a placeholder',
    ),
    ("bmad-story", "## Acceptance Criteria", "## What", "required-sections", None, None),
    ("autospec-tasks", "total_tasks: 4", "total_tasks: 5", "count-matches", 6, "the plan states 5 tasks but has 4"),
    (
        "spec-kit-tasks",
        "Total Tasks**: 5",
        "Total Tasks**: 7",
        "count-matches",
        24,
        "the plan states 7 tasks but has 5",
    ),
    (
        "planexe-dependencies",
        '["The store comes first.", "So does the endpoint."]',
        '["The store comes first."]',
        "parallel-arrays",
        11,
        "depends_on_task_id_list has 2 items but depends_on_task_explanation_list has 1",
    ),
    ("spec-kit-tasks", "] T002 [P]", "] T001 [P]", "id-unique", 10, "the id T001 is used 2 times, first (line 9)"),
    ("autospec-tasks", "id: T004", "id: T001", "id-unique", 41, "the id T001 is used 2 times, first (line 12)"),
    ("openspec-tasks", "1.2 Write", "Write", "id-missing", 4, 'the task "Write its tests" has no id'),
    ("spec-kit-tasks", "T002 [P]", "T02 [P]", "id-format", 10, '"T02" is not a valid id in this format'),
    ("openspec-tasks", "2.1 Add", "3.1 Add", "id-group-match", 8, "3.1 is in group 2"),
    ("autospec-tasks", "[T002, T003]", "[T02, T003]", "dep-exists", 47, 'T004 depends on "T02", which does not exist'),
    ("crewai-tasks", "[research_task]", "[search_task]", "dep-exists", 10, None),
    ("workflow-jobs", "[test, lint]", "[tests, lint]", "dep-exists", 13, None),
    ("task-list", '"blockedBy": ["1"]', '"blockedBy": ["7"]', "dep-exists", 3, None),
    ("step-list", "from $1", "from $9", "dep-exists", 1, '2 depends on "$9", which does not exist'),
    (
        "task-master",
        '"dependencies": ["1.1"]',
        '"dependencies": [2]',
        "dep-self",
        14,
        "1.2 depends on itself",
    ),
    ("autospec-tasks", "[T002, T003]", "[T004, T003]", "dep-self", 47, "T004 depends on itself"),
    ("autospec-tasks", "dependencies: [T001]\n", "dependencies: [T004]\n", "dep-cycle", 30, None),
    ("autospec-tasks", "[T002, T003]", "[T002, T002]", "dep-duplicate", 47, 'T004 names the dependency "T002" twice'),
    (
        "autospec-tasks",
        "[T002, T003]",
        "[T001, T002, T003]",
        "dep-redundant",
        47,
        "T004 already depends on T001 through its other dependencies",
    ),
    ("step-list", "from $1", "from $3", "dep-order", 1, "2 depends on 3, which comes after it"),
    ("autospec-tasks", "dependencies: []", "dependencies: [T003]", "phase-order", 18, None),
    ("spec-kit-tasks", "- T005 waits", "- T009 waits", "ref-exists", 22, "T009 is mentioned but does not exist"),
    ("bmad-story", "(AC: #2)", "(AC: 1)", "trace-forward", 14, "no task cites 2"),
    ("bmad-story", "(AC: #2)", "(AC: #3)", "trace-backward", 20, "2 cites 3, which does not exist"),
    ("task-list", '"blockedBy": ["1"]', '"blockedBy": []', "blocks-symmetric", 2, "1 blocks 2, but 2 does not say so"),
    ("autospec-tasks", "status: Completed", "status: Done", "status-enum", 14, 'T001 has the unknown status "Done"'),
    (
        "bmad-story",
        "Status: in-progress",
        "Status: nearly",
        "status-enum",
        3,
        'the plan has the unknown status "nearly"',
    ),
    (
        "task-master",
        '"status": "in-progress",\n        "dependencies": [1]',
        '"status": "done",\n        "dependencies": [1, 3]',
        "dep-exists",
        22,
        '2 depends on "3", which does not exist',
    ),
    ("kiro-tasks", "- [x] 1.1", "- [ ] 1.1", "status-consistent", 5, "1 is done, but 1 of its subtasks is not"),
    ("bmad-story", "Status: in-progress", "Status: done", "status-consistent", 3, None),
    ("update-plan", '"pending"', '"in_progress"', "status-consistent", 6, "2 steps are in progress at once"),
    ("spec-kit-tasks", "src/auth/model.py", "src/auth/store.py", "parallel-safe", 16, None),
    (
        "autospec-tasks",
        "file_path: src/auth/client.py\n        dependencies: []",
        "file_path: src/auth/client.py\n        dependencies: [T002]",
        "parallel-independent",
        39,
        "T003 and T002 are marked parallel, but T003 waits for the other",
    ),
    (
        "spec-kit-spec",
        "MUST keep refresh tokens",
        "MUST keep [NEEDS CLARIFICATION: which?]",
        "no-placeholders",
        17,
        "an unanswered question: [NEEDS CLARIFICATION: which?]",
    ),
    ("kiro-tasks", "Write the table", "TODO: the table", "no-placeholders", 6, "a leftover placeholder: TODO"),
    (
        "atomicguard",
        '["stored"],\n      "effects": ["served"]',
        '["stord"],\n      "effects": ["served"]',
        "pre-satisfied",
        21,
        None,
    ),
    ("atomicguard", '"dependencies": ["store"]', '"dependencies": []', "race", 21, None),
    ("atomicguard", '"goal_state": ["served"]', '"goal_state": ["sold"]', "goal-reachable", 4, None),
    ("atomicguard", '"effects": ["served"]', '"effects": []', "useless-step", 16, None),
    ("atomicguard", '"total_retry_budget": 10', '"total_retry_budget": 5', "budget-sum", 5, None),
]


def found_in(text: str, path: str) -> dict[tuple[str, int | None], Finding]:
    """Findings by code and line."""
    report = check_text(text, path=path, hints=True)
    return {(finding.code, finding.span.line if finding.span else None): finding for finding in report.findings}


@in_one_item
@pytest.mark.parametrize(("name", "old", "new", "code", "line", "message"), BREACHES)
def test_one_defect_in_a_valid_plan_is_found_on_its_line(
    name: str, old: str, new: str, code: str, line: int | None, message: str | None
) -> None:
    """A valid plan, one defect: the rule's own finding, on the line of the defect, and no other one before it."""
    file, text = text_of(name)
    assert old in text
    before = found_in(text, file)
    everywhere = name == "openspec-tasks" or code == "has-requirements"
    after = found_in(text.replace(old, new) if everywhere else text.replace(old, new, 1), file)
    assert (code, line) in after, sorted(after, key=str)
    assert (code, line) not in before
    if message is not None:
        assert after[code, line].message == message


def test_every_rule_that_is_on_has_a_breach_here() -> None:
    """The table above covers the catalogue; the rest is off by default or has tests of its own."""
    elsewhere = {
        "format-detect",
        "resource-exists",
        "delta-missing",
        "delta-scenario",
        "delta-section",
        "delta-target",
        "dep-unread",
        "unread-field",
        "min-length",
    }
    assert {rule.code for rule in RULES if rule.on} - elsewhere == {code for *_, code, _, _ in BREACHES}


def test_every_defect_of_a_reader_is_reported() -> None:
    """A rule that also checks by itself may forget those, and nothing says so: a task of two records passed."""
    texts = [file.read_text("utf-8") for file in Path(rules.__file__).parent.parent.rglob("*.py")]
    made = {code for text in texts for code in re.findall(r'Defect\(\s*"([a-z-]+)"', text)}  # Defect("box-mark", …)
    assert len(made) >= 20
    requirement = Requirement("FR-1", "FR-1", "The system shall answer.")
    for code in made:
        defects = (Defect(code, "made up", NOWHERE),)
        plan = Plan("test", tasks=(Task("a", "a"),), requirements=(requirement,), defects=defects)
        assert [one.code for one in check_plan(plan) if one.message == "made up"] == [code]


def test_a_task_with_two_lists_of_dependencies_waits_for_both() -> None:
    """Which of two records of one task is meant is unclear."""
    lists = ["depends_on_task_id_list", "depends_on_task_explanation_list"]
    records = [{"dependent_task_id": "b", **{name: [on] for name in lists}} for on in "ac"]
    report = check_text(json.dumps(records), path="x.json", format="planexe-dependencies")
    assert report.plan is not None
    assert [edge.target for task in report.plan.tasks for edge in task.edges] == ["a", "c"]
    found = [(finding.code, finding.path, finding.message, finding.hint) for finding in report.findings]
    assert found == [("dep-duplicate", (1,), "b is listed as dependent twice", "merge the two entries")]


@pytest.mark.parametrize(
    ("code", "name", "old", "new", "line"),
    [
        ("id-order", "spec-kit-tasks", "] T001", "] T009", 10),
        ("id-gap", "spec-kit-tasks", "] T002", "] T008", 10),
        ("file-path-present", "spec-kit-tasks", " in src/auth/__init__.py", "", 9),
    ],
)
def test_rules_that_are_off_run_when_asked_for(code: str, name: str, old: str, new: str, line: int) -> None:
    """Naming a rule's severity switches it on."""
    file, text = text_of(name)
    text = text.replace(old, new, 1)
    assert all(finding.code != code for finding in check_text(text, path=file).findings)
    asked = check_text(text, path=file, severity={code: "fail"})
    hits = [finding for finding in asked.findings if finding.code == code]
    assert [(str(hit.severity), hit.span and hit.span.line) for hit in hits][:1] == [("fail", line)]


@pytest.mark.parametrize("code", ["id-order", "id-gap", "file-path-present"])
def test_a_sound_plan_keeps_the_rules_that_are_off(code: str) -> None:
    """Ids that follow each other leave no number out."""
    file, text = text_of("spec-kit-tasks")
    assert code not in [finding.code for finding in check_text(text, path=file, severity={code: "fail"}).findings]


@pytest.mark.parametrize(("number", "codes_"), [(12, []), (13, ["parallel-safe"])])
def test_tasks_of_one_file_that_all_wait_for_each_other_never_meet(number: int, codes_: list[str]) -> None:
    """Up to twelve tasks of one file are looked at one by one; of more, some are taken to be independent."""
    lines = [
        f"- [ ] T{n:03} [P] Extend src/a.py" + (f" (depends on T{n - 1:03})" if n > 1 else "")
        for n in range(1, number + 1)
    ]
    text = "# Tasks: x\n\n## Phase 1: Setup\n\n" + "\n".join(lines) + "\n"
    found = check_text(text, path="tasks.md", format="spec-kit-tasks").findings
    assert [finding.code for finding in found if finding.code == "parallel-safe"] == codes_


def test_a_cycle_is_one_finding_with_the_line_of_every_edge() -> None:
    """Source row 37: one finding for a cyclic component, from the smallest id on, in the same words every time."""
    file, text = text_of("autospec-tasks")
    finding = found_in(text.replace("[T001]\n", "[T004]\n", 1), file)["dep-cycle", 30]
    assert finding.message == CYCLE
    assert [(item.message, str(item.span)) for item in finding.related] == [
        ("T002 depends on T004", "30:24"),
        ("T004 depends on T002", "47:24"),
    ]
    assert finding.hint == "remove one of these dependencies, for example T004's dependency on T002"


def graph(**edges: str) -> Plan:
    """A plan of one-letter tasks: `graph(a="bc")` is a waiting for b and c."""
    names = "".join(dict.fromkeys("".join(edges) + "".join(edges.values())))
    return Plan(
        "test", tasks=tuple(Task(n, n, edges=tuple(Edge(t, t) for t in edges.get(n, ""))) for n in names if n.isalpha())
    )


def codes(plan: Plan) -> list[str]:
    """Codes of the findings of a plan."""
    return [finding.code for finding in check_plan(plan)]


def test_each_component_is_reported_once_whatever_the_order() -> None:
    """Two circles are two findings, sorted by their smallest ids; the order of the tasks changes nothing."""
    forward = graph(a="b", b="c", c="a", x="y", y="x")
    backward = Plan("test", tasks=forward.tasks[::-1])
    messages = [finding.message for finding in check_plan(forward) if finding.code == "dep-cycle"]
    assert messages == ["dependency cycle a -> b -> c -> a", "dependency cycle x -> y -> x"]
    assert messages == [finding.message for finding in check_plan(backward) if finding.code == "dep-cycle"]


def test_a_larger_component_names_a_shortest_circle_and_the_size() -> None:
    """A task that is merely upstream of a circle is not part of it."""
    (finding,) = (f for f in check_plan(graph(a="bc", b="a", c="a", u="a")) if f.code == "dep-cycle")
    assert finding.message == "dependency cycle a -> b -> a; 3 tasks depend on each other there"


def test_sections_that_wait_for_each_other_are_counted_as_sections() -> None:
    """Their tasks have no part in the circle."""
    phases = "".join(f"## Phase {at}: Part\n\n- [ ] T00{at} Write {at}.py\n\n" for at in (1, 2, 3))
    edges = "".join(f"- Phase {one} depends on Phase {other}\n" for one, other in ("12", "21", "31", "13"))
    report = check_text(f"# Tasks: x\n\n{phases}## Dependencies\n\n{edges}", format="spec-kit-tasks")
    (finding,) = (one for one in report.findings if one.code == "dep-cycle")
    assert finding.message.startswith("dependency cycle Phase 1 -> Phase 2 -> Phase 1; 3 sections depend on each other")


def test_duplicates_and_dangling_edges_suppress_the_cycles_that_they_cause() -> None:
    """An id that stands twice could mean either task, so that a circle through it may not exist."""
    plan = graph(a="b", b="a")
    twice = Plan("test", tasks=(*plan.tasks, Task("b", "b")))
    assert "dep-cycle" in codes(plan)
    assert "dep-cycle" not in codes(twice)
    assert "id-unique" in codes(twice)


def test_a_self_dependency_is_reported_once() -> None:
    """Source row 63: no second finding about a circle of one."""
    assert codes(graph(a="a")) == ["dep-self"]


def test_findings_of_one_rule_are_bounded_and_counted() -> None:
    """A hostile plan with thousands of faults makes a report of bounded size that says how much it leaves out."""
    plan = Plan("test", tasks=tuple(Task(f"t{n}", f"t{n}", edges=(Edge("no", "no"),)) for n in range(1000)))
    findings = check_plan(plan)
    assert len(findings) == HITS_PER_RULE + 1
    assert findings[-1].message == "800 more findings of this rule are not listed"


def test_every_rule_explains_itself() -> None:
    """What a rule checks, an example and how to fix it are text for people, and codes are unique."""
    assert len(BY_CODE) == len(RULES)
    for rule in RULES:
        assert rule.what.endswith(".")
        assert rule.mend.endswith(".")
        assert rule.example


DANGLING = "# Tasks: x\n\n- [ ] T001 Write a.py\n- [ ] T002 Write b.py (depends on T003)\n\nT009 is spoken of.\n"


def test_an_unknown_dependency_is_reported_once_and_never_as_the_task_itself() -> None:
    """What `dep-exists` reports is no mention too, and the nearest id to T003 in T002 is not T002."""
    found = [f for f in check_text(DANGLING, path="tasks.md").findings if f.code in ("dep-exists", "ref-exists")]
    assert [(f.code, f.span and f.span.line, f.hint) for f in found] == [
        ("dep-exists", 4, 'did you mean "T001"?'),
        ("ref-exists", 6, 'did you mean "T002"?'),
    ]


def test_an_unknown_status_is_shown_at_its_own_place() -> None:
    """The finding points at the word, not at the task that has it."""
    text = '{"tasks": [{"id": 1, "title": "a", "status": "half"}, {"id": 2, "title": "b", "subtasks": []}]}'
    (found,) = check_text(text, path="tasks.json", format="task-master").findings
    assert (found.code, found.path) == ("status-enum", ("tasks", 0, "status"))
    assert found.span is not None
    assert text[found.span.column - 1 :].startswith('"half"')


@pytest.mark.slow
def test_near_names_are_looked_for_in_a_bounded_number_of_findings() -> None:
    """Comparing names is dear: ten thousand unknown ones cost no ten thousand comparisons with all known ones."""
    tasks = tuple(Task(f"T{n}", f"T{n}", edges=(Edge(f"X{n}", f"X{n}"),)) for n in range(10_000))
    found = check_plan(Plan("x", tasks=tasks), [BY_CODE["dep-exists"], BY_CODE["id-unique"]])
    assert len(found) == HITS_PER_RULE + 1
    known = Plan("x", tasks=(*tasks, *(Task(f"X{n}0", f"X{n}0") for n in range(99))))
    assert len([f for f in check_plan(known) if f.code == "dep-exists" and f.hint]) <= GUESSES


def test_waiting_for_a_section_is_waiting_for_its_tasks() -> None:
    """A task of group 1 that waits for group 2, whose task waits for it, is a circle through the group."""
    plan = Plan(
        "x",
        sections=(Section("One", "g1"), Section("Two", "g2")),
        tasks=(Task("a", "a", section=0, edges=(Edge("g2", "2"),)), Task("b", "b", section=1, edges=(Edge("a", "a"),))),
    )
    (found,) = check_plan(plan, [BY_CODE["dep-cycle"], BY_CODE["dep-exists"]])
    assert found.message == "dependency cycle a -> g2 -> b -> a"


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("Measured", []),
        ("Actual (ms)", []),
        ("结果", []),
        ("Target", ["no-placeholders"]),
        ("Owner", ["no-placeholders"]),
    ],
)
def test_a_result_is_not_known_before_the_work(head: str, found: list[str]) -> None:
    """A cell of such a column waits for the work; in any other column a value was left out."""
    table = f"The bars:\n| Metric | {head} | Done |\n|:--|---|---|\n| Latency | TBD | no |\n"
    text = f"# Plan\n\n**Goal:** g\n\n### Task 1: Measure it\n\n{table}"
    assert [one.code for one in check_text(text, path="p.md", format="superpowers").findings] == found


BARE = """\
# Tasks: x

## Phase 1: Setup

- [ ] T001 Create src/app.py
- [ ] Add tests (depends on T009)
- [ ] T004 See T007
"""


def test_a_task_without_an_id_is_called_by_its_words() -> None:
    """Not by the key under which the rules know it; nor is such a key offered for an id that does not exist."""
    found = check_text(BARE, path="tasks.md", format="spec-kit-tasks").findings
    assert [one.message for one in found if one.code == "dep-exists"] == [
        '"Add tests (depends on T009)" depends on "T009", which does not exist'
    ]
    said = " ".join(f"{one.message} {one.hint}" for one in found)
    assert re.search(r"\?\d", said) is None
    assert plan_graph(BARE, "spec-kit-tasks").unreachable == ("line 6",)


def test_a_hint_names_ids_of_the_same_list_alone() -> None:
    """In a Kiro list per section, and in a tag of Task Master, where an inner key would begin with section or tag."""
    tags = {
        "a": {"tasks": [{"id": 12, "title": "A", "dependencies": [13]}]},
        "b": {"tasks": [{"id": 13, "title": "B"}]},
    }
    kiro = "# Plan\n\n## One\n\n- [ ] 1. A\n\n## Two\n\n- [ ] 1. A\n- [ ] 20. B\n  - _Dependencies: 21_\n"
    for text, path in ((json.dumps(tags), "tasks.json"), (kiro, ".kiro/specs/a/tasks.md")):
        (one,) = [one for one in check_text(text, path=path).findings if one.code == "dep-exists"]
        assert "/" not in (one.hint or "")


def test_an_unknown_code_is_answered_with_the_nearest() -> None:
    """A typing mistake in a code is an error of use."""
    with pytest.raises(UsageError, match=r"^unknown plan rule \'dep-cycel\'. Did you mean \'dep-cycle\'\?$"):
        rule_of("dep-cycel")


@in_one_item
@pytest.mark.parametrize(
    "left",
    [
        *("[NEEDS CLARIFICATION: which?]", "[FEATURE NAME]", "[###-feature-name]", "[Brief Title]", "TXXX", "TKTK"),
        *("[PROJECT NAME]", "[ENTITY NAME]", "[COMPONENT NAME]", "[STORY NAME]", "[EPIC NAME]", "[SERVICE NAME]"),
        *(
            "Owner: [FEATURE]",
            "Owner: [DATE]",
            "Owner: [Title]",
            "TBD",
            "TODO: name it",
            "FIXME: name it",
            "Owner: TODO",
        ),
    ],
)
def test_a_text_of_the_template_is_left(left: str) -> None:
    """Each is found, in a line of its own."""
    text = text_of("spec-kit-spec")[1]
    assert ("no-placeholders", text.count("\n") + 2) in found_in(f"{text}\n{left}\n", "spec.md")
