"""Routing: which contract judges which exchange, and which part of it."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.attempts import Applied, answers_of, output_tool
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.routing import Router
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.conversations import BAD, GOOD, PLAN, Spoken, conversation
from ...support.one_item import in_one_item


class Note(BaseModel):
    text: str


NOTE = Contract(Note)
ASK = Item(ItemKind.TEXT, Role.USER, "Write it")


def told(text: str, number: int = 1, **fields: Any) -> Exchange:
    """An answer in words."""
    return Exchange(
        number, "openai.chat", request=(ASK,), answer=(Item(ItemKind.TEXT, Role.ASSISTANT, text),), **fields
    )


def called(name: str, arguments: Any, text: str = "{}", number: int = 1, **fields: Any) -> Exchange:
    """An answer that calls a tool."""
    call = Item(ItemKind.CALL, Role.ASSISTANT, text, "c1", name, arguments)
    return Exchange(number, "openai.chat", request=(ASK,), answer=(call,), **fields)


def route(exchange: Exchange, *contracts: Contract) -> int | str:
    """The contract of one exchange, or why there is none."""
    return Router([exchange], contracts).route([0])[0]


def test_the_output_tool_is_known_by_schema_name_or_force() -> None:
    """A tool is the output when it takes the contract's fields, has its name, or must be called."""
    applied = Applied.of(NOTE)
    same = {"type": "object", "properties": {"text": {"type": "string"}}}
    assert output_tool(told("", tools={"final": same}), applied) == "final"
    assert output_tool(told("", tools={"note": {}}), applied) == "note"
    assert output_tool(told("", tools={"x": {}}, tool_choice="x"), applied) == "x"
    other = {"properties": {"city": {}}}
    assert output_tool(told("", tools={"x": other}, tool_choice="x"), applied) is None
    assert output_tool(told("", tools={"final": same}), Applied.of(Contract(Note, judged="text"))) is None
    assert output_tool(told(""), Applied.of(Contract(Note, judged="save"))) == "save"


def test_an_argument_of_the_tool_may_hold_the_answer() -> None:
    """A text, or a value that is written as JSON, or nothing where the call lacks it."""
    applied = Applied.of(Contract(Note, judged="save", argument="doc"))
    answers = [
        answers_of(called("save", arguments), applied)[0] for arguments in ({"doc": "x"}, {"doc": {"a": 1}}, {}, None)
    ]
    assert [a.text for a in answers if a] == ["x", '{"a": 1}', "", ""]
    assert answers_of(called("other", {}), applied) == []


def test_an_output_tool_that_was_not_called_is_a_finding() -> None:
    """Text where the output tool was due: what it breaks and no tool call, unless it keeps the contract or declines."""
    tools = {"note": {}}
    found = judge([told("Hello", tools=tools)], [NOTE]).conversations[0]
    assert [f.code for f in found.attempts[0].verdict.errors] == ["prose", "no_tool_call"]
    assert judge([told('{"text": "a"}', tools=tools)], [NOTE]).conversations[0].ok
    refused = judge([told("", tools=tools, refusal="no")], [NOTE]).conversations[0]
    assert [f.code for f in refused.attempts[0].verdict.errors] == ["refusal"]


def test_a_rejected_text_is_an_answer() -> None:
    """What the provider itself rejected is judged."""
    exchange = told("", status=400, rejected_text="{", error="bad")
    found = judge([exchange], [NOTE]).conversations[0]
    assert found.attempts[0].verdict.text == "{"


def test_contracts_are_chosen_by_call_declaration_schema_and_fit() -> None:
    """The firmest evidence wins; the answer that fits decides where nothing else does."""
    note_schema = {"properties": {"text": {}}}
    assert route(called("note", {}, tools={"note": {}}), PLAN, NOTE) == 1
    assert route(told("?", tools={"plan": {}}), NOTE, PLAN) == 1
    assert route(told("?", output_schema=note_schema), PLAN, NOTE) == 1
    assert route(told('{"text": "a"}'), PLAN, NOTE) == 1
    assert route(told(GOOD), NOTE, PLAN) == 1
    assert route(told('{"text": 1}'), PLAN, NOTE) == 1
    assert route(told("?"), PLAN, NOTE) == 0


def test_other_schemas_and_tools_are_not_judged() -> None:
    """A request that demands something else is none of the contract's."""
    assert (
        route(told("?", output_schema={"properties": {"z": {}}}), NOTE)
        == "the request demands a schema that is not the contract's"
    )
    undeclared = "the request does not declare the contract's tool, and the answer does not call it"
    assert route(told("?"), Contract(Note, judged="save")) == undeclared
    assert route(told("?")) == "no contract was given"


def test_other_traffic_of_a_recording_is_not_judged() -> None:
    """Where some requests demand the contract's schema, conversations that demand none are left alone."""
    schema = {"properties": {"text": {}}}
    demanding = told('{"text": "a"}', output_schema=schema)
    other = replace(told("Hi", 2), request=(Item(ItemKind.TEXT, Role.USER, "Say hi"),))
    found = judge([demanding, other], [NOTE])
    assert [len(c.attempts) for c in found.conversations] == [1]
    reason = "the request demands no schema, but other requests in the cassette demand the contract's schema"
    assert found.reasons == {2: reason}


