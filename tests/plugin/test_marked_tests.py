"""Where the fixture of a marked test stands among the others, and which tests share a cassette."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard import Contract
from pytest_planguard.plugin import marked_tests
from pytest_planguard.plugin.marked_tests import _refuse_shared, around, attach
from pytest_planguard.plugin.marker.marker import REFUSED, SPEC, Spec


class Collected(SimpleNamespace):
    """A test, told from others by itself."""

    __hash__ = object.__hash__


def item(config: pytest.Config, nodeid: str, names: list[str], wanted: str = "", wide: str = "") -> Any:
    """Return a test that pytest has collected, with fixtures of its own and of a wider scope."""
    scopes = {**dict.fromkeys(names, "function"), **dict.fromkeys(wide.split(), "module")}
    known = {name: [SimpleNamespace(scope=scope)] for name, scope in scopes.items()}
    return Collected(
        config=config,
        nodeid=nodeid,
        name=nodeid.rpartition("::")[2],
        path=config.rootpath / nodeid.partition("::")[0],
        fixturenames=names,
        stash=pytest.Stash(),
        keywords={},
        iter_markers=lambda name=None: iter(()),
        _fixtureinfo=SimpleNamespace(argnames=tuple(wanted.split()), name2fixturedefs=known),
    )


@pytest.mark.parametrize(
    ("names", "wanted", "order"),
    [
        ("auto", "", "auto planguard"),
        ("auto own other", "own other", "auto planguard own other"),
        ("auto own", "planguard own", "auto planguard own"),
        ("auto own planguard", "own planguard", "auto planguard own"),
        ("auto planguard own", "planguard own", "auto planguard own"),
        ("planguard auto own", "own", "planguard auto own"),
        ("wide auto own", "wide own", "wide auto planguard own"),
        ("own wide", "wide", "own wide planguard"),
    ],
)
def test_the_cassette_opens_before_the_fixtures_that_a_test_asks_for(
    pytestconfig: pytest.Config, names: str, wanted: str, order: str
) -> None:
    """After all that pytest sets up by itself, or for other tests too; in whatever order the test names them."""
    one = item(pytestconfig, "t.py::t", names.split(), wanted, wide="wide")
    attach(one, [pytest.mark.planguard(Contract(None)).mark])
    assert " ".join(one.fixturenames) == order
    assert len(one.stash[SPEC].contracts) == 1


def test_two_workers_may_not_record_into_one_file(pytestconfig: pytest.Config) -> None:
    """Up to four of its tests are named, in order; a cassette of one test is none's business."""
    own, shared = Spec((), 3), Spec((), 3, cassette="cassettes/a.yaml")
    several = [item(pytestconfig, f"t.py::t{n}", []) for n in (5, 3, 1, 2, 4)]
    alone = item(pytestconfig, "t.py::alone", [])
    _refuse_shared({**dict.fromkeys(several, shared), alone: own})
    assert REFUSED not in alone.stash
    said = (
        "a.yaml is the cassette of 5 tests (t.py::t1, t.py::t2, t.py::t3, t.py::t4), and two workers may not record "
        "into one file. Give each test its own cassette, or record without -n."
    )
    assert [one.stash[REFUSED] for one in several] == [said] * 5


def test_a_test_without_a_case_runs_as_it_is() -> None:
    """Another plugin has set it up and runs it itself."""
    one: Any = SimpleNamespace(stash=pytest.Stash())
    steps: Iterator[None] = around(one)  # type: ignore[assignment]
    assert [*steps] == [None]


def test_guards_that_cannot_be_kept_in_place_end_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the two is tried, and ends with the session."""
    ended: list[Any] = []
    config: Any = SimpleNamespace(add_cleanup=ended.append)

    def refused() -> object:
        raise OSError("no")

    monkeypatch.setattr(marked_tests.installed_guard, "keep_in_place", refused)
    monkeypatch.setattr(marked_tests.children, "keep_in_place", lambda: "the end of children")
    marked_tests.keep_guards(config)
    assert ended == ["the end of children"]
