"""Plain data is put back as it was, with the same objects in the same places."""

from __future__ import annotations

import importlib
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.plugin.rerun.watching import MOST, KeptData, _is_own, project_modules

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.lists(inner, max_size=3).map(deque)
        | st.tuples(inner, inner)
        | st.sets(st.integers(), max_size=3)
    ),
    max_leaves=12,
)


class Own:
    """An object of the project's."""

    shared: list[str]

    def __init__(self, value: Any) -> None:
        self.value = value


def kept(*roots: Any, classes: tuple[type, ...] = ()) -> KeptData:
    """Keep data; objects of `Own` are the project's."""
    return KeptData(roots, classes, lambda kind: kind is Own)


def containers(value: Any) -> list[Any]:
    """Every container within a value that can be changed, and the value's own."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | deque | tuple) else ()
    own = [value] if isinstance(value, list | dict | deque | set) else []
    return [*own, *(one for part in inner for one in containers(part))]


def spoil(container: Any) -> None:
    """Change a container, whatever it is."""
    if isinstance(container, dict):
        container.clear()
        container["spoilt"] = []
    elif isinstance(container, set):
        container.add("spoilt")
    else:
        container.clear()
        container.append("spoilt")


@given(PLAIN, st.randoms(use_true_random=False))
def test_whatever_was_changed_is_as_it_was(value: Any, drawn: Any) -> None:
    """In any container at any depth, and every container is the same object as before."""
    before, known = repr(value), containers(value)
    data = kept(value)
    for container in known:
        if drawn.random() < 0.5:
            spoil(container)
    data.put_back()
    assert data.is_whole
    assert repr(value) == before
    assert all(one is other for one, other in zip(containers(value), known, strict=True))


def test_objects_of_the_project_are_data_too_and_others_are_left_alone() -> None:
    """By their attributes, in a circle as well."""

    class Foreign(Own):
        pass

    own, foreign = Own(["a"]), Foreign(["a"])
    own.value.append(own)
    data = kept([own, foreign])
    own.value.clear()
    own.extra = 1  # type: ignore[attr-defined]
    foreign.value.clear()
    data.put_back()
    assert (own.value, hasattr(own, "extra"), foreign.value) == (["a", own], False, [])


def test_attributes_of_a_class() -> None:
    """Those that were set, changed and added; methods stay."""

    class Case:
        number = 1
        names: list[str] = []  # noqa: RUF012 - it is shared on purpose

        def method(self) -> None:
            """Do nothing."""

    method = Case.method
    data = kept(classes=(Case,))
    Case.number, Case.added = 2, 3  # type: ignore[attr-defined]
    Case.names.append("a")
    data.put_back()
    assert (Case.number, Case.names, hasattr(Case, "added"), Case.method) == (1, [], False, method)


def test_too_much_is_said_and_not_looked_at() -> None:
    """A data set is not copied for each test."""
    assert not kept([0] * (MOST + 1)).is_whole
    assert kept([0] * MOST).is_whole


def test_the_modules_of_a_project_are_those_below_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that are loaded later, or whose name was blocked before; none that is installed."""
    for name in ("loaded_one", "loaded_two"):
        (tmp_path / f"{name}.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "loaded_two", None)
    found = [project_modules(tmp_path)]
    for name in ("loaded_one", "loaded_two"):
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.setitem(sys.modules, name, importlib.import_module(name))
        found.append(project_modules(tmp_path))
    assert [[module.__name__ for module in one] for one in found] == [[], ["loaded_one"], ["loaded_one", "loaded_two"]]
    assert project_modules(tmp_path / "elsewhere") == []
    assert Path(pytest.__file__) not in [Path(str(module.__file__)) for module in project_modules(Path("/"))]


@pytest.mark.parametrize(
    "container",
    [{"a": [1], "b": 2}, {"a", "b"}, deque([1, 2]), [1, 2], OrderedDict(a=1, b=2), Counter("ab"), bytearray(b"ab")],
    ids=lambda container: type(container).__name__,
)
def test_what_has_not_changed_is_not_touched(container: Any) -> None:
    """Not for a moment is it empty, since a thread may be reading it."""
    data = kept([container])
    reading = iter(container)
    first = next(reading)
    data.put_back()
    assert [first, *reading] == [*container]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"a": 1, "b": 2}, {"a": 1, "c": 2}),
        ({"a": 1}, {"a": True}),
        ([1, 0], [True, 0]),
        ([1, 2], [1]),
        ({1}, {True}),
        (deque([1, 2]), deque([2, 1])),
        (OrderedDict(a=1), OrderedDict(b=1)),
        (Counter("aab"), Counter("ab")),
        (bytearray(b"ab"), bytearray(b"ba")),
    ],
)
def test_a_change_that_compares_equal_is_one(before: Any, after: Any) -> None:
    """The order, the keys and the very objects are put back; a subclass of a container is data as well."""
    shown, held = repr(before), before
    data = kept([held])
    if isinstance(held, list | bytearray):
        held[:] = after
    else:
        held.clear()
        (held.extend if isinstance(held, deque) else held.update)(after)
    assert repr(held) != shown
    data.put_back()
    assert repr(held) == shown


def test_a_default_dictionary_keeps_its_default() -> None:
    """A key that was only looked up is taken out again."""
    lists: defaultdict[str, list[int]] = defaultdict(list)
    data = kept([lists])
    assert lists["a"] == []
    data.put_back()
    assert (lists, lists["b"]) == ({"b": []}, [])


def test_too_much_in_several_places_is_too_much() -> None:
    """The room is for all together, and then nothing is put back at all."""
    first, second = [0], [0] * (MOST - 4)
    data = kept(first, second)
    first.clear()
    data.put_back()
    assert (data.is_whole, first) == (True, [0])
    data = kept([first, [1, 2, 3]], second)
    first.clear()
    second.clear()
    data.put_back()
    assert (data.is_whole, first, second) == (False, [], [])


def test_functions_and_modules_of_a_module_are_no_data() -> None:
    """A global that has become one of them is put back."""
    module = ModuleType("app")
    vars(module).update(number=1, helper=len, inner=sys, names=["a"])
    data = KeptData((), [module], lambda _: False)
    vars(module).update(number=sys, helper=max, inner=1, added=2)
    module.names = []  # type: ignore[attr-defined]
    data.put_back()
    left = {name: value for name, value in vars(module).items() if not name.startswith("__")}
    assert left == {"number": 1, "helper": max, "inner": sys, "names": ["a"]}


def test_a_class_that_refuses_changes_is_left_alone() -> None:
    """Its other attributes are put back."""

    class Locked(type):
        def __setattr__(cls, name: str, value: object) -> None:
            if name == "fixed":
                raise AttributeError(name)
            super().__setattr__(name, value)

    class App(metaclass=Locked):
        fixed = 1
        free = 1

    data = kept(classes=(App,))
    type.__setattr__(App, "fixed", 2)
    App.free = 2
    data.put_back()
    assert (App.fixed, App.free) == (2, 1)


@pytest.mark.parametrize(("kind", "is_own"), [(Own, True), (Path, False), (pytest.Item, False), (dict, False)])
def test_a_class_belongs_to_the_project_unless_it_is_installed(
    kind: type, is_own: bool, pytestconfig: pytest.Config
) -> None:
    """Only objects of the project's own classes are looked into."""
    assert _is_own(kind, pytestconfig) is is_own
