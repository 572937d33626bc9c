"""Plan formats that a YAML file describes: what is read, what is found, and what is wrong with a description."""

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, UsageError, plan_rules
from pytest_planguard.plans.declared.described import _FILES, _made, described_format, format_text
from pytest_planguard.plans.declared.settings import FormatSettings, exact, lenient
from pytest_planguard.plans.judging.fix import fix_plan
from pytest_planguard.plans.judging.judge_files import PlanReport, check_text
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.plans.plan import Ref
from pytest_planguard.plans.reading.profile import Profile

from ...support.one_item import in_one_item

RUNBOOK = r"""
format: runbook
recognise: ['^# Runbook: ']
required: [Purpose, 'Rollback | Back out']
goal: Purpose
tasks:
  level: 3
  pattern: 'Step {id}: {title}'
  id: 'S\d+'
  example: S1
  noun: step
  depends: ['Depends on:', after]
  files: ['Touches:']
  required: ['Verify:']
  parallel: '[P]'
  status: {words: {open: todo, closed: done}}
sections:
  pattern: 'Phase {number}: {title}'
rules:
  dep-cycle: fail
  id-gap: off
  dep-redundant: off
"""
DOCUMENT = """\
# Runbook: Fail over

## Purpose

Move the primary.

## Phase 1: Prepare

### Step S1: Stop the writers

**Touches:** `ops/writers.yaml`, src/app.py
Verify: no writes
Status: closed

### Step S2: Promote [P]

Run this after S1.
Verify: it is primary

## Phase 2: Switch

### Step S3: Point the service at it

- Depends on:
  - S1
  - S2
- [ ] Announce it
- **Verify:** requests succeed

### Step S4: Tell people

Depends on: Phase 1, S3 (all of it); none
Verify: they know

## Rollback

Nothing.
"""
CYCLE = DOCUMENT.replace("Status: closed", "Depends on: S3")
PLAYBOOK = """
format: playbook
required: [owner, plays]
recognise: [plays]
data:
  tasks: plays.*.steps
  id: name
  title: what
  depends: needs
  files: touches
  noun: step
  status: {label: state, words: {open: todo, closed: done}}
  required: [verify]
schema:
  type: object
  properties: {owner: {type: string}}
"""


def described(text: str, files: dict[str, str] | None = None) -> Profile:
    """The format of a description called plan.yaml."""
    return described_format(text, "plan.yaml", lambda name: (files or {})[name])


def judged(text: str, description: str = RUNBOOK, path: str = "a.md") -> PlanReport:
    """A document judged by a description."""
    policy = policy_of(["runbook" if "runbook" in description else "playbook"], profiles=[described(description)])
    return policy.judge({path: text}, {path})[path]


def hits(report: PlanReport) -> list[tuple[str, int | None]]:
    """Codes and lines."""
    return [(finding.code, finding.span.line if finding.span else None) for finding in report.findings]


def wrong(text: str) -> str:
    """What a description's error says."""
    with pytest.raises(UsageError) as error:
        described(text)
    return str(error.value)


def test_a_document_is_read_as_described() -> None:
    """Tasks, sections, dependencies in lines, lists and running text, files, status, marks; and it keeps every rule."""
    report = judged(DOCUMENT)
    assert hits(report) == []
    plan = report.plan
    assert plan is not None
    assert plan.goal is not None
    assert plan.goal.name == "Move the primary."
    assert [section.key for section in plan.sections] == ["Phase 1", "Phase 2"]
    tasks = {task.id: task for task in plan.tasks if task.parent is None}
    assert {name: [edge.target for edge in task.edges] for name, task in tasks.items()} == {
        "S1": [],
        "S2": ["S1"],
        "S3": ["S1", "S2"],
        "S4": ["Phase 1", "S3"],
    }
    assert [ref.name for ref in tasks["S1"].files] == ["ops/writers.yaml", "src/app.py"]
    assert (tasks["S1"].status, tasks["S2"].parallel, tasks["S3"].section) == ("done", True, 1)
    assert [task.title for task in plan.tasks if task.parent == "S3"] == ["Announce it"]


