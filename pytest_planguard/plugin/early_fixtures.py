"""Fixtures that are set up before a marked test's recording opens: nothing could replay what they ask a model.

Those are the fixtures of wider scope, which other tests share, and the autouse ones. While they are set up, and while
they are torn down, which is after that recording was closed, connections are refused, in every record mode: a call
that is refused only in the replay would have been paid for.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import PlanguardError
from ..replay.network.guard import installed
from .case import CASE
from .marker import SPEC
from .options import settings_of
from .refusing import Refusing

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping

FIXTURE = "planguard"
_GENERATED = re.compile(r"_(?:xunit|unittest)_(setup_\w+?|setUpClass)_fixture_.*", re.DOTALL)
"""Fixtures that pytest makes of `setup_module`, `setup_class` and their like."""


class CalledTooEarly(PlanguardError):  # named for what happened
    """A fixture asked a model before the recording of a test was open."""


class CalledTooLate(PlanguardError):  # named for what happened
    """A fixture asked a model while it was torn down, behind the recordings of its tests."""


class EarlyFixtures:
    """Watches the set-up of fixtures. A plugin of its own, registered only where a marked test has such fixtures."""

    def __init__(self, config: pytest.Config, users: Mapping[int, pytest.Item]) -> None:
        """`users`: a marked test for each fixture of wider scope, by the id of its definition."""
        self._config = config
        self._users = users
        self._said: dict[int, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, object, object]:
        """Refuse connections while a fixture is set up that a marked test needs before its recording opens.

        Which test asks for it first must not decide, nor in which worker: an unmarked one may.
        """
        __tracebackhide__ = True
        user = self._user(fixturedef, request)
        if user is None:
            return (yield)
        self._said.pop(id(fixturedef), None)  # set up anew, it may ask nothing: `setup_function` skips methods
        teardown = _Teardown(fixturedef, user)
        fixturedef.addfinalizer(teardown.end)  # the last to run: finalizers run in reverse
        guard = Refusing(settings_of(self._config).allowed_hosts, lambda host: _explain(fixturedef, user, host))
        result: object = None
        try:
            with installed(guard):
                result = yield
        except Exception:
            if guard.refused is None:
                raise
        if guard.refused is None:
            fixturedef.addfinalizer(teardown.begin)
            return result
        self._said[id(fixturedef)] = guard.refused  # a fixture may swallow the error, and its value is kept
        raise CalledTooEarly(guard.refused)

    def refusal(self, definitions: Iterable[Any]) -> str | None:
        """What was refused to one of these fixtures, also while another test was set up; None where nothing was."""
        if not self._said:
            return None
        return next((self._said[id(d)] for d in definitions if id(d) in self._said), None)

    def _user(self, fixturedef: Any, request: Any) -> pytest.Item | None:
        """The marked test on whose behalf a fixture is guarded; None where it is not, or its recording is open."""
        item: Any = getattr(request, "_pyfuncitem", None)
        early: pytest.Item | None = item if item is not None and SPEC in item.stash else None
        if fixturedef.argname == FIXTURE or (early is not None and CASE in early.stash):
            return None
        return self._users.get(id(fixturedef)) or early


class _Teardown:
    """Refuses connections between the first and the last finalizer of a fixture."""

    def __init__(self, fixturedef: Any, user: pytest.Item) -> None:
        self._fixturedef, self._user = fixturedef, user
        self._guard: Refusing | None = None
        self._installed = ExitStack()

    def begin(self) -> None:
        """The recordings of all tests that used the fixture are closed."""
        allowed = settings_of(self._user.config).allowed_hosts
        self._guard = Refusing(allowed, lambda host: _explain_teardown(self._fixturedef, self._user, host))
        self._installed.enter_context(installed(self._guard))

    def end(self) -> None:
        """Everything else is torn down; what the fixture made of a refusal does not matter."""
        __tracebackhide__ = True
        self._installed.close()
        if self._guard is not None and self._guard.refused is not None:
            raise CalledTooLate(self._guard.refused)


def _explain(fixturedef: Any, user: pytest.Item, host: str) -> str:
    wide, generated = fixturedef.scope != "function", _GENERATED.fullmatch(fixturedef.argname)
    why = "and other tests share it" if wide else "since pytest sets up autouse fixtures first"
    mend = "give the fixture function scope" if wide and not generated else "let the test ask for an ordinary fixture"
    return (
        f"{_named(fixturedef)} opened a connection to {host} before the test's recording was open\n"
        f"  fixture:   {_place(fixturedef, user)}\n"
        f"  needed by: {user.nodeid}\n"
        f"  It is set up before that test's recording opens, {why}: what a model answers there is\n"
        "  recorded nowhere, and could not be replayed.\n"
        f"  to do:     {mend}, or call the model in the test itself;\n"
        f"             a host that is no model, such as a database: planguard_allowed_hosts = {host}"
    )


def _explain_teardown(fixturedef: Any, user: pytest.Item, host: str) -> str:
    return (
        f"{_named(fixturedef)} opened a connection to {host} while it was torn down\n"
        f"  fixture:   {_place(fixturedef, user)}\n"
        f"  needed by: {user.nodeid}\n"
        "  That test's recording is closed by then: what a model answers there is recorded nowhere, and could not be\n"
        "  replayed.\n"
        "  to do:     call the model in the test itself;\n"
        f"             a host that is no model, such as a database: planguard_allowed_hosts = {host}"
    )


def _named(fixturedef: Any) -> str:
    """'setup_class', 'module-scoped fixture server': what a user calls the fixture."""
    generated = _GENERATED.fullmatch(fixturedef.argname)
    kind = f"{fixturedef.scope}-scoped fixture" if fixturedef.scope != "function" else "autouse fixture"
    return generated[1] if generated else f"{kind} {fixturedef.argname}"


def _place(fixturedef: Any, user: pytest.Item) -> str:
    """'conftest.py:12': where a fixture is defined, or the part of the suite that it belongs to."""
    code = getattr(fixturedef.func, "__code__", None)
    if code is None or _GENERATED.fullmatch(fixturedef.argname):
        return str(fixturedef.baseid or fixturedef.argname)
    return f"{code.co_filename.removeprefix(f'{user.config.rootpath}/')}:{code.co_firstlineno}"
