# pyright: strict, reportUnnecessaryTypeIgnoreComment=true
"""Every name of `pytest_planguard.extend` and `pytest_planguard.testing` as an extension writes it; see api.py."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_type

from hypothesis.strategies import SearchStrategy

import pytest_planguard.extend
import pytest_planguard.testing
from pytest_planguard import Contract, Severity, plan_rules
from pytest_planguard.extend import (
    AnswerView,
    Collector,
    Correction,
    ErrorEntry,
    Fidelity,
    Finish,
    Hit,
    Item,
    ItemKind,
    Logged,
    Param,
    Plan,
    PlanIndex,
    Profile,
    Registrations,
    RequestView,
    Role,
    Rule,
    Source,
    Status,
    Task,
    Traits,
    Usage,
    Violation,
    each,
    signs,
    wrong,
)
from pytest_planguard.registry import Registry as Registry
from pytest_planguard.testing import (
    AnswerFault,
    Example,
    Planguard,
    RetryLoopMachine,
    ScriptedConversation,
    ScriptedModel,
    conversations,
    near_misses,
    texts,
    valid_answers,
)


def multiple(value: Any, params: Mapping[str, Any]) -> Iterator[Violation]:
    """A check of one value."""
    if value % params["of"]:
        yield wrong(f"a multiple of {params['of']}", value)


PARAMS: dict[str, Param] = {
    "of": Param("a whole number", lambda value: isinstance(value, int), 2),
    "how": Param("exact or prefix", lambda value: value in ("exact", "prefix"), "exact"),
}


class Plain:
    """A dialect."""

    name = "plain"

    def matches(self, path: str, body: Mapping[str, Any]) -> bool:
        """Told by its path."""
        return path.endswith("/complete")

    def read_request(self, body: Mapping[str, Any]) -> RequestView:
        """One text."""
        return RequestView(items=(Item(ItemKind.TEXT, Role.USER, str(body["prompt"])),))

    def read_answer(self, body: Mapping[str, Any]) -> AnswerView | None:
        """One text."""
        return AnswerView(finish=Finish.STOP, usage=Usage(3, 4))

    def read_stream(self, objects: Sequence[Mapping[str, Any]]) -> AnswerView | None:
        """Knows no streams."""
        return None


def read_wording(text: str) -> Iterator[ErrorEntry]:
    """A wording."""
    yield ErrorEntry.at("tasks[0].id", text, 0, len(text))


def shout(correction: Correction) -> tuple[str, int]:
    """A style."""
    return correction.problems.upper(), len(correction.findings)


def read_plan(source: Source) -> Plan:
    """A reader of data."""
    return Plan("todo", tasks=(Task("a", "a", status=Status.DONE),), traits=Traits(noun="step"))


def long_names(plan: Plan, index: PlanIndex) -> Iterator[Hit]:
    """A rule."""
    for task in plan.tasks:
        yield Hit(task.place, f"{task.key} is long")


def read_moves(source: Source) -> Plan:
    """A reader that goes through the blocks of an outline."""
    collector = Collector(source)
    for block in collector.blocks:
        move = collector.task(block, block.text, "", offset=0)
        collector.edge(move, "M1", block, 0)
    return assert_type(collector.plan("moves", Traits(noun="move")), Plan)


TODO = Profile("todo", "todo", "Names.", lambda source: 99 if source.data == {"todo": []} else 0, read_plan, "data")
NOTES = Profile("notes", "notes", "Notes.", signs((r"^## Notes", 60)), read_plan)
SHORT = Rule("short", long_names, Severity.RETRY, "Names are short.", "`unbelievable`", "Shorten it.")
CONTRACT = Contract(None, rules=plan_rules(TODO, extra=[SHORT]))


def pytest_planguard_register(registry: Registrations) -> None:
    """What a conftest adds for one session."""
    registry.constraint("multiple", each(multiple), PARAMS, needs_value=False)
    registry.dialect(Plain())
    registry.wording("own", read_wording, framework=True)
    registry.style("shout", shout, opening="WRONG")
    registry.plan_format(TODO)
    registry.plan_rule(SHORT)
    registry.normaliser("lower", str.lower)


def register_for_the_process() -> None:
    """What a module adds for the command line."""
    Registrations().dialect(Plain())
    Registrations().wording("own", read_wording)
    Registrations().plan_format("planguard-plan.yaml")


def runs_a_project() -> Mapping[str, int]:
    """A project for the test of a plugin."""
    run = Example({"test_it.py": "def test_it(): pass"}).run_pytest("-q")
    assert_type(run.output, str)
    return run.outcomes


def makes_up_answers(contract: Contract) -> None:
    """Strategies of Hypothesis over texts and frozen values."""
    assert_type(valid_answers(contract), SearchStrategy[str])
    misses, answers = near_misses(contract, ["too_short"], given={"title": str.upper}), texts(contract)
    assert_type(misses.map(lambda miss: miss.text), SearchStrategy[str])
    assert_type(answers.map(lambda answer: answer.readable), SearchStrategy[bool])
    near_misses(contract, ["to_short"])  # type: ignore[list-item]
    texts(contract, ["fence"])  # type: ignore[list-item]


def plays_a_model(contract: Contract) -> str:
    """A script is a value, and a model is a function of messages."""
    assert_type(conversations(contract, ["fixes"]), SearchStrategy[ScriptedConversation])
    script = ScriptedConversation("fixes", {"title": "Printer"}, (AnswerFault("too_short", ("title",), ""),))
    with ScriptedModel(contract, script) as model:
        assert_type(model.base_url, str)
        assert_type(model.judge(), pytest_planguard.Convergence)
    return model([{"role": "user", "content": "go"}])


class Loop(RetryLoopMachine):
    """A loop under test."""

    max_attempts = 2

    def run_loop(self, model: ScriptedModel, task: str) -> str:
        """Ask once."""
        return model(task)


def reads_own_logs() -> None:
    """A log format yields a call for each record."""

    def read(record: Mapping[str, Any]) -> Iterator[Logged]:
        yield Logged(str(record["id"]), request=record["asked"], response=record["said"], fidelity=Fidelity.MESSAGES)

    Registrations().log_reader("ours", lambda record: "asked" in record, read)


def takes_the_fixture(planguard: Planguard) -> Contract:
    """A test's parameter has a type, so that editors complete what it offers."""
    assert_type(planguard.contracts, tuple[Contract, ...])
    return planguard.contract


def lists_its_names() -> list[str]:
    """Each module lists what is public."""
    return [*pytest_planguard.extend.__all__, *pytest_planguard.testing.__all__]


def wrong_uses(registry: Registrations) -> None:
    """Each line is an error to both checkers."""
    registry.constraint("multiple", 2)  # type: ignore[arg-type]
    registry.dialect(read_plan)  # type: ignore[arg-type]
    registry.style("shout", read_wording)  # type: ignore[arg-type]
    registry.constraint("multiple", each(multiple), {"of": 2})  # type: ignore[dict-item]
    assert pytest_planguard.extend.register_rule  # type: ignore[attr-defined]
    assert pytest_planguard.testing.Project  # type: ignore[attr-defined]