def test_a_circle_and_a_missing_section_are_found() -> None:
    """With the weight that the description gives them, and the line of the edge."""
    report = judged(CYCLE.replace("## Rollback", "## Later"))
    found = {finding.code: finding for finding in report.findings}
    assert found["dep-cycle"].message == (
        "dependency cycle S1 -> S3 -> S1; 3 tasks depend on each other there (lines 13, 25)"
    )
    assert (found["dep-cycle"].severity, found["required-sections"].severity) == ("fail", "retry")
    assert found["required-sections"].message == 'the section "Rollback" or "Back out" is missing'
    assert not report.ok


@in_one_item
@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("- S2\n", "- S9\n", "dep-exists", 26),
        ("after S1", "after S9", "dep-exists", 17),
        ("Depends on: Phase 1", "Depends on: Phase 9", "dep-exists", 32),
        ("Depends on: Phase 1", "Depends on: the weather", "dep-unread", 32),
        ("Step S2:", "Step S1:", "id-unique", 15),
        ("Step S2:", "Step S-2:", "id-format", 15),
        ("### Step S2", "#### Step S2", "header-format", 15),
        ("Step S2: Promote [P]", "Step S2:", "task-text", 15),
        ("Verify: it is primary", "It is primary", "required-sections", 15),
        ("Status: closed", "Status: gone", "status-enum", 13),
        ("Move the primary.", "TBD", "goal-nonempty", 5),
        ("Move the primary.\n", "", "goal-nonempty", 3),
        ("### Step S2: Promote [P]", "### Step: Promote [P]", "unread-tasks", 15),
        ("### Step S2: Promote [P]", "### Stp S2 Promote [P]", "unread-tasks", 15),
        ("\nNothing.", "\n- [ ] Undo it\n- [ ] Say so", "unread-tasks", 37),
    ],
)
def test_defects_are_found_on_their_line(old: str, new: str, code: str, line: int) -> None:
    """Each gives its rule at its place."""
    assert (code, line) in hits(judged(DOCUMENT.replace(old, new)))


def test_rules_that_the_description_switches_off_stay_off_and_the_user_has_the_last_word() -> None:
    """A number left out is no finding here, unless the caller asks for the rule."""
    gap = DOCUMENT.replace("S4", "S6")
    assert hits(judged(gap)) == []
    policy = policy_of(["runbook", "id-gap=warn"], profiles=[described(RUNBOOK)])
    assert hits(policy.judge({"a.md": gap}, {"a.md"})["a.md"]) == [("id-gap", 30)]
    policy = policy_of(["runbook", "dep-cycle=warn"], profiles=[described(RUNBOOK)])
    assert policy.judge({"a.md": CYCLE}, {"a.md"})["a.md"].ok


@pytest.mark.parametrize(
    ("tasks", "document", "edges"),
    [
        ("{form: checkboxes, pattern: '{id} {title}', depends: ['needs']}", "- [ ] A1 x\n- [ ] A2 y needs A1", ["A1"]),
        (
            "{form: items, pattern: '**{id}** {title}', depends: ['(after:']}",
            "- **A1** x\n- **A2** (after:A1)",
            ["A1"],
        ),
        ("{form: numbered, pattern: '{title}', depends: ['after step']}", "1. x\n2. y, after step 1", ["Runbook: x/1"]),
        (
            "{form: items, under: Plan, pattern: '{id}: {title}', depends: ['<-']}",
            "## Plan\n- A1: x\n- A2: <- A1",
            ["A1"],
        ),
    ],
)
def test_tasks_in_lists(tasks: str, document: str, edges: list[str]) -> None:
    """Boxes, plain items and numbered lists."""
    report = judged(f"# Runbook: x\n\n{document}\n", f"format: runbook\ntasks: {tasks}\n")
    assert report.plan is not None
    assert [edge.target for task in report.plan.tasks for edge in task.edges] == edges
    assert report.ok, report.findings


def test_headings_that_only_speak_of_tasks_are_no_unread_tasks() -> None:
    """Neither notes on a step, nor one word for all steps, nor headings of another level."""
    notes = "### Notes on S2\n\nx\n\n### Stepping back\n\ny\n\n#### Step by step\n\nz\n\n## Rollback"
    assert hits(judged(DOCUMENT.replace("## Rollback", notes))) == []


