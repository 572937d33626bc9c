"""How many changes of an answer are tried, and how far schemas are followed: right at each bound."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.schema.schema_fields import schemas_at
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.proving.edits import edits
from pytest_planguard.retry.proving.planning import MOST, trials
from pytest_planguard.retry.proving.repair import TRIES, Unrepairable, repair
from pytest_planguard.retry.proving.schema_examples import MAX_DEPTH, MAX_SIZE, resized, samples
from pytest_planguard.retry.proving.swap import TRIES as SWAP_TRIES
from pytest_planguard.retry.proving.swap import swaps

from ..decisions.spoken import exchanges_of
from ..decisions.turns import Shape, talk

NUMBERS = Contract({"title": "Numbers", "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
BAD = '{"n": "one"}'


class Counting:
    """A contract that accepts no change of an answer, and keeps what it was asked about."""

    name = "Counting"

    def __init__(self, verdict: Verdict | None = None) -> None:
        self.json_schema, self.asked = NUMBERS.json_schema, list[str]()
        self._verdict = verdict or NUMBERS.check(BAD)

    def check(self, answer: Any, **_: Any) -> Verdict:
        """Return the same verdict whatever the answer is."""
        self.asked.append(answer)
        return self._verdict


def test_so_many_changes_are_tried_for_one_finding() -> None:
    """Each costs a check of the answer: 24 for a repair, 48 for a swap."""
    verdict, contract = NUMBERS.check(BAD), Counting()
    (finding,) = verdict.errors
    donors = [{"n": n} for n in range(100)]
    assert isinstance(repair(finding, verdict, contract, donors), Unrepairable)
    assert len(contract.asked) == TRIES == 24
    whole = replace(verdict, findings=(replace(finding, path=()),))
    contract = Counting(whole)
    assert [*swaps(whole.errors[0], whole, contract, donors=[json.dumps(donor) for donor in donors])] == []
    assert len(contract.asked) == SWAP_TRIES == 48


def test_so_many_documents_are_made_of_a_schema() -> None:
    """Four, where no answer of the conversation is sound."""
    wanted = {"title": "Any", "enum": [{"n": n} for n in range(5)]}
    verdict = NUMBERS.check(BAD)
    whole = replace(verdict, findings=(replace(verdict.errors[0], path=()),))
    contract = Counting(whole)
    contract.json_schema = wanted
    assert [*swaps(whole.errors[0], whole, contract)] == []
    changes_of_each = 6  # five wrong values, and the member taken out
    assert len(contract.asked) == 4 * changes_of_each


def test_so_many_findings_of_a_conversation_are_tried() -> None:
    """Each costs one more run of the app."""
    fields = {f"f{n:02}": {"type": "integer"} for n in range(MOST + 1)}
    contract = Contract({"title": "Many", "type": "object", "properties": fields, "required": list(fields)})
    good = json.dumps(dict.fromkeys(fields, 1))
    spoken = exchanges_of(Shape(talk("{}", "Again!", good)))
    found = judge(spoken, [contract]).conversations
    assert len(found[0].attempts[0].verdict.errors) == MOST + 1
    assert len(list(trials(found, [contract], JudgeOptions()))) == MOST == 20


def chain(levels: int) -> dict[str, Any]:
    """Return a schema of objects within objects, each of which demands the next one."""
    node: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        node = {"type": "object", "properties": {"in": node}, "required": ["in"]}
    return node


@pytest.mark.parametrize(("levels", "sampled"), [(0, 1), (11, 1), (12, 0), (13, 0)])
def test_objects_are_sampled_so_deep(levels: int, sampled: int) -> None:
    """Twelve levels, the innermost value included; a recursive schema ends there."""
    node = chain(levels)
    assert len(list(samples(node, node))) == sampled
    assert MAX_DEPTH == 12


def test_a_place_has_so_many_schemas() -> None:
    """One for each alternative."""
    for count in (MAX_SIZE, MAX_SIZE + 1):
        root = {"properties": {"a": {"anyOf": [{"const": n} for n in range(count)]}}}
        assert len(schemas_at(root, ("a",))) == MAX_SIZE == 1_000


@pytest.mark.parametrize("size", [MAX_SIZE, MAX_SIZE + 1])
def test_a_rule_that_wants_more_cannot_be_sampled(size: int) -> None:
    """Then it is as if it were not there."""
    wanted = size if size <= MAX_SIZE else 0
    (items,) = resized([], {"minItems": size}, {})
    (text,) = resized("", {"minLength": size}, {})
    assert (len(items), len(text)) == (wanted, wanted)
    (cut,) = resized("x" * 1_100, {"maxLength": size}, {})
    assert len(cut) == MAX_SIZE


CAST: dict[str, list[Any]] = {
    "123456789012345": [123456789012345],
    "1234567890123456": [],
    "-7": [-7],
    "+7": [7],
    " 7 ": [7],
    "7.0": [],
    "TRUE": [True],
    "false ": [False],
    "yes": [],
}


@pytest.mark.parametrize("text", CAST)
def test_a_text_is_tried_as_the_value_that_it_spells(text: str) -> None:
    """Whole numbers of up to 15 digits and truth values; then as a list of one, and as a list by its commas."""
    data = {"n": text}
    contract = Contract({"title": "Free", "properties": {"n": {"type": "object"}}})
    verdict = contract.check(json.dumps(data))
    tried = [edit.value for edit in edits(verdict.errors[0], data, contract)]
    assert tried[: len(CAST[text]) + 2] == [*CAST[text], [text], [text.strip()]]


def test_so_many_items_are_made_of_a_text() -> None:
    """A list by its commas has no more of them than a sample may have."""
    data = {"n": ",".join("x" * 1_100)}
    verdict = NUMBERS.check(json.dumps(data))
    tried = [edit.value for edit in edits(verdict.errors[0], data, NUMBERS)]
    assert len(tried[1]) == MAX_SIZE


def test_so_many_allowed_values_are_tried() -> None:
    """The first five that the finding names, then the first five of the schema."""
    contract = Contract({"title": "Level", "properties": {"n": {"enum": list("abcdefg")}}, "required": ["n"]})
    data = {"n": 1}
    verdict = contract.check(json.dumps(data))
    tried = [edit.value for edit in edits(verdict.errors[0], data, contract)]
    assert tried == [*"abcde", "1", 1, *"abcde"]


@pytest.mark.parametrize("word", ["anyOf", "oneOf", "allOf"])
def test_alternatives_are_followed_so_deep(word: str) -> None:
    """Fifty within each other; one that is its own alternative has no end."""
    for levels, known in ((49, [{"const": 1}]), (50, [{"const": 1}]), (51, [])):
        node: dict[str, Any] = {"const": 1}
        for _ in range(levels):
            node = {word: [node]}
        assert schemas_at(node, ()) == known
    own = {"$defs": {"A": {word: [{"$ref": "#/$defs/A"}]}}, "properties": {"x": {"$ref": "#/$defs/A"}}}
    assert schemas_at(own, ("x",)) == []


def test_an_answer_that_is_wrong_as_a_whole_is_swapped_for_a_broken_donor() -> None:
    """Each member of it is made wrong or taken out; there is no value in the place of the whole."""
    verdict = NUMBERS.check("[]")
    contract = Counting()
    _ = [*swaps(verdict.errors[0], verdict, contract, donors=['{"n": 1}'])]
    own, made_up = contract.asked[:6], contract.asked[6:]
    assert own == ['{"n": null}', '{"n": {"?": 0}}', '{"n": []}', '{"n": ""}', '{"n": -1}', "{}"]
    assert made_up[:6] == own
