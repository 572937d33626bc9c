"""The failure kind of an answer without its findings: what the verdict says, for every schema and every answer."""

import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel, field_validator

from pytest_planguard import Contract, distinct, min_length
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding

from ..support.one_item import in_one_item
from .decisions.schemas import KEYWORDS
from .decisions.verdicts import ANSWERS as WRAPPED_ANSWERS


class Ticket(BaseModel):
    """Several rules, one of the app's own."""

    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=2)
    priority: Literal["low", "high"]
    steps: list[int] = []

    @field_validator("title")
    @classmethod
    def said_politely(cls, title: str) -> str:
        """Refuse one word, and crash at another."""
        if title == "crash":
            raise RuntimeError("a validator that is broken")
        if title == "rude":
            raise ValueError("be polite")
        return title


class Single(BaseModel):
    """One key, so that any object of one key may be a wrapper."""

    n: int


class Cat(BaseModel):
    """One of two that a tag tells apart."""

    kind: Literal["cat"]
    n: int


class Dog(BaseModel):
    """The other one."""

    kind: Literal["dog"]
    n: float


RULED = Finding("ruled", (), "a rule says no", FailureKind.RULE)
JSON_SCHEMA = {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}}
CONTRACTS = {
    "model": Contract(Ticket),
    "one key": Contract(Single),
    "tagged": Contract(Annotated[Cat | Dog, Field(discriminator="kind")]),
    "untagged": Contract(Single | Ticket),
    "root": Contract(RootModel[list[Single]]),
    "list": Contract(list[int]),
    "constraint": Contract(Ticket, constraints=[distinct("steps")]),
    "strict": Contract(Ticket, strict=True, extract="whole"),
    "yaml": Contract(Ticket, format="yaml"),
    "json schema": Contract(JSON_SCHEMA),
    "none": Contract(None),
}
SCALARS = st.sampled_from(["low", "high", "cat", "dog", "crash", "rude", "", "x", 0, 1, 1.5, None, True, "1"])
KEYS = st.sampled_from(["title", "priority", "steps", "n", "kind", "properties", "schema", "$defs", "other"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=8
)
GOOD: st.SearchStrategy[Any] = st.fixed_dictionaries(
    {"title": st.sampled_from(["Printer", "rude", "crash", "x"]), "priority": SCALARS | st.just("low")},
    optional={"steps": st.lists(st.integers(0, 2) | SCALARS, max_size=3), "n": SCALARS},
)
WRITTEN = st.sampled_from(["{}", " {}\n", "```json\n{}\n```", "Here: {}", "\ufeff{}", '{{"data": {}}}', "[{}]", "{}}}"])
ANSWERS = st.one_of(
    st.builds(lambda value, around: around.format(json.dumps(value)), VALUES | GOOD, WRITTEN),
    st.text(max_size=20),
    st.sampled_from(['{"title": "a", "title": "b"}', '{"n": NaN}', '{"n": 1e999}', "[" * 300, '{"n": "\\ud800"}', ""]),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTRACTS)
@given(answer=ANSWERS)
def test_it_is_the_kind_of_the_verdict(name: str, answer: str) -> None:
    """Of a text and of bytes; None where the answer is good."""
    contract = CONTRACTS[name]
    for given_as in (answer, answer.encode("utf-8", "surrogatepass")):
        assert contract.failure_kind(given_as) is contract.check(given_as).kind


@given(VALUES | GOOD)
def test_it_is_the_kind_of_a_parsed_value(value: Any) -> None:
    """A value has no text that could be read quickly."""
    contract = CONTRACTS["model"]
    assert contract.failure_kind(value) is contract.check(value).kind


def test_most_answers_need_no_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    """A good answer, and one with one error, are told without a check in full."""
    monkeypatch.setattr("pytest_planguard.contract.check.Checker.check", None)
    contract = CONTRACTS["model"]
    assert contract.failure_kind('{"title": "Printer", "priority": "low"}') is None
    assert str(contract.failure_kind('{"title": "Printer", "priority": "no"}')) == "enum"
    assert str(contract.failure_kind('{"priority": "low", "steps": []}')) == "missing"


@in_one_item
@pytest.mark.parametrize("case", KEYWORDS, ids=lambda case: json.dumps(case[0])[:60])
def test_each_keyword_of_json_schema_has_its_kind(case: tuple[dict[str, Any], list[Any]]) -> None:
    """The same in the verdict and without findings."""
    schema, values = case
    contract = Contract(schema)
    for value in values:
        text = json.dumps(value)
        assert contract.failure_kind(text) is contract.check(text).kind


@pytest.mark.parametrize(
    ("contract", "answer"),
    [
        (Contract(dict[str, str], constraints=[min_length("a", 3)]), '{"a": "x"}'),
        (Contract(dict[str, str], rules=[lambda data, document: [RULED]]), '{"a": "x"}'),
        (Contract(dict[str, str], format="yaml"), "{a: 1"),
        (Contract(dict[str, str], format="yaml"), '{"a": 1, "a": 2}'),
        (Contract(dict[str, str], format="markdown"), '{"a": "x"}'),
    ],
)
def test_what_the_schema_alone_does_not_tell(contract: Contract[Any], answer: str) -> None:
    """Constraints, rules and other formats count for the kind as they do for the verdict."""
    kind = contract.check(answer).kind
    assert kind is not None
    assert contract.failure_kind(answer) is kind


class Pair(BaseModel):
    """Two fields, of which an answer may have the second one first."""

    first: int
    second: Literal["a"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ('{"second": "b", "first": "x"}', FailureKind.ENUM),
        ('{"first": "x", "second": "b"}', FailureKind.TYPE),
        ('{"second": "b"}', FailureKind.MISSING),
        ('{"second": "a"}', FailureKind.MISSING),
        ('x {"second": "b", "first": "x"}', FailureKind.ENUM),
        ('{"second": "a", "first": 1}', None),
    ],
)
def test_the_first_in_the_text_decides(answer: str, kind: FailureKind | None) -> None:
    """And not the first of the schema; what is missing stands where its object does."""
    assert Contract(Pair).failure_kind(answer) == Contract(Pair).check(answer).kind == kind


