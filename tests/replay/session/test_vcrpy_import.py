"""A package whose import fails leaves no submodule behind."""

from __future__ import annotations

import gzip
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import vcr.patch
from vcr.request import Request

from pytest_planguard.errors import SetupFailed
from pytest_planguard.replay.session import vcrpy_import as clients
from pytest_planguard.replay.session.vcrpy_import import _whole_packages, ignored_settings, vcr_hooks

from ...support.one_item import in_one_item

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
    with pytest.raises(RuntimeError, match=r"^half-way$"), _whole_packages():
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


PACKED = gzip.compress(b"x")


def _filtered(config: dict[str, Any], url: str) -> tuple[Any, Any, tuple[str, ...]]:
    """What vcrpy's filters leave of a request and of its answer, and the hosts that are left out."""
    made = vcr_hooks(config, vcr.VCR())
    sent = made.request(Request("POST", url, b'{"b": 1, "c": 2}', {"Content-Type": "application/json", "X-Own": "a"}))
    answer = {
        "status": {"code": 200},
        "headers": {"content-encoding": ["gzip"]},
        "body": {"string": PACKED},
    }
    return sent, made.response(answer), made.hosts


@in_one_item
@pytest.mark.parametrize(
    ("config", "url", "headers", "body", "answer"),
    [
        ({}, "/?a=1", ["Content-Type", "X-Own"], b'{"b": 1, "c": 2}', PACKED),
        ({"filter_headers": ["x-own"]}, "/?a=1", ["Content-Type"], b'{"b": 1, "c": 2}', PACKED),
        ({"filter_query_parameters": ["a"]}, "/", ["Content-Type", "X-Own"], b'{"b": 1, "c": 2}', PACKED),
        ({"filter_post_data_parameters": ["b"]}, "/?a=1", ["Content-Type", "X-Own"], b'{"c": 2}', PACKED),
        ({"decode_compressed_response": True}, "/?a=1", ["Content-Type", "X-Own"], b'{"b": 1, "c": 2}', b"x"),
        ({"before_record_request": lambda _: None}, None, None, None, PACKED),
        ({"before_record_response": lambda _: "own"}, "/?a=1", ["Content-Type", "X-Own"], b'{"b": 1, "c": 2}', "own"),
        ({"ignore_hosts": ["a.test"]}, None, None, None, PACKED),
    ],
)
def test_each_filter_of_vcrpy_is_followed(config: Any, url: Any, headers: Any, body: Any, answer: Any) -> None:
    """By vcrpy's own filters, which leave out, change or decode."""
    sent, response, hosts = _filtered(config, "https://a.test/?a=1")
    assert (sent and (sent.uri, sorted(sent.headers), sent.body)) == (url and (f"https://a.test{url}", headers, body))
    assert (response if answer == "own" else response["body"]["string"]) == answer
    assert hosts == tuple(config.get("ignore_hosts", ()))
    assert ignored_settings(config) == []


def test_localhost_is_left_out_by_each_of_its_names() -> None:
    """And what planguard does not follow is named; what it reads itself is neither."""
    config = {"ignore_localhost": True, "ignore_hosts": ["a.test"], "match_on": ["uri"], "record_mode": "none"}
    hosts = vcr_hooks(config, vcr.VCR()).hosts
    assert hosts == ("a.test", "localhost", "0.0.0.0", "127.0.0.1", "::1")
    for host, kept in (("localhost", False), ("127.0.0.1", False), ("b.test", True)):
        assert (_filtered(config, f"http://{host}/")[0] is not None) == kept
    assert ignored_settings({**config, "serializer": "json", "allow_playback_repeats": True}) == [
        "allow_playback_repeats",
        "serializer",
    ]


@pytest.mark.parametrize(("name", "imported"), [("vcr.patch", True), ("planguard_no_such_client", False)])
def test_a_module_is_imported_if_it_is_there(name: str, imported: bool) -> None:
    """One that another thread is importing is not there yet."""
    assert clients._is_imported(name) == imported


def test_a_module_that_is_being_imported_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its spec says so."""
    module = ModuleType("planguard_half")
    module.__spec__ = ModuleSpec("planguard_half", None)
    monkeypatch.setitem(sys.modules, "planguard_half", module)
    assert clients._is_imported("planguard_half")
    module.__spec__._initializing = True  # type: ignore[attr-defined]
    assert not clients._is_imported("planguard_half")


@pytest.fixture
def unloaded(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the module that depends on vcrpy, which is not loaded."""
    name = "pytest_planguard.replay.session.cassette"
    monkeypatch.setattr(import_module("pytest_planguard.replay.session"), "cassette", import_module(name))
    monkeypatch.delitem(sys.modules, name)
    return name


def test_vcrpy_is_loaded_when_it_is_needed(unloaded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once; a client below Python that it loads counts as not loaded."""
    monkeypatch.delitem(sys.modules, "pygit2", raising=False)
    loaded = ModuleType("loaded before")
    monkeypatch.setitem(sys.modules, "polars", loaded)
    monkeypatch.setattr(clients, "import_module", lambda name: sys.modules.update(pygit2=loaded) or import_module(name))
    clients.import_vcrpy()
    module = sys.modules[unloaded]
    assert "pygit2" not in sys.modules
    assert sys.modules["polars"] is loaded
    clients.import_vcrpy()
    assert sys.modules[unloaded] is module


def test_a_vcrpy_that_cannot_be_loaded_is_told_with_the_way_out(unloaded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next call tries again."""
    with monkeypatch.context() as inner:
        inner.setitem(sys.modules, "vcr.record_mode", None)
        with pytest.raises(SetupFailed) as told:
            clients.import_vcrpy()
    assert str(told.value) == (
        "vcrpy, which replays and records HTTP, cannot be imported now: "
        "ModuleNotFoundError: import of vcr.record_mode halted; None in sys.modules\n"
        "  to do: put `import vcr` at the top of conftest.py, before a plugin forbids what it needs (sockets?);\n"
        "         if that fails too, repair the package that the error names"
    )
    assert unloaded not in sys.modules
    clients.import_vcrpy()
    assert unloaded in sys.modules
