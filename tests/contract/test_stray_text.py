"""Prose that was read as a document only by its looks."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import non_empty

from ..support.one_item import in_one_item


class Ticket(BaseModel):
    """A schema that wants data."""

    title: str


REMARK = "k1: two words"
NAMED = {"k1": "two words"}
CASES: dict[str, tuple[Contract[Any], str, list[str], Any]] = {
    "a remark": (Contract(None), REMARK, ["prose"], None),
    "a remark with rules for another field": (
        Contract(None, constraints=[non_empty("title")]),
        REMARK,
        ["prose"],
        None,
    ),
    "a remark with rules for a field that begins so": (
        Contract(None, constraints=[non_empty("k1s")]),
        REMARK,
        ["prose"],
        None,
    ),
    "a field that is asked for": (Contract(None, constraints=[non_empty("k1")]), REMARK, [], NAMED),
    "a field below it that is asked for": (Contract(None, constraints=[non_empty("k1.a")]), REMARK, ["type"], NAMED),
    "one word": (Contract(None), "k1: word", [], {"k1": "word"}),
    "a number": (Contract(None), "k1: 3", [], {"k1": 3}),
    "two fields": (Contract(None), f"{REMARK}\nb: c", [], {**NAMED, "b": "c"}),
    "words alone": (Contract(None), "Some words of no document", ["prose"], None),
    "a format that is asked for": (Contract(None, format="yaml"), REMARK, [], NAMED),
    "a schema": (Contract(Ticket), REMARK, ["missing"], NAMED),
    "a schema of anything": (Contract(dict[str, str]), REMARK, [], NAMED),
    "Markdown where data is due": (Contract(Ticket), "# Title\n\nSome words", ["prose"], None),
    "Markdown where a list is due": (Contract(list[str]), "# Title\n\nSome words", ["prose"], None),
    "Markdown where a referenced object is due": (
        Contract({"$ref": "#/$defs/T", "$defs": {"T": {"properties": {"a": {}}}}}),
        "# Title\n\nSome words",
        ["prose"],
        None,
    ),
}


@in_one_item
@pytest.mark.parametrize("name", CASES)
def test_what_only_looks_like_a_document_is_prose(name: str) -> None:
    """One word, a colon and some more words are a remark, unless something asks for a field of that name."""
    contract, text, codes, data = CASES[name]
    verdict = contract.check(text)
    assert [finding.code for finding in verdict.findings] == codes
    assert verdict.data == data


def test_the_message_says_what_was_due() -> None:
    """And the place is that of the text."""
    (yaml,) = Contract(None).check(f"\n{REMARK}").findings
    (data,) = Contract(Ticket).check("# Title\n\nSome words").findings
    assert yaml.message == "the answer is prose; there is no YAML document in it"
    assert data.message == "the answer is prose; there is no JSON document in it"
    assert yaml.span is not None
    assert (yaml.span.line, yaml.span.column) == (2, 1)
