"""A finding about the whole answer has no field to be named by: the words of its rule carry it."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, Field

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.positions import Span
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.linking.link import Delta, Piece
from pytest_planguard.retry.linking.linker import link
from pytest_planguard.retry.matching.fed_back import fed_back, read
from pytest_planguard.retry.outcomes import CheckStatus, Grade
from pytest_planguard.retry.results import FedBack
from pytest_planguard.wire.exchange import Role

from ...support.conversations import dialogue
from ...support.one_item import in_one_item

GOOD = '{"title": "Printer", "steps": ["look", "restart"]}'
TYPES = {"7": "number", "[]": "array", '"x"': "string", "null": "null", "true": "boolean"}


class Ticket(BaseModel):
    """What is asked for."""

    title: str = Field(min_length=3)
    steps: list[str] = Field(min_length=2)


CONTRACTS = {
    "a model": Contract(Ticket, extract="whole"),
    "a schema": Contract({"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}),
}
TOLD = [
    "Input should be an object",
    "Input should be a valid dictionary or instance of Ticket",
    "the answer: Input should be an object",
    "Fix these:\n- the answer: Input should be an object",
    "There is a problem with the answer (input should be an object). Please send the JSON again.",
    "1 validation error for Ticket\n  Input should be an object [type=model_type, input_value=1, input_type=int]",
    "VALIDATION the answer=model_type",
    "{value} is not of type 'object'",
    "Expected object, received {type}",
    "Invalid input: expected object, received {type}",
    "must be object",
    "data must be object",
    "(root): Invalid type. Expected: object, given: {type}",
    "type mismatch: expected a map, got {type}",
    "invalid type: {type} `{value}`, expected struct Ticket at line 1 column 1",
    "That is a {type}; we need a JSON object.",
    "Die Antwort muss ein Objekt sein.",
    "Es wurde ein Objekt erwartet.",
    "Das ist kein Objekt!",
    "Bitte korrigieren: Feld the answer: model_type",
    "La respuesta debe ser un objeto.",
    "Se esperaba un objeto.",
    "No es un objeto.",
    "La réponse doit être un objet.",
    "Un objet était attendu.",
    "答案必须是对象",
]
UNTOLD = [
    "Wrong: the answer",
    "That is not valid. Please try again.",
    "Answer with the corrected JSON object only.",
    "Falsch. Bitte noch einmal versuchen.",
    "Respuesta incorrecta, inténtalo de nuevo.",
    "- title: Field required",
    "title must be a string",
    "steps should be a valid list",
    "It is an object now.",
]


def status(words: str, answer: str, contract: Contract = CONTRACTS["a model"]) -> CheckStatus:
    """Return what is said of a retry with these words."""
    words = words.replace("{value}", answer).replace("{type}", TYPES.get(answer, ""))
    (found,) = judge(dialogue(words, bad=answer, good=GOOD), [contract]).conversations
    return found.check("feedback").status


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("contract", CONTRACTS)
@pytest.mark.parametrize("answer", TYPES)
@pytest.mark.parametrize("words", TOLD)
def test_the_words_of_the_rule_carry_a_wrong_type(words: str, answer: str, contract: str) -> None:
    """Of validators and of people, in five languages."""
    if "model" in words and contract == "a schema":
        pytest.skip("a code of pydantic's")
    assert status(words, answer, CONTRACTS[contract]) is CheckStatus.PASS


@in_one_item
@pytest.mark.parametrize("answer", TYPES)
@pytest.mark.parametrize("words", UNTOLD)
def test_a_stock_phrase_or_the_fault_of_a_field_carries_none(words: str, answer: str) -> None:
    """Words that ask for the answer again, praise it, or are about a field."""
    assert status(words, answer) is CheckStatus.FAIL


@pytest.mark.parametrize(
    "words", ["No es valido: el campo the answer: no es JSON", "VALIDATION the answer=json_invalid"]
)
@pytest.mark.parametrize("answer", ["not json at all", '{"title": "Ab"'])
def test_a_broken_document_is_told_by_a_code_or_in_spanish(words: str, answer: str) -> None:
    """As in the words of a parser."""
    assert status(words, answer) is CheckStatus.PASS


def fate_without_text(words: str, kind: FailureKind, span: Span | None) -> FedBack:
    """Return what becomes of a broken answer whose text is not known."""
    finding = Finding(kind.value, (), "not readable", kind, span=span)
    (_, retry) = link(dialogue(words, bad="{"))
    assert retry
    (known,) = fed_back([finding], read([retry.delta]), attempt=1)
    return known


def test_an_answer_whose_text_is_not_known_is_not_taken_for_an_empty_one() -> None:
    """Then nobody knows where its parsers stop, and only the finding's own place counts."""
    words = "Expecting ',' delimiter: line 1 column 1 (char 0)"
    known = fate_without_text(words, FailureKind.INVALID_JSON, Span(3, 5))
    assert known.reason is not None
    assert "not line 3 column 5" in known.reason