def test_tasks_outside_of_their_heading_are_named_where_no_task_was_read() -> None:
    """A step one level too high ends the section of the steps; the finding says where."""
    tasks = "format: runbook\ntasks: {level: 3, under: Steps, pattern: 'Step {id} {title}', id: 'R\\d', noun: step}\n"
    report = judged("# Runbook: x\n\n## Steps\n\n## Step R1 Stop\n\n### Step R2 Start\n", tasks)
    assert [finding.message for finding in report.findings] == [
        "the plan has no steps",
        "the step 'Step R1 Stop' is not below a heading 'Steps'",
    ]
    inside = judged("# Runbook: x\n\n## Steps\n\n### Step R1 Stop\n\n## Later\n\n### Step R2 Start\n", tasks)
    assert hits(inside) == []


def test_a_box_without_an_id_is_a_task_without_an_id() -> None:
    """Nothing that looks like a task is dropped."""
    tasks = "format: runbook\ntasks: {form: checkboxes, pattern: '{id} {title}'}\n"
    assert ("id-missing", 2) in hits(judged("- [ ] A1 x\n- [ ] write it\n", tasks))


def test_data_is_read_as_described() -> None:
    """A path with a star, fields by name, dependencies as a text or a list, and the attached JSON Schema."""
    text = """\
owner: 7
plays:
  - steps:
      - {name: a, what: x, needs: [b], verify: x}
      - name: b
        what: y
        needs: a, c
        state: lost
"""
    found = {finding.code: finding for finding in judged(text, PLAYBOOK, "a.yaml").findings}
    assert found["dep-cycle"].message == "dependency cycle a -> b -> a (lines 4, 7)"
    assert found["dep-exists"].message == 'b depends on "c", which does not exist'
    assert found["required-sections"].message == 'step b has no "verify"'
    assert found["required-sections"].span
    assert found["required-sections"].span.line == 5
    assert found["type"].message == "expected a string; got 7"
    assert found["type"].span
    assert found["type"].span.line == 1
    assert found["status-enum"].actual == '"lost"'


def test_tasks_whose_keys_are_their_ids() -> None:
    """An object of tasks."""
    form = "format: playbook\ndata: {tasks: jobs, depends: needs}\n"
    report = judged('{"jobs": {"a": {"needs": "b"}, "b": {"needs": ["a"]}}}', form, "a.json")
    assert hits(report) == [("dep-cycle", 1)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("plays.*.steps", "plays.steps", 'nothing is at the path "plays.steps" of the tasks that the format names'),
        ("key", "name", 'no task has the field "name" that the format names, so nothing was read from it'),
        ("meta.needs", "meta.after", 'no task has the field "meta.after" that the format names, so nothing was read'),
    ],
)
def test_a_path_that_leads_nowhere_is_named(old: str, new: str, message: str) -> None:
    """To the tasks, to the ids that dependencies need, and to the dependencies."""
    form = "format: playbook\ndata: {tasks: plays.*.steps, id: key, depends: meta.needs}\n"
    document = '{"plays": [{"steps": [{"key": "a", "meta": {"needs": []}}, {"key": "b", "meta": {"needs": ["a"]}}]}]}'
    assert judged(document, form, "a.json").verdict == "valid"
    report = judged(document, form.replace(old, new), "a.json")
    assert not report.ok
    assert report.findings[0].message.startswith(message)


def test_a_hint_compares_ids_and_not_where_they_count() -> None:
    """The numbers of a list count within its heading, which made all of them alike."""
    form = "format: runbook\ntasks: {form: numbered, depends: [after]}\n"
    for missing, hint in (("3", None), ("10021", 'did you mean "1002"?')):
        report = judged(f"## Checklist\n\n1001. Check it\n1002. Stop it\n1003. Start it after {missing}\n", form)
        assert [finding.hint for finding in report.findings] == [hint]


