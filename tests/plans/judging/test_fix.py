"""What is mechanical is fixed, nothing else is, and fixing never makes anything worse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.plans.judging.fix import Fix, fix_plan
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.judging.policy import policy_of

from ...support.plans import NAMES, text_of


def fix(text: str, path: str, *, schema: bool = False) -> Fix:
    """Fix a text as the command line does."""
    policy = policy_of([] if schema else ["schema=off"])

    def judge(changed: str):  # type: ignore[no-untyped-def]
        return policy.judge({path: changed})[path]

    return fix_plan(judge(text), judge, schema=schema)


SPEC_KIT = "# Tasks: x\n\n- [ ] T001 Write a.py\n- [ ] T002 Write b.py\n\n**Total Tasks**: 7\n"
TASK_MASTER = '{"tasks": [{"id": 1, "title": "a", "status": "In Progress", "dependencies": []}]}'


def test_a_stated_total_is_corrected_where_it_stands() -> None:
    """The number alone changes, and the diff shows it."""
    fixed = fix(SPEC_KIT, "tasks.md")
    assert fixed.changes == ("line 6: 7 -> 2",)
    assert fixed.after == SPEC_KIT.replace("7", "2")
    assert fixed.diff("tasks.md").splitlines()[-2:] == ["-**Total Tasks**: 7", "+**Total Tasks**: 2"]


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        (SPEC_KIT.replace("- [ ] T002 Write b.py", "- [] T002 Write b.py"), ("line 6: 7 -> 2",)),
        (SPEC_KIT.replace("T002 Write", "Write"), ("line 6: 7 -> 2",)),
        (SPEC_KIT.replace("\n\n**Total", "\n\n## Notes\n\n- [ ] T1 x\n\n**Total"), ("line 10: 7 -> 3",)),
        (SPEC_KIT.replace("**Total Tasks**: 7", "## MVP\n\n- Total: 1 tasks"), ()),
        (SPEC_KIT.replace("**Total Tasks**: 7", "- Total: 17 tasks for the MVP"), ()),
        (SPEC_KIT.replace("**Total Tasks**: 7", "- Total: 7 tasks (3 + 4)"), ()),
    ],
)
def test_a_total_is_written_only_where_it_is_proven(text: str, proposed: tuple[str, ...]) -> None:
    """Where not every task has its own form, the total is proposed; a total of a part is none of the plan."""
    fixed = fix(text, "tasks.md")
    assert fixed.after == text
    assert fixed.proposed == proposed


def test_a_status_that_is_only_spelt_differently_is_spelt_as_listed() -> None:
    """The word "In Progress" is "in-progress"; one that is another stays."""
    assert fix(TASK_MASTER, "tasks.json").after == TASK_MASTER.replace("In Progress", "in-progress")
    other = TASK_MASTER.replace("In Progress", "half done")
    assert fix(other, "tasks.json").after == other


def test_the_schema_mends_more_only_where_it_was_asked_for() -> None:
    """A missing `_meta` is a matter of the schema: it is added, with the file's own line ends, with `schema` alone."""
    text = text_of("autospec-tasks")[1]
    bare = text[: text.index("_meta")].replace("\n", "\r\n")
    assert fix(bare, "tasks.yaml").after == bare
    mended = fix(bare, "tasks.yaml", schema=True).after
    assert mended.endswith('_meta:\r\n  version: "1.0.0"\r\n  artifact_type: "tasks"\r\n')
    assert "\n" not in mended.replace("\r\n", "")


def test_a_change_that_would_add_a_finding_is_not_made() -> None:
    """Text after a document in braces would break it: the file stays as it is."""
    flow = "{feature: {branch: a, created: b}, user_stories: [], requirements: {functional: []}}\n"
    assert fix(flow, "spec.yaml", schema=True).after == flow


@pytest.mark.parametrize("text", ["", "a: [", "# Nothing\n", "\x00", SPEC_KIT.replace("\n", "\r")])
def test_what_is_no_sound_plan_is_left_alone(text: str) -> None:
    """Broken files, other documents and strange line ends are nobody's to fix."""
    assert fix(text, "tasks.md").after == text


@pytest.mark.slow
@given(
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.integers(0, 4000), st.sampled_from("0123456789 -_:xDIP\n\r\"'[]")), max_size=4),
    st.booleans(),
)
def test_mending_is_idempotent_and_adds_no_finding(name: str, edits: list[tuple[int, str]], schema: bool) -> None:
    """For any damage: fixing twice is fixing once, no finding is new, and every id stays."""
    path, text = text_of(name)
    for at, character in edits:
        text = text[: at % len(text)] + character + text[at % len(text) + 1 :]
    once = fix(text, path, schema=schema).after
    assert fix(once, path, schema=schema).after == once
    before, after = check_text(text, path=path), check_text(once, path=path)
    assert {(f.code, f.path) for f in after.findings} <= {(f.code, f.path) for f in before.findings}
    ids = [[task.id for task in report.plan.tasks] if report.plan else None for report in (before, after)]
    assert ids[0] == ids[1]


@pytest.mark.parametrize(
    ("seen", "meant"),
    [
        ("in-progres", "in-progress"),
        ("Pendng", "pending"),
        ("cancelld", "cancelled"),
        ("undone", None),  # the opposite of the nearest word
        ("pending-review", None),  # two listed words
        ("do", None),
        ("xyz", None),
    ],
)
def test_a_misspelt_status_becomes_the_only_word_that_it_can_mean(seen: str, meant: str | None) -> None:
    """The word that the finding's hint offers. Anything else is for a person."""
    text = TASK_MASTER.replace("In Progress", seen)
    assert fix(text, "tasks.json").after == text.replace(seen, meant or seen)


def test_words_of_an_artifact_in_json_are_fixed_although_meta_is_missing() -> None:
    """Lines of YAML below JSON would break it, and the words were not fixed either."""
    text = '{"tasks": {}, "summary": {"total_tasks": 2, "total_phases": 0}, "phases": []}\n'
    fixed = fix(text, "tasks.json", schema=True)
    assert fixed.changes == ("line 1: 2 -> 0",)
    assert fixed.after == text.replace("2", "0")
