"""Which stages of a pipeline a selection names, and what a later stage may build on."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, tool_arg
from pytest_planguard.errors import RunError, UsageError
from pytest_planguard.pipeline.agent_pipeline import AgentPipeline, AgentStage, StageFailed, StageOutcome, file_value
from pytest_planguard.pipeline.state_files import RetryState

TITLE = {"type": "object", "required": ["title"]}
NAMES = ("specify", "plan", "tasks", "implement")
STAGES = tuple(AgentStage(name, Contract(TITLE, name=name, judged=f"{name}.json"), f"/{name}") for name in NAMES)
PIPELINE = AgentPipeline(("agent", "{prompt}"), STAGES, {"prep": NAMES[:3], "build": ("implement",)})


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        ("-spti", NAMES),
        ("-spt", NAMES[:3]),
        ("-ps", ("specify", "plan")),
        ("-t", ("tasks",)),
        ("-tt", ("tasks",)),
        ("prep", NAMES[:3]),
        ("build", ("implement",)),
        ("implement", ("implement",)),
        ("all", NAMES),
        ("-a", NAMES),
    ],
)
def test_selections(selection: str, names: tuple[str, ...]) -> None:
    """Letters in any order, sets, single stages: what is named, in the order of the pipeline."""
    assert tuple(stage.name for stage in PIPELINE.selected(selection)) == names


@pytest.mark.parametrize("selection", ["", "-", "-x", "-spx", "spt", "nothing"])
def test_a_selection_of_nothing_is_refused(selection: str) -> None:
    """The message lists what there is."""
    with pytest.raises(UsageError) as raised:
        PIPELINE.selected(selection)
    assert str(raised.value) == (
        f"no such selection of stages: got {selection!r}; write letters of s (specify), p (plan), t (tasks), "
        "i (implement), or all, prep, build"
    )


@given(st.text("spti", min_size=1))
def test_letters_select_what_they_name(letters: str) -> None:
    """Law: exactly the stages of the letters, each once, in order."""
    assert [stage.letter for stage in PIPELINE.selected(f"-{letters}")] == [one for one in "spti" if one in letters]


def test_stages_are_told_apart() -> None:
    """Two stages with one letter need another; a set names stages that are there; a stage has a file."""
    other = AgentStage("show", Contract(TITLE, name="Show", judged="show.json"), "/show")
    with pytest.raises(UsageError, match=r"^two stages have one letter: got 's' twice; give each a letter of its own$"):
        AgentPipeline(("agent",), (*STAGES, other))
    own = AgentStage("show", other.contract, "/show", letter="w")
    assert AgentPipeline(("agent",), (*STAGES, own)).selected("-w") == (own,)
    with pytest.raises(UsageError, match=r"^set 'prep' names no stage: got 'plans'; write one of specify, plan, tasks"):
        AgentPipeline(("agent",), STAGES, {"prep": ("plans",)})
    with pytest.raises(UsageError, match=r"^stage plan names no file: got judged='text'; write judged='plan\.md'$"):
        AgentStage("plan", Contract(TITLE, name="Plan", judged="text"), "/plan")
    with pytest.raises(UsageError, match=r"^stage plan names no file: got judged="):
        AgentStage("plan", Contract(TITLE, name="Plan", judged=tool_arg("write_file", "content")), "/plan")
    with pytest.raises(UsageError, match=r"^stage 'plan' needs a letter of its own: got 'pl'; write letter='s'$"):
        AgentStage("plan", STAGES[1].contract, "/plan", letter="pl")


@pytest.mark.parametrize(
    ("content", "problem"), [(None, "is missing"), (" \n", "is empty"), ("{}", "breaks its contract")]
)
def test_what_a_later_stage_may_not_build_on(tmp_path: Path, content: str | None, problem: str) -> None:
    """A file that is not there, has nothing in it, or breaks its contract."""
    if content is not None:
        (tmp_path / "plan.json").write_text(content, encoding="utf-8")
    with pytest.raises(StageFailed) as raised:
        file_value(STAGES[1], tmp_path)
    assert raised.value.outcome is StageOutcome.BLOCKED
    assert str(raised.value) == f"is blocked: plan.json of stage plan {problem}; select that stage, too"


def test_a_good_file_gives_its_value(tmp_path: Path) -> None:
    """Prompts of later stages may use it."""
    (tmp_path / "plan.json").write_text('{"title": "x"}', encoding="utf-8")
    assert file_value(STAGES[1], tmp_path) == {"title": "x"}


def test_counts_outlive_a_run_and_leave_no_file_behind(tmp_path: Path) -> None:
    """What one run counted the next one reads; a success forgets its stage, and with the last count the file goes."""
    state = RetryState(tmp_path)
    state.count("plan", 2)
    state.count("tasks", 1)
    again = RetryState(tmp_path)
    assert (again.bad_answers("plan"), again.bad_answers("tasks"), again.bad_answers("specify")) == (2, 1, 0)
    again.count("plan", 0)
    assert RetryState(tmp_path).bad_answers("plan") == 0
    again.count("tasks", 0)
    assert [*tmp_path.iterdir()] == []
    state.count("plan", 1)
    state.reset()
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 2, "bad_answers": {}}', '{"version": 1, "bad_answers": 3}']
)
def test_a_broken_state_is_named(tmp_path: Path, text: str) -> None:
    """Nobody guesses how many attempts are left."""
    RetryState(tmp_path).path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"\.planguard-retry\.json is no retry state: got .*; remove it$"):
        RetryState(tmp_path)
