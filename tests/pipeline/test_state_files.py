"""The state of a run directory, and what a changed answer makes invalid."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import RunError
from pytest_planguard.pipeline.state_files import RUN_STATE, RunState

from ..support.commands import run


def chain(folder: Path) -> RunState:
    """Analysis, a strategy on it, a plan on both, and a task of its own."""
    state = RunState(folder)
    state.answered("analysis", "a")
    state.answered("strategy", "s", ["analysis"])
    state.answered("plan", "p", ["analysis", "strategy"])
    state.answered("budget", "b")
    return state


def test_a_changed_answer_invalidates_what_rests_on_it(tmp_path: Path) -> None:
    """Also over several tasks, until each has answered again; the same answer changes nothing."""
    state = chain(tmp_path)
    assert state.invalid() == {}
    state.answered("strategy", "another", ["analysis"])
    assert state.invalid() == {"plan": ("strategy",)}
    state.answered("analysis", "another")
    assert state.invalid() == {"strategy": ("analysis",), "plan": ("analysis", "strategy")}
    state.answered("strategy", "another", ["analysis"])
    assert state.invalid() == {"plan": ("analysis", "strategy")}
    state.answered("plan", "p", ["analysis", "strategy"])
    assert RunState(tmp_path).invalid() == {}


def test_an_answer_back_to_what_it_was_is_valid_again(tmp_path: Path) -> None:
    """Only the content counts."""
    state = chain(tmp_path)
    state.answered("analysis", "another")
    state.answered("analysis", "a")
    assert state.invalid() == {}


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from("ab")), max_size=12))
def test_what_is_invalid_is_what_read_something_else(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, str]]
) -> None:
    """Of five tasks that each read the one before: invalid is all behind the first that read another answer."""
    state = RunState(tmp_path_factory.mktemp("run"))
    for number in range(5):
        state.answered(str(number), "a", [str(number - 1)] if number else [])
    for number, answer in changes:
        state.answered(str(number), answer, [str(number - 1)] if number else [])
    tasks = [state.tasks[str(number)] for number in range(5)]
    stale = [number for number in range(1, 5) if tasks[number].read[str(number - 1)] != tasks[number - 1].answer]
    first = min(stale, default=5)
    assert list(state.invalid()) == [str(number) for number in range(first, 5)]


def test_what_cannot_be(tmp_path: Path) -> None:
    """A task that reads one without an answer, and files that are no state."""
    with pytest.raises(RunError, match=r"^plan needs the answer of strategy, which has none: note strategy first$"):
        RunState(tmp_path).answered("plan", "p", ["strategy"])
    for text in ("{", "[]", '{"version": 2}', '{"version": 1, "tasks": {"a": {"answer": "x", "read": {"b": "y"}}}}'):
        (tmp_path / RUN_STATE).write_text(text)
        with pytest.raises(RunError, match=r"run_state\.json is no state of a run: got .*; delete it$"):
            RunState(tmp_path)


def test_status_names_what_is_invalid(tmp_path: Path) -> None:
    """Below whether the run waits."""
    state = chain(tmp_path)
    shown = run("gate", "status", "--run-dir", str(tmp_path))
    assert (shown.exit_code, shown.stdout.splitlines()[1:]) == (0, ["4 tasks have answered"])
    state.answered("analysis", "another")
    shown = run("gate", "status", "--run-dir", str(tmp_path))
    assert shown.stdout.splitlines()[1:] == [
        "4 tasks have answered",
        "invalid: strategy, since analysis changed",
        "invalid: plan, since analysis and strategy changed",
    ]
