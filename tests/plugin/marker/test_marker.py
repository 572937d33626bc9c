"""What a marker's arguments come to, and what is said about a wrong marker."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.errors import UsageError
from pytest_planguard.plugin.marker.marker import (
    SENT,
    Spec,
    WrongMarkers,
    explain,
    location,
    read_marker,
    take_wrong_markers,
)
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.outcomes import Firmness


def test_the_arguments_decide_how_conversations_are_judged() -> None:
    """Each option of the judgement has its argument; without any the defaults hold."""
    contracts = (Contract(None),)
    assert Spec(contracts, 3).options == JudgeOptions()
    strict = Spec(contracts, 3, weakest="located", known_wordings=False, copy_check=True, checks={"clean": "fail"})
    assert (strict.options.weakest, strict.options.known_wordings, strict.options.copy_check) == (
        Firmness.LOCATED,
        False,
        True,
    )
    assert strict.options.statuses["clean"] == "fail"


CONTRACT = Contract(None)


def read(item: pytest.Item, *arguments: object, **named: object) -> Spec:
    """Read a marker of a test."""
    return read_marker(item, [pytest.mark.planguard(*arguments, **named).mark])


@pytest.mark.parametrize("name", ["printer"])
def test_a_key_is_filled_with_the_parameters(request: pytest.FixtureRequest, name: str) -> None:
    """By a template, or by a function of them."""
    assert read(request.node, CONTRACT, key="the {name}").key == "the printer"
    assert read(request.node, CONTRACT, key=lambda name: name.upper()).key == "PRINTER"
    assert read(request.node, CONTRACT).key is None
    for key, said in (
        ("{id}", "key='{id}' cannot be filled (KeyError: 'id'). Parameters: name"),
        (lambda name: 7, "key gave 7; a case key must be a non-empty text"),
        (lambda name: " ", "key gave ' '; a case key must be a non-empty text"),
    ):
        with pytest.raises(UsageError) as error:
            read(request.node, CONTRACT, key=key)
        assert str(error.value) == said


def test_the_nearest_marker_comes_first(request: pytest.FixtureRequest) -> None:
    """Its contracts replace those of the class, and each of its arguments that of the class."""
    near = pytest.mark.planguard(max_attempts=7).mark
    far = pytest.mark.planguard(CONTRACT, max_attempts=2, samples=4).mark
    spec = read_marker(request.node, [near, far])
    assert (spec.contracts, spec.max_attempts, spec.samples) == ((CONTRACT,), 7, 4)
    assert read(request.node, CONTRACT).max_attempts == 3
    other = Contract(None)
    assert read_marker(request.node, [pytest.mark.planguard(other).mark, far]).contracts == (other,)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "it has no contract. Write @pytest.mark.planguard(CONTRACT), for example Contract(Ticket)"),
        ((dict, list), "<class 'dict'> is not a contract. Write Contract(dict)"),
        ((CONTRACT, 42), "42 is not a contract. Write Contract(...)"),
        (("x" * 100,), f"'{'x' * 79} is not a contract. Write Contract(...)"),
    ],
)
def test_what_is_no_contract_is_refused(
    request: pytest.FixtureRequest, arguments: tuple[object, ...], said: str
) -> None:
    """A long value is cut."""
    with pytest.raises(UsageError) as error:
        read(request.node, *arguments)
    assert str(error.value) == said


def test_models_need_a_parameter(request: pytest.FixtureRequest) -> None:
    """A method of unittest has none."""
    with pytest.raises(
        UsageError, match="models= needs a test function of pytest: a unittest method has no parameters"
    ):
        read(request.node, CONTRACT, models=["a"])


def test_a_test_may_name_its_contract_later(request: pytest.FixtureRequest) -> None:
    """By an argument of the marker, or in its calls if it asks for the fixture."""
    assert read(request.node, contract_from="app.schema").contracts == ()

    def asks(planguard: object) -> None:
        """Ask for the fixture."""

    item = SimpleNamespace(config=request.config, function=asks)
    assert read(item, samples=2).contracts == ()  # type: ignore[arg-type]


def test_mistakes_are_told_together(request: pytest.FixtureRequest) -> None:
    """Tests that share a marker share a line; several mistakes are counted. A worker sends its text."""
    one, other = ([pytest.mark.planguard(n).mark] for n in (1, 2))
    wrong, where = WrongMarkers(), location(request.node)
    first = f"{where}: {request.node.nodeid}: @pytest.mark.planguard: no good"
    wrong.add(request.node, one, "no good")
    assert wrong.text == first
    wrong.add(request.node, one, "no good")
    wrong.add(request.node, one, "no good")
    several = first.replace(": @", " and 2 more: @")
    assert wrong.text == several
    wrong.add(request.node, other, "no good")
    wrong.add(request.node, one, "worse")
    assert wrong.text.splitlines() == [
        "3 markers cannot work:",
        f"  {several}",
        f"  {first}",
        f"  {first.replace('no good', 'worse')}",
    ]
    worker = SimpleNamespace(config=SimpleNamespace(workeroutput={}))
    with pytest.raises(pytest.UsageError, match="3 markers cannot work"):
        wrong.pytest_collection_finish(worker)  # type: ignore[arg-type]
    with pytest.raises(pytest.UsageError) as error:
        take_wrong_markers(worker.config)
    assert str(error.value) == worker.config.workeroutput[SENT] == wrong.text
    take_wrong_markers(SimpleNamespace(workeroutput={}))
    take_wrong_markers(SimpleNamespace())


def test_the_place_of_a_test(request: pytest.FixtureRequest) -> None:
    """Its file from the root folder, and its line, counted from 1."""
    line = test_the_place_of_a_test.__code__.co_firstlineno
    assert location(request.node) == f"tests/plugin/marker/test_marker.py:{line}"


@pytest.mark.parametrize(
    ("used", "name"),
    [
        ("@pytest.mark.planguard(Ticket)", "Ticket"),
        ("@planguard( models.Ticket, )", "models.Ticket"),
        ("@mark.planguard(Contract(Ticket))", None),
        ("@pytest.mark.planguard(Ticket, samples=2)", None),
        ("planguard(Ticket)", None),
    ],
)
def test_a_class_alone_in_a_marker_is_explained(used: str, name: str | None) -> None:
    """The text is that of the failed import, so the hint is its last line."""
    text = f"E   TypeError: BaseModel.__init__() takes 1 argument\n  {used}"
    for said, hinted in ((text, name is not None), (text.replace("TypeError", "trouble"), False)):
        report = pytest.CollectReport("t.py", "failed", said, [])
        explain(report)
        hint = (
            f"planguard: @pytest.mark.planguard({name}) with a class alone marks that class, not the test (a rule of "
            f"pytest's marks). Write @pytest.mark.planguard(Contract({name}))"
        )
        assert report.sections == ([("planguard", hint)] if hinted else [])
