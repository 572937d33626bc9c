"""Requests outside of marked tests: at import, in parametrization, in unmarked tests, and from what a test leaves.

No cassette is open then. A marked test that checks an answer without asking for one may rely on such a request, so it
names them; a finalizer or thread of a marked test that asks in an unmarked one causes a warning there.
"""

from __future__ import annotations

import os
import socket
import sys
import warnings
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any

import pytest

from ...errors import PlanguardWarning
from ...replay.network.hooks import Listeners, listen, listens_here, unlisten
from ...replay.session.responder import active_responder
from .. import _RUNNING, MARKED, VCR
from ..options import settings_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from types import FrameType

_AFTER = "after the tests"
_MOST = 8
"""Requests that are named. A suite may have hundreds of unmarked tests that ask."""
_LEFT: list[Listeners] = []
"""Those of the last session of this process, which has ended."""
OUTSIDE: pytest.StashKey[Outside] = pytest.StashKey()
_HTTP = frozenset({"http.client", "httpcore", "httpcore2", "aiohttp", "tornado", "urllib3", "urllib3_future", "anyio"})
"""Modules and packages below the clients that ask over HTTP, as models are asked. Drivers of databases use none.

anyio connects for httpcore in a task that has only anyio's frames."""
_INTERNET = (socket.AF_INET, socket.AF_INET6)
_FINALIZERS = frozenset({("__del__", None), ("__call__", "weakref"), ("_run_finalizers", "multiprocessing.util")})
"""Functions in which an object's end runs code, with their module unless it is the object's own."""