def test_words_about_parsing_alone_are_no_rule_of_an_answer() -> None:
    """Of a refusal nobody knows where parsers stop; what one said of some answer is not said of this one."""
    known = fate_without_text("Expecting value: line 1 column 26 (char 25)", FailureKind.REFUSAL, None)
    assert known.label == Grade.MISSING


@pytest.mark.parametrize(
    "words",
    ["- rooms[0].kind: Input should be an object", "Sorry, rooms[0].kind must be an object.", "rooms.0.kind: dict"],
)
def test_the_same_rule_at_another_place_is_another_finding(words: str) -> None:
    """Also where the contract has no such place: the words are about an answer to another one."""
    assert status(words, "7") is CheckStatus.FAIL


def test_names_in_an_answer_that_copies_errors_are_no_places_of_the_next() -> None:
    """The errors of a validator have the same keys as the copy of them that is judged."""
    copy = '[{"type": "string_too_short", "loc": ["title"], "msg": "String should have at least 3 characters"}]'
    told = '[{"type":"model_type","loc":[],"msg":"Input should be an object","input": ,"ctx":{"class_name":"Ticket"}}]'
    assert status(told, copy) is CheckStatus.PASS
    assert status(told.replace("model_type", "string_type").replace("an object", "a string"), copy) is CheckStatus.FAIL


@pytest.mark.parametrize(("answer", "words"), [("[]", "Give at least 2 items."), ("[1, 1]", "Items are repeated")])
def test_any_rule_on_a_whole_answer_is_told_by_its_words(answer: str, words: str) -> None:
    """A list that is the whole answer."""
    rules = {"type": "array", "minItems": 2, "uniqueItems": True}
    (found,) = judge(dialogue(words, bad=answer, good="[1, 2]"), [Contract(rules)]).conversations
    assert found.check("feedback").status is CheckStatus.PASS


OF_NO_FIELD = (
    *("data", "response", "instance", "input", "value", "body", "payload", "document", "answer", "output", "result"),
    *("object", "obj", "json", "_", "msg", "message", "error", "detail", "reason", "description", "err"),
    *("string", "array", "number", "literal", "key", "token", "parser", "text"),
)


def told_of_a_comma(words: str, message: str = "a comma is missing") -> FedBack:
    """Return what becomes of an answer with an error at line 3 column 5, whose text is not known."""
    finding = Finding("invalid_json", (), message, FailureKind.INVALID_JSON, span=Span(3, 5))
    said = Delta(2, (Piece(words, 4, Role.USER),))
    (known,) = fed_back([finding], read([said]), attempt=1)
    return known


@in_one_item
@pytest.mark.parametrize("name", OF_NO_FIELD)
def test_a_parser_may_write_the_name_of_a_part_of_json_before_its_colon(name: str) -> None:
    """It is no field then, as any other name is."""
    assert told_of_a_comma(f"{name}: Expecting ',' delimiter: line 3 column 5").label not in ("wrong", "missing")
    assert told_of_a_comma(f"x{name}: Expecting ',' delimiter: line 3 column 5").label == "wrong"


