"""The order in which models are asked, and what becomes of asking them."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, UsageError
from pytest_planguard.pipeline.history import AttemptHistory
from pytest_planguard.pipeline.matrix import Cell, fallback_order, matrix_of, read_matrix
from pytest_planguard.pipeline.model_executor import ModelExecutor, run_with_fallback

QWEN, GLM = "lmstudio-qwen3.5-35b-a3b", "zai-org/glm-4.6v-flash"
EXAMPLE = {
    QWEN: {"SelectScenarioTask": "pass", "PreProjectAssessmentTask": "pass", "CreateWBSLevel3Task": "unknown"},
    GLM: {
        "SelectScenarioTask": "pass",
        "PreProjectAssessmentTask": "fail:schema_echo",
        "CreateWBSLevel3Task": "fail:schema_echo",
    },
}
"""The example of the proposal, section 3."""
NUMBER = Contract(dict[str, int])
GOOD, BAD = '{"a": 1}', '{"a": "x"}'
CELLS = st.builds(
    Cell,
    st.sampled_from(["pass", "fail:prose", "unknown"]),
    st.integers(0, 5),
    st.dictionaries(st.just("prose"), st.integers(1, 5)),
    st.none() | st.floats(0, 100),
)


@pytest.mark.parametrize(
    ("task", "order"),
    [
        ("SelectScenarioTask", [GLM, QWEN]),
        ("PreProjectAssessmentTask", [QWEN]),
        ("CreateWBSLevel3Task", [QWEN]),
        ("NewTask", [GLM, QWEN]),
    ],
)
def test_the_order_of_the_proposals_example(tmp_path: Path, task: str, order: list[str]) -> None:
    """The order of the proposals example."""
    path = tmp_path / "model_task_matrix.json"
    path.write_text(json.dumps(EXAMPLE), "utf-8")
    assert fallback_order(task, [GLM, QWEN], read_matrix(path)) == order


@given(
    st.dictionaries(st.sampled_from("abcd"), st.fixed_dictionaries({"T": CELLS})), st.floats(0, 1), st.floats(0, 0.99)
)
def test_the_order_is_never_empty_and_names_each_model_once(matrix: Any, explore: float, chance: float) -> None:
    """The order is never empty and names each model once."""
    order = fallback_order("T", list("abcd"), matrix, explore=explore, chance=lambda: chance)
    assert order
    assert len(set(order)) == len(order)
    kept = [model for model in "abcd" if not matrix.get(model, {}).get("T", Cell()).is_bad()]
    assert [model for model in order if model in kept] == kept


def test_the_best_of_models_that_all_failed_stays() -> None:
    """The best of models that all failed stays."""
    matrix = {
        "a": {"T": Cell("fail:prose", 1, {"prose": 9})},
        "b": {"T": Cell("fail:prose", 8, {"prose": 2})},
    }
    assert fallback_order("T", ["a", "b"], matrix) == ["b"]


def test_a_failure_ages_out() -> None:
    """A failure ages out."""
    matrix = {"a": {"T": Cell("fail:prose", 0, {"prose": 1}, 1_000.0)}}
    assert fallback_order("T", ["a", "b"], matrix, max_age_s=60, now=1_060) == ["b"]
    assert fallback_order("T", ["a", "b"], matrix, max_age_s=60, now=1_061) == ["a", "b"]


def test_exploring_keeps_to_its_rate() -> None:
    """Of 10,000 calls one in ten asks the model that failed first."""
    import random

    chance = random.Random(5).random
    matrix = {"a": {"T": Cell("fail:prose")}}
    orders = [fallback_order("T", ["a", "b"], matrix, explore=0.1, chance=chance) for _ in range(10_000)]
    assert {tuple(order) for order in orders} == {("b",), ("a", "b")}
    assert 900 < sum(len(order) == 2 for order in orders) < 1_100


@pytest.mark.parametrize(
    ("models", "options", "message"),
    [
        ([], {}, "no model for T: got an empty list; name at least one"),
        (["a"], {"explore": 2}, "wrong share to explore: got 2; give a number from 0 to 1"),
        (["a"], {"max_age_s": 5}, "wrong age: got max_age_s without now; give both"),
    ],
)
def test_a_wrong_order_is_named(models: list[str], options: Any, message: str) -> None:
    """A wrong order is named."""
    with pytest.raises(UsageError) as caught:
        fallback_order("T", models, {}, **options)
    assert str(caught.value) == message


class Script:
    """Answers of each model in their order; an exception is raised."""

    def __init__(self, **answers: list[Any]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, str]] = []

    def __call__(self, model: str, messages: list[dict[str, Any]]) -> Any:
        """The next answer; model and last message are kept."""
        self.asked.append((model, messages[-1]["content"]))
        answer = self.answers[model].pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


class StatusError(Exception):
    """An SDK's error with a status."""

    def __init__(self, status: int, words: str = "") -> None:
        super().__init__(words)
        self.status_code = status