def test_it_is_told_by_its_signs_alone() -> None:
    """Among the known formats; a document without the sign is none, unless it stands where such documents stand."""
    policy = policy_of(profiles=[described(RUNBOOK)])
    assert policy.judge({"a.md": DOCUMENT})["a.md"].plan.format == "runbook"  # type: ignore[union-attr]
    placed = described(RUNBOOK.replace("recognise: ['^# Runbook: ']", "places: ['runbooks/*.md']"))
    policy = policy_of(profiles=[placed])
    reports = policy.judge({"runbooks/a.md": DOCUMENT, "b.md": "# Runbook: x\n"})
    assert [one.plan.format if one.plan else None for one in reports.values()] == ["runbook", None]


def test_a_document_without_tasks_is_described_by_its_headings() -> None:
    """Its signs, and a path that only its tool uses, show the format; its goal and headings are required."""
    description = """
format: adr
signs: {'^# ADR': 20, '^## Decision': 15}
own_places: ['adr/*.md']
goal: Context | Goal
required: [Decision, Consequences]
"""
    document, weak = "# ADR 1\n\n**Objective:** Sign in once.\n\n## Decision\n\nA token.\n", "# ADR 1\n\n## Results\n"
    texts = {"a.md": document, "b.md": weak, "docs/adr/1.md": weak}
    reports = policy_of(profiles=[described(description)]).judge(texts)
    plans = [report.plan for report in reports.values()]
    assert [plan and plan.format for plan in plans] == ["adr", None, "adr"]
    assert plans[0] is not None
    assert plans[0].goal == Ref("Sign in once.")
    assert [finding.message for finding in reports["a.md"].findings] == ['the section "Consequences" is missing']
    assert wrong("format: x\ndata: {tasks: a}\nsigns: {'(': 1}\n") == (
        "plan.yaml:3: signs: signs apply to Markdown, not data; write the required fields in `recognise`\n"
        "plan.yaml:3: signs.(: not a regular expression: got '(' (missing ), unterminated subpattern at position 0); "
        "escape literal characters with a backslash"
    )


def test_the_heading_of_a_task_has_a_checkbox() -> None:
    """`[x]` and `[ ]` before the pattern are the status, quoted as code or not."""
    document = DOCUMENT.replace("### Step S2", "### `[x]` Step S2").replace("### Step S3", "### [ ] Step S3")
    plan = judged(document).plan
    assert plan is not None
    assert [(task.id, task.status) for task in plan.tasks if task.id in ("S2", "S3")] == [
        ("S2", "done"),
        ("S3", "todo"),
    ]


def test_a_contract_takes_it(tmp_path: Path) -> None:
    """From its file, by `plan_rules`, and the findings are an answer's like any others."""
    (tmp_path / "plan.yaml").write_text(RUNBOOK)
    contract = Contract(None, rules=plan_rules(tmp_path / "plan.yaml"))
    assert contract.check(DOCUMENT).ok
    assert [finding.code for finding in contract.check(CYCLE).findings] == ["dep-cycle"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  level: 3\n", "  lvl: 3\n", '7: tasks.lvl: not allowed here; did you mean "level"?'),
        ("  level: 3\n", "  level: three\n", '7: tasks.level: expected an integer; got "three"'),
        ("dep-cycle", "dep-cycl", "20: rules.dep-cycl: unknown plan rule 'dep-cycl'. Did you mean 'dep-cycle'?"),
        (
            r"S\d+",
            r"S(\d+)",
            r"9: tasks.id: the pattern of an id cannot have groups: got 'S(\\d+)'; write (?:…) for (…)",
        ),
        (
            r"S\d+",
            r"S[0-9",
            (
                "9: tasks.id: not a regular expression: got 'S[0-9' (unterminated character set at position 1); "
                "escape literal characters with a backslash"
            ),
        ),
        (
            "{title}'\n  id",
            "{name}'\n  id",
            "8: tasks.pattern: unknown field in a pattern: got {name}; it may have {id} and {title}",
        ),
        (
            "'Step {id}: {title}'",
            "'Step: {title}'",
            "12: tasks.depends: dependencies need tasks with ids: got 'Step: {title}'; write {id} in it",
        ),
        (
            "goal: Purpose",
            "schema: {}",
            "5: schema: a JSON Schema applies to JSON or YAML, not Markdown tasks; leave it out",
        ),
        ("format: runbook\n", "", "2: format: required, missing"),
    ],
)
def test_what_is_wrong_with_a_description_is_said_with_its_line(old: str, new: str, message: str) -> None:
    """Place, what was got, what to do."""
    assert wrong(RUNBOOK.replace(old, new)) == f"plan.yaml:{message}"


