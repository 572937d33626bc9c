"""Refuse connections when nothing is replayed or recorded, and tell the user what to do."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import PurePath
from typing import TYPE_CHECKING, Never, NoReturn, TypeVar

import pytest

from ...errors import CassetteError, PlanguardError, SetupFailed
from ...replay.network.guard import NetworkBlocked, NetworkGuard
from ...replay.network.installed_guard import installed
from ...replay.session.responder import ClosedCassette, answering
from ...replay.session.vcrpy_import import any_loaded, import_vcrpy

if TYPE_CHECKING:
    from ...wire.exchange import Message


LOCAL = "the function "
"""The prefix of a place that is not a host."""


class UnrecordedRequest(CassetteError):  # named after what happened
    """A model was asked while no cassette was open. Not an OSError, which SDKs would treat as a transient failure."""


class CalledTooLate(PlanguardError):  # named after what happened
    """A fixture asked a model during its teardown, after the cassettes of its tests were closed."""


class RefusingGuard(NetworkGuard):
    """Start refusing. If this fails, nothing stays patched. Raises SetupFailed.

    It keeps the reason, because apps swallow the error. A client with an open connection is refused at a higher level,
    since it may write to the descriptor itself (OpenSSL, uvloop).
    """

    def __init__(self, allowed_hosts: Iterable[str], explain: Callable[[str], str], what: str) -> None:
        """`explain` gets a host or a function; `what` names the guard's purpose, and follows "could not".

        `explain` must not be a method of the guard's owner: only garbage collection would free the two.
        """
        super().__init__(allowed_hosts)
        self._explain, self._what = explain, what
        self._refused: str | None = None
        self._undo = ExitStack()

    def begin(self) -> None:
        """Refuse from now on. An error leaves nothing in place. Raises SetupFailed."""
        closed = ClosedCassette(self.refuse)
        try:
            with ExitStack() as undo:
                if any_loaded():
                    import_vcrpy()
                    from ...replay.session.cassette import refusing_loaded

                    undo.enter_context(refusing_loaded(closed, self.lets_pass))
                undo.enter_context(answering(closed))
                undo.enter_context(installed(self))
                self._undo = undo.pop_all()
        except Exception as error:
            raise_setup_failed(error, self._what)

    def end(self) -> None:
        """Stop refusing. A second call, or one before `begin`, does nothing."""
        self._undo.close()

    @property
    def refused(self) -> str | None:
        """The explanation of the last refusal, in this process or a forked child; None without a refusal."""
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
        """Refuse a client's request on any connection. Raises UnrecordedRequest."""
        from ...replay.matching.refusal import local_place
        from ...replay.network.contacts import place_of

        local = local_place(message.url)
        raise self._refusal(*place_of(message.url) if local is None else (local, None))

    def lets_pass(self, url: str) -> bool:
        """Return True if the host of a URL is allowed."""
        from ...replay.network.contacts import place_of

        host, port = place_of(url)
        return port is not None and self.allows(host, port)

    def _refusal(self, host: str, port: int | None) -> UnrecordedRequest:
        from ...replay.network.earlier_threads import blames_earlier, with_sender

        place = host if port is None else f"{host}:{port}"
        explained = with_sender(self._explain(place))
        if not blames_earlier(place):
            self._refused = explained
            self.reports.send("refused", explained)
        return UnrecordedRequest(explained)


class TeardownGuard(RefusingGuard):
    """Refuses requests of fixtures during teardown, when the cassettes of their tests are already closed."""

    def another(self) -> TeardownGuard:
        """Return a new guard for a rerun of the test."""
        return TeardownGuard(self._allowed, self._explain, self._what)

    def end(self) -> None:
        """Stop refusing. Raises CalledTooLate if a fixture sent a request, even if it caught the refusal."""
        __tracebackhide__ = True
        super().end()
        if self.refused is not None:
            raise CalledTooLate(self.refused)


def contact(where: str) -> str:
    """Return 'opened a connection to api.example.com', or 'called the function ask' of a call tape."""
    return f"called {where}" if where.startswith(LOCAL) else f"opened a connection to {where}"


def allow_advice(where: str) -> str:
    """Return a line that says how to allow a host; "" for a function."""
    if where.startswith(LOCAL):
        return ""
    return f";\n             a host that is not a model, such as a database: planguard_allowed_hosts = {where}"


_Server = TypeVar("_Server")


def raise_setup_failed(error: Exception, what: str) -> NoReturn:
    """Raise our own errors unchanged, and explain others: what failed, what refused it, what to do.

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
    """Start a server on a loopback port. `of` names what needs it, `way_out` how a test can avoid it.

    Raises:
        SetupFailed: sockets are forbidden, or no port is free.
    """
    try:
        return server()
    except Exception as error:
        raise SetupFailed(
            f"{of} needs a server at 127.0.0.1, and none can start: {type(error).__name__}: {error}\n"
            f"  to do: remove that cause (if pytest-socket: --allow-hosts=127.0.0.1), or {way_out}"
        ) from error


def _place(error: BaseException) -> str:
    """Return the place that raised an error: 'pytest_socket.py:138'."""
    frames = traceback.extract_tb(error.__traceback__)
    return f"{PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "an unknown place"
