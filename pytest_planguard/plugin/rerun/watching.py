"""Note a test's surroundings, and watch tests that share something: their writes, and their shared plain data.

Most tests share nothing. Plain data are lists and dictionaries that fixtures return, and attributes of classes. Each is
kept with a shallow copy of its content, so that all can be restored and every reference stays valid.
"""

from __future__ import annotations

import sys
from collections import Counter, OrderedDict, defaultdict, deque
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from ..case import CASE
from .pytest_parts import temporary_folder, value_of
from .shared_fixtures import Shared, is_installed, is_installed_module, is_shared, shared_by, shared_now, shown_name
from .surroundings import Numbers, Surroundings
from .writes import Opened, Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Sequence
    from pathlib import Path

    from ..case import Case


OPENED: pytest.StashKey[Opened] = pytest.StashKey()
"""The open resources of a session in which a marked test may have a cassette; absent in others."""
WRITES: pytest.StashKey[Writes] = pytest.StashKey()
"""The writes of a test that uses shared fixtures."""
DATA: pytest.StashKey[KeptData] = pytest.StashKey()
"""Shared data as it was before the set-up of a test's own fixtures."""


def watch_session(session: pytest.Session, items: Iterable[pytest.Item]) -> None:
    """Begin to watch a session in which these tests may have cassettes."""
    opened = session.config.stash[OPENED] = Opened()
    shared = any(shared_by(item) for item in items)
    opened.begin(shared=shared)
    session.config.add_cleanup(opened.end)
    if shared:
        session.config.pluginmanager.register(_Setups(opened), "planguard-shared-setups")


class _Setups:
    """Reports which shared fixture is set up."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._known: dict[int, bool] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Note the resources that a shared fixture opens."""
        shared = self._known.get(id(fixturedef))
        if shared is None:
            shared = self._known[id(fixturedef)] = is_shared(fixturedef, request.config)
        if not shared:
            if fixturedef.scope == "function" and WRITES in request.node.stash:
                _keep_data(request.node)
            return (yield)
        with self._opened.by(shown_name(fixturedef.argname)):
            return (yield)


def watch(item: pytest.Item) -> None:
    """Watch a test from its set-up on."""
    opened = item.config.stash.get(OPENED, None)
    if opened is None:  # a session within a test
        return
    opened.own_ports.clear()
    if DATA in item.stash:  # from the previous run, if another plugin runs a test several times
        del item.stash[DATA]
    if shared_by(item):
        ours = partial(_is_cassette, item)
        opened.watched = item.stash[WRITES] = Writes(opened, ours, temporary_folder(item.config))


def begin_body(item: pytest.Item) -> None:
    """Note the state that a test function may change."""
    writes = item.stash.get(WRITES, None)
    if writes is not None:
        writes.begin_body()
    if writes is not None or getattr(item, "cls", None) is not None:
        _keep_data(item)


def _keep_data(item: pytest.Item) -> None:
    """Keep a test's shared data before the set-up of its first own fixture, which each run sets up again."""
    if DATA not in item.stash:
        item.stash[DATA] = shared_data(item)


def end_body(item: pytest.Item) -> None:
    """Stop watching the test. Its databases are checked once more when its fixtures are torn down."""
    if WRITES in item.stash:
        item.stash[WRITES].end_body()
        item.config.stash[OPENED].watched = None


def shared_data(item: pytest.Item) -> KeptData:
    """Return the current data that a test shares: of its shared fixtures, and the attributes of its class."""
    shared: Shared = shared_now(item)
    values = (value_of(definition) for definition in (*shared.taken.values(), *shared.beside.values()))
    own_class = getattr(item, "cls", None)
    classes = [one for one in getattr(own_class, "__mro__", ()) if _is_own(one, item.config)]
    return KeptData(values, classes, lambda kind: _is_own(kind, item.config))


def module_data(modules: Sequence[ModuleType], config: pytest.Config) -> KeptData:
    """Return the current data of the project's modules: their globals, and the attributes of their classes."""
    classes = [
        value
        for module in modules
        for value in vars(module).values()
        if issubclass(type(value), type) and value.__module__ == module.__name__  # `isinstance` evaluates a lazy proxy
    ]
    return KeptData((), [*modules, *classes], lambda kind: _is_own(kind, config))


_INSTALLED: set[str] = set()
"""Names of loaded modules that no project owns: thousands, which each rerun would look at again."""


def project_modules(root: Path) -> list[ModuleType]:
    """Return the loaded modules of the project in this folder."""
    others = {name: sys.modules.get(name) for name in [*sys.modules] if name not in _INSTALLED}
    _INSTALLED.update(name for name, module in others.items() if is_installed_module(module))
    return [
        module
        for name, module in others.items()
        if name not in _INSTALLED and module is not None and str(getattr(module, "__file__", "")).startswith(str(root))
    ]


