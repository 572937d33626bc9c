"""Clients that are not installed are not looked for with every recording."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
import vcr.patch

from pytest_planguard.replay.network import clients


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
    """A module that a test put into sys.modules before the first recording is a client, though nothing can find it."""
    monkeypatch.setitem(clients._PACKAGE, "tornado", "planguard_no_such_client")
    monkeypatch.setitem(sys.modules, "planguard_no_such_client", ModuleType("planguard_no_such_client"))
    clients._absent.cache_clear()
    assert "tornado" not in clients.absent_clients()
    clients._absent.cache_clear()
