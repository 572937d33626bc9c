"""One test for each case that `cases.json` names: a loop, a subject, where the errors are, a wording, a version."""

from __future__ import annotations

import json
import sqlite3
import unittest
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app import loops
from app.feedback import WORDINGS, Feedback
from app.subjects import SUBJECTS

Case = tuple[str, str, str, str, str]
CASES: list[Case] = [tuple(case) for case in json.loads(Path(__file__).with_name("cases.json").read_text())]
"""Loop, subject, position, wording and version."""
KINDS = {
    "fixture": "raw",
    "other fixture": "raw",
    "unittest": "raw",
    "isolated": "asynchronous",
    "anyio": "asynchronous",
}
"""Ways to be called, and the loop that is."""
OWN = (*KINDS, "asynchronous", "openai_async")


def marked(case: Case) -> pytest.MarkDecorator:
    """One error at a time is right where it is agreed."""
    loop, subject, _, wording, _ = case
    contract = SUBJECTS[subject].submitted if loop == "tool_agent" else SUBJECTS[subject].contract
    return pytest.mark.planguard(contract, coverage="first" if WORDINGS[wording].first else "all")


def cases(*kinds: str) -> pytest.MarkDecorator:
    """The cases of some loops."""
    chosen = [pytest.param(case, id="-".join(case), marks=marked(case)) for case in CASES if case[0] in kinds]
    return pytest.mark.parametrize("case", chosen)


def run(case: Case) -> Any:
    """Call the loop of a case."""
    loop, *told = case
    name = KINDS.get(loop, loop)
    return getattr(loops, name)(Feedback(*told, number=CASES.index(case)))


@cases(*{case[0] for case in CASES} - {*OWN})
def test_sync(case: Case) -> None:
    """The body calls the app."""
    assert run(case)


@pytest.fixture
def app() -> Callable[[Case], Any]:
    """How the app is called; the ini file says that a test may use it twice."""
    return run


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """Something that keeps what a test does; nobody says that a test may use it twice."""
    connection = sqlite3.connect(tmp_path_factory.mktemp("data") / "done.db", isolation_level=None)
    connection.execute("create table done (answer text)")
    yield connection
    connection.close()


@cases("fixture")
def test_fixture(case: Case, app: Callable[[Case], Any]) -> None:
    """The app comes from a fixture."""
    assert app(case)


@cases("other fixture")
def test_other_fixture(case: Case, database: sqlite3.Connection) -> None:
    """The test writes to what it shares with others."""
    database.execute("insert into done values (?)", (str(run(case)),))


@pytest.mark.asyncio
@cases("asynchronous", "openai_async")
async def test_asyncio(case: Case) -> None:
    """Awaited, by pytest-asyncio."""
    assert await run(case)


@pytest.fixture
def anyio_backend() -> str:
    """The event loop of anyio's tests."""
    return "asyncio"


@pytest.mark.anyio
@cases("anyio")
async def test_anyio(case: Case) -> None:
    """Awaited, by anyio."""
    assert await run(case)


def method(case: Case, name: str) -> Callable[[Any], Any]:
    """A test method for a unittest class, which has no parameters."""

    def test(self: unittest.TestCase) -> None:
        self.assertTrue(run(case))  # noqa: PT009 - as unittest classes are written

    async def atest(self: unittest.IsolatedAsyncioTestCase) -> None:
        self.assertTrue(await run(case))  # noqa: PT009 - as unittest classes are written

    made: Any = atest if case[0] == "isolated" else test
    made.__name__ = made.__qualname__ = name
    return marked(case)(made)


def methods(kind: str) -> dict[str, Any]:
    """The test methods of one kind, by name."""
    named = (("test_" + "__".join(case).replace(" ", "_"), case) for case in CASES if case[0] == kind)
    return {name: method(case, name) for name, case in named}


TestPlain = type("TestPlain", (unittest.TestCase,), methods("unittest"))
TestIsolated = type("TestIsolated", (unittest.IsolatedAsyncioTestCase,), methods("isolated"))
