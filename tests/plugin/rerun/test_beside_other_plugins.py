"""What a rerun does for other plugins and for the project's own hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.plugin.rerun import other_plugins
from pytest_planguard.plugin.rerun.other_plugins import (
    Timer,
    _keeps,
    add_call_report,
    keep_timer,
    needs_fixtures_after_body,
    reseed,
    uncounted_snapshots,
)
from pytest_planguard.plugin.rerun.pytest_parts import (
    _is_core,
    fixtures_so_far,
    raise_as_torn_down,
    report_of,
    temporary_folder,
    temporary_name,
    value_of,
)


@pytest.fixture
def timed() -> tuple[Any, list[tuple[str, Any]]]:
    """A test of a session with pytest-timeout, and what that was told."""
    told: list[tuple[str, Any]] = []
    hook = SimpleNamespace(
        pytest_timeout_cancel_timer=lambda item: told.append(("cancel", item.name)),
        pytest_timeout_set_timer=lambda item, settings: told.append((item.name, settings)),
    )
    return SimpleNamespace(name="t", stash=pytest.Stash(), config=SimpleNamespace(hook=hook)), told


def test_a_timer_runs_for_each_run(timed: tuple[Any, list[tuple[str, Any]]]) -> None:
    """With the settings of the test, and stops even if the run fails; without a timer nothing is told."""
    item, told = timed
    with Timer.around(item):
        pass
    assert told == []
    keep_timer(item, "5 s")
    with pytest.raises(ValueError, match="no"), Timer.around(item):
        raise ValueError("no")
    assert told == [("t", "5 s"), ("cancel", "t")]


def test_pytest_randomly_sets_its_seeds() -> None:
    """By its own hook, if it is there."""
    told: list[tuple[str, str]] = []
    plugins: dict[str, Any] = {"randomly": SimpleNamespace(pytest_runtest_call=lambda item: told.append(item))}
    item: Any = SimpleNamespace(config=SimpleNamespace(pluginmanager=SimpleNamespace(getplugin=plugins.get)))
    reseed(item, "pytest_runtest_call")
    plugins.clear()
    reseed(item, "pytest_runtest_call")
    assert told == [item]


def test_snapshots_of_a_rerun_are_not_counted() -> None:
    """Syrupy's list is as it was, however the rerun ends; without syrupy there is none."""
    listed = ["before"]
    config: Any = SimpleNamespace(_syrupy=SimpleNamespace(_assertions=listed))
    with suppress(ValueError), uncounted_snapshots(config):
        listed.append("rerun")
        raise ValueError
    assert listed == ["before"]
    for without in (SimpleNamespace(), SimpleNamespace(_syrupy=None), SimpleNamespace(_syrupy=SimpleNamespace())):
        with uncounted_snapshots(without):  # type: ignore[arg-type]
            pass


def by_attribute(item: Any, rep: Any) -> None:
    """Keep a report as an attribute."""
    item.rep = rep


def by_name(item: Any, rep: Any) -> None:
    """Keep a report by a name that is not fixed."""
    setattr(item, "rep_" + rep.when, rep)


def by_stash(item: Any, rep: Any) -> None:
    """Keep a report in the stash."""
    item.stash["rep"] = rep


def by_keywords(item: Any, rep: Any) -> None:
    """Keep a report among the keywords."""
    item.keywords["rep"] = rep


def by_properties(item: Any, rep: Any) -> None:
    """Keep a report among the properties."""
    item.user_properties.append(rep)


def reads(item: Any, rep: Any) -> None:
    """Keep nothing."""
    print(item.nodeid, rep)


@pytest.mark.parametrize(
    ("hook", "keeps"),
    [
        (by_attribute, True),
        (by_name, True),
        (by_stash, True),
        (by_keywords, True),
        (by_properties, True),
        (reads, False),
    ],
)
def test_a_hook_that_keeps_reports_is_known_by_its_code(hook: Callable[..., None], keeps: bool) -> None:
    """Only such a hook is called once more."""
    assert _keeps(hook) is keeps  # type: ignore[arg-type]


def setup_report(nodeid: str, when: Any = "setup") -> pytest.TestReport:
    """Return a report of a phase."""
    return pytest.TestReport(nodeid, ("t.py", 0, "t"), {}, "passed", None, when)


KEPT: pytest.StashKey[dict[str, object]] = pytest.StashKey()


@pytest.fixture
def item(request: pytest.FixtureRequest) -> Iterator[pytest.Item]:
    """The running test, whose attributes are put back."""
    before = dict(vars(request.node))
    yield request.node
    for name in vars(request.node).keys() - before.keys():
        delattr(request.node, name)
    request.node.stash.setdefault(KEPT, {})
    del request.node.stash[KEPT]