def test_every_problem_of_a_description_is_said() -> None:
    """Not the first alone; and a schema's own errors have its place."""
    both = RUNBOOK.replace(r"S\d+", "S(").replace("dep-cycle", "dep-cycl")
    assert [line.split(":")[1] for line in wrong(both).splitlines()] == ["9", "20"]
    assert wrong("format: x\n") == (
        "plan.yaml:1: a format has tasks (Markdown), data (JSON, YAML) or required headings: got none; write one"
    )
    assert wrong("format: x\ndata: {tasks: a}\nschema: {type: 7}\n").startswith("plan.yaml:3: schema: not a valid JSON")
    assert wrong("format: x\ndata: {tasks: a, pattern: '(S)1'}\n") == (
        "plan.yaml:2: data.pattern: the pattern of an id cannot have groups: got '(S)1'; write (?:…) for (…)"
    )


@pytest.mark.parametrize(
    ("label", "slip", "place"),
    [
        ("- Depends on:", "- Depend on:", ("S3", 24, 3)),
        ("Status:", "**Stauts:**", ("S1", 13, 3)),
        ("- **Verify:**", "- **Verfy:**", ("S3", 28, 5)),
        ("Touches:", "Touch:", ("S1", 11, 3)),
        ("Touches:", "touchs：", ("S1", 11, 3)),
    ],
)
def test_a_misspelt_label_is_named(label: str, slip: str, place: tuple[str, int, int]) -> None:
    """With the label that it is nearest to: what stands behind it is not read."""
    changed = DOCUMENT.replace(label, slip)
    assert changed != DOCUMENT
    (finding,) = (one for one in judged(changed).findings if one.code == "task-form")
    written, right = slip.strip("-* ：:"), label.strip("-* ")
    assert finding.message == f"'{written}' of step {place[0]} is not a label of this format"
    assert (finding.path[1], finding.span and (finding.span.line, finding.span.column)) == (place[0], place[1:])
    assert (finding.expected, finding.actual) == (right, f"{written}:")
    assert finding.hint == f'did you mean "{right}"?'


@pytest.mark.parametrize("words", ["Notes", "Verification", "Deps", "To do", "Verify", "verify ", "State", "Statement"])
def test_other_labels_are_the_writer_s_own(words: str) -> None:
    """A label that is like none, or that is one, is no slip."""
    changed = DOCUMENT.replace("Verify: it is primary", f"Verify: it is primary\n{words}: more")
    assert not [one for one in judged(changed).findings if one.code == "task-form"]


@pytest.mark.parametrize("text", ["", " \n\n", "# to come\n"])
def test_an_empty_description_is_no_answer(text: str) -> None:
    """The message says what to write instead."""
    assert wrong(text) == (
        "plan.yaml: the description of a plan format is empty; copy one: planguard plan rules copy task-list"
    )


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    """The message names it."""
    with pytest.raises(UsageError, match=re.escape("none.yaml: the plan format cannot be read (No such file")):
        plan_rules(str(tmp_path / "none.yaml"))


@given(st.text(alphabet=st.sampled_from("# -*S123:[]x\n\tDepndsoi,()`afterVy|")), st.sampled_from([RUNBOOK, PLAYBOOK]))
def test_reading_never_raises(text: str, description: str) -> None:
    """Whatever the document holds."""
    judged(text, description, "a.md" if description is RUNBOOK else "a.yaml")


