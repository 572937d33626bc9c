"""Plan rules inside a contract, where their findings feed the same retry loop as any other finding."""

import re

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.errors import UsageError
from pytest_planguard.plans.judging.contract_rules import plan_rules
from pytest_planguard.plans.reading.outline import MAX_MARKDOWN

from ...support.plans import EIGHT_ERRORS, text_of

TASKS = text_of("spec-kit-tasks")[1]
BROKEN = TASKS.replace("T002 [P]", "T001 [P]").replace("src/auth/model.py", "src/auth/store.py")


def contract(**options: object) -> Contract:
    """A contract about spec-kit's tasks."""
    return Contract(None, format="markdown", name="plan", rules=plan_rules("spec-kit", **options))  # type: ignore[arg-type]


def codes(answer: str, **options: object) -> list[tuple[str, str, int | None]]:
    """Code, severity and line of every finding."""
    findings = contract(**options).check(answer).findings
    return [(f.code, str(f.severity), f.span.line if f.span else None) for f in findings]


def test_a_good_plan_keeps_its_contract() -> None:
    """No finding, and the value is the plan's text."""
    verdict = contract().check(TASKS)
    assert verdict.ok
    assert verdict.findings == ()


def test_findings_of_a_plan_are_findings_of_the_verdict() -> None:
    """Every breach with its line: the duplicate is bad, the shared file a warning."""
    assert codes(BROKEN) == [("id-unique", "retry", 10), ("parallel-safe", "warn", 16)]


def test_places_count_in_the_whole_answer() -> None:
    """A plan in a Markdown fence after some words keeps the lines of the answer."""
    answer = f"Here is the plan.\n\n```markdown\n{BROKEN}```\n"
    assert ("id-unique", "retry", 13) in codes(answer)


def test_a_markdown_example_inside_a_plan_is_not_the_plan() -> None:
    """Only a fence with no heading before it is taken for the wrapper of the whole plan."""
    plan = text_of("superpowers")[1].replace("```bash\n", "```markdown\n- a\n- b\n")
    verdict = Contract(None, format="markdown", rules=plan_rules("superpowers")).check(plan)
    assert [finding for finding in verdict.findings if finding.code not in ("prose", "fence")] == []
    broken = plan.replace("### Task 2", "### Task 1")
    verdict = Contract(None, format="markdown", rules=plan_rules("superpowers")).check(broken)
    assert [(f.code, f.span and f.span.line) for f in verdict.errors][:1] == [("id-unique", 27)]


def test_rules_are_left_out_weighed_and_chosen() -> None:
    """`ignore`, `severity` and `only` do what they say; a severity switches a rule on."""
    assert codes(BROKEN, ignore=["id-unique"]) == [("parallel-safe", "warn", 16)]
    assert codes(BROKEN, severity={"parallel-safe": "retry"})[1] == ("parallel-safe", "retry", 16)
    assert codes(BROKEN, only=["id-gap", "id-unique"]) == [("id-unique", "retry", 10)]
    assert ("id-gap", "info", 16) in codes(BROKEN, severity={"id-gap": "info"})


def test_typing_mistakes_are_answered_with_the_nearest_name() -> None:
    """An option that names nothing is an error where it is written, not a rule that never runs."""
    with pytest.raises(UsageError, match=r"^unknown plan rule \'id-uniqe\'. Did you mean \'id-unique\'\?$"):
        plan_rules("spec-kit", ignore=["id-uniqe"])
    with pytest.raises(UsageError, match=r"^unknown plan format 'speckit'"):
        plan_rules("speckit")
    with pytest.raises(UsageError, match=r"^unknown severity 'bad'. Known: info, warn, retry, fail$"):
        plan_rules("spec-kit", severity={"id-gap": "bad"})


def test_json_plans_are_judged_too() -> None:
    """The arguments of a tool call or a JSON answer, with real paths."""
    steps = text_of("atomicguard")[1].replace('"dependencies": ["store"]', '"dependencies": []')
    verdict = Contract(None, rules=plan_rules("atomicguard")).check(steps)
    assert [(f.code, f.path, str(f.span)) for f in verdict.errors] == [
        ("race", ("steps", 1, "preconditions", 0), "21:25")
    ]


def test_an_answer_of_another_kind_is_no_plan() -> None:
    """Prose and JSON where Markdown tasks were asked for: a bad verdict, no exception."""
    assert not contract().check("I am sorry, I cannot do that.").ok
    assert not Contract(None, rules=plan_rules("spec-kit")).check('{"a": 1}').ok
    assert not Contract(None, format="markdown", rules=plan_rules("autospec-tasks")).check(TASKS).ok


