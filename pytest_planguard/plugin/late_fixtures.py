"""Fixtures that are torn down behind a test's body: its recording is closed, so nothing could replay what they ask.

Those are set up after `planguard`, so from the end of the body until `planguard` itself is torn down connections are
refused, in every record mode. Fixtures that were there before it have a guard of their own: `early_fixtures`.
"""

from __future__ import annotations

import inspect
import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Never
from urllib.parse import urlsplit

from ..replay.network.guard import installed
from .early_fixtures import CalledTooLate
from .empty_tape import EmptyTape
from .refusing import NotRecorded, Refusing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from types import CodeType

    from ..wire.exchange import Message
    from .case import Case


class LateFixtures:
    """Refuses what is asked between the end of a test's body and the end of its fixtures."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._guard = Refusing(case.settings.allowed_hosts, self._explain)
        self._installed = ExitStack()

    @contextmanager
    def behind(self, body: AbstractContextManager[None]) -> Iterator[None]:
        """Around a test's body and its judgement: begin when both are done."""
        __tracebackhide__ = True
        try:
            with body:
                yield
        finally:
            self._begin()

    def end(self) -> None:
        """The fixtures are torn down. Raises CalledTooLate where one asked, whatever it made of the refusal."""
        __tracebackhide__ = True
        self._installed.close()
        if self.refused is not None:
            raise CalledTooLate(self.refused)

    @property
    def refused(self) -> str | None:
        """What was said to a fixture; None where nothing was refused."""
        return self._guard.refused

    def _begin(self) -> None:
        if self._case.settings.record != "none" and not isinstance(self._case.tape, EmptyTape):
            from ..replay.session.cassette import serving
            from ..replay.session.intervention_replay import ClosedRecording

            # A client that has recorded may have a connection left, which no guard of sockets sees.
            closed = ClosedRecording(self._refuse)
            self._installed.enter_context(serving(closed, self._case.settings.allowed_hosts))
        # In front of the guard that came with it: the first that refuses is the one that remembers.
        self._installed.enter_context(installed(self._guard))

    def _refuse(self, message: Message) -> Never:
        self._guard.refused = self._explain(urlsplit(message.url).netloc.rpartition("@")[2])  # without a password
        raise NotRecorded(self._guard.refused)

    def _explain(self, host: str) -> str:
        asking = _asking(os.path.join(self._case.item.config.rootpath, ""))  # noqa: PTH118  # ends with a separator
        return (
            f"a fixture opened a connection to {host} while it was torn down\n"
            f"{f'  fixture:   {asking}{chr(10)}' if asking else ''}"
            f"  needed by: {self._case.nodeid}\n"
            "  The recording of this test closed with its body: what a model answers there is recorded nowhere, and "
            "could\n  not be replayed.\n"
            "  to do:     ask inside the test, or in the fixture before it yields;\n"
            f"             a host that is no model, such as a database: planguard_allowed_hosts = {host}"
        )


def _asking(root: str) -> str | None:
    """'server, conftest.py:12': the project's own outermost function on the stack; None in a thread of a client."""
    frame, found = inspect.currentframe(), None
    while frame is not None and not frame.f_globals.get("__name__", "").startswith("_pytest."):
        if _belongs_to(root, frame.f_code):
            found = frame.f_code
        frame = frame.f_back
    return None if found is None else f"{found.co_name}, {found.co_filename[len(root) :]}:{found.co_firstlineno}"


def _belongs_to(root: str, code: CodeType) -> bool:
    return code.co_filename.startswith(root) and "site-packages" not in code.co_filename
