"""The judged part of an exchange: which tool, argument or file holds the answer, and what is said without it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.contract.check import file, tool_arg
from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.retry.judging.attempts import Answer, Applied, answers_of, output_tool, unwritten, verdict_of
from pytest_planguard.retry.judging.step import StepKind, classify
from pytest_planguard.retry.linking.link import Delta, How, Link, Piece
from pytest_planguard.retry.matching.fed_back import read
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item

ASK = Item(ItemKind.TEXT, Role.USER, "Write it")


class MyNote(BaseModel):
    """One field."""

    text: str


NOTE = Contract(MyNote)
GOOD = '{"text": "x"}'
SAME: dict[str, Any] = {"properties": {"text": {"type": "string"}}}
WIDER: dict[str, Any] = {"properties": {"text": {"type": "string"}, "more": {}}}


def call(text: str, name: str = "my_note", arguments: Any = None, call_id: str | None = "c1") -> Item:
    """Return a call."""
    return Item(ItemKind.CALL, Role.ASSISTANT, text, call_id, name, arguments)


def answered(*answer: Item | str, **known: Any) -> Exchange:
    """Return an exchange with an answer."""
    items = tuple(Item(ItemKind.TEXT, Role.ASSISTANT, one) if isinstance(one, str) else one for one in answer)
    return Exchange(1, "openai.chat", request=(ASK,), answer=items, **known)


@pytest.mark.parametrize(
    ("tools", "forced", "tool"),
    [
        ({}, None, None),
        ({"final": SAME}, None, "final"),
        ({"final": WIDER}, None, None),
        ({"final": WIDER}, "final", None),
        ({"final": {}}, "final", "final"),
        ({"final": {}}, "required", None),
        ({"final": {}}, "other", None),
        ({"MyNote": WIDER}, None, "MyNote"),
        ({"my-note": {}}, None, "my-note"),
        ({"mynotes": {}}, None, None),
        ({"look": {}, "my_note": {}}, None, "my_note"),
        ({"MY_NOTE": WIDER, "final": NOTE.json_schema}, None, "final"),
        ({"one": SAME, "two": SAME}, None, "one"),
    ],
)
def test_a_tool_is_the_output_by_its_fields_its_name_or_force(tools: Any, forced: str | None, tool: str | None) -> None:
    """The schema that is most alike decides between several, then the first."""
    assert output_tool(answered(tools=tools, tool_choice=forced), Applied.of(NOTE)) == tool


@pytest.mark.parametrize(
    ("tools", "text", "tool"),
    [
        ({"free": None}, "words", "free"),
        ({"free": {}}, "words", "free"),
        *(({"free": {}}, text, None) for text in ("", "{}", "null")),
        ({"free": {"type": "object"}}, "words", None),
        ({"free": {}, "other": {}}, "words", None),
        ({"other": {}}, "words", None),
    ],
)
def test_the_only_tool_is_the_output_if_it_takes_free_text(tools: Any, text: str, tool: str | None) -> None:
    """It has no schema, and is called with a text."""
    assert output_tool(answered(call(text, "free"), tools=tools), Applied.of(NOTE)) == tool


@pytest.mark.parametrize(
    ("contract", "exchange", "answers"),
    [
        (NOTE, answered("a", "b"), [Answer("a\nb")]),
        (NOTE, answered(call(GOOD, "look")), []),
        (NOTE, answered("words", tools={"my_note": {}}), [Answer("words", uncalled="my_note")]),
        (NOTE, answered(call(GOOD), call("{}", call_id=None), tools={"my_note": {}}),
         [Answer(GOOD, call_id="c1"), Answer("{}")]),
        (NOTE, answered(rejected_text="cut", tools={"my_note": {}}), [Answer("cut")]),
        (Contract(MyNote, judged="save"), answered("words"), [Answer("words", uncalled="save")]),
    ],
)  # fmt: skip
def test_the_answer_is_the_text_or_each_call_of_the_output_tool(
    contract: Contract, exchange: Exchange, answers: list[Answer]
) -> None:
    """An answer that calls other tools only is a step."""
    assert answers_of(exchange, Applied.of(contract)) == answers


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"plan": "# Plan"}, "# Plan"),
        ({"plan": {"größe": 1}}, '{"größe": 1}'),
        ({"plan": 0}, "0"),
        ({"plan": None}, ""),
        ({"other": "x"}, ""),
        (None, ""),
        (["plan"], ""),
    ],
)
def test_one_argument_may_hold_the_answer(arguments: Any, text: str) -> None:
    """A text as it is, another value as JSON with its own letters; nothing if it is not there."""
    applied = Applied.of(Contract(None, judged="save", argument="plan", format="markdown"))
    assert (applied.tool, applied.argument) == ("save", "plan")
    (answer,) = answers_of(answered(call("{…}", "save", arguments)), applied)
    assert answer.text == text


WRITTEN, TWICE = (
    call("A", "save", call_id=None),
    (call("B", "save", {"plan": "C"}), call("D", "mcp__x__save", {"plan": "E"}, "c2")),
)


@in_one_item
@pytest.mark.parametrize(
    ("judged", "answer", "found"),
    [
        ("text", ("words", WRITTEN, *TWICE), Answer("words")),
        ("save", ("words", WRITTEN, *TWICE), Answer("A")),
        ("save", ("words", *TWICE), Answer("D", call_id="c2")),
        ("save", ("words",), Answer("", uncalled="save")),
        ("save", ("words", replace(WRITTEN, name="other")), Answer("", uncalled="save")),
        (file("save"), ("words", WRITTEN, *TWICE), Answer("A")),
        (file("save"), ("words", *TWICE), Answer("", uncalled="save")),
        (tool_arg("save"), ("words", WRITTEN, *TWICE), Answer("D", call_id="c2")),
        (tool_arg("save"), ("words", WRITTEN), Answer("words", uncalled="save")),
        (tool_arg("save", "plan"), ("words", WRITTEN, *TWICE), Answer("E", call_id="c2")),
        (tool_arg("save", "plan"), ("words",), Answer("words", uncalled="save")),
    ],
)
def test_the_answer_of_a_command_is_the_part_that_the_contract_names(
    judged: Any, answer: tuple[Any, ...], found: Answer
) -> None:
    """A file, or the last call of a tool, also on a server; a text is only the answer if no file was expected."""
    exchange = replace(answered(*answer), dialect="command")
    assert answers_of(exchange, Applied.of(Contract(None, format="markdown", judged=judged))) == [found]


def test_a_command_that_did_not_write_its_file_is_judged_so() -> None:
    """One that did not call its tool is judged by its text, which is no call."""
    exchange = replace(answered("words"), dialect="command")
    written, called = (
        verdict_of(exchange, Applied.of(Contract({"type": "object"}, judged=judged)))
        for judged in (file("plan.md"), tool_arg("save"))
    )
    assert written is not None
    assert [error.code for error in written.errors] == ["file_not_written"]
    assert called is not None
    assert [error.code for error in called.errors] == ["prose", "no_tool_call"]


def test_a_text_instead_of_a_call_is_said() -> None:
    """Beside what else is wrong with it; a valid text and a refusal are no such fault."""
    forced = {"tools": {"my_note": {}}, "tool_choice": "my_note"}
    words, valid, declined = (
        verdict_of(answered(text, **forced, refusal=refusal), Applied.of(NOTE))
        for text, refusal in (("Which one?", None), (GOOD, None), ("", "I cannot."))
    )
    assert words is not None
    assert words.errors[-1].message == "expected a call of the tool my_note; got text"
    assert words.errors[-1].kind is FailureKind.NO_TOOL_CALL
    assert valid is not None
    assert valid.ok
    assert declined is not None
    assert [error.kind for error in declined.errors] == [FailureKind.REFUSAL]


def test_a_file_that_was_not_written_is_said() -> None:
    """It is an empty answer."""
    (finding,) = unwritten("Plan", "plan.md").errors
    assert (finding.code, finding.message) == ("file_not_written", "expected the file plan.md to be written; got none")
    assert finding.kind is FailureKind.EMPTY


PARENT = answered(call('{"goal": 1}', "look", {"goal": 1}), tools={"look": {"properties": {"size": {}}}})
SPOKEN = answered('{"goal": 1}', output_schema={"properties": {"size": {}}})


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("goal: Field required", StepKind.PROBABLE_RETRY),
        ("size: Field required", StepKind.PROBABLE_RETRY),
        ("goal: sunny", None),
        ("weather: Field required", None),
        ("weather: no [missing]", None),
        ('[{"loc": ["weather"], "type": "missing", "msg": "no"}]', StepKind.PROBABLE_RETRY),
        ('[{"loc": ["weather"], "type": "value_error", "msg": "no"}]', StepKind.PROBABLE_RETRY),
        ('[{"loc": ["weather"], "type": "sunny", "msg": "no"}]', None),
        ("sunny", None),
    ],
)
def test_errors_in_the_next_request_make_a_retry_probable(words: str, kind: StepKind | None) -> None:
    """A known code, or an error at a field of the answer or of its schema; else it is a result or a new turn."""
    for role, is_error, other in (
        (Role.TOOL, False, StepKind.TOOL_STEP),
        (Role.TOOL, True, StepKind.TOOL_ERROR),
        (Role.USER, False, StepKind.NEW_TURN),
    ):
        delta = Delta(2, (Piece(words, 3, role, is_error),))
        link = Link(2, 1, How.ANSWER, 2, delta)
        assert classify(link, PARENT, read([delta]), accepted=None) is (kind or other), (words, role)
        spoken = StepKind.NEW_TURN if kind is None else kind
        assert classify(link, SPOKEN, read([delta]), accepted=True) is spoken


@pytest.mark.parametrize("words", ["goal: Field required", "sunny"])
def test_a_rejected_answer_is_retried_and_a_repeated_request_is_sent_again(words: str) -> None:
    """Whatever the request says."""
    delta = Delta(2, (Piece(words, 3, Role.USER),))
    again, after = (Link(2, 1, how, 2, delta) for how in (How.SAME, How.ANSWER))
    assert classify(again, SPOKEN, read([delta]), accepted=True) is StepKind.RESEND
    assert classify(again, SPOKEN, read([delta]), accepted=None) is StepKind.RESEND
    assert {classify(link, SPOKEN, read([delta]), accepted=False) for link in (again, after)} == {StepKind.RETRY}