def test_a_huge_plan_is_one_finding() -> None:
    """Beyond the bound a plan is not read at all, and asking again is pointless."""
    verdict = contract().check("# Tasks\n\n" + "- [ ] T001 x\n" * (MAX_MARKDOWN // 12))
    assert [(f.code, str(f.severity)) for f in verdict.findings] == [("too_large", "fail")]


@pytest.mark.slow
def test_a_document_of_too_many_blocks_is_refused() -> None:
    """Short lines take hundreds of times their size as blocks."""
    verdict = contract().check("- a\n" * 5_001)
    assert [(f.code, str(f.severity), f.expected) for f in verdict.findings if f.severity.bad] == [
        ("too_large", "fail", "at most 5,000 in 20,003 characters")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "lines",
    [
        "- [ ] T001 a (depends on T001-T500)\n" * 20,
        "- [ ] T001 a\n\n## Dependencies\n\n- T001-T100 depend on T101-T200\n",
        "- [ ] T001 a\n\n## Dependencies\n\n" + "- Phases 1-99 depend on Phases 1-99\n" * 2,
        "- [ ] T001 a\n\n" + "See T001-500 now.\n\n" * 20,
        "- [ ] T001 a FR-001-FR-500\n" * 20,
    ],
    ids=["of tasks", "of both sides", "of phases", "in text", "of requirements"],
)
def test_ranges_that_name_too_many_are_refused(lines: str) -> None:
    """A range of nine characters names 500 tasks, and "depend on" between two of them means 250,000 dependencies."""
    verdict = contract().check("# Tasks: x\n\n## Phase 1: Setup\n\n" + lines)
    assert [(f.code, str(f.severity), f.message.partition(";")[0]) for f in verdict.findings if f.severity.bad] == [
        ("too_large", "fail", "the lists and ranges of the document name more than 8,000 tasks or requirements")
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kiro-tasks", "# Implementation Plan\n\n" + "- [ ] 1. Do a\n  - _Requirements: 1.1-1.500_\n" * 20),
        ("openspec-tasks", "## 1. Setup\n\n" + "- [ ] 1.1 a (depends on 1.1-1.500)\n" * 20),
        ("superpowers", "# X Implementation Plan\n\n" + "### Task 1: a\n\n**Depends on:** Task 1-500\n\n" * 20),
        ("bmad-story", "# Story 1.1: x\n\n## Tasks / Subtasks\n\n" + "- [ ] Task 1: a (AC: 1-500)\n" * 20),
    ],
)
def test_ranges_of_each_format_are_bounded(name: str, text: str) -> None:
    """Every format that reads ranges counts what they name."""
    findings = Contract(None, format="markdown", rules=plan_rules(name)).check(text).findings
    assert [(f.code, f.message.partition(";")[0]) for f in findings if f.severity.bad] == [
        ("too_large", "the lists and ranges of the document name more than 8,000 tasks or requirements")
    ]


def test_ranges_of_a_large_plan_are_read() -> None:
    """One hundred tasks that wait for twenty each, stated in a line."""
    tasks = "".join(f"- [ ] T{number:03} Write src/a{number}.py\n" for number in range(1, 121))
    text = f"# Tasks: x\n\n## Phase 1: Setup\n\n{tasks}\n## Dependencies\n\n- T021-T120 depend on T001-T020\n"
    assert not [f for f in contract().check(text).findings if f.code == "too_large"]


def test_the_digest_of_a_contract_depends_on_its_rules() -> None:
    """Contracts that ask different things of a plan are different contracts, in every process."""
    digests = {contract(**options).digest for options in ({}, {"ignore": ["id-gap"]}, {"severity": {"id-gap": "warn"}})}
    assert len(digests) == 3
    assert contract().digest == contract().digest


def test_rules_of_a_markdown_format_say_that_the_answer_is_markdown() -> None:
    """Nothing but the rules names the format: lines like `key: value` and a JSON example do not make it another one."""
    plan = text_of("spec-kit-tasks")[1].replace("[P]", "", 1).replace("] T002", "] T001")
    for text in (plan, f'{plan}\n```json\n{{"an": "example"}}\n```\n', f"Here it is:\n\n```markdown\n{plan}```\n"):
        verdict = Contract(None, rules=plan_rules("spec-kit")).check(text)
        assert [finding.code for finding in verdict.errors] == ["id-unique"]
    assert Contract(None, rules=plan_rules("spec-kit")).format == "markdown"
    assert Contract(None, rules=plan_rules("autospec")).format == "auto"
    assert Contract(None, format="json", rules=plan_rules("spec-kit")).format == "json"


def test_an_example_below_a_heading_is_part_of_the_plan() -> None:
    """A fence that says Markdown is taken off only where nothing but prose stands before it."""
    example = f"{TASKS}\n```markdown\n# Tasks: an example\n```\n"
    verdict = Contract(None, rules=plan_rules("spec-kit")).check(example)
    assert verdict.ok
    assert verdict.text == example


def test_the_schema_of_a_format_belongs_to_the_contract() -> None:
    """Missing fields and wrong words are findings; `schema=False` leaves the rules alone, a version names the words."""
    verdict = Contract(None, rules=plan_rules("autospec-spec")).check(EIGHT_ERRORS)
    assert len(verdict.errors) == 8
    assert Contract(None, rules=plan_rules("autospec", schema=False)).check(EIGHT_ERRORS).ok
    good = text_of("autospec-spec")[1]
    implemented = re.sub(r"status: \w+", "status: Implemented", good, count=1)
    assert Contract(None, rules=plan_rules("autospec", version="implemented")).check(implemented).ok
    assert not Contract(None, rules=plan_rules("autospec")).check(implemented).ok
    with pytest.raises(UsageError, match=r"^unknown schema version 'newest'\. Known: completed, implemented$"):
        plan_rules("autospec", version="newest")


def test_the_digest_of_a_contract_changes_with_its_schema() -> None:
    """A run judged by another schema is no rerun of the same contract."""
    settings = ({}, {"schema": False}, {"version": "implemented"})
    names = {plan_rules("autospec-spec", **one)[0].__qualname__ for one in settings}  # type: ignore[arg-type, attr-defined]
    assert len(names) == 3
