"""The table that extensions add to: one behaviour for every kind of value."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from pytest_planguard.errors import UsageError
from pytest_planguard.registry import Registry

BUILT_IN = {"red": 1, "green": 2}
INNER, OUTER = object(), object()


def colours(**settings: bool) -> Registry[int]:
    """A small table."""
    return Registry("colour", BUILT_IN, reserved=("black",), **settings)


def test_values_come_in_order() -> None:
    """Added values stand after the built-in ones, or before them with the newest first."""
    plain, newest_first = colours(), colours(newest_first=True)
    for registry in (plain, newest_first):
        registry.register("blue", 3)
        registry.register("white", 4)
        assert registry.built_in == (1, 2)
        assert len(registry) == 4
    assert list(zip(plain.names, plain, strict=True)) == [("red", 1), ("green", 2), ("blue", 3), ("white", 4)]
    assert list(zip(newest_first.names, newest_first, strict=True)) == [
        ("white", 4),
        ("blue", 3),
        ("red", 1),
        ("green", 2),
    ]


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """And with all names, those of extensions too; the same where something that is not there is to be removed."""
    registry = colours()
    registry.register("blue", 3)
    assert registry.lookup("blue") == 3
    for ask in (registry.lookup, registry.unregister):
        with pytest.raises(UsageError) as caught:
            ask("gren")
        assert str(caught.value) == "unknown colour 'gren'. Did you mean 'green'? Known: red, green, blue"


@pytest.mark.parametrize("name", ["red", "blue", "black"])
def test_a_name_in_use_is_refused(name: str) -> None:
    """A built-in one, an added one, a reserved one; a session cannot replace what counts for the whole process."""
    registry = colours()
    registry.register("blue", 3)
    for session in (None, INNER):
        with pytest.raises(UsageError) as caught:
            registry.register(name, 9, session=session)
        assert str(caught.value) == f"a colour {name!r} exists already; choose another name"
    assert list(registry) == [1, 2, 3]


def test_the_same_value_may_be_added_again() -> None:
    """As happens when a module is loaded by two ways; a built-in value stays when that is taken back."""
    registry = colours()
    registry.register("red", 1)()
    registry.register("blue", 3)
    registry.register("blue", 3)
    assert list(registry) == [1, 2, 3]
    registry.unregister("blue")
    assert list(registry) == [1, 2]


def test_a_built_in_value_cannot_be_removed() -> None:
    """It would be gone for the whole process."""
    registry = colours()
    with pytest.raises(UsageError) as caught:
        registry.unregister("red")
    assert str(caught.value) == "the colour 'red' is built in; only added ones can be removed"
    assert list(registry) == [1, 2]


def test_a_session_inside_another_replaces_its_values_for_a_while() -> None:
    """Both load the same plugin. The end of the inner one leaves the value of the outer one."""
    registry = colours()
    end_outer = registry.register("blue", 3, session=OUTER)
    end_inner = registry.register("blue", 4, session=INNER)
    assert registry.lookup("blue") == 4
    end_inner()
    assert registry.lookup("blue") == 3
    end_outer()
    end_outer()
    assert registry.names == ("red", "green")
    registry.register("white", 5, session=INNER)
    with pytest.raises(UsageError, match=r"^a colour 'white' exists already"):
        registry.register("white", 6, session=INNER)


NAMES = st.sampled_from(["blue", "white", "grey"])


class Sessions(RuleBasedStateMachine):
    """Sessions begin inside each other, add values, and end: the table is then what it was before."""

    @initialize(newest_first=st.booleans())
    def start(self, newest_first: bool) -> None:
        """Nothing is added yet."""
        self.registry = colours(newest_first=newest_first)
        self.open: list[tuple[object, list, dict[str, int], tuple[tuple[str, int], ...]]] = []
        self.number = 10

    def content(self) -> tuple[tuple[str, int], ...]:
        """Names and values in order; both views agree."""
        assert tuple(self.registry.lookup(name) for name in self.registry.names) == tuple(self.registry)
        return tuple(zip(self.registry.names, self.registry, strict=True))

    @rule()
    def begin(self) -> None:
        """A session starts inside the one that runs."""
        self.open.append((object(), [], {}, self.content()))

    @precondition(lambda self: self.open)
    @rule(name=NAMES)
    def add(self, name: str) -> None:
        """The innermost session adds a value of its own: once a name."""
        session, ends, own, _ = self.open[-1]
        self.number += 1
        if name in own:
            with pytest.raises(UsageError):
                self.registry.register(name, self.number, session=session)
        else:
            ends.append(self.registry.register(name, self.number, session=session))
            own[name] = self.number
        assert self.registry.lookup(name) == own[name]

    @precondition(lambda self: self.open)
    @rule()
    def end(self) -> None:
        """What the innermost session added is gone, and what it replaced is back in its place."""
        _, ends, _, before = self.open.pop()
        for end in reversed(ends):
            end()
        assert self.content() == before


TestSessions = Sessions.TestCase
TestSessions.settings = settings(stateful_step_count=25)