def test_rejected_answers_take_the_contract_of_their_conversation() -> None:
    """The answer that fixes a bad one tells which contract both are about."""
    retry = [("user", "Plan it"), ("assistant", BAD), ("user", "- goal: Field required")]
    found = judge(conversation(Spoken(retry[:1], BAD), Spoken(retry, GOOD)), [NOTE, PLAN])
    assert [(c.contract, len(c.attempts)) for c in found.conversations] == [("Plan", 2)]


def test_two_tasks_in_one_chat_are_two_conversations() -> None:
    """Another contract begins another conversation."""
    turns = [("user", "Plan it"), ("assistant", GOOD), ("user", "Now a note")]
    found = judge(conversation(Spoken(turns[:1], GOOD), Spoken(turns, '{"text": "a"}')), [PLAN, NOTE])
    assert [c.contract for c in found.conversations] == ["Plan", "Note"]


def test_of_contracts_for_one_tool_the_one_with_its_fields_judges() -> None:
    """Whether it is called or only declared; where none has them all, the first."""
    wide = Contract({"title": "Wide", "properties": {"text": {"type": "string"}, "more": {}}}, judged="save")
    note = Contract(NOTE.json_schema, judged="save")
    fields = {"properties": {"text": {"type": "string"}}}
    for answered in (called("save", {"text": "a"}, tools={"save": fields}), told("Hm.", tools={"save": fields})):
        assert (route(answered, wide, note), route(answered, note, wide)) == (1, 0)
    other = {"properties": {"text": {}, "z": {}}}
    assert (route(told("Hm.", tools={"save": other}), wide, note), route(called("save", {}), wide, note)) == (0, 0)


def test_a_call_of_a_tool_that_was_not_declared_demands_nothing() -> None:
    """An answer of the cassette that its provider rejected is still judged by the contract of that tool."""
    rejected = replace(told("", 2), answer=(), status=400, error="bad", rejected_text='{"text": 1}')
    saved = Contract(NOTE.json_schema, judged="save")
    assert Router([called("save", {}), rejected], [saved]).route([0, 1]) == {0: 0, 1: 0}


def test_what_is_no_good_has_no_value() -> None:
    """A sound answer without the call that it demands, as well."""
    contract = Contract(Note, calls="look")
    verdict = judge([told('{"text": "a"}')], [contract]).conversations[0].attempts[0].verdict
    assert ([f.code for f in verdict.findings], verdict.value) == (["call_not_made"], None)
    assert judge([told('{"text": "a"}')], [NOTE]).conversations[0].value == Note(text="a")


def test_an_argument_is_written_with_its_own_letters() -> None:
    """As the model wrote them."""
    applied = Applied.of(Contract(Note, judged="save", argument="doc"))
    assert [a.text for a in answers_of(called("save", {"doc": {"text": "Öl"}}), applied)] == ['{"text": "Öl"}']


PLAN_SCHEMA, NOTE_SCHEMA = PLAN.json_schema, NOTE.json_schema


def wrapped(schema: Any) -> dict[str, Any]:
    """The schema as a framework sends it that wraps each answer in one member."""
    inner = dict(schema)
    definitions = inner.pop("$defs", {})
    return {"type": "object", "properties": {"data": inner}, "required": ["data"], "$defs": definitions}


def test_the_own_schema_of_a_request_judges_whatever_its_wrapper() -> None:
    """Two tasks by one tool, or as text, wrapped in one member: the order of neither contracts nor requests decides."""
    for judged in ("extract", "text"):
        both = [Contract(wrapped(schema), judged=judged) for schema in (PLAN_SCHEMA, NOTE_SCHEMA)]
        for schema, own in ((PLAN_SCHEMA, 0), (NOTE_SCHEMA, 1)):
            sent = dict(reversed(wrapped(schema).items()))
            call = called("extract", {}, tools={"extract": sent}, tool_choice="extract")
            answered = told("{}", output_schema=sent) if judged == "text" else call
            assert (route(answered, *both), route(answered, *reversed(both))) == (own, 1 - own)


def test_a_schema_that_an_sdk_has_rewritten_is_known_by_its_fields() -> None:
    """Two schemas with one wrapper, neither of them equal to what was sent."""
    contracts = [Contract(wrapped(schema), judged="extract") for schema in (PLAN_SCHEMA, NOTE_SCHEMA)]
    sent = wrapped({"properties": {"text": {"type": "string"}}, "additionalProperties": False})
    assert route(called("extract", {}, tools={"extract": sent}), *contracts) == 1
    loose = wrapped({"properties": {"text": {}, "more": {}}})
    assert route(called("extract", {}, tools={"extract": loose}), *contracts) == 1