def test_a_schema_is_read_from_beside_the_description() -> None:
    """By its path; in a form that is no schema it is an error at its line."""
    text = PLAYBOOK[: PLAYBOOK.index("schema:")] + "schema: playbook.json\n"
    schema = '{"properties": {"owner": {"type": "string"}}}'
    policy = policy_of(["playbook"], profiles=[described(text, {"playbook.json": schema})])
    report = policy.judge({"a.json": '{"owner": 7, "plays": []}'}, {"a.json"})["a.json"]
    assert "type" in {finding.code for finding in report.findings}
    with pytest.raises(UsageError, match=r"^plan.yaml:14: schema: a JSON Schema is an object or a path: got null"):
        described(text, {"playbook.json": "null"})


def test_a_schema_for_a_known_format(tmp_path: Path) -> None:
    """Beside its rules; not for Markdown, and digests tell schemas apart."""
    (tmp_path / "jobs.json").write_text('{"properties": {"name": {"type": "integer"}}}')
    policy = policy_of(["workflow-jobs", "json-schema=jobs.json"], folder=tmp_path)
    jobs = "name: build\non: push\njobs: {a: {runs-on: x, needs: [b], steps: []}}\n"
    found = policy.judge({"a.yaml": jobs})["a.yaml"]
    assert [(one.code, one.span.line) for one in found.findings if one.span] == [("type", 1), ("dep-exists", 3)]
    assert policy.digest != policy_of(["workflow-jobs"]).digest
    with pytest.raises(
        UsageError, match=r"^a JSON Schema applies to JSON and YAML: got the format spec-kit-tasks, which"
    ):
        policy_of(["spec-kit-tasks", "json-schema=jobs.json"], folder=tmp_path)


def test_tasks_in_tasks_are_read_where_they_are_described() -> None:
    """Nested steps have their parents, and a circle through them is found on its line."""
    form = "format: play\ndata: {tasks: 'stages.*.steps', depends: after, children: steps}\n"
    text = """\
stages:
  - steps:
      - id: stop
        title: Stop
        after: deep
        steps:
          - id: drain
            title: Drain
            steps:
              - {id: deep, title: Wait, after: stop}
"""
    described = described_format(form, "plan.yaml", lambda _: "")
    report = check_text(text, path="a.yaml", format="play", profiles=[described])
    assert report.plan is not None
    assert [(task.id, task.parent) for task in report.plan.tasks] == [
        ("stop", None),
        ("drain", "stop"),
        ("deep", "drain"),
    ]
    [finding] = [one for one in report.findings if one.code == "dep-cycle"]
    assert finding.span is not None
    assert finding.span.line == 10
    flat = described_format(form.replace(", children: steps", ""), "plan.yaml", lambda _: "")
    report = check_text(text, path="a.yaml", format="play", profiles=[flat])
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["stop"]


@pytest.mark.parametrize("written", ["Status: {}", "**Status:** **{}**", "- Status: `{}`", "closd, Status:  {}"])
def test_a_misspelt_status_is_corrected_where_it_is_written(written: str) -> None:
    """The marks around the word stay, and so does the same word elsewhere in the line."""
    report = judged(DOCUMENT.replace("Status: closed", written.format("closd")))
    assert fix_plan(report, judged).after == DOCUMENT.replace("Status: closed", written.format("closed"))


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ("pattern: '{id}: {title} {id}'", "write {id} once"),
        ("{pattern: '{id}: {title}', id: '(?i)S\\d+'}", "write (?i:…) for (?i)…"),
    ],
)
def test_a_pattern_that_would_not_compile_as_a_part_is_refused(tasks: str, said: str) -> None:
    """Each became a part of a longer pattern, and its error named neither file nor line."""
    written = tasks if tasks.startswith("{") else f"{{{tasks}}}"
    with pytest.raises(UsageError, match=rf"^f\.yaml:3: tasks\.\w+: .*{re.escape(said)}"):
        described_format(f"format: x\n\ntasks: {written}\n", "f.yaml", lambda _: "")


def test_a_no_break_space_in_a_list_of_dependencies_is_nothing() -> None:
    """It is no word, and no task either."""
    profile = described_format("format: x\ntasks: {depends: ['Depends on:']}\n", "f.yaml", lambda _: "")
    text = "# X\n\n## S1: A\n\n## S2: B\n\nDepends on: S1, \u00a0, S1\n"
    report = check_text(text, path="x.md", format="x", profiles=[profile])
    assert report.plan is not None
    assert [edge.target for task in report.plan.tasks for edge in task.edges] == ["S1", "S1"]


