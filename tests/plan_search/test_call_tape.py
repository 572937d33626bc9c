"""Searches replayed from a tape."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import UsageError
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.call_tape import CallTape
from pytest_planguard.plan_search.frame import DFS, Policy
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import TerminationReason
from pytest_planguard.plan_search.step import SearchConfig, StepBudget
from pytest_planguard.plan_search.strategies import STRATEGIES

from .pipelines import BUDGETS, Adversary, Scripted, World

TABLE: dict[str, object] = {"blame": (BlameRule("back2", 2), BlameRule("back0", 0)), "escalates": False}
CONFIG = SearchConfig(**TABLE)
SMALL = st.lists(st.builds(StepBudget, st.integers(1, 3), st.integers(0, 3)), min_size=1, max_size=4)
ROOMY = (StepBudget(4, 9),) * 4
SCRIPT = {"g_plan": ["back0", "back2", "ok"]}


def recorded() -> CallTape:
    """A search of seven calls with feedback in both channels."""
    return CallTape.of([search(Scripted(SCRIPT).steps, CONFIG).tree])


@given(seed=st.integers(0, 2**32), budgets=SMALL)
def test_a_replay_asks_what_was_recorded(seed: int, budgets: list[StepBudget]) -> None:
    """The same search over its own tape gives the same answers, and misses nothing."""
    live = Adversary(seed, budgets)
    first = search(live.steps, SearchConfig(**live.going_back))
    tape = CallTape.read(json.loads(json.dumps(CallTape.of([first.tree]).data())))
    verdicts = {(node.key, node.answer): node for node in first.tree.nodes}
    assert {(key, answer) for key, answer in tape.answers.items()} == set(verdicts)
    again = Adversary(seed, budgets)
    result = search(tape.replay(again.steps), SearchConfig(**live.going_back))
    assert again.asked == []
    assert all((node.key, node.answer) in verdicts for node in result.tree.nodes)


def test_a_replay_is_the_search_itself() -> None:
    """Guards that are functions of the answer give the same result, whoever answers."""
    live = search(Scripted(SCRIPT).steps, CONFIG)
    replayed = Scripted({})
    assert search(recorded().replay(replayed.steps), CONFIG) == live
    assert replayed.asked == []


def test_a_policy_that_leaves_the_recording_is_censored() -> None:
    """Blind search asks for a plan that was never asked for: that is no failure."""
    result = search(recorded().replay(Scripted({}).steps), CONFIG, Policy("blind", DFS, blame=False, own=False))
    assert result.termination_reason is TerminationReason.CENSORED
    assert result.misses > 0
    assert not result.succeeded


def test_other_feedback_is_another_call() -> None:
    """The key holds the findings fed back, as codes and paths; without feedback in it both policies are served."""
    keys = {(key.step, key.index, key.feedback) for key in recorded().answers if key.step == "g_plan"}
    assert len({feedback for _, _, feedback in keys}) == 2
    free = CallTape.of([search(Scripted(SCRIPT).steps, CONFIG).tree], feedback=False)
    assert {key.feedback for key in free.answers} == {""}
    silent = Policy("silent", own=False, downstream=False)
    assert search(free.replay(Scripted({}).steps), CONFIG, silent).succeeded
    assert search(recorded().replay(Scripted({}).steps), CONFIG, silent).misses > 0


def test_each_channel_is_in_the_key() -> None:
    """A step that is told another failure of its own, or of a later step, makes another call; wording does not."""
    keys = {}
    for name, script in (
        ("none", {"g_plan": ["ok"]}),
        ("down", {"g_plan": ["back2", "ok"]}),
        ("other down", {"g_plan": ["back2 reworded", "ok"]}),
        ("own", {"g_recon": ["back0", "ok"]}),
        ("both", {"g_recon": ["back0", "ok"], "g_plan": ["back2", "ok"]}),
        ("another", {"g_recon": ["unheard", "ok"]}),
    ):
        nodes = search(Scripted(script, ROOMY).steps, CONFIG).tree.nodes
        keys[name] = [node.key.feedback for node in nodes if node.step == "g_recon"][-1]
    assert keys["none"] == ""
    assert keys["down"] == keys["other down"]
    assert len(set(keys.values())) == 5


def test_the_whole_tree_serves_every_policy_without_feedback() -> None:
    """38 calls for 2, 2, 2 and 3 answers, and no policy misses one."""
    tape = CallTape.record(Scripted({}, BUDGETS).steps)
    assert (len(tape.answers), tape.feedback) == (38, False)
    for name in ("dfs", "cbj", "best", "beam", "broadening", "deepening", "blind", "full"):
        assert STRATEGIES[name].run(tape.replay(Scripted({}, BUDGETS).steps), CONFIG).misses == 0


@given(seed=st.integers(0, 2**32))
def test_a_replayed_world_is_the_world(seed: int) -> None:
    """Any policy takes the same calls over the recorded tree as live."""
    world = World(seed)
    config = SearchConfig(max_total_calls=10**6, **world.going_back)
    tape = CallTape.record(world.steps())
    for name in ("cbj", "blind"):
        live, replayed = (STRATEGIES[name].run(steps, config) for steps in (world.steps(), tape.replay(world.steps())))
        assert (replayed.succeeded, replayed.total_calls, replayed.misses) == (live.succeeded, live.total_calls, 0)


def test_a_recording_of_another_pipeline() -> None:
    """The first step that does not fit is named; a pipeline with fewer steps in the same order fits."""
    tape = recorded()
    steps = Scripted({}).steps
    assert len(tape.replay([steps[0], steps[3]])) == 2
    other = Scripted({}, BUDGETS[:2], ("g_analysis", "g_other")).steps
    message = (
        r"^the cassette is of another pipeline: got step 'g_other', recorded are g_analysis, g_recon, g_strategy, "
        r"g_plan in this order; record this pipeline$"
    )
    with pytest.raises(UsageError, match=message):
        tape.replay(other)
    with pytest.raises(UsageError, match="got step 'g_analysis'"):
        tape.replay([steps[3], steps[0]])


def test_trees_of_two_pipelines() -> None:
    """One tape, one pipeline."""
    one, other = Scripted({}).steps, Scripted({}, BUDGETS[:1], ("only",)).steps
    with pytest.raises(UsageError, match=r"^a tape holds searches over one pipeline: got g_analysis, g_recon, g_str"):
        CallTape.of([search(one).tree, search(other).tree])
    with pytest.raises(UsageError, match=r"^a tape holds searches over one pipeline: got none; make one for each$"):
        CallTape.of([])
    with pytest.raises(UsageError, match=r"^the tree cannot be recorded: ask of step 'g_plan' raised RuntimeError: no"):
        CallTape.record(Scripted({"g_plan": ["raise"]}).steps)


TAPE: dict[str, Any] = {"version": 1, "steps": ["s"], "feedback": True, "calls": []}
GOOD = {"step": "s", "prefix": "", "feedback": "", "index": 0, "answer": "a"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "a call tape has version 1: got None; record it again"),
        ({"version": 1}, "not a call tape: steps: Field required; record it again"),
        ({"steps": "abc"}, "not a call tape: steps: Input should be a valid array; record it again"),
        ({"steps": ["s", 1]}, "not a call tape: steps.1: Input should be a valid string; record it again"),
        ({"feedback": "no"}, "not a call tape: feedback: Input should be a valid boolean; record it again"),
        ({"calls": {"a": 1}}, "not a call tape: calls: Input should be a valid array; record it again"),
        ({"calls": [GOOD, "b"]}, "not a call tape: calls.1: Input should be an object; record it again"),
        (
            {"calls": [GOOD | {"answer": 5}]},
            "not a call tape: calls.0.answer: Input should be a valid string; record it again",
        ),
        (
            {"calls": [GOOD | {"prefix": ["x"]}]},
            "not a call tape: calls.0.prefix: Input should be a valid string; record it again",
        ),
        (
            {"calls": [GOOD | {"index": True}]},
            "not a call tape: calls.0.index: Input should be a valid integer; record it again",
        ),
        (
            {"calls": [GOOD, GOOD | {"index": 1}, GOOD | {"answer": "b"}]},
            "not a call tape: got two answers to one call, again at calls.2; record it again",
        ),
    ],
)
def test_data_that_is_no_tape(data: dict[str, Any], message: str) -> None:
    """The first thing wrong is named, with its place."""
    whole = data if not data or (len(data) == 1 and "version" in data) else TAPE | data
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        CallTape.read(whole)


def test_a_list_is_no_tape() -> None:
    """A file may hold any JSON."""
    with pytest.raises(UsageError, match=r"^a call tape has version 1: got None; record it again$"):
        CallTape.read(json.loads("[]"))


def test_one_answer_may_be_there_twice() -> None:
    """Tapes that were joined have the same calls more than once."""
    assert len(CallTape.read(TAPE | {"calls": [GOOD, GOOD]}).answers) == 1
