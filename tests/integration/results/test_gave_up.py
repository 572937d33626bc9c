"""An app that raises because it gave up: one failure with the answer before it. Six other exceptions are news."""

import json

import pytest

from pytest_planguard.testing.example import Example

from ...support.lookalike import Lookalike
from ..projects import app, rows, run

FILE = "known.json"
WITH = ("-q", f"--planguard-baseline={FILE}")
GIVES_UP = """
import apps


class NoTicket(RuntimeError):
    pass


class OtherError(NoTicket):
    pass


def create(ask, task, error=NoTicket):
    text = apps.careful(ask, task, attempts=2)
    if text is None:
        raise error("no ticket")
    return text


def broken(ask, task):
    apps.careful(ask, task, attempts=2)
    return {}["title"]


async def in_a_group(ask, task):
    import asyncio

    async def one(error):
        raise error("no ticket")

    apps.careful(ask, task, attempts=2)
    async with asyncio.TaskGroup() as group:
        group.create_task(one(NoTicket))
        group.create_task(one(ValueError))
"""
TEST = """
import giving_up

@pytest.mark.planguard(TICKET)
def test_it():
    giving_up.create(ask.plain, "a stubborn mule")
"""


def project(test: str = TEST) -> Example:
    """A project whose app raises once its attempts are used up."""
    return app(test).with_files({"giving_up.py": GIVES_UP})


def listed(server: Lookalike, test: str = TEST) -> Example:
    """The same, recorded, with its failures written down."""
    return run(project(test), server, *WITH, "--planguard-record=missing", "--planguard-baseline-update").example


def entries(example: Example) -> list[str]:
    """The rules that the list holds."""
    return [entry["rule"] for entry in json.loads(example.read(FILE))["failures"]]


def test_giving_up_is_listed_with_the_answer_that_it_follows_from(server: Lookalike) -> None:
    """By its class; the list excuses both, the row keeps it, also in workers."""
    known = listed(server)
    assert entries(known) == ["enum", "gave_up:giving_up.NoTicket"]
    again = run(known, server, *WITH, "-rx", "-n", "2", plugins=("planguard", "xdist"))
    assert (again.returncode, dict(again.outcomes)) == (0, {"xfailed": 1}), again.output
    assert "known failure: enum at priority; gave_up:giving_up.NoTicket" in again.stdout
    assert [row["gave_up"] for row in rows(again.example)] == ["giving_up.NoTicket"]


def test_another_class_is_a_new_failure(server: Lookalike) -> None:
    """Also one that is derived from the listed class; listing it adds one entry."""
    known = listed(server)
    other = known.replaced('"a stubborn mule")', '"a stubborn mule", giving_up.OtherError)')
    red = run(other, server, *WITH)
    assert (red.returncode, dict(red.outcomes)) == (1, {"failed": 1}), red.output
    assert "test_app.py::test_it: gave_up:giving_up.OtherError\n" in red.stdout
    assert "1 failure not listed: fix, or list with --planguard-baseline-update" in red.stdout


def test_each_exception_of_a_group_counts(server: Lookalike) -> None:
    """A task group that ended with two classes is one entry with both; with an assert among them it is no entry."""
    test = """
import asyncio, giving_up

@pytest.mark.planguard(TICKET)
def test_it():
    asyncio.run(giving_up.in_a_group(ask.plain, "a stubborn mule"))
"""
    known = listed(server, test)
    assert entries(known) == ["enum", "gave_up:ValueError,giving_up.NoTicket"]
    asserted = run(known.replaced("one(ValueError)", "one(AssertionError)"), server, *WITH)
    assert (asserted.returncode, dict(asserted.outcomes)) == (1, {"failed": 1})


OWN = {
    "a KeyError after a conversation that converged": """
@pytest.mark.planguard(TICKET)
def test_it():
    giving_up.broken(ask.plain, "printer on fire")
""",
    "an assert": """
@pytest.mark.planguard(TICKET)
def test_it():
    assert apps.careful(ask.plain, "a stubborn mule", attempts=2)
""",
    "pytest.fail": """
@pytest.mark.planguard(TICKET)
def test_it():
    if apps.careful(ask.plain, "a stubborn mule", attempts=2) is None:
        pytest.fail("no ticket")
""",
    "an exception of the test's own file": """
@pytest.mark.planguard(TICKET)
def test_it():
    apps.careful(ask.plain, "a stubborn mule", attempts=2)["title"]
""",
    "a rejected conversation before one that converged": """
@pytest.mark.planguard(TICKET)
def test_it():
    apps.careful(ask.plain, "a stubborn mule", attempts=2)
    giving_up.broken(ask.plain, "printer on fire")
""",
    "an exchange after the last attempt": """
import httpx2, os

@pytest.mark.planguard(TICKET)
def test_it():
    apps.careful(ask.plain, "a stubborn mule", attempts=2)
    httpx2.get(os.environ["LOOKALIKE"] + "/v1/models", verify=False)
    giving_up.create(lambda _messages: "{}", "nobody is asked")
""",
    "a teardown": """
@pytest.fixture
def parting():
    yield
    giving_up.create(lambda _messages: "{}", "nobody is asked")

@pytest.mark.planguard(TICKET)
def test_it(parting):
    apps.careful(ask.plain, "a stubborn mule", attempts=2)
""",
}


@pytest.mark.parametrize("test", OWN.values(), ids=OWN)
def test_what_does_not_follow_from_the_answer_stays_red(server: Lookalike, test: str) -> None:
    """No list excuses it: the run that writes failures down leaves it out, and the next one is as red."""
    known = listed(server, "import giving_up\n" + test)
    assert [rule for rule in entries(known) if rule.startswith("gave_up")] == []
    again = run(known, server, *WITH)
    assert again.returncode == 1
    assert not {"passed", "xfailed"} & dict(again.outcomes).keys() or "error" in again.outcomes, again.output


IN_THE_TEST = """
class NoTicket(RuntimeError):
    pass

class Derived(NoTicket):
    pass

@pytest.mark.planguard(TICKET)
def test_it():
    if apps.careful(ask.plain, "a stubborn mule", attempts=2) is None:
        raise Derived("no ticket")
"""


def test_a_class_of_the_tests_own_file_can_be_named(server: Lookalike) -> None:
    """By itself or by one that it is derived from; without that the run says how."""
    unnamed = run(app(IN_THE_TEST), server, *WITH, "--planguard-record=missing", "--planguard-baseline-update")
    assert (
        "1 failure cannot be listed, since the test fails for other reasons, too: test_app.py::test_it "
        "(an exception by which the app gives up is named in planguard_gives_up)\n"
    ) in unnamed.stdout
    ini = {"pytest.ini": "[pytest]\nplanguard_gives_up = other.Error test_app.NoTicket\n"}
    named = run(unnamed.example.with_files(ini), server, *WITH, "--planguard-baseline-update")
    assert entries(named.example) == ["enum", "gave_up:test_app.Derived"]
    assert dict(run(named.example, server, *WITH).outcomes) == {"xfailed": 1}
