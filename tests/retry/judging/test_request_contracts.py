"""Contracts from the requests themselves."""

import pytest

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.errors import UsageError
from pytest_planguard.retry.judging.request_contracts import NO_SCHEMA, AutoContracts, demanded
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ...support.cassettes import BAD, GOOD, PERSON

SAVE = {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}


def exchange(**fields: object) -> Exchange:
    """A chat exchange with these fields."""
    return Exchange(1, "openai.chat", **fields)  # type: ignore[arg-type]


def test_the_output_schema_judges_the_text() -> None:
    """A schema that the request demands of the answer becomes a contract under the schema's title."""
    (contract,) = AutoContracts().of([exchange(output_schema=PERSON), exchange(output_schema=dict(PERSON))])
    assert (contract.name, contract.tool) == ("Person", None)
    assert contract.check(GOOD).ok
    assert [f.path for f in contract.check(BAD).errors] == [("age",)]


def test_a_contract_is_named_after_its_tool_or_its_schema() -> None:
    """The tool first; a schema without a title is one of an answer."""
    titled = {"title": "Saved", **SAVE}
    forced = [exchange(tools={"save": schema}, tool_choice="save") for schema in (SAVE, titled)]
    texts = [exchange(output_schema=schema) for schema in (SAVE, titled, {"title": "", **SAVE, "minProperties": 0})]
    assert [c.name for c in AutoContracts().of([*forced, *texts])] == ["save", "save", "answer", "Saved", "answer"]


@pytest.mark.parametrize(
    "request_",
    [
        exchange(tools={"save": SAVE, "look_up": SAVE}, tool_choice="save"),
        exchange(tools={"save": SAVE}, tool_choice="required"),
        exchange(tools={"final_result": SAVE, "look_up": SAVE}),
        exchange(tools={"final_result_Ticket": SAVE, "look_up": SAVE}, tool_choice="auto"),
    ],
)
def test_the_arguments_of_the_output_tool_are_the_answer(request_: Exchange) -> None:
    """A tool that must be called, or that frameworks name so, holds the answer; ordinary tools do not."""
    (contract,) = AutoContracts().of([request_])
    assert contract.tool in ("save", "final_result", "final_result_Ticket")
    assert contract.json_schema == SAVE


def test_ordinary_tools_are_no_answers() -> None:
    """Tools that the model may call or leave do not judge anything."""
    offered = exchange(tools={"save": SAVE, "look_up": SAVE}, tool_choice="auto")
    assert list(demanded(offered)) == []
    assert AutoContracts().why_not(offered) == NO_SCHEMA


def test_a_schema_is_compiled_once_for_all_recordings() -> None:
    """The same schema in another recording gives the same contract."""
    auto = AutoContracts()
    assert auto.of([exchange(output_schema=PERSON)])[0] is auto.of([exchange(output_schema=PERSON)])[0]


def test_a_schema_that_cannot_be_used_is_a_reason() -> None:
    """A broken schema in a recording judges nothing, and says why; the others are used."""
    broken = exchange(output_schema={"title": "Broken", "type": "no such type"})
    auto = AutoContracts()
    assert [c.name for c in auto.of([broken, exchange(output_schema=PERSON)])] == ["Person"]
    assert auto.why_not(broken).startswith("the request's schema 'Broken' cannot be used: ")


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package for JSON Schema the error is the command that installs it."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'pytest-planguard\[jsonschema\]'"):
        AutoContracts().of([exchange(output_schema=PERSON)])


def test_extract_reaches_the_contracts() -> None:
    """`--extract whole` holds for schemas from requests too."""
    fenced = f"```json\n{GOOD}\n```"
    for extract, ok in (("whole", False), ("embedded", True)):
        (contract,) = AutoContracts(extract).of([exchange(output_schema=PERSON)])
        assert contract.check(fenced).ok is ok


def test_a_request_judges_the_calls_of_its_own_tools() -> None:
    """A tool that is not offered, and arguments that break the declared schema; a good call breaks nothing."""

    def called(tool: str, arguments: str) -> Exchange:
        call = Item(ItemKind.CALL, Role.ASSISTANT, arguments, "c1", tool)
        return exchange(tools={"save": SAVE}, answer=(call,))

    auto = AutoContracts()
    assert [f.kind for f in auto.findings(called("keep", "{}"))] == [FailureKind.UNKNOWN_TOOL]
    assert [f.path for f in auto.findings(called("save", '{"id": "x"}'))] == [("id",)]
    assert auto.findings(called("save", '{"id": 1}')) == []
    assert [(tool, len(found)) for tool, found in auto.arguments(called("save", "{}"))] == [("save", 1)]
    assert list(auto.arguments(called("keep", "{}"))) == []


def test_a_tool_that_is_demanded_once_is_judged_by_the_own_schema_of_each_request() -> None:
    """Where the model may leave it as well; a tool of the same name with other fields is no answer."""
    longer = {"type": "object", "properties": {"id": {"type": "integer"}, "more": {}}}
    other = {"type": "object", "properties": {"city": {"type": "string"}}}
    demanding = exchange(tools={"save": SAVE}, tool_choice="save")
    offering = [exchange(tools={"save": schema}, tool_choice="auto") for schema in (longer, SAVE, other)]
    assert [c.json_schema for c in AutoContracts().of([*offering, demanding])] == [longer, SAVE]
