"""Each detector of the stream monitor: when it fires, and on which good answers it never does."""

from __future__ import annotations

import ast
import json
import random
import re
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, create_model

from pytest_planguard import Contract, FailureKind, UsageError
from pytest_planguard.pipeline.stream_detectors import StreamThresholds
from pytest_planguard.pipeline.stream_monitor import StreamMonitor

from ..support.cost import assert_growth
from ..support.one_item import in_one_item
from ..support.paths import ROOT
from .plans import PLAN, WORDS, Plan, as_json, codes, pieces, plan, prose

LEAD_INS = ("", "Sure! Here is the plan you asked for:\n\n", "<think>\n{}\nHm. " + "Let me see. " * 300 + "</think>\n")
DATA = ROOT.parent / "shared" / "data"


@given(
    st.integers(1, 60),
    st.sampled_from(LEAD_INS),
    st.sampled_from([None, 2]),
    st.booleans(),
    st.integers(1, 40),
    st.text(max_size=300),
)
def test_a_good_answer_is_never_flagged(
    steps: int, lead_in: str, indent: int | None, fenced: bool, size: int, title: str
) -> None:
    """Whatever its size, its wrapper and the size of the pieces."""
    document = as_json(plan(steps, title=title), indent=indent)
    text = f"{lead_in}```json\n{document}\n```\n" if fenced else lead_in + document
    assert codes(text, size=size, partial=True, loop_characters=0) == []


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("seed", range(1_000, 1_060))
def test_prose_is_told_by_token_500(seed: int) -> None:
    """1,997 characters are 500 tokens of four, the last of them begun."""
    ((code, character, tokens),) = codes(prose(seed), size=1)
    assert (code, character, tokens) == ("prose", 1_997, 500)


@pytest.mark.parametrize("seed", range(5))
def test_json_after_a_long_lead_in_is_no_prose(seed: int) -> None:
    """Json after a long lead in is no prose."""
    assert codes(prose(seed, 1_800) + as_json(plan())) == []


def test_thinking_does_not_count_as_prose() -> None:
    """Thinking does not count as prose."""
    ((code, character, _),) = codes("<think>" + "hm. " * 5_000 + "</think>" + prose(1))
    assert code == "prose"
    assert 20_000 + len("<think></think>") + 1_997 <= character <= 20_000 + len("<think></think>") + 2_000


def test_tokens_that_the_provider_counts_come_first() -> None:
    """A model whose tokens are of one character reaches 500 sooner."""
    monitor = StreamMonitor(PLAN)
    for number, piece in enumerate(pieces(prose(3), 10), start=1):
        event = {"choices": [{"delta": {"content": piece}}], "usage": {"completion_tokens": number * 10}}
        if monitor.feed(event):
            break
    assert 500 <= len(monitor.text) <= 600
    assert monitor.findings[0].code == "prose"


def test_prose_is_nothing_wrong_without_a_contract_that_asks_for_json() -> None:
    """Prose is nothing wrong without a contract that asks for json."""
    assert codes(prose(4), Contract(None, format="markdown")) == []
    monitor = StreamMonitor()
    monitor.feed(prose(4))
    assert monitor.findings == ()


MODELS = [
    create_model(
        f"Made{n}", **{f"{WORDS[n + k]}_{k}": (kind, ...) for k, kind in enumerate((str, int, list[str], Plan))}
    )  # type: ignore[call-overload]
    for n in range(17)
]


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("model", [Plan, *MODELS], ids=lambda model: model.__name__)
@pytest.mark.parametrize("form", ["bare", "fenced", "as a response format"])
def test_a_schema_that_is_sent_back_is_told(model: type[BaseModel], form: str) -> None:
    """54 answers: 18 schemas in three forms."""
    schema: dict[str, Any] = model.model_json_schema()
    echo = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}} if form[0] == "a" else schema
    text = f"```json\n{as_json(echo, indent=2)}\n```" if form == "fenced" else as_json(echo)
    assert [code for code, _, _ in codes(text, Contract(model))] == ["schema_echo"]


