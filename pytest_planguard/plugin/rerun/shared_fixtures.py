"""The fixtures that a test shares with others, as far as the project itself has made them.

A fixture of function scope is set up again for each run, and one of an installed distribution is made to serve any test
in any order. What a project shares between its tests may keep something of a run.
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
"""Fixtures that pytest makes of `setup_module`, `setup_class` and their like."""
_OWN = "pytest_planguard."


class Shared(NamedTuple):
    """The project's fixtures of wider scope in one test, by the names that a person knows."""

    taken: Mapping[str, pytest.FixtureDef[object]]
    """Those that the test takes, or one of its other fixtures does: name to definition."""
    beside: Mapping[str, pytest.FixtureDef[object]]
    """The other ones, which pytest sets up by itself."""

    def __bool__(self) -> bool:
        return bool(self.taken or self.beside)


SHARED: pytest.StashKey[dict[int, tuple[Any, Shared]]] = pytest.StashKey()
"""What `shared_by` has found, by the fixtures of a test: parametrized tests have the same."""


def shared_by(item: pytest.Item) -> Shared:
    """Return what a test shares by its arguments, its markers and its other fixtures' arguments."""
    info: Any = getattr(item, "_fixtureinfo", None)
    if info is None:
        return Shared({}, {})
    known = item.config.stash.setdefault(SHARED, {})
    if id(info) not in known:
        known[id(info)] = info, _found(item, info.name2fixturedefs, [*info.argnames, *_used(item)])
    return known[id(info)][1]


def shared_now(item: pytest.Item) -> Shared:
    """Return the same for a test that has run: with those that it asked `request.getfixturevalue` for."""
    shared = shared_by(item)
    names = getattr(item, "fixturenames", ())
    asked = {n: d for n, d in fixtures_so_far(item).items() if n not in names and is_shared(d, item.config)}
    return Shared({**shared.taken, **asked}, shared.beside)


def is_shared(definition: pytest.FixtureDef[object], config: pytest.Config) -> bool:
    """Return whether a fixture is the project's own and of wider scope."""
    own = _GENERATED.fullmatch(definition.argname) or not is_installed(definition.func, config)
    return definition.scope != "function" and bool(own)


def is_installed(made: Any, config: pytest.Config) -> bool:
    """Return whether a function or a class is no part of the project: of Python, pytest, an installed distribution."""
    code = getattr(made, "__code__", None)
    name = str(getattr(made, "__module__", ""))
    file = code.co_filename if isinstance(code, CodeType) else getattr(sys.modules.get(name), "__file__", None)
    if file is None or name.startswith(_OWN):
        return True
    return _is_installed_file(file) or (name in _plugins(config) and not Path(file).is_relative_to(config.rootpath))


@lru_cache(maxsize=4096)
def _is_installed_file(file: str) -> bool:
    path = Path(file)
    return not _INSTALLED.isdisjoint(path.parts) or any(path.is_relative_to(folder) for folder in _STANDARD)


def _plugins(config: pytest.Config) -> frozenset[str]:
    """The modules of plugins that were installed as such, also in editable mode: their files lie anywhere."""
    known = config.pluginmanager.list_plugin_distinfo()
    return frozenset(str(getattr(plugin, "__name__", "")) for plugin, _ in known)


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
    """Return these names, and those that their fixtures take."""
    found: set[str] = set()
    left = [*names]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [a for definition in definitions.get(name, ()) for a in definition.argnames]
    return found


def _is_own(item: pytest.Item, name: str, known: Sequence[pytest.FixtureDef[object]]) -> bool:
    """Whether a fixture of wider scope is the project's: one that overrides an installed one only sets that up."""
    generated = _GENERATED.fullmatch(name)
    if generated:
        return _is_overridden(item, generated[1])
    return not any(d.scope != "function" and is_installed(d.func, item.config) for d in known)


def shown_name(name: str) -> str:
    """Return 'setup_module' for what pytest makes of it: the test takes that, since it sees what it has set up."""
    generated = _GENERATED.fullmatch(name)
    return generated[1] if generated else name


def _is_overridden(item: Any, name: str) -> bool:
    """Whether a test has this set-up: every unittest class has a `setUpClass`, which does nothing by itself."""
    from unittest import TestCase

    if name != "setUpClass":
        return True
    for method in ("setUpClass", "tearDownClass"):
        own = getattr(getattr(item, "cls", None), method, None)
        if own is not None and getattr(own, "__func__", own) is not getattr(TestCase, method).__func__:
            return True
    return False
