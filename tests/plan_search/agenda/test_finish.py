"""Why an answer ended: handed on to the guard, kept in the tree and on tapes, the same live and replayed."""

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, StepContext, level_guards
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.call_tape import CallTape
from pytest_planguard.plan_search.context import Artifact
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import SearchResult
from pytest_planguard.plan_search.step import Guard, PathGuard, SearchConfig, Step, StepAnswer, StepBudget
from pytest_planguard.wire.exchange import Finish

from ...support.plans import text_of
from ..pipelines import finding, verdict

TEXT = Contract(str, name="Text")
BACK1 = SearchConfig(blame=(BlameRule("length", 1), BlameRule("stop", 0)), escalates=False)


def chat(text: str | None, reason: str | None, **message: Any) -> dict[str, Any]:
    """An answer of the Chat Completions API, as an SDK gives it."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": reason}
    return {"object": "chat.completion", "model": "m", "choices": [choice]}


def one_step(guard: Guard | PathGuard | Mapping[str, Guard | PathGuard], *answers: Any) -> list[Step]:
    """A pipeline of one step that gets these answers, and then the first again."""
    given_next = cycle(answers)
    return [Step("only", lambda _: next(given_next), guard, StepBudget(rmax=len(answers)))]


def by_finish(path: Sequence[Artifact], answer: str, *, finish: Finish | None = None) -> Verdict:
    """A guard that rejects by the reason alone."""
    return verdict(answer, finding(finish.value, "text")) if finish is not None else verdict(answer)


def through_tape(result: SearchResult) -> CallTape:
    """The tape of a search, written as text and read again."""
    return CallTape.read(json.loads(json.dumps(CallTape.of([result.tree]).data())))


@pytest.mark.parametrize(
    ("response", "finish"),
    [
        ("{}", None),
        ({"parsed": 1}, None),
        (StepAnswer("{}", Finish.LENGTH), Finish.LENGTH),
        (chat("{}", "stop"), Finish.STOP),
        (chat("{", "length"), Finish.LENGTH),
        (chat(None, "tool_calls", tool_calls=[{"id": "c", "function": {"name": "f", "arguments": "{}"}}]), Finish.STOP),
        (chat(None, "stop", refusal="I cannot help with that."), Finish.REFUSAL),
        (chat("", "content_filter"), Finish.CONTENT_FILTER),
    ],
)
def test_the_node_keeps_why_an_answer_ended(response: Any, finish: Finish | None) -> None:
    """In one vocabulary; a tool call is how an answer may well end, and a refusal is none."""
    result = search(one_step(lambda path, answer: verdict(answer), response))
    assert result.tree.nodes[0].finish is finish


@pytest.mark.parametrize(
    ("guard", "codes"),
    [
        (TEXT, ["truncated"]),
        (by_finish, ["length"]),
        (level_guards(), ["truncated"]),
        (lambda path, answer: verdict(answer, finding("unclear")), ["unclear"]),
    ],
)
def test_a_guard_that_takes_the_reason_is_given_it(guard: Any, codes: list[str]) -> None:
    """A contract, a function, a guard for each level; a guard without such a parameter is called as ever."""
    result = search(one_step(guard, chat("cut o", "length")))
    assert [found.code for found in result.tree.nodes[0].findings] == codes


def test_a_check_without_the_parameter_is_called_as_ever() -> None:
    """A guard of one's own need not know of finish reasons, nor has one written in C a signature."""

    class Own:
        def check(self, answer: Any) -> Verdict:
            return verdict(answer)

    assert search(one_step(Own(), chat("a", "length"))).succeeded
    not_a_guard: Any = dict.fromkeys
    assert "guard" in str(search(one_step(not_a_guard, chat("a", "length"))).error)


def test_a_plan_that_is_whole_passes_at_the_limit() -> None:
    """The limit that was reached behind a closed document cut nothing off."""
    assert search(one_step(level_guards(), chat(text_of("atomicguard")[1], "length"))).succeeded


def test_a_replay_judges_as_the_live_search_did() -> None:
    """A cut-off answer has the finding "truncated" both times: the feedback has one hash, and nothing is censored."""
    steps = one_step(TEXT, chat('"whole, but', "length"), chat('"whole"', "stop"))
    live = search(steps)
    replayed = search(through_tape(live).replay(steps))
    assert [node.findings[0].code for node in live.tree.nodes if node.findings] == ["truncated"]
    assert (replayed, replayed.misses) == (live, 0)
    assert live.tree.nodes[1].key.feedback != ""


def test_a_repetition_is_one_in_the_replay_too() -> None:
    """Two calls of one tool that differ in the order of their arguments are two texts, live and replayed."""

    def call(arguments: str) -> dict[str, Any]:
        return chat(None, "tool_calls", tool_calls=[{"id": "c", "function": {"name": "f", "arguments": arguments}}])

    answers = (call('{"a": 1, "b": 2}'), call('{"b": 2, "a": 1}'), call('{"a": 1,  "b": 2}'))
    steps = one_step(lambda path, answer: verdict(answer, finding("no")), *answers)
    live = search(steps)
    assert [node.duplicate for node in live.tree.nodes] == [False, False, True]
    assert search(through_tape(live).replay(steps)) == live


@given(
    answers=st.lists(st.tuples(st.text(max_size=3), st.none() | st.sampled_from(Finish)), min_size=1, max_size=12),
    budgets=st.lists(st.builds(StepBudget, st.integers(1, 3), st.integers(0, 3)), min_size=1, max_size=3),
)
def test_tapes_keep_every_reason(answers: list[tuple[str, Finish | None]], budgets: list[StepBudget]) -> None:
    """Written, read and replayed, a search by finish reasons is the search itself."""

    def asking() -> Callable[[StepContext], StepAnswer]:
        given_next = cycle(answers)
        return lambda _: StepAnswer(*next(given_next))

    ask = asking()
    steps = [Step(f"s{n}", ask, by_finish, budget) for n, budget in enumerate(budgets)]
    live = search(steps, BACK1)
    assert search(through_tape(live).replay(steps), BACK1) == live


def test_a_tape_without_reasons_reads_as_ever() -> None:
    """Tapes from before, and answers without a reason, have no such field."""
    live = search(one_step(by_finish, "a"))
    data = CallTape.of([live.tree]).data()
    assert set(data["calls"][0]) == {"step", "prefix", "feedback", "index", "answer"}
    assert CallTape.read(data).finishes == {}
