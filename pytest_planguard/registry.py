"""Tables of named values that other layers fill and extensions may add to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from .errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping


T = TypeVar("T")


class _Registration(NamedTuple):
    name: str
    value: object
    session: object
    """The pytest session that registered the value, by identity; None for the whole process."""


class Registry(Generic[T]):
    """Values by name: built-in and added ones. Iterating yields the values in order.

    A name can be added once. Adding the same value again is allowed, as when a module is loaded twice. A session may
    add a name that another session of the process has added, because a session that runs inside a test loads the same
    plugins as the outer one. Its value replaces the other until it is removed.

    Args:
        kind: the kind of values, for messages: "feedback style".
        built_in: name to value, in order; these can be neither replaced nor removed.
        newest_first: True to put added values before the built-in ones, the latest first, instead of after them.
        reserved: further names that no value may have.
    """

    def __init__(
        self, kind: str, built_in: Mapping[str, T], *, newest_first: bool = False, reserved: tuple[str, ...] = ()
    ) -> None:
        self._kind = kind
        self._built_in = dict(built_in)
        self._newest_first = newest_first
        self._reserved = reserved
        self._added: list[_Registration] = []
        self._known: dict[str, T] = dict(built_in)
        self._values = tuple(built_in.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(self._known)

    @property
    def built_in(self) -> tuple[T, ...]:
        """The built-in values."""
        return tuple(self._built_in.values())

    def __iter__(self) -> Iterator[T]:
        return iter(self._values)

    def __contains__(self, value: object) -> bool:
        return value in self._values

    def __len__(self) -> int:
        return len(self._values)

    def lookup(self, name: str) -> T:
        """Return the value of a name.

        Raises:
            UsageError: there is no such name; the message has the nearest one and all of them.
        """
        try:
            return self._known[name]
        except KeyError:
            raise self._unknown(name) from None

    def register(self, name: str, value: T, *, session: object = None) -> Callable[[], None]:
        """Add a value, and return a function that removes it.

        Args:
            name: its name in this table.
            value: the value to add.
            session: the pytest session to add it for; None for the whole process.

        Raises:
            UsageError: another value has the name: a built-in one, one of the whole process, or one of this session.
        """
        # Another session may hold the name: a pytest run inside a test loads the plugins of the outer run again.
        in_the_way = [added for added in self._added if added.name == name and added.session in (None, session)]
        taken = name in self._reserved or name in self._built_in or any(added.value != value for added in in_the_way)
        # A module that is loaded twice registers a built-in value again: that is no second value.
        if taken and self._built_in.get(name) != value:
            raise UsageError(f"a {self._kind} {name!r} exists already; choose another name")
        registration = _Registration(name, value, session)
        if name not in self._built_in:
            self._added.append(registration)
            self._refresh()
        return lambda: self._take_back(registration)

    def unregister(self, name: str) -> None:
        """Remove the added values of a name.

        Raises:
            UsageError: the name is built in or unknown.
        """
        if name in self._built_in:
            raise UsageError(f"the {self._kind} {name!r} is built in; only added ones can be removed")
        if name not in self._known:
            raise self._unknown(name)
        self._added = [added for added in self._added if added.name != name]
        self._refresh()

    def _take_back(self, registration: _Registration) -> None:
        # By identity: two sessions may have added equal values, and each takes back its own.
        self._added = [added for added in self._added if added is not registration]
        self._refresh()

    def _refresh(self) -> None:
        """Update the known values. If sessions are nested, the innermost session's value of a name is used."""
        added: dict[str, T] = {one.name: one.value for one in self._added}  # type: ignore[misc]  # added as a T
        if self._newest_first:
            self._known = {**dict(reversed(added.items())), **self._built_in}
        else:
            self._known = {**self._built_in, **added}
        self._values = tuple(self._known.values())

    def _unknown(self, name: str) -> UsageError:
        from .errors import nearest, offer

        return UsageError(f"unknown {self._kind} {name!r}{offer(nearest(name, self._known), self._known)}")
