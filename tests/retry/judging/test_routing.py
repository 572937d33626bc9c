"""Routing: which contract judges which exchange, and which part of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.attempt_answers import Applied, answers_of, output_tool, properties
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.routing import Router
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.conversations import BAD, GOOD, PLAN, Spoken, conversation


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
        == "the request demands another schema than the contract's"
    )
    assert route(told("?"), Contract(Note, judged="save")) == "the contract's tool is neither declared nor called"
    assert route(told("?")) == "no contract was given"


def test_other_traffic_of_a_recording_is_not_judged() -> None:
    """Where some requests demand the contract's schema, conversations that demand none are left alone."""
    schema = {"properties": {"text": {}}}
    demanding = told('{"text": "a"}', output_schema=schema)
    other = replace(told("Hi", 2), request=(Item(ItemKind.TEXT, Role.USER, "Say hi"),))
    found = judge([demanding, other], [NOTE])
    assert [len(c.attempts) for c in found.conversations] == [1]
    assert found.reasons == {2: "the request demands no schema, while others of the recording demand the contract's"}


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


def test_property_names_follow_one_reference() -> None:
    """A schema may keep its root among its definitions."""
    assert properties({"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"x": {}}}}}) == {"x"}
    assert properties({"$ref": "#/$defs/A", "$defs": {"A": True}}) == frozenset()
    assert properties(None) == frozenset()


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
    """An answer of the recording that its provider rejected is still judged by the contract of that tool."""
    rejected = replace(told("", 2), answer=(), status=400, error="bad", rejected_text='{"text": 1}')
    saved = Contract(NOTE.json_schema, judged="save")
    assert Router([called("save", {}), rejected], [saved]).route([0, 1]) == {0: 0, 1: 0}


def test_what_is_no_good_has_no_value() -> None:
    """A sound answer without the call that it demands, as well."""
    contract = Contract(Note, must_call="look")
    verdict = judge([told('{"text": "a"}')], [contract]).conversations[0].attempts[0].verdict
    assert ([f.code for f in verdict.findings], verdict.value) == (["call_not_made"], None)
    assert judge([told('{"text": "a"}')], [NOTE]).conversations[0].value == Note(text="a")


def test_an_argument_is_written_with_its_own_letters() -> None:
    """As the model wrote them."""
    applied = Applied.of(Contract(Note, judged="save", argument="doc"))
    assert [a.text for a in answers_of(called("save", {"doc": {"text": "Öl"}}), applied)] == ['{"text": "Öl"}']