WHOLE = {
    '{"ticket": {"n": 1}}': FailureKind.WRAPPED,
    '[{"n": 1}]': FailureKind.WRAPPED,
    '"{\\"n\\": 1}"': FailureKind.ENCODED,
    '{"type": "object", "properties": {"n": {"type": "integer"}}}': FailureKind.SCHEMA_ECHO,
    '{"$defs": {"A": {}}, "title": "T"}': FailureKind.SCHEMA_ECHO,
    '{"schema": {"properties": {"a": {"enum": [1]}}}, "name": "x"}': FailureKind.SCHEMA_ECHO,
    '{"other": 1}': FailureKind.MISSING,
    '"words"': FailureKind.TYPE,
    "[]": FailureKind.TYPE,
    '{"n": "x"}': FailureKind.TYPE,
    '{"n": 1}': None,
    '{"n": 1, "schema": 2}': None,
}


@in_one_item
@pytest.mark.parametrize("answer", WHOLE)
def test_answers_that_miss_the_schema_as_a_whole(answer: str) -> None:
    """Their one finding decides, and not the first of the many that the validator has."""
    contract = CONTRACTS["one key"]
    assert contract.failure_kind(answer) == contract.check(answer).kind == WHOLE[answer]
    assert contract.failure_kind(json.loads(answer)) == WHOLE[answer] or isinstance(json.loads(answer), str)


@in_one_item
@pytest.mark.parametrize("text", WRAPPED_ANSWERS)
def test_answers_in_every_wrapping(text: str) -> None:
    """With the schema alone, and where the whole answer must be the document."""
    for contract in (CONTRACTS["model"], CONTRACTS["strict"], CONTRACTS["json schema"], CONTRACTS["none"]):
        assert contract.failure_kind(text) == contract.check(text).kind
