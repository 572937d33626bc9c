"""Contracts: one check, every finding, never an exception."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, create_model, field_validator

from pytest_planguard.contract import Contract
from pytest_planguard.contract.check import tool_arg
from pytest_planguard.contract.constraints.builders import distinct, min_length, non_empty, not_copied
from pytest_planguard.contract.constraints.constraint import ContentConstraint
from pytest_planguard.contract.constraints.scene import CheckContext
from pytest_planguard.contract.failure_kinds import FailureKind, Phase, Reask
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.contract.verdict import ORIGINAL_LIMIT, SchemaValidationError, Verdict
from pytest_planguard.document.answer import Document
from pytest_planguard.errors import UsageError


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "high"]
    steps: list[str]


TICKET = Contract(Ticket, constraints=[distinct("steps"), min_length("title", 3)])
GOOD = '{"title": "Put it out", "priority": "high", "steps": ["a", "b"]}'


def test_a_good_answer() -> None:
    """A valid answer gives the model's instance and no findings."""
    verdict = TICKET.check(GOOD)
    assert verdict.ok
    assert verdict.value == Ticket(title="Put it out", priority="high", steps=["a", "b"])
    assert (verdict.contract, verdict.kind, verdict.text, verdict.format) == ("Ticket", None, GOOD, "json")


def test_every_finding_in_order_with_its_place() -> None:
    """Findings of all phases come at once, sorted by phase, then place in the model's own text."""
    text = 'Sure!\n```json\n{"steps": ["a", "A"],\n "title": "x",\n "priority": "no"}\n```'
    verdict = TICKET.check(text)
    assert [(item.code, str(item.span)) for item in verdict.errors] == [
        ("enum", "5:14"),
        ("distinct", "3:17"),
        ("min_length", "4:11"),
    ]
    assert {item.code for item in verdict.findings if not item.severity.bad} == {"fence", "prose"}
    assert [item.span and str(item.span) for item in verdict.errors[1].related for item in [item]] == ["3:12"]


def test_missing_stands_where_its_parent_does() -> None:
    """What is missing has the place of the object that lacks it."""
    (found,) = Contract(list[Ticket]).check('[\n {"title": "abc", "priority": "low"}]').errors
    assert (found.path, str(found.span)) == ((0, "steps"), "2:2")


def test_values_bytes_and_models() -> None:
    """An answer may be bytes, plain data, or anything that has a JSON form; values have no places."""
    assert TICKET.check(GOOD.encode()).ok
    assert TICKET.check(json.loads(GOOD)).ok
    assert TICKET.check(TICKET.check(GOOD).value).ok
    (found,) = TICKET.check({"title": "abc", "priority": "low"}).errors
    assert found.span is None
    assert Contract(dict[str, dt.date]).check({"day": dt.date(2026, 1, 31)}).ok


def test_strict_takes_no_near_miss() -> None:
    """strict=True refuses "1" for a number, and still takes a date written as text."""
    schema = dict[str, int | dt.date]
    assert Contract(dict[str, int]).check('{"a": "1"}').ok
    assert Contract(dict[str, int], strict=True).check('{"a": "1"}').kind is FailureKind.TYPE
    assert Contract(schema, strict=True).check('{"a": "2026-01-31"}').ok


def test_schema_findings_silence_content_findings_at_their_path() -> None:
    """What the schema says about a field is not said again by a constraint; elsewhere constraints still speak."""
    contract = Contract(Ticket, constraints=[non_empty("title"), non_empty("priority"), non_empty("steps[0]")])
    found = contract.check('{"priority": "", "steps": [""]}').errors
    assert [(item.code, item.path) for item in found] == [
        ("missing", ("title",)),
        ("enum", ("priority",)),
        ("non_empty", ("steps", 0)),
    ]


def test_an_absent_field_is_said_once() -> None:
    """Two constraints on a field that no schema demands give one finding, of the graver severity."""
    contract = Contract(None, constraints=[min_length("a", 3), non_empty("a", severity="fail")])
    (found,) = contract.check("{}").errors
    assert (found.code, found.kind, found.severity.value) == ("missing", FailureKind.CONTENT, "fail")


