"""Import vcrpy completely or not at all, list the HTTP clients that it can patch, and apply a project's settings."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ...errors import SetupFailed
from ..network.below_python import BEYOND_PYTHON

_PACKAGE = {
    "requests": "urllib3",  # vcrpy patches urllib3 below requests
    "urllib3": "urllib3",
    "boto3": "botocore",
    "httplib2": "httplib2",
    "tornado": "tornado",
    "aiohttp": "aiohttp",
    "httpx": "httpx",
    "httpx2": "httpx2",
}
"""Maps vcrpy's name of a group of patches to the package without which it patches nothing."""


def absent_clients() -> tuple[str, ...]:
    """Return the clients that cannot be imported, by the names for vcrpy's `skip_patchers`.

    The search is repeated if `sys.path` changes. A client in `sys.modules` counts as importable at once.
    """
    absent = _absent(tuple(sys.path))
    return tuple(name for name in absent if _PACKAGE[name] not in sys.modules) if absent else ()


def unloaded_clients() -> tuple[str, ...]:
    """Return the clients that are not loaded, by the same names.

    They have no open connections. If one is loaded later, it must open its connections first.
    """
    return tuple(name for name, package in _PACKAGE.items() if package not in sys.modules)


def loaded_clients() -> tuple[ModuleType | None, ...]:
    """Return the module of each client; None if it is not loaded. A client that is imported again is another one."""
    return tuple(map(sys.modules.get, (*_PACKAGE.values(), "requests")))


def any_loaded() -> bool:
    """Return True if any client is loaded that vcrpy patches."""
    return not sys.modules.keys().isdisjoint(_PACKAGE.values())


@lru_cache(maxsize=1)
def _absent(_path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        name for name, package in _PACKAGE.items() if package not in sys.modules and find_spec(package) is None
    )  # a stand-in has no spec


def import_vcrpy() -> None:
    """Import the module that depends on vcrpy.

    Raises:
        SetupFailed: it cannot be imported at the moment. The next call tries again.
    """
    if _is_imported(f"{__package__}.cassette"):  # called for every fixture that is set up before a cassette
        return
    loaded = frozenset(sys.modules)
    try:
        with _whole_packages():
            import_module(f"{__package__}.cassette")
    except Exception as error:
        raise SetupFailed(
            f"vcrpy, which replays and records HTTP, cannot be imported now: {type(error).__name__}: {error}\n"
            "  to do: put `import vcr` at the top of conftest.py, before a plugin forbids what it needs (sockets?);\n"
            "         if that fails too, repair the package that the error names"
        ) from error
    for name in BEYOND_PYTHON.keys() - loaded:  # vcrpy loads pycurl if it can; a test that uses it loads it again
        sys.modules.pop(name, None)


def _is_imported(name: str) -> bool:
    """Return True if a module is imported completely: another thread may be importing it."""
    spec = getattr(sys.modules.get(name), "__spec__", None)
    return spec is not None and not getattr(spec, "_initializing", False)


@contextmanager
def _whole_packages() -> Iterator[None]:
    """Forget the submodules of each package whose import fails within a `with` block."""
    before = frozenset(sys.modules)
    try:
        yield
    except BaseException:
        for name in _orphans(before):
            sys.modules.pop(name, None)
        raise


def _orphans(before: Collection[str]) -> list[str]:
    """Return the modules that were imported since, and that lack one of the packages around them."""
    since = [name for name in list(sys.modules) if name not in before]
    return [name for name in since if any(package not in sys.modules for package in _around(name))]


def _around(name: str) -> Iterator[str]:
    """Yield "vcr.stubs" and "vcr" for "vcr.stubs.compat"."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


Hook = Callable[[Any], Any]
"""Gets vcrpy's request or response; returns it, another, or None to leave the exchange out."""
_LOCALHOST = ("localhost", "0.0.0.0", "127.0.0.1", "::1")
_FILTERS = frozenset({
    "filter_headers", "filter_query_parameters", "filter_post_data_parameters", "filter_nested_post_data_parameters",
    "decode_compressed_response", "before_record_request", "before_record", "before_record_response",
    "ignore_hosts", "ignore_localhost",
})  # fmt: skip
"""vcrpy's settings that its filters are built from."""
_ELSEWHERE = frozenset({"match_on", "record_mode", "skip_patchers"})
"""Settings that planguard reads itself, or that have an option with the same purpose."""


@dataclass(frozen=True, slots=True)
class VcrHooks:
    """The filters of a `vcr_config`. The default changes nothing."""

    request: Hook = lambda request: request
    response: Hook = lambda response: response
    hosts: tuple[str, ...] = ()
    """Hosts that are left out of the cassette."""


def vcr_hooks(config: Mapping[str, Any], vcr: Any) -> VcrHooks:
    """Return the filters of a `vcr_config`, as vcrpy itself (an object of its class VCR) builds them."""
    given = {name: value for name, value in config.items() if name in _FILTERS}
    merged = vcr.get_merged_config(**given)
    answer = merged["before_record_response"]
    return VcrHooks(
        merged["before_record_request"],
        # vcrpy's filters change the response in place, and the app gets the same object
        lambda response: answer(copy.deepcopy(response)),
        (*config.get("ignore_hosts", ()), *(_LOCALHOST if config.get("ignore_localhost") else ())),
    )


def ignored_settings(config: Mapping[str, object]) -> list[str]:
    """Return the settings of a `vcr_config` that planguard does not follow, sorted."""
    return sorted(config.keys() - _FILTERS - _ELSEWHERE)