class Outside:
    """A plugin that notes the requests. It is registered with the first test file that names planguard."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._root = os.path.join(config.rootpath, "")  # noqa: PTH118  # ends with a separator
        self._where: str | None = "at import"
        self._item: pytest.Item | None = None  # the test that runs, or the last one
        self._after_marked = False  # a marked test has run, and may have left something
        self._name = ""  # the host that was looked up last
        self._asked: dict[str, None] = {}
        self._listens: dict[int, bool] = {}  # ports, and if this process listens there
        listeners: Listeners = {"socket.connect": self._connected, "socket.getaddrinfo": self._looked_up}
        listen(listeners)
        self._listeners = listeners
        config.add_cleanup(self._end)

    @property
    def asked(self) -> tuple[str, ...]:
        """The requests so far: 'httpx asked api.example.com:443 at import (test_app.py:12)'."""
        more = len(self._asked) - _MOST
        others = f"{more} more {'request' if more == 1 else 'requests'} of this kind"
        return (*islice(self._asked, _MOST), *([others] if more > 0 else ()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self) -> None:
        """All modules are imported. What is asked from now on is asked by a test."""
        self._where = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note what an unmarked test asks."""
        self._item = item
        if MARKED not in item.stash and VCR not in item.stash:
            self._where = f"in {item.nodeid}"
        else:
            self._after_marked = True
        try:
            return (yield)
        finally:
            self._where = None

    def _end(self) -> None:
        """Stop, or in the outermost session of this process go on for `atexit` functions that a test has left."""
        if self._after_marked and not _RUNNING:
            self._where = _AFTER
            while _LEFT:
                unlisten(_LEFT.pop())
            _LEFT.append(self._listeners)
        else:
            unlisten(self._listeners)

    def _looked_up(self, host: object, *_: object) -> None:
        if self._where or self._after_marked:
            self._name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)

    def _connected(self, connection: Any, address: Any) -> None:
        if connection.family not in _INTERNET or not isinstance(address, tuple):
            return
        # Without this frame: a frame that refers to itself keeps the callers' sockets open until the next collection.
        frames = [*_frames(sys._getframe(1))]  # noqa: SLF001
        left = _left_behind(frames) if self._after_marked else None
        if self._where is None and (left is None or active_responder() is not None):
            return
        from ...replay.network.earlier_threads import blames_earlier, straggler
        from ...replay.network.guard import NetworkBlocked

        asks = straggler() is not None or any(_is_http(frame) for frame in frames)  # a marked test would refuse both
        if asks and not self._is_allowed(*address[:2]):
            place = f"{self._name or address[0]}:{address[1]}"
            if blames_earlier(place):
                raise NetworkBlocked(f"{place} was asked by a thread that has outlived its test")
            self._note(place, frames, left)

    def _note(self, place: str, frames: Sequence[FrameType], left: str | None) -> None:
        if self._where == _AFTER:
            # A program that runs pytest asks for itself, and may run it again: pytest's frames come last.
            if frames[-1].f_back is None and frames[-1].f_code.co_name != "<module>" and not _RUNNING:
                said = f"{self._by(frames)} asked {place} {_AFTER}{self._place(frames)}, when no cassette is open"
                warnings.warn(said, PlanguardWarning, stacklevel=2)
        elif left is not None and self._item is not None:
            said = f"{left} asked {place}, and no cassette is open here; let it end in the test that began it"
            self._item.warn(PlanguardWarning(said))
        else:
            self._asked.setdefault(f"{self._by(frames)} asked {place} {self._where}{self._place(frames)}")

    def _is_allowed(self, host: str, port: int) -> bool:
        """Return True for an allowed host, and for a server of this process."""
        allowed = {*map(str.lower, settings_of(self._config).allowed_hosts)}
        names = {host, self._name.lower()}
        if not allowed.isdisjoint({*names, *(f"{name}:{port}" for name in names)}):
            return True
        if port not in self._listens:
            self._listens[port] = listens_here(port)
        return self._listens[port]

    def _is_own(self, frame: FrameType) -> bool:
        """Return True for code of the project, not of an environment inside its folder."""
        file = frame.f_code.co_filename
        return file.startswith(self._root) and "site-packages" not in file

    def _by(self, frames: Sequence[FrameType]) -> str:
        """Return the package through which the project asks: 'httpx'."""
        above = takewhile(lambda frame: not self._is_own(frame), frames)
        packages = [str(frame.f_globals.get("__name__", "")).partition(".")[0] for frame in above]
        below = sys.stdlib_module_names | {"pytest_planguard"}
        return next((name for name in reversed(packages) if name not in below), "python")

    def _place(self, frames: Sequence[FrameType]) -> str:
        """Return the outermost place in the project, ' (test_app.py:12)'; '' in a client's thread."""
        own = [frame for frame in frames if self._is_own(frame)][-1:]
        return "".join(f" ({f.f_code.co_filename.removeprefix(self._root)}:{f.f_lineno})" for f in own)


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the frames of this thread, innermost first, up to those of pytest."""
    while frame is not None and not str(frame.f_globals.get("__name__", "")).startswith("_pytest."):
        yield frame
        frame = frame.f_back


def _is_http(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return module in _HTTP or module.partition(".")[0] in _HTTP


def _left_behind(frames: Sequence[FrameType]) -> str | None:
    """Return who asks if a test left it: "X.__del__ (app.py:12)", or a thread; None if the current test asks."""
    from ...replay.network.earlier_threads import straggler

    for frame in frames:
        code = frame.f_code
        if not _FINALIZERS.isdisjoint({(code.co_name, None), (code.co_name, frame.f_globals.get("__name__"))}):
            return f"a finalizer, {code.co_qualname} ({os.path.basename(code.co_filename)}:{code.co_firstlineno}),"  # noqa: PTH119
    thread = straggler()
    return None if thread is None else f"{thread},"


def watch_outside(config: pytest.Config) -> None:
    """Start to note requests outside of marked tests, unless that has begun."""
    settings = settings_of(config)
    if OUTSIDE not in config.stash and settings.block_network and settings.processes != "allow":
        outside = config.stash[OUTSIDE] = Outside(config)
        config.pluginmanager.register(outside, "planguard-outside")
