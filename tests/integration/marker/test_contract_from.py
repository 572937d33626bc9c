"""Contracts that the marker does not name: from a fixture, or given in the call."""

from ...support.lookalike import Lookalike
from ..projects import app, project, rows_by_test, run

CALLS = """
@pytest.fixture
def ticket():
    return TICKET

@pytest.fixture
def wrong():
    return Ticket

@pytest.mark.planguard
def test_in_the_call(planguard):
    assert planguard.check(GOOD, contract=TICKET).priority == "high"
    assert planguard.check('{"goal": "g"}', contract=PLAN).goal == "g"
    assert planguard.contracts == (TICKET, PLAN)

@pytest.mark.planguard()
def test_driven_by_a_fixture_value(planguard, ticket):
    assert planguard.converge(lambda messages: GOOD, "a ticket", contract=ticket).title == "Printer"

@pytest.mark.planguard(contract_from="ticket")
def test_from_a_fixture(planguard):
    assert planguard.check(GOOD).priority == "high"

@pytest.mark.planguard
def test_none(planguard):
    planguard.check(GOOD)

@pytest.mark.planguard
def test_nothing(planguard):
    pass

@pytest.mark.planguard(contract_from="wrong")
def test_no_contract_comes(planguard):
    pass

@pytest.mark.planguard(contract_from="ticket")
def test_bad(planguard):
    planguard.check(BAD)
"""
NONE = "the marker names no contract: got none with contract=; give one there, or name one in the marker"
NOTHING = "The marker names no contract, and no call of the test gave one with contract=."
NO_CONTRACT = (
    "contract_from='wrong': the fixture must return a Contract, or a list of them: got <class 'contracts.Ticket'>; "
    "return Contract(...) from it"
)


def test_a_call_or_a_fixture_names_the_contract() -> None:
    """What they name counts as the marker's; without any the failure says where to name it."""
    done = project(CALLS).run_pytest("-q")
    assert dict(done.outcomes) == {"passed": 3, "failed": 3, "error": 1}, done.output
    assert NONE in done.stdout
    assert NOTHING in done.stdout
    assert NO_CONTRACT in done.stdout
    names = {test: [name for name, _ in row["contracts"]] for test, row in rows_by_test(done.example).items()}
    assert names["test_in_the_call"] == ["Ticket", "Plan"]
    assert names["test_driven_by_a_fixture_value"] == names["test_from_a_fixture"] == names["test_bad"] == ["Ticket"]


OBSERVED = """
@pytest.fixture(params=["Ticket", "Other"])
def contract(request):
    from pytest_planguard import Contract
    return Contract(Ticket, name=request.param)

@pytest.mark.planguard(contract_from="contract")
def test_it(contract):
    apps.first_only(ask.plain, "printer on fire")
"""


def test_the_contract_of_a_fixture_judges_what_an_app_asks(server: Lookalike) -> None:
    """Each case by its own, recorded and replayed: a retry that drops an error is found."""
    recorded = run(app(OBSERVED), server, "--planguard-record=missing")
    assert dict(recorded.outcomes) == {"failed": 2}, recorded.output
    server.stop()
    replayed = run(recorded.example, server)
    assert dict(replayed.outcomes) == {"failed": 2}, replayed.output
    for name in ("Ticket", "Other"):
        assert f"planguard: {name}: missing on the way to attempt 2: steps" in replayed.stdout
