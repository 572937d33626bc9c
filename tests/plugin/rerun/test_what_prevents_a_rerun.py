"""What prevents a test from running again for an experiment, and the way out."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.plugin.case import Case
from pytest_planguard.plugin.marker.marker import Spec
from pytest_planguard.plugin.options import Settings
from pytest_planguard.plugin.rerun.obstacles import (
    Obstacle,
    committed,
    group_of,
    may_be_run_again,
    obstacle,
    prove_mode,
)
from pytest_planguard.plugin.rerun.watching import DATA, OPENED, WRITES, KeptData
from pytest_planguard.plugin.rerun.writes import Opened, Writes, open_connections

SPEC = Spec((), 3)
MAY = "prove=True or planguard.prove_feedback(run)"
Made = Callable[..., Case]


@pytest.fixture(scope="module")
def database() -> dict[str, str]:
    """What the tests of this file share."""
    return {}


@pytest.fixture(scope="module")
def queue() -> None:
    """Another one of these."""


cache = index = queue


@pytest.fixture
def opened(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> Opened:
    """What this session has opened."""
    found = Opened()
    monkeypatch.setitem(pytestconfig.stash, OPENED, found)  # type: ignore[arg-type]
    return found


@pytest.fixture
def made(request: pytest.FixtureRequest) -> Iterator[Made]:
    """Make the case of the running test."""

    def case(spec: Spec = SPEC, **settings: Any) -> Case:
        return Case(request.node, spec, Settings(**settings), "key")

    yield case
    for key in (DATA, WRITES):
        if key in request.node.stash:
            del request.node.stash[key]


def told(case: Case) -> str:
    """Return why the case does not run again, without the words that all reasons begin with."""
    found = obstacle(case)
    assert found is not None
    return str(found).removeprefix("planguard does not run the app again, since ")


def test_a_reason_has_up_to_three_parts() -> None:
    """What holds for all tests of a kind groups them; what was seen in one of them does not."""
    start = "planguard does not run the app again, since "
    one, other = Obstacle("a child ran", "curl", "say so"), Obstacle("a child ran", "node", "say so")
    assert str(one) == f"{start}a child ran: curl; say so"
    assert str(Obstacle("a child ran")) == f"{start}a child ran"
    assert str(Obstacle("a child ran", "", "say so")) == f"{start}a child ran; say so"
    assert group_of(str(one)) == group_of(str(other)) == "a child ran; say so"
    assert group_of(str(Obstacle("a child ran"))) == "a child ran; "


@pytest.mark.parametrize(
    ("marked", "setting", "mode"),
    [
        (None, "auto", "auto"),
        (None, "never", "never"),
        (None, "always", "always"),
        (True, "never", "always"),
        (False, "always", "never"),
    ],
)
def test_the_marker_decides_before_the_ini_file(made: Made, marked: bool | None, setting: str, mode: str) -> None:
    """With "never", no experiment may be hoped for."""
    case = made(SPEC._replace(prove=marked), prove=setting)
    assert prove_mode(case) == mode
    assert may_be_run_again(case) is (mode != "never")


def test_a_test_that_proves_by_itself_has_no_obstacle(made: Made) -> None:
    """Its own experiments are over, whatever else it did."""
    case = made(SPEC._replace(commands=("claude",)))
    assert not may_be_run_again(case)
    case.proved = True
    assert may_be_run_again(case)


def test_what_prevents_even_a_rerun_on_request(
    made: Made, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands, examples of Hypothesis, snapshots, and what a user watches."""
    always = SPEC._replace(prove=True)
    assert obstacle(made(always)) is obstacle(made()) is None
    own = "; planguard.prove_feedback(run)"
    assert told(made(always._replace(commands=("claude",)))) == f"its commands have run already{own}"
    examples = made(always)
    examples.item = SimpleNamespace(config=pytestconfig, obj=SimpleNamespace(is_hypothesis_test=True))  # type: ignore[assignment]
    assert told(examples) == f"Hypothesis gives it examples{own}"
    for option, why in (
        ("setupshow", "each set-up is shown (--setup-show)"),
        ("trace", "a debugger goes through each test (--trace)"),
        ("update_snapshots", "this run updates snapshots"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(pytestconfig.option, option, True, raising=False)
            assert told(made(always)) == why


@pytest.mark.parametrize("flags", ["create", "short-report,fix", "trim", "update", "review"])
def test_inline_snapshots_may_be_written(
    made: Made, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, flags: str
) -> None:
    """Each flag that accepts new values prevents a rerun, and the others do not."""
    monkeypatch.setattr(pytestconfig.option, "inline_snapshot", flags, raising=False)
    assert told(made()) == "this run updates snapshots"
    monkeypatch.setattr(pytestconfig.option, "inline_snapshot", "short-report,disable")
    assert obstacle(made()) is None


@pytest.mark.usefixtures("database")
def test_a_fixture_may_be_excepted(made: Made) -> None:
    """Unless the marker asks for experiments."""
    settings = {"prove_except": ("other", "database")}
    assert told(made(**settings)) == "it uses the fixture database; planguard_prove_except"
    assert obstacle(made(SPEC._replace(prove=True), **settings)) is None
    assert obstacle(made(prove_except=("other",))) is None


def test_a_child_process_prevents_a_rerun(made: Made) -> None:
    """The first one is named; asked for, the app runs all the same."""
    for marked, why in ((None, f"a child process ran: curl; if it may run twice: {MAY}"), (True, None)):
        case = made(SPEC._replace(prove=marked))
        case.processes = SimpleNamespace(children={"curl": None, "node": None}, senders=())  # type: ignore[assignment]
        assert (told(case) if why else obstacle(case)) == why


def test_a_server_may_remember_what_it_was_asked(made: Made, opened: Opened) -> None:
    """One of another process, or of a shared fixture; not one that the test itself has started."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = f"127.0.0.1:{server.getsockname()[1]}"

        def reaches(*places: str, **settings: Any) -> Case:
            case = made(**settings)
            case.session = SimpleNamespace(reached=places)  # type: ignore[assignment]
            return case

        assert obstacle(reaches()) is obstacle(reaches("db.example.com")) is obstacle(reaches(place)) is None
        assert told(reaches("db.example.com", place, "127.0.0.1:9")) == (
            f"it reaches a server other than the model's: 127.0.0.1:9; if that may happen twice: {MAY}"
        )
        opened.own_ports.add(9)
        assert obstacle(reaches("127.0.0.1:9")) is None
        opened.setting_up = "web"
        opened.note_server(server, None)
        assert told(reaches(place)) == (
            f"it reaches the server of the fixture web: {place}; "
            f"if it may be used twice: planguard_prove_fixtures = web, {MAY}"
        )
        assert obstacle(reaches(place, prove_fixtures=("web",))) is None


@pytest.mark.usefixtures("database")
def test_a_shared_fixture_may_keep_traces(made: Made, opened: Opened, request: pytest.FixtureRequest) -> None:
    """A database in memory, a connection, much data, or a file that was written; not if it may be used twice."""
    shared = "it shares the fixture database with other tests, and"
    twice = f"if it may be used twice: planguard_prove_fixtures = database, {MAY}"
    assert obstacle(made()) is None
    writes = request.node.stash[WRITES] = Writes(opened, lambda _: False)
    writes.begin_body()
    assert obstacle(made()) is None
    writes.note_change("out.txt")
    assert told(made()) == f"{shared} writes: out.txt; {twice}"
    request.node.stash[DATA] = KeptData([[0] * 20_001], (), lambda _: False)
    assert told(made()) == f"{shared} that holds too much data to restore; {twice}"
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        opened.connections["database"] = {*open_connections()}
        assert told(made()) == f"{shared} that holds a connection, whose writes planguard cannot see; {twice}"
    opened.in_memory.add("database")
    assert told(made()) == f"{shared} that holds a database in memory; {twice}"
    assert obstacle(made(prove_fixtures=("database",))) is None


@pytest.mark.usefixtures("database", "queue", "cache", "index")
def test_three_shared_fixtures_are_named(made: Made, opened: Opened, request: pytest.FixtureRequest) -> None:
    """In the reason and in the advice, however many there are."""
    writes = request.node.stash[WRITES] = Writes(opened, lambda _: False)
    writes.begin_body()
    writes.note_change("out.txt")
    assert told(made()) == (
        "it shares the fixtures database, queue, cache with other tests, and writes: out.txt; "
        f"if it may be used twice: planguard_prove_fixtures = database queue cache, {MAY}"
    )
    assert told(made(prove_fixtures=("queue", "index", "cache"))).startswith("it shares the fixture database with")


@pytest.mark.parametrize(
    ("owner", "allowed", "why"),
    [
        ("store", (), "it shares the fixture store with other tests, and writes: a.db"),
        ("store", ("store",), None),
        (None, (), "it writes to what other tests use: a.db"),
        (None, ("store",), None),
    ],
)
def test_a_commit_to_a_shared_database(
    made: Made,
    opened: Opened,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    owner: str | None,
    allowed: tuple[str, ...],
    why: str | None,
) -> None:
    """One that a fixture has opened is the fixture's; whose another one is, nobody knows."""
    file = tmp_path / "a.db"
    opened.databases[str(file)] = owner
    assert committed(made(prove_fixtures=allowed)) is None
    writes = request.node.stash[WRITES] = Writes(opened, lambda _: False)
    writes.begin_body()
    assert committed(made(prove_fixtures=allowed)) is None
    file.write_text("committed")
    found = committed(made(prove_fixtures=allowed))
    assert (None if found is None else f"{found.why}: {found.what}") == why
    if owner is None and found is not None:
        assert found.way_out == f"if it may run twice: {MAY}"