def test_a_label_twice_on_a_line_begins_two_lists() -> None:
    """The second label is no part of the first list."""
    profile = described_format("format: x\ntasks: {depends: ['Needs:']}\n", "f.yaml", lambda _: "")
    text = "# X\n\n## S1: A\n\n## S2: B\n\n## S3: C\n\nNeeds: S1. Needs: S2\n"
    report = check_text(text, path="x.md", format="x", profiles=[profile])
    assert report.plan is not None
    assert [edge.target for edge in report.plan.tasks[2].edges] == ["S1", "S2"]


def test_a_table_in_a_task_belongs_to_the_task() -> None:
    """It is no list of tasks that was not read."""
    runbook = described_format(RUNBOOK, "f.yaml", lambda _: "")
    table = "| Task 1 | done |\n| Task 2 | open |\n"
    inside = DOCUMENT.replace("Run this after S1.\n", f"Run this after S1.\n\n{table}\n", 1)
    for text, unread in ((inside, 0), (f"# Runbook: x\n\n{table}\n## Phase 1: A\n", 1)):
        report = check_text(text, path="x.md", format="runbook", profiles=[runbook])
        assert [one.code for one in report.findings].count("unread-tasks") == unread


@pytest.mark.parametrize("label", ["依赖：", "Needs:"])
def test_a_label_may_end_in_a_full_width_colon(label: str) -> None:
    """Either colon makes a label, which introduces the rest of the line."""
    profile = described_format(f"format: x\ntasks: {{depends: ['{label}']}}\n", "f.yaml", lambda _: "")
    text = f"# X\n\n## S1: A\n\n## S2: B\n\n{label} the team, S1\n"
    report = check_text(text, path="x.md", format="x", profiles=[profile])
    assert report.plan is not None
    assert [edge.target for edge in report.plan.tasks[1].edges] == ["S1"]
    assert "dep-unread" in [one.code for one in report.findings]


SETTINGS = Contract(FormatSettings, format="yaml", strict=True)


@in_one_item
@pytest.mark.parametrize("name", sorted(_FILES))
def test_a_built_in_format_has_the_settings_that_its_file_says(name: str) -> None:
    """It is read without a validator, which takes longer than a check, and has the same parts, lists and defaults."""
    text = format_text(name)
    assert _made(FormatSettings, yaml.safe_load(text)) == SETTINGS.check(text).value


TEXTS_OF_TASKS = (
    "Step S3: Go",
    "step  S-3:Go",
    "[x] Step **12b**: Go",
    "Step x: Go",
    "Step: Go",
    "S3 Go",
    "S3",
    "3: Go",
)


@in_one_item
@pytest.mark.parametrize(
    ("pattern", "exactly", "leniently"),
    [
        ("Step {id}: {title}", ["S3", 0, 0, 0, 0, 0, 0, 0], ["S3", "S-3", "12b", 0, 0, 0, 0, 0]),
        ("S{id}", [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, "3", "3", 0]),
        ("{id} {title}", [0, 0, 0, 0, 0, "S3", "S3", 0], None),
        ("§ {id}", [0] * 8, None),
        ("Step {title}", ["", "", "", "", "", 0, 0, 0], None),
        ("Step: {title}", [0, 0, 0, 0, "", 0, 0, 0], None),
    ],
)
def test_which_headings_are_tasks(pattern: str, exactly: list[str | int], leniently: list[str | int] | None) -> None:
    """Words before the id show a task whose id has another form; without words, or without an id, nothing else does."""

    def ids(form: re.Pattern[str]) -> list[str | int]:
        found = (form.match(text) for text in TEXTS_OF_TASKS)
        return [0 if match is None else match.groupdict().get("id", "") for match in found]

    near = lenient(pattern)
    assert ids(exact(pattern, r"S\d+")) == exactly
    assert (near and ids(near)) == leniently