def test_what_is_wrapped_may_be_another_schema() -> None:
    """One contract, and a request for something else in the same wrapper: it is none of the contract's."""
    contract = Contract(wrapped(NOTE_SCHEMA), judged="extract")
    other = called("extract", {}, tools={"extract": wrapped(PLAN_SCHEMA)})
    assert route(other, contract) == "the request demands a schema that is not the contract's"
    text = Contract(wrapped(NOTE_SCHEMA), judged="text")
    assert route(told("{}", output_schema=wrapped(PLAN_SCHEMA)), text) == (
        "the request demands a schema that is not the contract's"
    )
    open_tool = Contract(wrapped(NOTE_SCHEMA), name="Open")
    assert answers_of(other, Applied.of(open_tool)) == []


def test_of_several_tools_with_one_wrapper_the_one_with_the_schema_is_meant() -> None:
    """Whichever is declared first."""
    tools = {"plan_it": wrapped(PLAN_SCHEMA), "note_it": wrapped(NOTE_SCHEMA), "note_too": wrapped({"properties": {}})}
    applied = Applied.of(Contract(wrapped(NOTE_SCHEMA), name="Wrapped"))
    assert output_tool(told("", tools=tools), applied) == "note_it"
    assert output_tool(told("", tools=dict(reversed(tools.items()))), applied) == "note_it"


def test_a_schema_without_names_is_demanded_as_a_whole() -> None:
    """A list at the root: the equal one judges, not the first that accepts."""
    lists = [Contract({"type": "array", "items": {"type": kind}}, judged="text") for kind in ("string", "integer")]
    answered = told("[]", output_schema={"items": {"type": "integer"}, "type": "array"})
    assert (route(answered, *lists), route(answered, *reversed(lists))) == (1, 0)


NAMES = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True)


@given(st.lists(NAMES, min_size=2, max_size=4, unique_by=frozenset), st.sampled_from(["tool", "text"]), st.randoms())
def test_each_request_is_judged_by_its_own_schema(tasks: list[list[str]], how: str, random: Random) -> None:
    """Of any schemas in one wrapper, in any order, every answer that keeps its own is good."""
    parts = [{"properties": {name: {} for name in names}, "required": names} for names in tasks]
    schemas = [wrapped({**part, "additionalProperties": False}) for part in parts]
    exchanges = []
    for number, (names, schema) in enumerate(zip(tasks, schemas, strict=True), 1):
        value = {"data": dict.fromkeys(names, 1)}
        as_text = told(json.dumps(value), number, output_schema=schema)
        as_call = called("extract", value, json.dumps(value), number, tools={"extract": schema}, tool_choice="extract")
        asked = Item(ItemKind.TEXT, Role.USER, f"Task {number}")
        exchanges.append(replace(as_text if how == "text" else as_call, request=(asked,)))
    contracts = [Contract(schema, judged="text" if how == "text" else "extract") for schema in schemas]
    random.shuffle(contracts)
    found = judge(exchanges, contracts).conversations
    assert [c.ok for c in found] == [True] * len(tasks)


PAGE = Contract(None, format="markdown", name="page")
LOSSY = ('{"text": "hi"', '{"text": 1}', 'Here it is:\n```json\n{"text": "hi",,\n```', "{}")
PAGES = ("# Note\n\n- hi", "# Note\n\nText and text.\n\n```json\n{}\n```", "[Note](hi) is short.", "Just words")


@in_one_item
@pytest.mark.parametrize("answer", LOSSY)
@pytest.mark.parametrize("first", [True, False])
def test_lossy_json_is_not_markdown(answer: str, first: bool) -> None:
    """A Markdown contract accepts any text, so the JSON contract beside it judges JSON."""
    contracts = (NOTE, PAGE) if first else (PAGE, NOTE)
    assert contracts[int(route(told(answer), *contracts))] is NOTE


@in_one_item
@pytest.mark.parametrize("answer", PAGES)
def test_markdown_is_not_json(answer: str) -> None:
    """A page may hold some JSON, and a Markdown contract alone judges everything."""
    assert route(told(answer), NOTE, PAGE) == 1
    assert route(told(LOSSY[0]), PAGE) == 0


def test_a_request_demands_the_tool_that_it_declares_even_if_the_answer_calls_it() -> None:
    """A call of a tool that the request does not declare is no demand, so the contract judges other answers as well."""
    declared = {"type": "object", "properties": {"text": {"type": "string"}}}
    routes = [
        Router([first, told("hm", 2)], [NOTE]).route([1])[1]
        for first in (
            called("note", {"text": "x"}, tools={"note": declared}),
            told("x", tools={"note": declared}),
            told("x", output_schema=declared),
            called("note", {"text": "x"}),
            called("note", {"text": "x"}, tools={"look": {}}),
        )
    ]
    no_demand = "the request demands no schema, but other requests in the cassette demand the contract's schema"
    assert routes == [no_demand, no_demand, no_demand, 0, 0]


def test_the_contract_that_rejects_an_answer_judges_the_next_one() -> None:
    """It may be a repair, even if another contract has fewer errors for it."""
    one, other = (Contract({"type": "object", "required": fields}) for fields in (["a", "b"], ["c", "d"]))
    answers = [told(text, number) for number, text in enumerate(('{"a": 1}', '{"c": 1}'), 1)]
    router = Router(answers, [one, other])
    assert router.route([1]) == {1: 1}
    assert router.route([0, 1]) == {0: 0, 1: 0}