def test_the_two_real_schema_echoes_are_told() -> None:
    """Of their answers the log has the first characters, as Python writes them: `{'$defs': {'Lever': {'pro...`."""
    path = DATA / "failures" / "planexe_failures.json"
    if not path.exists():
        pytest.skip(f"{path} is not here: the collection of real failures is not part of the project")
    cases = [case for case in json.loads(path.read_text("utf-8"))["cases"] if case["category"] == "schema_echo"]
    assert len(cases) == 2
    for case in cases:
        clipped = re.search(r"input_value=(\{.*?)'pro\.\.\.", case["error"])
        assert clipped is not None
        text = as_json(ast.literal_eval(clipped[1] + "}}}"))[:-3]
        monitor = StreamMonitor(PLAN)
        monitor.feed(text + '"properties": {"name": {"type": "string"')
        monitor.finish()
        assert [found.code for found in monitor.findings] == ["schema_echo"]


def test_a_loop_is_told_in_prose_and_in_a_document() -> None:
    """A loop is told in prose and in a document."""
    assert codes("I will do it. " * 100)[0][:2] == ("loop", 400)
    title = "and again " * 600
    ((code, character, _),) = codes(as_json(plan(title=title)))
    assert code == "loop"
    assert 4_000 < character < 5_200


@pytest.mark.slow
@pytest.mark.parametrize("count", [100, 1_000])
def test_equal_values_in_a_list_are_no_loop(count: int) -> None:
    """Equal values in a list are no loop."""
    assert codes(as_json({"title": "t", "steps": [0] * count})) == []


def test_a_refusal_is_told_after_100_tokens() -> None:
    """A refusal is told after 100 tokens."""
    text = "I'm sorry, but I cannot help with that. " + prose(5)
    assert codes(text)[0] == ("refusal", 400, 100)


def test_an_apology_before_the_answer_is_no_refusal() -> None:
    """An apology before the answer is no refusal."""
    assert codes("I'm sorry, I cannot provide the exact dates. The plan: " + as_json(plan())) == []


def test_a_short_refusal_is_told_at_its_end() -> None:
    """A short refusal is told at its end."""
    assert codes("I cannot assist with that.") == [("refusal", 26, 7)]


def test_the_providers_refusal_field_is_told_at_once() -> None:
    """The providers refusal field is told at once."""
    monitor = StreamMonitor(PLAN)
    (found,) = monitor.feed({"choices": [{"delta": {"refusal": "I cannot do that."}}]})
    assert found.finding.kind is FailureKind.REFUSAL
    assert found.finding.message == "the answer declines: I cannot do that."


@pytest.mark.parametrize(
    "start", ["# Plan\n\n- first\n- second\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "```yaml\ntitle: x\n```\n"]
)
def test_markdown_is_the_wrong_container(start: str) -> None:
    """Markdown is the wrong container."""
    text = start + prose(6)
    assert codes(text, Contract(Plan, format="json"))[0] == ("wrong_container", 600, 150)


def test_yaml_is_no_wrong_container_where_the_contract_leaves_the_format_open() -> None:
    """Yaml is no wrong container where the contract leaves the format open."""
    text = "title: Move\nsteps:\n" + "".join(f"- name: step {n}\n  risk: low\n  days: {n}\n" for n in range(200))
    assert codes(text) == []


def test_a_complete_field_that_breaks_the_contract_is_told_before_the_end() -> None:
    """A complete field that breaks the contract is told before the end."""
    made = plan(200)
    made["steps"][3]["risk"] = "huge"
    monitor = StreamMonitor(PLAN, thresholds=StreamThresholds(partial=True))
    text = as_json(made)
    for piece in pieces(text):
        if monitor.feed(piece):
            break
    (found,) = monitor.findings
    assert (found.finding.code, found.finding.path) == ("enum", ("steps", 3, "risk"))
    assert text.index("huge") < found.character < text.index("huge") + 600


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


class Pets(BaseModel):
    pets: list[Cat | Dog]


@pytest.mark.parametrize("seed", range(5))
def test_an_open_member_of_a_union_is_not_judged_yet(seed: int) -> None:
    """`{"kind": "dog"` is a bad cat until its other fields come."""
    rng = random.Random(seed)
    dogs = [{"kind": "dog", "tricks": rng.choices(WORDS, k=80)} for _ in range(9)]
    assert codes(as_json({"pets": dogs}), Contract(Pets), size=3, partial=True) == []


def test_a_text_past_its_bound_is_told() -> None:
    """A text past its bound is told."""
    assert codes(as_json(plan(100)), max_characters=500) == [("too_large", 501, 126)]


def test_a_call_of_the_contracts_tool_is_judged_and_words_before_it_are_not() -> None:
    """A call of the contracts tool is judged and words before it are not."""
    monitor = StreamMonitor(Contract(Plan, judged="submit"))
    monitor.feed(prose(7))
    call = {"index": 0, "function": {"name": "submit", "arguments": ""}}
    monitor.feed({"choices": [{"delta": {"tool_calls": [call]}}]})
    for piece in pieces(as_json(Plan.model_json_schema())):
        monitor.feed({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}}]})
    assert [found.code for found in monitor.findings] == ["schema_echo"]
    assert monitor.judged_text == as_json(Plan.model_json_schema())