def test_severities() -> None:
    """`warn` passes and is recorded, `retry` asks again, and `fail` forbids it."""

    def verdict(severity: str) -> Any:
        return Contract(None, constraints=[non_empty("a", severity=severity)]).check('{"a": ""}')

    assert [verdict(s).ok for s in ("info", "warn", "retry", "fail")] == [True, True, False, False]
    assert [len(verdict(s).findings) for s in ("info", "warn")] == [1, 1]
    assert verdict("retry").reask is Reask.YES
    assert verdict("fail").reask is Reask.NO


def test_one_bad_item_leaves_the_others_good() -> None:
    """A bad item is reported by its index, and the others can be kept."""
    contract = Contract(None, constraints=[ContentConstraint("levers[*].options", "count", {"min": 2})])
    levers = [{"options": ["a", "b"]}, {"options": []}, {"options": ["c", "d"]}]
    verdict = contract.check({"levers": levers})
    assert [item.path for item in verdict.errors] == [("levers", 1, "options")]
    assert verdict.good_items("levers") == [(0, levers[0]), (2, levers[2])]
    assert verdict.good_items("nothing") == []


def test_rules_see_the_whole_document() -> None:
    """A rule gets plain data and the document; its findings are placed like all others."""

    def ordered(data: Any, document: Any) -> Iterator[Finding]:
        assert document.format == "json"
        if data["steps"] != sorted(data["steps"]):
            yield Finding("unordered", ("steps", 1), "out of order", FailureKind.RULE)

    contract = Contract(Ticket, rules=[ordered])
    (found,) = contract.check(GOOD.replace('"a", "b"', '"b", "a"')).errors
    assert (found.code, str(found.span)) == ("unordered", "1:60")
    assert contract.check(json.loads(GOOD)).ok


def test_a_rule_or_validator_that_crashes_is_a_finding() -> None:
    """An exception in a user's own code is a finding and loses no other."""

    def broken(data: Any, document: Any) -> Iterator[Finding]:
        raise KeyError("x")
        yield

    found = Contract(Ticket, rules=[broken], constraints=[min_length("title", 99)]).check(GOOD).errors
    assert [item.message for item in found if item.code == "rule_crashed"] == [
        "the rule broken itself raised KeyError: 'x'"
    ]
    assert "min_length" in [item.code for item in found]

    class Crashing(BaseModel):
        a: int

        @field_validator("a")
        @classmethod
        def crash(cls, value: int) -> int:
            """Raise what pydantic does not expect."""
            raise KeyError("x")

    (one,) = Contract(Crashing).check('{"a": 1}').errors
    assert one.message == "a validator of the schema raised KeyError: 'x'"


def test_copies_need_a_context() -> None:
    """not_copied judges against the context of the check."""
    contract = Contract(None, constraints=[not_copied("a")])
    context = CheckContext(prompt_texts=("Sweep the floor with care.",))
    assert contract.check({"a": "sweep the floor with care"}).ok
    assert not contract.check({"a": "sweep the floor with care"}, context=context).ok


def test_names_and_options() -> None:
    """A contract is named after its schema; an unknown option is refused with the valid ones."""
    assert [Contract(s).name for s in (Ticket, list[int], None)] == ["Ticket", "list", "contract"]
    assert repr(Contract(Ticket, name="mine")) == "Contract(mine)"
    assert (Contract(Ticket).tool, Contract(Ticket, judged="text").tool, Contract(Ticket, judged="save").tool) == (
        None,
        None,
        "save",
    )
    with pytest.raises(UsageError, match=r"^unknown format 'jsn'. Did you mean 'json'\? Valid: auto, json"):
        Contract(Ticket, format="jsn")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"^unknown extract 'all'"):
        Contract(Ticket, extract="all")  # type: ignore[arg-type]
    with pytest.raises(
        UsageError,
        match="a JSON Schema as a dict, or None: got a str; give one",
    ):
        Contract("Ticket")
    with pytest.raises(UsageError, match=r"^pydantic cannot use"):
        Contract(Iterator[object()])  # type: ignore[misc]


class _Own:
    """A class that pydantic knows nothing of."""


@pytest.mark.parametrize("schema", [_Own, list[_Own], dict[str, _Own | None]])
def test_a_type_that_no_answer_can_have_is_refused_where_it_is_named(schema: object) -> None:
    """`check` never raises: what pydantic cannot use is a mistake of the contract, and told there."""
    with pytest.raises(UsageError, match=r"^pydantic cannot use .*_Own.* as a schema: Unable to generate"):
        Contract(schema)


