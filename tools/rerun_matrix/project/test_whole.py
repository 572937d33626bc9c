"""The project's tests."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import unittest
import warnings
from pathlib import Path
from typing import Any, ClassVar

import pytest
from apps import TICKET, dialogue, summary
from ask import ask
from told import work

case = pytest.mark.planguard(TICKET, cassette="summary.yaml")
lossy = pytest.mark.planguard(TICKET, cassette="lossy.yaml")


@case
def test_plain() -> None:
    summary(ask)


@case
def test_commits(database: Any, names: list[str]) -> None:
    summary(ask)
    database.execute("insert into orders values ('commits')")
    names.append("commits")


@case
def test_commits_when_torn_down(committing: Any, names: list[str]) -> None:
    summary(ask)
    committing.execute("insert into orders values ('torn down')")
    names.append("torn down")


@case
def test_reads(database: Any) -> None:
    assert database.execute("select count(*) from orders where name = 'reads'").fetchone() == (0,)
    summary(ask)


@case
def test_takes_back(transaction: Any) -> None:
    transaction.execute("insert into orders values ('taken back')")
    summary(ask)


def test_counts(database: Any, names: list[str]) -> None:
    found = {name for (name,) in database.execute("select name from orders")}
    assert (found, len(found)) == ({*names}, len(names))


@case
def test_remembers(names: list[str], database: Any) -> None:
    """Shared data is not written to a disk, and put back all the same."""
    assert "remembers" not in names
    names.append("remembers")
    summary(ask)
    database.execute("select 1")
    names.remove("remembers")


@case
def test_own_server(server: Any) -> None:
    assert server() == 1
    summary(ask)


@case
def test_shared_server(shared_server: Any) -> None:
    before = shared_server()
    summary(ask)
    assert shared_server() == before + 1


@case
def test_capsys(capsys: pytest.CaptureFixture[str]) -> None:
    print("one")
    summary(ask)
    assert capsys.readouterr().out == "one\n"
    print("left")
    with capsys.disabled():
        pass


@case
def test_caplog(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("app").warning("one")
    summary(ask)
    assert [r.message for r in caplog.records if r.name == "app"] == ["one"]


@case
def test_slow(slow: None, record_property: Any) -> None:
    work(1)
    print("in the body")
    logging.getLogger("app").warning("in the body")
    warnings.warn("once", stacklevel=1)
    record_property("seen", "once")
    summary(ask)


@case
def test_by_outcome(by_outcome: None) -> None:
    summary(ask)


@case
def test_fails(by_outcome: None, slow: None) -> None:
    summary(ask)
    raise ValueError("mine")


@case
def test_broken(broken: None, slow: None) -> None:
    summary(ask)


@case
@pytest.mark.xfail(strict=True)
def test_expected(by_outcome: None) -> None:
    summary(ask)
    raise ValueError("mine")


@case
def test_leaves_traces(leaving_traces: Path) -> None:
    assert "TRACE" not in os.environ
    os.environ["TRACE"] = "left"
    Path("file").write_text("x", encoding="utf-8")
    assert [p.name for p in leaving_traces.iterdir()] == ["file"]
    summary(ask)
    del os.environ["TRACE"]


@case
def test_says_its_folder(tmp_path: Path) -> None:
    dialogue(lambda m: ask([{**m[0], "content": m[0]["content"]}, *m[1:]]), _saying(tmp_path))


def _saying(folder: Path) -> Any:
    return lambda _, found: f"In {folder / 'ticket.json'}: please look again at {' and '.join(found)}."


@case
def test_random(tmp_path: Path) -> None:
    drawn = random.random()
    (tmp_path / str(drawn)).touch()
    summary(ask)


@case
@pytest.mark.parametrize("name", ["a", "b"])
def test_each(name: str, transaction: Any) -> None:
    transaction.execute("insert into orders values (?)", (name,))
    summary(ask)


@case
def test_subtests(subtests: Any) -> None:
    for number in range(2):
        with subtests.test("part", number=number):
            assert number == 0
    summary(ask)


@case
@pytest.mark.asyncio
async def test_asyncio(transaction: Any) -> None:
    await asyncio.sleep(0)
    transaction.execute("insert into orders values ('asyncio')")
    summary(ask)


@case
@pytest.mark.anyio
async def test_anyio(anyio_backend_name: str, transaction: Any) -> None:
    transaction.execute("insert into orders values ('anyio')")
    summary(ask)


@pytest.fixture
def anyio_backend() -> str:
    """One is enough."""
    return "asyncio"


@case
class TestXunit:
    made = 0
    seen: list[str]

    @classmethod
    def setup_class(cls) -> None:
        cls.made += 1
        cls.seen = []

    @classmethod
    def teardown_class(cls) -> None:
        assert (cls.made, len(cls.seen)) == (1, len(set(cls.seen)))

    def setup_method(self) -> None:
        self.number = 0

    def teardown_method(self) -> None:
        assert self.number == 1

    def test_one(self) -> None:
        self.number += 1
        self.seen.append("one")
        summary(ask)

    def test_two(self) -> None:
        self.number += 1
        self.seen.append("two")
        summary(ask)


@pytest.fixture(scope="class")
def kept() -> Any:
    """What the methods of a class share."""
    kept: dict[str, Any] = {"names": [], "count": 0}
    yield kept
    assert kept["count"] == len(kept["names"]) == len({*kept["names"]})


class TestClassScope:
    @case
    def test_first(self, kept: Any) -> None:
        assert "first" not in kept["names"]
        kept["names"].append("first")
        kept["count"] += 1
        summary(ask)

    @case
    def test_second(self, kept: Any) -> None:
        assert "second" not in kept["names"]
        kept["names"].append("second")
        kept["count"] += 1
        summary(ask)


@case
class TestUnit(unittest.TestCase):
    made: ClassVar[list[str]] = []

    @classmethod
    def setUpClass(cls) -> None:
        cls.made.append("class")

    @classmethod
    def tearDownClass(cls) -> None:
        assert cls.made == ["class", "body"]
        cls.made.clear()

    def setUp(self) -> None:
        self.own: list[int] = []

    def tearDown(self) -> None:
        assert self.own == [1]

    def test_body(self) -> None:
        self.own.append(1)
        self.made.append("body")
        with self.subTest(part=1):
            summary(ask)
        with self.subTest(part=2):
            raise AssertionError("a part")


@case
class TestAsyncUnit(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.own: list[int] = []

    async def test_body(self) -> None:
        self.own.append(1)
        await asyncio.sleep(0)
        summary(ask)
        assert self.own == [1]


@lossy
def test_lossy(slow: None, by_outcome: None) -> None:
    print("in the body")
    summary(ask, "steps")
