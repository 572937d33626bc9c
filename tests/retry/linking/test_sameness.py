"""What counts as the same text, call, item, answer and task."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.retry.linking import sameness
from pytest_planguard.retry.linking.sameness import Repeats, alike, document_key, enclosed, item_key, normal_text
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.one_item import in_one_item

WHITE = [char for char in map(chr, range(0x3001)) if char.isspace()]
"""All that `str.split` takes for white space."""
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def said(text: str, role: Role = Role.USER) -> Item:
    """Return a text of a role."""
    return Item(ItemKind.TEXT, role, text)


def call(arguments: Any, name: str | None = "f", call_id: str | None = "c") -> Item:
    """Return a call whose arguments parse."""
    return Item(ItemKind.CALL, Role.ASSISTANT, json.dumps(arguments), call_id, name, arguments)


def asked(*items: Item, answer: tuple[Item, ...] = (), **other: Any) -> Exchange:
    """Return an exchange."""
    return Exchange(1, "openai.chat", request=items, answer=answer, **other)


# Texts.


@in_one_item
@pytest.mark.parametrize("white", WHITE, ids=lambda char: f"{ord(char):x}")
def test_each_white_space_counts_as_one_space(white: str) -> None:
    """Alone, several times and at both ends, among ASCII and among other letters."""
    for a, b in (("a", "b"), ("ä", "ö")):
        assert normal_text(f"{white}{a}{white}{b}{white}") == f"{a} {b}"
        assert normal_text(f"{a}{white}{white}{b}") == f"{a} {b}"
        assert normal_text(f"{a} {white}{b}") == f"{a} {b}"


@given(st.text())
def test_words_are_all_that_is_left_of_white_space(text: str) -> None:
    """The quick ways out give what joining the words gives."""
    assert normal_text(text) == " ".join(text.split())


THOUGHTS = {
    "<think>x</think>a": "a",
    "a<think>x</think>b<think>y</think>c": "abc",
    "a<thinking>x</thinking>b": "ab",
    "<think>x</think><thinking>y</thinking>a": "a",
    "a<think>x": "a<think>x",
    "a<think>x</think>b<think>y": "ab<think>y",
    "a</think>b": "a</think>b",
    "<think></think>": "",
    "<thinking>x</think>a": "<thinking>x</think>a",
}


@pytest.mark.parametrize("text", THOUGHTS)
def test_closed_thinking_blocks_are_left_out(text: str) -> None:
    """One that is never closed stays."""
    assert sameness.without_thinking(text) == THOUGHTS[text]
    assert normal_text(f"  {text}\n") == THOUGHTS[text]


@given(VALUES)
def test_equal_values_have_one_spelling(value: Any) -> None:
    """The spelling reads back as the value; the order of keys is no part of it."""
    assert json.loads(sameness.canonical(value)) == value
    reordered = dict(reversed(value.items())) if isinstance(value, dict) else value
    assert sameness.canonical(reordered) == sameness.canonical(value)


def test_letters_are_spelled_as_they_are() -> None:
    """A value that JSON cannot say is known by its type alone."""
    assert sameness.canonical({"b": "ä", "a": 1}) == '{"a": 1, "b": "ä"}'
    assert sameness.canonical({1, 2}) == "<class 'set'>"
    circle: list[Any] = []
    circle.append(circle)
    assert sameness.canonical(circle) == "<class 'list'>"


# Items.


def test_a_call_is_its_name_and_arguments() -> None:
    """Ids and spelling do not count; arguments that do not parse count as they are written."""
    spelled = Item(ItemKind.CALL, Role.ASSISTANT, '{"b":2,  "a":1}', "other", "f", {"b": 2, "a": 1})
    assert sameness.call_key(call({"a": 1, "b": 2})) == sameness.call_key(spelled) == ("f", '{"a": 1, "b": 2}')
    broken = Item(ItemKind.CALL, Role.ASSISTANT, "{ broken  ", "c", "f")
    assert sameness.call_key(broken) == ("f", "{ broken")
    assert sameness.call_key(call({}, name=None)) == ("", "{}")


def test_items_are_told_apart_by_what_they_are() -> None:
    """A text's role counts, that of a call or a result does not."""
    result = Item(ItemKind.RESULT, Role.TOOL, "a  b", "c")
    assert item_key(said("a  b")) == item_key(said(" a b")) == (ItemKind.TEXT, Role.USER, "a b")
    assert item_key(said("a b", Role.SYSTEM)) == (ItemKind.TEXT, Role.SYSTEM, "a b")
    assert item_key(result) == item_key(replace(result, role=Role.USER, call_id="d")) == (ItemKind.RESULT, "", "a b")
    assert item_key(call({"a": 1})) == (ItemKind.CALL, "f", '{"a": 1}')