def test_a_name_that_the_schema_lacks_is_no_fault_of_the_answer() -> None:
    """A model that names an unknown type is a usage error that says the name; it is usable once the type is there."""
    unfinished = create_model("Unfinished", part=("Part", ...))
    contract = Contract(unfinished)
    with pytest.raises(UsageError, match=r"^pydantic cannot use .*Unfinished'> as a schema: .*Part"):
        contract.check('{"part": 1}')
    unfinished.model_rebuild(_types_namespace={"Part": int})
    assert contract.check('{"part": 1}').ok


class _Lazy:
    """A class whose form for pydantic uses a name that comes later."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> object:
        return _comes_later  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("schema", [list["Later"], dict[str, list["Later"]], _Lazy, list[_Lazy]])  # type: ignore[name-defined]  # noqa: F821
def test_a_type_with_a_name_that_comes_later_is_taken(schema: object) -> None:
    """The first check says what is undefined."""
    contract = Contract(schema)
    with pytest.raises(UsageError, match=r"^pydantic cannot use .* as a schema: name '(Later|_comes_later)'"):
        contract.check("[]")


def test_json_schema_of_a_contract() -> None:
    """A contract knows its JSON Schema, where it has one."""
    assert TICKET.json_schema == Ticket.model_json_schema()
    assert Contract(None).json_schema is None
    assert Contract(Callable[[], int]).json_schema is None


SCRIPT = """
from typing import Literal
from pydantic import BaseModel
from pytest_planguard.contract import Contract
from pytest_planguard.contract.check import tool_arg
from pytest_planguard.contract.constraints.builders import custom, min_length, one_of
class Ticket(BaseModel):
    title: str
    priority: Literal["low", "high"]