def _is_own(kind: type, config: pytest.Config) -> bool:
    return not is_installed(kind, config)


def _is_cassette(item: pytest.Item, path: str) -> bool:
    """Return True if a file is the cassette of a test, or a temporary file for it."""
    case: Case | None = item.stash.get(CASE, None)
    return case is not None and str(case.path.absolute()) in path


BEFORE: pytest.StashKey[Surroundings] = pytest.StashKey()
"""The surroundings when its set-up began."""
DRAWN: pytest.StashKey[Numbers] = pytest.StashKey()
"""The random number state when its function began: wider-scoped fixtures may have drawn some before."""


def note_before(item: pytest.Item) -> None:
    """Note the surroundings when the set-up of a test begins."""
    item.stash[BEFORE] = Surroundings.now()
    watch(item)


def note_body(item: pytest.Item) -> None:
    """Note the state when its function begins."""
    begin_body(item)
    item.stash[DRAWN] = Numbers.now()


MOST = 20_000
"""Maximum number of values to look at. A test does not casually write to a larger data set."""
_BY_KEY = (dict, defaultdict, OrderedDict, Counter)
_IN_ORDER = (list, deque, bytearray)
_ABSENT = object()


class KeptData:
    """A snapshot of plain data."""

    def __init__(
        self, roots: Iterable[Any], owners: Iterable[type | ModuleType], is_own: Callable[[type], bool]
    ) -> None:
        """Keep what can be reached from `roots`, and the attributes of `owners`.

        `is_own` returns True for the project's own classes, whose instances' attributes are data too.
        """
        self._is_own = is_own
        self._containers: list[tuple[Any, Any]] = []
        self._owners = [(one, _attributes(one), dict(vars(one))) for one in owners]
        self._seen: set[int] = {id(sys.modules)}  # a module that was imported stays imported
        self.is_whole = True
        """True if the whole state could be kept."""
        left = [*roots, *(value for _, own, _ in self._owners for value in own.values())]
        room = MOST
        while left and self.is_whole:
            inner = self._kept(left.pop(), room)
            room -= len(inner)
            left += inner

    def put_back(self) -> None:
        """Restore the data; nothing if only a part was kept, since parts belong together."""
        if not self.is_whole:
            return
        for container, copy in self._containers:
            if _is_same(container, copy):  # also not for a moment empty: a thread may be reading it
                continue
            if isinstance(container, list | bytearray):
                container[:] = copy
            else:
                container.clear()
                (container.extend if isinstance(container, deque) else container.update)(copy)
        for one, own, whole in self._owners:
            now = _attributes(one)
            for name in now.keys() | own.keys():
                before = whole.get(name, _ABSENT)  # a function or module may have become data
                with suppress(AttributeError, TypeError):  # of a class that refuses changes
                    if before is _ABSENT:
                        delattr(one, name)
                    elif now.get(name, _ABSENT) is not before:
                        setattr(one, name, before)

    def _kept(self, value: Any, room: int) -> Collection[object]:
        """Keep a container, and return its content to keep as well. A container larger than `room` is too large."""
        if id(value) in self._seen:
            return ()
        kind = type(value)
        held = value
        if kind not in (*_BY_KEY, *_IN_ORDER, set, tuple):
            # Only the project's own objects: access to a framework's proxy may have any effect.
            held = None if issubclass(kind, type) or not self._is_own(kind) else getattr(value, "__dict__", None)
            if type(held) is not dict:
                return ()
        self._seen.add(id(value))
        if len(held) > room:
            self.is_whole = False
            return ()
        if kind is tuple:
            return held  # type: ignore[no-any-return]
        copy = dict(held) if isinstance(held, dict) else held.copy()
        self._containers.append((held, copy))
        if isinstance(held, bytearray):
            return ()
        return copy.values() if isinstance(copy, dict) else copy


def _is_same(container: Any, copy: Any) -> bool:
    """Return True if a container has the same objects as its copy, without comparing these."""
    if len(container) != len(copy):
        return False
    if isinstance(container, dict):
        pairs = zip(copy.items(), container.items(), strict=False)
        return all(key is other and value is now for (key, value), (other, now) in pairs)
    if isinstance(container, set):
        return {*map(id, container)} == {*map(id, copy)}
    return all(old is new for old, new in zip(copy, container, strict=False))


def _attributes(one: type | ModuleType) -> dict[str, Any]:
    """Return the data attributes of a class or module: no methods, descriptors or modules, nothing that Python made."""
    return {
        name: value
        for name, value in [*vars(one).items()]
        if not (name.startswith("__") or callable(value) or issubclass(type(value), ModuleType))
        and not hasattr(type(value), "__get__")
    }