REPEATED = {
    "the same": (said("Plan it."), said("Plan  it."), True),
    "with words behind": (said("Plan it. Fix a."), said("Plan it."), True),
    "with words in front": (said("Now: Plan it."), said("Plan it."), False),
    "another role": (said("Plan it. Fix a.", Role.SYSTEM), said("Plan it."), False),
    "another kind": (Item(ItemKind.RESULT, Role.USER, "Plan it. Fix a."), said("Plan it."), False),
    "after nothing": (said("Plan it."), said(" "), False),
    "nothing after nothing": (said(""), said(" "), True),
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_turn_repeats_what_it_begins_with(name: str) -> None:
    """Errors may be put behind the task in its own turn."""
    item, earlier, expected = REPEATED[name]
    assert sameness.repeats(item, earlier) is expected


# Documents.

DOCUMENTS = {
    '{"b": 1, "a": [2]}': '{"a": [2], "b": 1}',
    "[1,2]": "[1, 2]",
    "[]": "[]",
    '"text"': None,
    "12": None,
    "": None,
    ' {"a": 1}': None,
    '{"a": 1': None,
    "[" * 100_000: None,
}


@pytest.mark.parametrize("text", DOCUMENTS, ids=lambda text: text[:20])
def test_only_objects_and_lists_are_documents(text: str) -> None:
    """Whatever else is text, and so is what does not parse."""
    assert document_key(text) == DOCUMENTS[text]


ENCLOSED = {
    'Here: {"a": [1]} Good?': '{"a": [1]}',
    "Here: [1, {}] Good?": "[1, {}]",
    "```json\n[1]\n```": "[1]",
    "[1]": "[1]",
    "{}": "{}",
    "no document": "",
    "{ never closed": "",
    "} never opened": "",
    "} {": "",
    "{": "",
}


@pytest.mark.parametrize("text", ENCLOSED)
def test_a_document_is_found_between_words(text: str) -> None:
    """From the first opening bracket to the last closing one."""
    assert enclosed(text) == ENCLOSED[text]


ALIKE = {
    "a name in common": ('{"a": 1, "b": 2}', '{"b": 3, "c": 4}', True),
    "none in common": ('{"a": 1}', '{"b": 1}', False),
    "none in one": ("words", '{"b": 1}', True),
    "none in the other": ('{"a": 1}', "words", False),
    "no other": ('{"a": 1}', "", True),
    "Python's quotes": ("{'a': 1}", '{"a": 1', True),
    "the longest name that counts": ('{"' + "n" * 80 + '": 1}', '{"b": 1}', False),
    "a name of more characters": ('{"' + "n" * 81 + '": 1}', '{"b": 1}', True),
    "eight blanks before the colon": ('{"a"        : 1}', '{"b": 1}', False),
    "nine": ('{"a"         : 1}', '{"b": 1}', True),
    "a hyphen and a digit": ('{"a-1": 1}', '{"b": 1}', False),
    "a name at the end of what is read": (" " * 19_996 + '"a":', '{"b": 1}', False),
    "a name behind it": (" " * 19_997 + '"a":', '{"b": 1}', True),
}


@in_one_item
@pytest.mark.parametrize("name", ALIKE)
def test_documents_are_alike_by_the_names_of_their_fields(name: str) -> None:
    """True where one of them has none or is not there: then nothing speaks against it."""
    answer, other, expected = ALIKE[name]
    assert alike(answer, other) is expected


# Exchanges.

WORDS = (said("A plan in words.", Role.ASSISTANT),)
DOCUMENT = (said('{"goal": "x"}', Role.ASSISTANT),)
MATERIAL = {
    "words, then JSON is asked for": (asked(said("Write."), answer=WORDS), asked(said("As Json, please.")), True),
    "words, then a schema": (asked(said("Write."), answer=WORDS), asked(said("On."), output_schema={"a": 1}), True),
    "words, then a tool": (asked(said("Write."), answer=WORDS), asked(said("On."), tools={"f": {}}), True),
    "a document": (asked(said("Write."), answer=DOCUMENT), asked(said("As JSON.")), False),
    "a call": (asked(said("Write."), answer=(call({}),)), asked(said("As JSON.")), False),
    "words twice": (asked(said("Write."), answer=WORDS), asked(said("Shorter.")), False),
    "JSON twice": (asked(said("JSON!"), answer=WORDS), asked(said("As JSON.")), False),
    "JSON said by the model": (asked(said("Write."), answer=WORDS), asked(said("JSON", Role.ASSISTANT)), False),
    "JSON in a result": (asked(said("Write."), answer=WORDS), asked(Item(ItemKind.RESULT, Role.TOOL, "json")), False),
}


@pytest.mark.parametrize("name", MATERIAL)
def test_prose_is_material_where_a_document_is_asked_for_first(name: str) -> None:
    """A critic quotes what another step wrote in words, and answers in JSON."""
    earlier, later, expected = MATERIAL[name]
    assert sameness.is_material(earlier, later) is expected


def test_answers_are_the_same_by_all_that_they_say() -> None:
    """Texts and calls, a line each; an answer that the provider rejected by its text; None for no answer."""
    text = said(" a  b ", Role.ASSISTANT)
    assert sameness.answer_key(asked(answer=(text,))) == "a b"
    assert sameness.answer_key(asked(answer=(text, call({"a": 1})))) == 'a b\nf {"a": 1}'
    assert sameness.answer_key(asked(answer=(call({"a": 1}),))) == 'f {"a": 1}'
    assert sameness.answer_key(asked(answer=(text, said("", Role.ASSISTANT)))) == "a b\n"
    assert sameness.answer_key(asked(rejected_text="{")) == "{"
    for nothing in ((), (said(" ", Role.ASSISTANT),), (said("", Role.ASSISTANT),) * 2):
        assert sameness.answer_key(asked(answer=nothing)) is None


def test_an_answer_repeats_the_latest_equal_one() -> None:
    """An empty answer repeats none."""
    repeats = Repeats()
    keys = ["a", "b", "a", "a", None, None, "", "", "b"]
    assert [repeats.add(number, key) for number, key in enumerate(keys, 1)] == [None, None, 1, 3, *[None] * 4, 2]


def test_a_task_is_its_system_text_tools_and_schema() -> None:
    """Its other turns do not count, nor does the order of keys or tools."""
    system = said("Write  JSON.", Role.SYSTEM)
    task = asked(system, said("Plan it."), tools={"f": {}, "g": {}}, output_schema={"a": 1, "b": 2})
    same = asked(said("Write JSON.", Role.SYSTEM), tools={"g": {}, "f": {}}, output_schema={"b": 2, "a": 1})
    assert sameness.task_key(task) == sameness.task_key(same) == ("Write JSON.", ("f", "g"), '{"a": 1, "b": 2}')
    two = asked(system, said("Briefly.", Role.SYSTEM))
    assert sameness.task_key(two) == ("Write JSON. Briefly.", (), "null")


def test_the_task_is_the_last_text_of_the_user() -> None:
    """Results and the model's own turns behind it are none."""
    task = said("Plan it.")
    example = (said("Plan that."), said("{}", Role.ASSISTANT))
    behind = (call({}), Item(ItemKind.RESULT, Role.USER, "no"), said("{}", Role.ASSISTANT))
    assert sameness.last_user(asked(*example, task, *behind)) is task
    assert sameness.last_user(asked(said("Write.", Role.SYSTEM))) is None