def check(value): return None
rules = [min_length("title", 3), one_of("priority", "low", "high"), custom("title", check)]
print(Contract(Ticket, constraints=rules).digest)
"""


@pytest.mark.slow
def test_the_digest_is_stable_and_sensitive() -> None:
    """The digest is equal in every process, whatever the hash seed, and changes with what is demanded."""
    runs = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env={"PYTHONHASHSEED": seed})
        for seed in ("1", "2")
    ]
    digests = {run.stdout for run in runs}
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 12
    plain = Contract(Ticket).digest
    assert plain == Contract(Ticket, name="other").digest
    others = [
        Contract(Ticket, strict=True),
        Contract(Ticket, constraints=[min_length("title", 3)]),
        Contract(None),
        TICKET,
    ]
    assert len({plain, *(contract.digest for contract in others)}) == 5


def test_parse_raises_for_apps() -> None:
    """Source rows 1, 2, 3: a content error carries provider, bounded raw text and findings, and is never transient."""
    assert TICKET.parse(GOOD).title == "Put it out"
    with pytest.raises(SchemaValidationError) as caught:
        TICKET.parse('{"title": "503 connection error", "x": "' + "y" * 5_000 + '"}', provider="openai")
    error = caught.value
    assert str(error) == "the answer does not match Ticket: /priority: required, missing (and 1 more)"
    assert error.provider_name == "openai"
    assert error.original_message is not None
    assert len(error.original_message) < ORIGINAL_LIMIT + 40
    assert error.original_message.endswith("more characters)")
    assert [item.path for item in error.findings] == [("priority",), ("steps",)]


TEXTS = (
    st.text()
    | st.binary()
    | st.sampled_from(["{", "[" * 5_000, '"\\ud800"', "NaN", '{"a": 1e999}', "```json\n{}", "null"])
)
CONTRACTS = [
    TICKET,
    Contract(None, constraints=[non_empty("a[*].b")]),
    Contract(int | list[str]),
    Contract({"type": "object"}),
    Contract(Ticket, extract="whole", format="yaml"),
]
FINISHES = st.sampled_from([None, "stop", "length", "content_filter", "refusal", "tool_calls"])


@given(TEXTS, st.sampled_from(CONTRACTS), FINISHES)
def test_no_answer_makes_a_check_raise(answer: str | bytes, contract: Contract, finish: str | None) -> None:
    """Check never raises; findings are sorted by phase; a verdict is ok exactly when it has a kind of none."""
    verdict = contract.check(answer, finish=finish)
    phases = [list(Phase).index(item.kind.phase) for item in verdict.findings]
    assert phases == sorted(phases)
    assert verdict.ok == (verdict.kind is None)


def test_odd_values() -> None:
    """Values without a JSON form are findings."""
    circular: list[Any] = []
    circular.append(circular)
    (found,) = Contract(None).check(circular).findings
    assert (found.kind, found.path) == (FailureKind.INVALID_JSON, ())
    assert found.message == "the value has no JSON form: it is circular or too deep"
    assert Contract(None).check(circular) == Verdict("contract", "", (found,))
    assert Contract(None).check({"a": "\ud800"}).ok
    assert not Contract(None).check({"a": float("nan")}).ok
    assert Contract(None).check(object()).ok


class Reads:
    """A rule that says what it judges."""

    def __init__(self, reads: object) -> None:
        self.reads = reads

    def __call__(self, data: Any, document: Document) -> list[Finding]:
        """Say in which format the document was read."""
        return [Finding("read", (), document.format, FailureKind.RULE, Severity.INFO)]


@pytest.mark.parametrize(
    ("own", "reads", "given", "read"),
    [
        ("auto", None, None, "yaml"),
        ("auto", None, "markdown", "markdown"),
        ("auto", "markdown", None, "markdown"),
        ("auto", "markdown", "yaml", "markdown"),
        ("auto", "odd", None, "yaml"),
        ("auto", ["yaml"], None, "yaml"),
        ("yaml", None, "markdown", "yaml"),
        ("yaml", "markdown", None, "yaml"),
        ("markdown", None, "yaml", "markdown"),
    ],
)
def test_the_format_is_the_contracts_then_its_rules_then_the_files(own: Any, reads: Any, given: Any, read: str) -> None:
    """What a text is known to be counts only where neither says more."""
    contract: Contract[Any] = Contract(None, rules=[Reads(reads)], format=own)
    verdict = contract.check("a: 1\nb: 2\n", format=given)
    assert (verdict.format, [found.message for found in verdict.findings]) == (read, [read])
    assert contract.format == (own if own != "auto" else reads if reads == "markdown" else "auto")


def test_the_first_format_of_several_rules_counts() -> None:
    """Rules that say nothing, and words that are no format, are passed over."""
    rules = [Reads(None), Reads("odd"), Reads("yaml"), Reads("markdown"), lambda data, document: []]
    assert Contract(None, rules=rules).format == "yaml"


def test_an_argument_beside_a_part_counts() -> None:
    """The part's own is the default."""
    part = tool_arg("write_file", "content")
    assert [Contract(None, judged=part, argument=one).argument for one in (None, "text")] == ["content", "text"]
    assert Contract(None, judged="write_file", argument="text").argument == "text"
    assert Contract(None).argument is None


def test_findings_have_no_places_where_they_are_not_asked_for() -> None:
    """The same findings; those of the first line come first only where places are known."""
    answer = '{"title": "a",\n "priority": "x",\n "steps": "y"}'
    found, bare = (Contract(Ticket).check(answer, located=located).findings for located in (True, False))
    assert [one.span is None for one in (*found, *bare)] == [False, False, True, True]
    assert [replace(one, span=None, related=()) for one in found] == list(bare)
    assert Contract(Ticket).check(answer).findings == found
    assert [one.span for one in Contract(Ticket).check({"title": "a"}).findings] == [None, None]


def test_what_a_contract_has_where_nothing_else_is_said() -> None:
    """Every option off."""
    contract = Contract(Ticket)
    assert (contract.constraints, contract.rules, contract.calls, contract.part) == ((), (), (), None)
    assert (contract.strict, contract.describe, contract.wrap_list, contract.judged) == (False, False, False, "auto")
    assert (contract.format, contract.extract, contract.schema) == ("auto", "embedded", Ticket)


def test_parse_says_where_the_first_error_is() -> None:
    """The root has no pointer; one error has no others."""
    said = []
    for text in ("5", '{"title": "a", "priority": "low"}', "{}"):
        with pytest.raises(SchemaValidationError) as caught:
            Contract(Ticket).parse(text)
        said.append(str(caught.value))
        assert caught.value.provider_name is None
    assert said == [
        "the answer does not match Ticket: expected an object; got 5",
        "the answer does not match Ticket: /steps: required, missing",
        "the answer does not match Ticket: /title: required, missing (and 2 more)",
    ]
