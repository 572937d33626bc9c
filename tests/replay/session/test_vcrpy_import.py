"""A package whose import fails leaves no submodule behind."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import vcr.patch

from pytest_planguard.replay.session import vcrpy_import as clients
from pytest_planguard.replay.session.vcrpy_import import _whole_packages

PACKAGE = {
    "outer_one/__init__.py": "from . import fine, broken\n",
    "outer_one/fine.py": "import outer_two.fine\n",
    "outer_one/broken.py": "raise RuntimeError('half-way')\n",
    "outer_two/__init__.py": "",
    "outer_two/fine.py": "",
}


def test_only_whole_packages_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was imported whole on the way stays, as after any failed import."""
    for name, text in PACKAGE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    with pytest.raises(RuntimeError, match="half-way"), _whole_packages():
        import_module("outer_one")
    left = set(sys.modules) - before
    assert left == {"outer_two", "outer_two.fine"}
    for name in left:
        monkeypatch.delitem(sys.modules, name)


def test_every_client_that_vcrpy_patches_is_known() -> None:
    """A group of patches with a name of its own has a package here; those of the standard library always apply."""
    names = getattr(vcr.patch, "PATCHER_NAMES", None)
    if names is None:
        pytest.skip("this vcrpy has no names for its patches")
    assert {*clients._PACKAGE, "httplib"} == set(names)


def test_an_absent_client_is_found_once_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new folder on sys.path and a module put into sys.modules both end the absence."""
    monkeypatch.setitem(clients._PACKAGE, "tornado", "planguard_no_such_client")
    clients._absent.cache_clear()
    assert "tornado" in clients.absent_clients()
    with monkeypatch.context() as inner:
        inner.setitem(sys.modules, "planguard_no_such_client", ModuleType("planguard_no_such_client"))
        assert "tornado" not in clients.absent_clients()
    assert "tornado" in clients.absent_clients()
    (tmp_path / "planguard_no_such_client.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "tornado" not in clients.absent_clients()


def test_a_stand_in_without_a_spec_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module that a test put into sys.modules before the first cassette is a client, though nothing can find it."""
    monkeypatch.setitem(clients._PACKAGE, "tornado", "planguard_no_such_client")
    monkeypatch.setitem(sys.modules, "planguard_no_such_client", ModuleType("planguard_no_such_client"))
    clients._absent.cache_clear()
    assert "tornado" not in clients.absent_clients()
    clients._absent.cache_clear()


PACKAGES = {
    "requests": "urllib3",
    "urllib3": "urllib3",
    "boto3": "botocore",
    "httplib2": "httplib2",
    "tornado": "tornado",
    "aiohttp": "aiohttp",
    "httpx": "httpx",
    "httpx2": "httpx2",
}
"""vcrpy's name of a client, and the package that has its connections."""


def test_each_client_is_there_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loaded or not: what is nowhere on sys.path is absent, in the order of the table."""
    monkeypatch.setattr(sys, "path", [])
    for package in PACKAGES.values():
        monkeypatch.delitem(sys.modules, package, raising=False)
    clients._absent.cache_clear()
    assert not clients.any_loaded()
    assert clients.unloaded_clients() == clients.absent_clients() == tuple(PACKAGES)
    for package in PACKAGES.values():
        with monkeypatch.context() as inner:
            inner.setitem(sys.modules, package, ModuleType(package))
            left = tuple(name for name, needed in PACKAGES.items() if needed != package)
            assert clients.any_loaded()
            assert clients.unloaded_clients() == clients.absent_clients() == left
    clients._absent.cache_clear()
