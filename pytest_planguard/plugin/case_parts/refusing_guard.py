"""Refuse connections where nothing is replayed or recorded, and say what the user can do; also where that fails."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from pathlib import PurePath
from typing import TYPE_CHECKING, Never, NoReturn, TypeVar

import pytest

from ...errors import CassetteError, PlanguardError, SetupFailed
from ...replay.network.guard import NetworkBlocked, NetworkGuard
from ...replay.network.installed_guard import installed
from ...replay.session.responder import ClosedCassette, start_answering, stop_answering
from ...replay.session.vcrpy_import import any_loaded

if TYPE_CHECKING:
    from ...wire.exchange import Message


LOCAL = "the function "
"""How a place begins that is no host."""


class UnrecordedRequest(CassetteError):  # named for what happened
    """A model was asked where no cassette is open. Not an OSError: SDKs would take it for a passing failure."""


class CalledTooLate(PlanguardError):  # named for what happened
    """A fixture asked a model while it was torn down, behind the cassettes of its tests."""


class RefusingGuard(NetworkGuard):
    """Refuses connections from `begin` to `end`, and what loaded clients send; remembers why: apps swallow the error.

    A client with an open connection is refused above it, since its writes may go to the descriptor (OpenSSL, uvloop).
    """

    def __init__(self, allowed_hosts: Iterable[str], explain: Callable[[str], str], what: str) -> None:
        """`explain` is called with a host or a function; `what` says what is done with the guard, behind "could not".

        `explain` must not be a method of what holds the guard: only garbage collection would free the two.
        """
        super().__init__(allowed_hosts)
        self._explain, self._what = explain, what
        self._refused: str | None = None
        self._undo = ExitStack()
        self.times = 0
        """How many connections were refused."""

    def begin(self) -> None:
        """Refuse from now on. An error leaves nothing in place. Raises SetupFailed."""
        closed = ClosedCassette(self.refuse)
        try:
            with ExitStack() as undo:
                if any_loaded():
                    undo.enter_context(_refusing_loaded(closed, self.lets_pass))
                start_answering(closed)
                undo.callback(stop_answering, closed)
                undo.enter_context(installed(self))
                self._undo = undo.pop_all()
        except Exception as error:
            raise_setup_failed(error, self._what)

    def end(self) -> None:
        """Refuse no more. The second call does nothing, nor does one before `begin`."""
        self._undo.close()

    @property
    def refused(self) -> str | None:
        """The explanation of the last refusal, in this process or a forked child; None where nothing was refused."""
        if self._refused is None and self.reports.expected:
            return next((text for (text,) in self.reports.received("refused")), None)
        return self._refused

    def check(self, host: str, port: int | None) -> None:
        """Raise UnrecordedRequest for a host that is not allowed."""
        try:
            super().check(host, port)
        except NetworkBlocked:
            raise self._refusal(host, port) from None

    def refuse(self, message: Message) -> Never:
        """Refuse the request of a client, whatever connection it would take. Raises UnrecordedRequest."""
        from ...replay.matching.decision import local_place
        from ...replay.network.contacts import place_of

        local = local_place(message.url)
        raise self._refusal(*place_of(message.url) if local is None else (local, None))

    def lets_pass(self, url: str) -> bool:
        """Return whether a URL is at an allowed host."""
        from ...replay.network.contacts import place_of

        host, port = place_of(url)
        return port is not None and self.allows(host, port)

    def _refusal(self, host: str, port: int | None) -> UnrecordedRequest:
        from ...replay.network.senders import with_sender

        self.times += 1
        self._refused = with_sender(self._explain(host if port is None else f"{host}:{port}"))
        self.reports.send("refused", self._refused)
        return UnrecordedRequest(self._refused)


class TeardownGuard(RefusingGuard):
    """Refuses what fixtures ask while they are torn down: the cassettes of their tests are closed by then."""

    def another(self) -> TeardownGuard:
        """Return one for a further run of the test."""
        return TeardownGuard(self._allowed, self._explain, self._what)

    def end(self) -> None:
        """Refuse no more. Raises CalledTooLate where a fixture asked, even if it caught the refusal."""
        __tracebackhide__ = True
        super().end()
        if self.refused is not None:
            raise CalledTooLate(self.refused)


def contact(where: str) -> str:
    """Return 'opened a connection to api.example.com', or 'called the function ask' of a call tape."""
    return f"called {where}" if where.startswith(LOCAL) else f"opened a connection to {where}"


def allow_advice(where: str) -> str:
    """Return the line that says how a host is allowed; "" for a function, which is none."""
    if where.startswith(LOCAL):
        return ""
    return f";\n             a host that is not a model, such as a database: planguard_allowed_hosts = {where}"


def _refusing_loaded(closed: ClosedCassette, allows: Callable[[str], bool]) -> AbstractContextManager[None]:
    from ...replay.session.vcrpy_import import import_vcrpy

    import_vcrpy()
    from ...replay.session.cassette import refusing_loaded

    return refusing_loaded(closed, allows)


_Server = TypeVar("_Server")


def raise_setup_failed(error: Exception, what: str) -> NoReturn:
    """Raise an error of ours as it is, and for another one what could not be done, by whom it was refused, the way out.

    `what` follows "could not": "open the cassette of this test".

    Raises:
        SetupFailed: for an error that is not ours.
    """
    if isinstance(error, PlanguardError | pytest.UsageError):
        raise error
    raise SetupFailed(
        f"could not {what}; what was put in place for it is taken back\n"
        f"  raised: {type(error).__name__}: {error}\n"
        f"  in:     {_place(error)}\n"
        "  to do:  let this test go without what refuses that (a plugin, a fixture, a limit of the system);\n"
        "          --full-trace shows how it came there"
    ) from error


def started(server: Callable[[], _Server], of: str, way_out: str) -> _Server:
    """Start a server on a loopback port. `of` names what needs it, `way_out` how a test does without.

    Raises:
        SetupFailed: sockets are forbidden, or none is left.
    """
    try:
        return server()
    except Exception as error:
        raise SetupFailed(
            f"{of} needs a port of 127.0.0.1, and none can be opened: {type(error).__name__}: {error}\n"
            f"  to do: allow sockets at 127.0.0.1 (pytest-socket: --allow-hosts=127.0.0.1), or {way_out}"
        ) from error


def _place(error: BaseException) -> str:
    """Return 'pytest_socket.py:138': where an error was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
