"""A step sends its calls as a driven loop does."""

from collections.abc import Callable
from typing import Any

import pytest

from pytest_planguard import Contract
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.errors import NoRecordedAnswer, UsageError
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.context import StepContext
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import SearchResult, TerminationReason
from pytest_planguard.plan_search.step import SearchConfig, Step, StepBudget

NUMBER = Contract(int, name="Number")


def answering(*answers: Any) -> Callable[[StepContext], Any]:
    """An ask that returns or raises these, one after the other."""
    given = iter(answers)

    def ask(_: StepContext) -> Any:
        answer = next(given)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return ask


def searched(*answers: Any, **config: Any) -> SearchResult:
    """The search of one step that gets these answers."""
    return search([Step("only", answering(*answers), NUMBER, StepBudget(rmax=3))], SearchConfig(**config))


def test_a_failed_send_is_repeated_and_is_no_call() -> None:
    """By type, as in a driven loop, and with its waits."""
    waited: list[float] = []
    result = searched(TimeoutError(), ConnectionError(), "7", sleep=waited.append)
    assert (result.succeeded, result.total_calls, waited) == (True, 1, [1.0, 2.0])


def test_sends_fail_for_each_prefix_as_often_as_allowed() -> None:
    """One more is the step's error, and says how often it was sent."""
    result = searched(TimeoutError("slow"), TimeoutError("slow"), "7", transport_retries=1)
    assert result.termination_reason is TerminationReason.ERROR
    assert str(result.error) == "ask of step 'only' raised TimeoutError: slow"
    with pytest.raises(UsageError, match=r"^transport_retries must be at least 0: got -1; raise it$"):
        SearchConfig(transport_retries=-1)


def test_another_error_is_not_sent_again() -> None:
    """Words in a message say nothing."""
    result = searched(ValueError("500 timeout"), "7")
    assert result.termination_reason is TerminationReason.ERROR


def test_the_response_of_an_sdk_is_read() -> None:
    """Its text, or the arguments of the tool that it calls."""
    chat = {"object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"content": "7"}}]}
    call = {"id": "c", "type": "function", "function": {"name": "answer", "arguments": "8"}}
    called = {**chat, "choices": [{"index": 0, "message": {"content": None, "tool_calls": [call]}}]}
    assert searched(chat).path[-1].answer == "7"
    assert searched(called).path[-1].answer == "8"


def test_parsed_values_are_kept_in_one_spelling() -> None:
    """The order of keys is no difference."""
    step = Step("only", answering({"b": 1, "a": 2}), Contract(dict, name="Any"))
    assert search([step]).path[-1].answer == '{"a": 2, "b": 1}'


def test_white_space_makes_no_new_answer() -> None:
    """An answer repeats an earlier one as it does in a driven loop."""
    result = searched('"a"', ' "a"\n', "7")
    assert [node.duplicate for node in result.tree.nodes] == [False, True, False]


def test_an_empty_answer_repeats_an_empty_one() -> None:
    """Where both passed, two prefixes would have one digest, and a cassette one answer for both."""
    lenient = Step("s", answering("", " ", "7"), lambda path, answer: Verdict("any", answer), StepBudget(3, 2))
    last = Step("t", lambda context: context.path[0].answer, NUMBER, StepBudget(1, 0))
    nodes = search([lenient, last], SearchConfig(blame=(BlameRule("*", 1),))).tree.nodes
    assert [(node.step, node.duplicate) for node in nodes] == [
        ("s", False), ("t", False), ("s", True), ("s", False), ("t", False),
    ]  # fmt: skip
    assert len({node.key for node in nodes}) == len(nodes)


def test_a_miss_that_a_client_wrapped_is_censored() -> None:
    """An SDK says "Connection error.", and has the cassette's own word as its cause."""
    error = ConnectionError("Connection error.")
    error.__cause__ = NoRecordedAnswer("no recorded answer fits")
    result = searched(error)
    assert (result.termination_reason, result.misses) == (TerminationReason.CENSORED, 1)
    assert result.total_calls == 0