@given(st.text(), st.integers(1, 9))
def test_no_text_raises(text: str, size: int) -> None:
    """No text raises."""
    codes(text, size=size, partial=True)
    codes("{" + text, size=size, partial=True)


def test_a_wrong_threshold_is_named() -> None:
    """A wrong threshold is named."""
    with pytest.raises(UsageError, match=r"^wrong prose_tokens: got -1; give 0 or more$"):
        StreamThresholds(prose_tokens=-1)
    with pytest.raises(UsageError, match=r"^wrong max_characters: got 0; give 1 or more, or None for no bound$"):
        StreamThresholds(max_characters=0)


def test_findings_come_in_the_order_of_their_detection() -> None:
    """The end of the text finds a refusal after the loop of a call, and reports that alone."""
    monitor = StreamMonitor(Contract(Plan, format="json"))
    call = {"index": 0, "function": {"name": "search", "arguments": "ab " * 3_000}}
    assert [one.code for one in monitor.feed({"choices": [{"delta": {"tool_calls": [call]}}]})] == ["loop"]
    assert monitor.feed("I cannot help with that.") == ()
    assert [one.code for one in monitor.finish()] == ["refusal"]
    assert [one.code for one in monitor.findings] == ["loop", "refusal"]


def test_a_threshold_of_zero_characters_looks_for_no_schema() -> None:
    """0 turns a detector off, and a negative number is refused."""
    monitor = StreamMonitor(Contract(Plan, format="json"), thresholds=StreamThresholds(echo_characters=0))
    monitor.feed(json.dumps(Plan.model_json_schema()))
    assert "schema_echo" not in [one.code for one in (*monitor.findings, *monitor.finish())]
    with pytest.raises(UsageError, match=r"^wrong echo_characters: got -1; give 0 or more$"):
        StreamThresholds(echo_characters=-1)


def test_prose_without_a_bound_is_read_if_it_comes_in_one_piece() -> None:
    """A client that does not stream hands over the whole answer."""
    markdown = "# Plan\n\n" + "".join(f"- step {number}\n" for number in range(4_000))
    refusal = "I'm sorry, but I cannot help with that. " + "".join(f"word {number} " for number in range(4_000))
    monitors = [StreamMonitor(Contract(Plan), thresholds=StreamThresholds(prose_tokens=0)) for _ in range(2)]
    found = [monitor.feed(text)[0].code for monitor, text in zip(monitors, (markdown, refusal), strict=True)]
    assert found == ["wrong_container", "refusal"]


def test_a_long_schema_in_one_piece_is_an_echo() -> None:
    """It is longer than what the detector looks at, plus the text it keeps."""
    fields = {f"field_{number}": {"type": "string", "description": "A field. " * 9} for number in range(200)}
    schema = {"type": "object", "properties": fields, "required": ["field_0"]}
    (found,) = StreamMonitor(Contract(schema)).feed(json.dumps(schema))
    assert found.code == "schema_echo"


@pytest.mark.slow
def test_prose_without_a_bound_is_watched_in_linear_time() -> None:
    """Each look once read the whole prose so far."""

    def watch(size: int) -> None:
        monitor = StreamMonitor(Contract(Plan), thresholds=StreamThresholds(prose_tokens=0, loop_characters=0))
        for number in range(size):
            monitor.feed(f"sentence {number} of the prose goes on and on.\n")

    assert_growth(watch, 2_500, 10_000, below=8)
