"""The project's own fixtures that a test shares with others.

A function-scoped fixture is set up again for each run. One from an installed distribution works for any test in any
order. But a project's shared fixtures may keep traces of a run.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from .pytest_parts import fixtures_so_far

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_INSTALLED = frozenset({"site-packages", "dist-packages"})
"""Folders that pip installs into, on any system."""
_STANDARD = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib"))
_GENERATED = re.compile(r"_(?:xunit|unittest)_(setup_\w+?|setUpClass)_fixture_.*", re.DOTALL)
"""Fixtures that pytest generates from `setup_module`, `setup_class` and the like."""
_OWN = "pytest_planguard."


class Shared(NamedTuple):
    """The wider-scoped fixtures of the project in one test, under the names that users know."""

    taken: Mapping[str, pytest.FixtureDef[object]]
    """Fixtures that the test or one of its other fixtures requests: name to definition."""
    beside: Mapping[str, pytest.FixtureDef[object]]
    """The others, which no fixture or test requests: pytest sets them up automatically."""

    def __bool__(self) -> bool:
        return bool(self.taken or self.beside)


SHARED: pytest.StashKey[dict[int, tuple[Any, Shared]]] = pytest.StashKey()
"""The cached results of `shared_by`, keyed by a test's fixtures, which parametrized tests have in common."""


def shared_by(item: pytest.Item) -> Shared:
    """Return the shared fixtures that a test's arguments, its markers and its other fixtures name."""
    info: Any = getattr(item, "_fixtureinfo", None)
    if info is None:
        return Shared({}, {})
    known = item.config.stash.setdefault(SHARED, {})
    if id(info) not in known:
        known[id(info)] = info, _found(item, info.name2fixturedefs, [*info.argnames, *_used(item)])
    return known[id(info)][1]


def shared_now(item: pytest.Item) -> Shared:
    """Return the same for a test that has run, including those from `request.getfixturevalue`."""
    shared = shared_by(item)
    names = getattr(item, "fixturenames", ())
    asked = {n: d for n, d in fixtures_so_far(item).items() if n not in names and is_shared(d, item.config)}
    return Shared({**shared.taken, **asked}, shared.beside)


def is_shared(definition: pytest.FixtureDef[object], config: pytest.Config) -> bool:
    """Return True if a fixture is the project's own and has a wider scope."""
    own = _GENERATED.fullmatch(definition.argname) or not is_installed(definition.func, config)
    return definition.scope != "function" and bool(own)


def is_installed(made: object, config: pytest.Config) -> bool:
    """Return True if a function or class belongs to Python, pytest or an installed distribution, not the project."""
    code = getattr(made, "__code__", None)
    name = str(getattr(made, "__module__", ""))
    file = code.co_filename if isinstance(code, CodeType) else getattr(sys.modules.get(name), "__file__", None)
    if file is None or name.startswith(_OWN):
        return True
    if _is_installed_file(file):
        return True
    # An editable plugin has its files anywhere.
    plugins = {str(getattr(plugin, "__name__", "")) for plugin, _ in config.pluginmanager.list_plugin_distinfo()}
    return name in plugins and not Path(file).is_relative_to(config.rootpath)


def is_installed_module(module: object) -> bool:
    """Return True if a module is planguard's, or a file of Python or of an installed distribution."""
    file = getattr(module, "__file__", None)
    own = str(getattr(module, "__name__", "")).startswith(_OWN)
    return own or (file is not None and _is_installed_file(str(file)))


@lru_cache(maxsize=4096)
def _is_installed_file(file: str) -> bool:
    path = Path(file)
    return not _INSTALLED.isdisjoint(path.parts) or any(path.is_relative_to(folder) for folder in _STANDARD)


def _used(item: pytest.Item) -> Iterator[str]:
    for mark in item.iter_markers("usefixtures"):
        yield from (name for name in mark.args if isinstance(name, str))


def _found(
    item: pytest.Item, definitions: Mapping[str, Sequence[pytest.FixtureDef[object]]], asked: Iterable[str]
) -> Shared:
    wider: dict[str, pytest.FixtureDef[object]] = {}
    of_functions: list[str] = []
    for name, known in definitions.items():
        if known and known[-1].scope == "function":
            of_functions += known[-1].argnames
        elif known and _is_own(item, name, known):
            wider[name] = known[-1]
    taken = _closure([*asked, *of_functions], definitions)
    shown = {name: shown_name(name) for name in wider}
    return Shared(
        {shown[n]: d for n, d in wider.items() if n in taken or n != shown[n]},
        {n: d for n, d in wider.items() if n not in taken and n == shown[n]},
    )


def _closure(names: Iterable[str], definitions: Mapping[str, Sequence[pytest.FixtureDef[object]]]) -> set[str]:
    """Return these names, and those that their fixtures request."""
    found: set[str] = set()
    left = [*names]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [a for definition in definitions.get(name, ()) for a in definition.argnames]
    return found


def _is_own(item: pytest.Item, name: str, known: Sequence[pytest.FixtureDef[object]]) -> bool:
    """Return True if a wider-scoped fixture is the project's. Overriding an installed one only configures that one."""
    generated = _GENERATED.fullmatch(name)
    if generated:
        return _is_overridden(item, generated[1])
    return not any(d.scope != "function" and is_installed(d.func, item.config) for d in known)


def shown_name(name: str) -> str:
    """Return the user's name for a generated fixture: 'setup_module' for '_xunit_setup_module_fixture_test_app'."""
    generated = _GENERATED.fullmatch(name)
    return generated[1] if generated else name


def _is_overridden(item: object, name: str) -> bool:
    """Return True if a test has this set-up: every unittest class has a `setUpClass`, which does nothing by default."""
    from unittest import TestCase

    if name != "setUpClass":
        return True
    for method in ("setUpClass", "tearDownClass"):
        own = getattr(getattr(item, "cls", None), method, None)
        if own is not None and getattr(own, "__func__", own) is not getattr(TestCase, method).__func__:
            return True
    return False