@pytest.mark.parametrize("error", [None, ValueError("no")])
def test_the_report_of_the_call_stands_beside_that_of_the_set_up(item: pytest.Item, error: Exception | None) -> None:
    """As an attribute, in a dictionary or in the stash; not beside a report of something else."""
    vars(item).update(
        rep_setup=setup_report(item.nodeid),
        setup=setup_report(item.nodeid),
        other_setup=setup_report("other"),
        late_setup=setup_report(item.nodeid, "teardown"),
        text_setup="text",
        kept={"setup": setup_report(item.nodeid)},
        kept_other={"setup": setup_report("other")},
    )
    stashed: dict[str, object] = {"setup": setup_report(item.nodeid)}
    item.stash[KEPT] = stashed
    add_call_report(item, error)
    own: Any = vars(item)
    found = [own["rep_call"], own["call"], own["kept"]["call"], stashed["call"]]
    assert {(one.when, one.outcome) for one in found} == {("call", "passed" if error is None else "failed")}
    assert not {"other_call", "late_call", "text_call"} & own.keys()
    assert own["kept_other"].keys() == {"setup"}


def test_a_report_is_made_by_pytest_alone(item: pytest.Item) -> None:
    """Without the other plugins, it is that of a call."""
    assert report_of(item, None).passed
    failed = report_of(item, ValueError("no"))
    assert (failed.when, failed.failed, failed.nodeid) == ("call", True, item.nodeid)
    assert report_of(item, pytest.skip.Exception("not today")).skipped
    assert _is_core(pytest.Item) is False
    assert all(map(_is_core, (__import__("_pytest.runner").runner, item.session, pytest.Stash())))
    assert not any(map(_is_core, (other_plugins, SimpleNamespace())))


def test_hooks_that_use_fixtures_of_a_finished_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of three, by its own file; the answer is kept for the session."""
    names: dict[str, Any] = {}
    code = "def uses(item): return item.funcargs['browser']\ndef other(item): return item.nodeid\n"
    exec(compile(code, "/srv/app/conftest.py", "exec"), names)
    found: dict[str, list[Any]] = {}
    monkeypatch.setattr(other_plugins, "project_hooks", lambda _, hook: found.get(hook, []))
    for hook in ("pytest_runtest_makereport", "pytest_exception_interact", "pytest_runtest_teardown"):
        config: Any = SimpleNamespace(stash=pytest.Stash(), rootpath="/srv/app")
        found[hook] = [(None, names["other"])]
        assert needs_fixtures_after_body(config) is None
        found[hook].append((None, names["uses"]))
        assert needs_fixtures_after_body(config) is None
        config.stash = pytest.Stash()
        assert needs_fixtures_after_body(config) == f"{hook} of conftest.py"
        found.clear()


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("test_a[x-1]", "test_a_x_1_"),
        ("test_ä", "test_ä"),
        ("test_" + "a" * 25, "test_" + "a" * 25),
        ("test_" + "a" * 26, "test_" + "a" * 25),
    ],
)
def test_a_temporary_folder_is_named_after_its_test(name: str, folder: str) -> None:
    """As pytest names it."""
    assert temporary_name(SimpleNamespace(name=name)) == folder  # type: ignore[arg-type]


def test_the_folder_of_temporary_folders() -> None:
    """Only one that is there already, or that the command line has named."""
    for factory, found in (
        (None, []),
        (SimpleNamespace(_basetemp=None, _given_basetemp=None), []),
        (SimpleNamespace(_basetemp="/a", _given_basetemp="/b"), ["/a"]),
        (SimpleNamespace(_basetemp=None, _given_basetemp="/b"), ["/b"]),
    ):
        assert temporary_folder(SimpleNamespace(_tmp_path_factory=factory)) == found  # type: ignore[arg-type]
    assert temporary_folder(SimpleNamespace()) == []  # type: ignore[arg-type]


def test_fixtures_and_their_values(request: pytest.FixtureRequest, item: pytest.Item) -> None:
    """Those that were requested so far; one that is not set up has no value."""
    assert "item" in fixtures_so_far(item)
    assert "tmp_path" not in fixtures_so_far(item)
    assert value_of(fixtures_so_far(item)["item"]) is item
    request.getfixturevalue("tmp_path")
    assert "tmp_path" in fixtures_so_far(item)
    assert fixtures_so_far(SimpleNamespace()) == {}  # type: ignore[arg-type]
    assert value_of(SimpleNamespace(cached_result=None)) is None  # type: ignore[arg-type]


def test_an_error_of_a_teardown_has_the_frames_of_pytest() -> None:
    """From its own function on; without that one, only the place that raises it again."""

    def teardown_exact() -> None:
        finalizer()

    def finalizer() -> None:
        raise ValueError("no")

    def names(torn_down: Callable[[], None]) -> list[str]:
        with pytest.raises(ValueError, match="no") as first:
            torn_down()
        with pytest.raises(ValueError, match="no") as again:
            raise_as_torn_down(first.value)
        return [entry.name for entry in again.traceback][2:]

    assert names(teardown_exact) == ["teardown_exact", "finalizer"]
    assert names(finalizer) == []