@in_one_item
@pytest.mark.parametrize(
    ("words", "position"),
    [
        ("line 7 column 9", "line 7 column 9"),
        ("line 7, col 9", "line 7 column 9"),
        ("line: 7, col. 9", "line 7 column 9"),
        ("line 7 and column 9", "line 7 column 9"),
        ("line 7 position 9", "line 7 column 9"),
        ("row 7 char 9", "line 7 column 9"),
        ("Zeile 7, Spalte 9", "line 7 column 9"),
        ("línea 7", "line 7"),
        ("linea 7", "line 7"),
        ("ligne 7", "line 7"),
        ("第7行第9", "line 7 column 9"),
    ],
)
def test_a_position_is_read_in_each_spelling(words: str, position: str) -> None:
    """A reason spells it in one way."""
    reason = told_of_a_comma(f"Trailing comma at {words}").reason or ""
    assert reason.startswith(f"it names a parse error at {position}, not line 3 column 5 (request 2, message 4: ")


@pytest.mark.parametrize("words", ["char 57", "at position 57", "at pos 57", "offset 57", "byte 57"])
def test_an_offset_is_no_line(words: str) -> None:
    """Of an answer whose text is not known, it contradicts nothing."""
    assert told_of_a_comma(f"Invalid JSON, missing comma: {words}").label == "weak"


@pytest.mark.parametrize(
    ("line", "column", "fits"),
    [
        *((3, 2, False), (3, 3, True), (3, 7, True), (3, 8, False)),
        *((4, 0, True), (4, 1, True), (4, 2, False), (2, 5, False), (5, 1, False)),
    ],
)
def test_parsers_stop_two_columns_apart_or_at_the_next_line(line: int, column: int, fits: bool) -> None:
    """They report the character, the one before it or the one after it, or count the line break."""
    found = told_of_a_comma(f"Trailing comma, line {line} column {column}")
    assert (found.label != "wrong") is fits


@pytest.mark.parametrize(
    ("words", "message", "fits"),
    [
        ("Unexpected end", "the text is cut off", True),
        ("Trailing comma", "the text is cut off", False),
        ("Unexpected end", "a comma is missing", False),
    ],
)
def test_a_parser_may_name_the_open_bracket_of_a_text_that_is_cut_off(words: str, message: str, fits: bool) -> None:
    """At any place, but only for the end of the text."""
    found = told_of_a_comma(f"{words} at line 7 column 9", message)
    assert (found.label != "wrong") is fits


KINDS = {
    "extra text": (
        *("extra data", "trailing characters", "trailing data", "trailing garbage", "garbage after the document"),
        *("non-whitespace character after the document", "followed by other text", "character 'x' after the document"),
    ),
    "a trailing comma": ("a trailing comma",),
    "a delimiter": ("no delimiter", "expected ','", "expected `,`", "a missing comma", "a closing brace is missing"),
    "the end of the text": (
        *("EOF", "unexpected end", "an unterminated string", "truncated", "cut off", "it ends inside a list"),
        *("end of file", "end of input", "end of data"),
    ),
    "a key": (
        *("a property name in double quotes", "the key must be a string", "an object key is expected"),
        *("a key without quotes", "expected a key", "expected key"),
    ),
    "an invalid character": (
        *("a control character", "a line break inside a string", "an invalid escape", "a bad escape"),
    ),
}


@in_one_item
@pytest.mark.parametrize("kind", KINDS)
def test_parsers_have_many_words_for_one_kind_of_error(kind: str) -> None:
    """Another kind than the answer's is another answer's; the answer's own is fed back in any of its words."""
    own, other = ("a bad escape", "an invalid character") if kind != "an invalid character" else ("a key", "a key")
    message = "a bad escape" if kind != "an invalid character" else "a key without quotes"
    for words in KINDS[kind]:
        reason = told_of_a_comma(f"Invalid JSON: {words}", message).reason or ""
        assert reason.startswith(f"it names a parse error at {kind}, not at {other} (request 2, "), (own, words)
        assert told_of_a_comma(f"Invalid JSON: {words}", KINDS[kind][0]).grade is Grade.FED_BACK, words
