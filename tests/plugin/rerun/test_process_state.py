"""What a rerun must not change in the process, and what it may not show."""

from __future__ import annotations

import os
import random
import sys
import threading
import unittest
import warnings
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.plugin import options
from pytest_planguard.plugin.rerun.shared_fixtures import _is_overridden, is_installed_module, shown_name
from pytest_planguard.plugin.rerun.surroundings import Numbers, Surroundings, contained, folder_names, remove_own_folder


def test_the_environment_and_the_folder_are_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables that were set, changed and removed, and the working folder if it is still there."""
    monkeypatch.setenv("KEPT", "before")
    monkeypatch.setenv("GONE", "before")
    monkeypatch.setenv("NEW", "")
    monkeypatch.delenv("NEW")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    before = Surroundings.now()
    os.environ.update(KEPT="after", NEW="after")
    del os.environ["GONE"]
    os.chdir(tmp_path)
    before.put_back()
    assert (os.environ["KEPT"], os.environ["GONE"], "NEW" in os.environ) == ("before", "before", False)
    assert Path.cwd() == tmp_path / "other"
    (tmp_path / "other").rmdir()
    lost = Surroundings.now()
    os.chdir(tmp_path)
    lost.put_back()
    before.put_back()
    assert (lost.folder, Path.cwd()) == (None, tmp_path)


def test_the_same_numbers_are_drawn_again() -> None:
    """By Python's own generator."""
    before = Numbers.now()
    first = random.random()
    before.put_back()
    assert random.random() == first


def test_the_surroundings_hold_the_numbers_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the folder is gone."""
    for folder in (tmp_path, tmp_path / "gone"):
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        before = Surroundings.now()
        first = random.random()
        if folder.name == "gone":
            folder.rmdir()
        before.put_back()
        assert random.random() == first


def test_the_numbers_of_numpy_are_put_back_if_it_was_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was loaded meanwhile has no state to return to."""
    told: list[object] = []
    loaded = SimpleNamespace(get_state=lambda: "state", set_state=told.append)
    monkeypatch.delitem(sys.modules, "numpy.random", raising=False)
    without = Numbers.now()
    monkeypatch.setitem(sys.modules, "numpy.random", loaded)
    Numbers.now().put_back()
    assert told == ["state"]
    without.put_back()
    assert (without.numpy, told) == (None, ["state"])


def test_a_rerun_reports_nothing_aside(monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder) -> None:
    """No warning, no late error, no prompt of a debugger and no covered line."""
    told: list[str] = []
    measuring = SimpleNamespace(stop=lambda: told.append("stop"), start=lambda: told.append("start"))
    coverage = SimpleNamespace(Coverage=SimpleNamespace(current=lambda: measuring))
    monkeypatch.setitem(sys.modules, "coverage", coverage)
    debugger: Any = import_module("pdb")
    hooks: list[tuple[Any, str]] = [
        (sys, "unraisablehook"),
        (threading, "excepthook"),
        (sys, "breakpointhook"),
        (debugger, "set_trace"),
    ]
    for owner, name in hooks:
        monkeypatch.setattr(owner, name, lambda *_, name=name: told.append(name))

    def rerun() -> None:
        with contained():
            assert told == ["stop"]
            for owner, name in hooks:
                getattr(owner, name)("anything")
            warnings.warn("unheard", stacklevel=1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        rerun()
    assert told == ["stop", "start"]
    for owner, name in hooks:
        getattr(owner, name)("anything")
    assert told[2:] == ["unraisablehook", "excepthook", "breakpointhook", "set_trace"]
    assert list(recwarn) == []


def test_without_a_measurement_nothing_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool may be loaded and not measure."""
    idle = SimpleNamespace(Coverage=SimpleNamespace(current=lambda: None))
    monkeypatch.setitem(sys.modules, "coverage", idle)
    with contained():
        pass
    monkeypatch.delitem(sys.modules, "coverage")
    with contained():
        pass


@pytest.mark.parametrize("name", ["a-1"])
def test_the_numbers_of_temporary_folders_are_no_part_of_a_request(
    request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    """Those of the test itself and of folders beside it, and no others."""
    own = folder_names(request.node).apply
    beside = tmp_path_factory.mktemp("data")
    base = tmp_path_factory.getbasetemp()
    assert tmp_path.name.startswith("test_the_numbers_of_temporary_")
    assert own(f"in {tmp_path.name}/out.txt") == f"in {tmp_path.name.rstrip('0123456789')}<run>/out.txt"
    assert own(f"in {beside}/v1/out2.txt") == f"in {base}/data<run>/v1/out2.txt"
    assert own(f"in {base}/data2x/out.txt") == f"in {base}/data2x/out.txt"
    assert own("in /srv/data2/out.txt") == "in /srv/data2/out.txt"
    assert own(f"x{tmp_path.name}") == f"x{tmp_path.name}"


def test_the_files_of_a_rerun_are_removed(tmp_path: Path) -> None:
    """Only from the folder of the test, if it asked for one."""
    (tmp_path / "own" / "deep").mkdir(parents=True)
    remove_own_folder(SimpleNamespace(funcargs={"tmp_path": tmp_path / "own", "other": tmp_path}))
    remove_own_folder(SimpleNamespace(funcargs={"other": tmp_path}))
    remove_own_folder(SimpleNamespace(funcargs=None))
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("_xunit_setup_module_fixture_test_app", "setup_module"),
        ("_xunit_setup_class_fixture_TestApp", "setup_class"),
        ("_unittest_setUpClass_fixture_TestApp", "setUpClass"),
        ("_xunit_setup_function_fixture_a\nb", "setup_function"),
        ("_my_setup_module_fixture_x", "_my_setup_module_fixture_x"),
        ("database", "database"),
    ],
)
def test_a_set_up_has_the_name_that_users_know(name: str, shown: str) -> None:
    """Fixtures are made of the functions of older test frameworks."""
    assert shown_name(name) == shown


class Plain:
    """No test case of unittest."""


class Empty(unittest.TestCase):
    """It has the set-up of every test case, which does nothing."""


class SetsUp(unittest.TestCase):
    """It has a set-up."""

    @classmethod
    def setUpClass(cls) -> None:
        """Do something."""


class TearsDown(unittest.TestCase):
    """It has only a teardown."""

    @staticmethod
    def tearDownClass() -> None:
        """Do something."""


@pytest.mark.parametrize(
    ("cls", "name", "own"),
    [
        (Empty, "setUpClass", False),
        (SetsUp, "setUpClass", True),
        (TearsDown, "setUpClass", True),
        (Plain, "setUpClass", False),
        (None, "setUpClass", False),
        (Empty, "setup_module", True),
    ],
)
def test_a_class_shares_a_set_up_if_it_has_its_own(cls: type | None, name: str, own: bool) -> None:
    """A teardown counts too: it may undo what the tests share."""
    assert _is_overridden(SimpleNamespace(cls=cls), name) is own


def test_modules_that_no_project_owns() -> None:
    """Those of Python, of installed distributions and of planguard; one without a file may be anyone's."""
    assert all(map(is_installed_module, (os, pytest, options)))
    assert not is_installed_module(sys.modules[__name__])
    assert not is_installed_module(SimpleNamespace(__name__="app"))