def test_the_same_model_is_asked_again_with_feedback_before_the_next_one(tmp_path: Path) -> None:
    """The same model is asked again with feedback before the next one."""
    history = AttemptHistory(tmp_path)
    ask = Script(a=[BAD, '{"a": "y"}', '{"a": "z"}'], b=[GOOD])
    result = ModelExecutor(["a", "b"], history=history, max_validation_retries=2, clock=lambda: 7.0).run(
        "T", ask, NUMBER, "Numbers"
    )
    assert [model for model, _ in ask.asked] == ["a", "a", "a", "b"]
    assert "/a" in ask.asked[1][1]
    assert ask.asked[3] == ("b", "Numbers")
    assert (result.ok, result.model, result.value) == (True, "b", {"a": 1})
    assert [record.result for record in history.records()] == ["fail:type"] * 3 + ["pass"]
    assert history.fallback_order("T", ["a", "b"]) == ["b"]
    assert history.fallback_order("T", ["a", "b"], max_age_s=1, now=9.0) == ["a", "b"]
    assert set(history.fallback_order("T", ["a", "b"], explore=1)) == {"a", "b"}
    assert matrix_of(history.records())["a"]["T"].state == "fail:type"


def test_a_transport_failure_is_no_verdict_on_a_model(tmp_path: Path) -> None:
    """A transport failure is no verdict on a model."""
    history = AttemptHistory(tmp_path)
    slept: list[float] = []
    ask = Script(a=[TimeoutError(), StatusError(503), ConnectionError("x")], b=[GOOD])
    result = ModelExecutor(["a", "b"], history=history, sleep=slept.append).run("T", ask, NUMBER, "N")
    assert (result.model, len(slept)) == ("b", 2)
    assert [record.result for record in history.records()] == ["error:transport", "pass"]
    assert list(matrix_of(history.records())) == ["b"]
    assert isinstance(result.runs[0].error, ConnectionError)


def test_a_refused_key_leads_to_the_next_model_at_once(tmp_path: Path) -> None:
    """A refused key leads to the next model at once."""
    history = AttemptHistory(tmp_path)
    ask = Script(a=[StatusError(401)], b=[GOOD])
    assert ModelExecutor(["a", "b"], history=history).run("T", ask, NUMBER, "N").model == "b"
    assert [record.result for record in history.records()] == ["error:auth", "pass"]


@pytest.mark.parametrize("error", [ValueError("500 capacity connect timeout"), StatusError(400, "rate limit 429")])
def test_words_in_a_message_make_no_transport_failure(error: Exception) -> None:
    """Words in a message make no transport failure."""
    with pytest.raises(type(error)):
        ModelExecutor(["a", "b"]).run("T", Script(a=[error], b=[GOOD]), NUMBER, "N")


def test_no_model_gives_a_good_answer() -> None:
    """No model gives a good answer."""
    executor = ModelExecutor(["a", "b"], max_validation_retries=0)
    result = executor.run("T", Script(a=[BAD], b=[BAD]), NUMBER, "N")
    assert (result.ok, result.model, result.value, len(result.runs)) == (False, None, None, 2)
    assert "/a" in (executor.validation_feedback or "")


def test_the_executor_forgets_feedback_once_an_answer_is_good() -> None:
    """The executor forgets feedback once an answer is good."""
    executor = ModelExecutor(["a"], max_validation_retries=1)
    assert executor.run("T", Script(a=[BAD, GOOD]), NUMBER, "N").ok
    assert executor.validation_feedback is None


def test_a_call_that_hangs_counts_as_a_transport_failure() -> None:
    """A call that hangs counts as a transport failure."""
    release = threading.Event()

    def ask(model: str, messages: Any) -> str:
        if model == "a":
            release.wait()
        return GOOD

    try:
        executor = ModelExecutor(["a", "b"], timeout_s=0.1, transport_retries=0)
        result = executor.run("T", ask, NUMBER, "N")
    finally:
        release.set()
    assert result.model == "b"
    assert isinstance(result.runs[0].error, TimeoutError)


@pytest.mark.parametrize("timeout_s", [None, 5.0])
def test_an_answer_of_none_names_the_users_function(timeout_s: float | None) -> None:
    """No wrapper inside planguard is named: the user has to find the missing `return`."""

    def mine(model: str, messages: list[dict[str, Any]]) -> None:
        return None

    with pytest.raises(UsageError, match=r"<locals>\.mine, test_model_executor\.py:\d+\) returned None"):
        ModelExecutor(["m"], timeout_s=timeout_s).run("T", mine, Contract(None), "hi")


@pytest.mark.parametrize("timeout_s", [0, -1.0, float("nan")])
def test_a_time_limit_of_nothing_is_refused(timeout_s: float) -> None:
    """No call could ever meet it."""
    with pytest.raises(UsageError, match=r"^wrong timeout_s: got .*; give seconds above 0, or None for no limit$"):
        ModelExecutor(["m"], timeout_s=timeout_s)


@pytest.mark.parametrize(
    ("models", "message"),
    [([], "no model to ask: got an empty list"), ("a", r"models is a list of names: got 'a'; write \['a'\]")],
)
def test_an_executor_needs_a_list_of_models(models: Any, message: str) -> None:
    """A single name as text would be asked letter by letter."""
    with pytest.raises(UsageError, match=message):
        ModelExecutor(models)


def test_one_call_does_what_an_executor_does() -> None:
    """It takes the executor's options and gives the same result."""
    ask = Script(a=[BAD, BAD], b=[GOOD])
    result = run_with_fallback("T", ["a", "b"], ask, NUMBER, messages="N", max_validation_retries=1)
    assert (result.model, ask.asked) == ("b", [("a", "N"), ("a", ask.asked[1][1]), ("b", "N")])
