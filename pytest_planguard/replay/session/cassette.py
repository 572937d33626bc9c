"""Combine vcrpy's patches of HTTP clients with planguard's index, gate, journal and redaction.

This is the only module that imports vcr. A test pins the undocumented names of vcrpy that it uses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import vcr.stubs
from vcr.cassette import Cassette
from vcr.config import VCR
from vcr.errors import CannotOverwriteExistingCassetteException
from vcr.patch import CassettePatcherBuilder
from vcr.record_mode import RecordMode
from vcr.request import Request
from vcr.stubs import VCRConnection, httpx_stubs, serialize_headers

from ...errors import CassetteError, NoRecordedAnswer
from ..matching.cassette_index import RecordedEntry
from ..matching.refusal import MatchMode, Miss, MissKind
from ..network.contacts import is_among
from ..network.guard import NetworkGuard
from ..network.installed_guard import installed
from ..network.senders import passes, recorded
from ..privacy.redaction_rules import Redaction
from .mocked import is_mocked, look_ups
from .patches import BuiltPatches, Replacement, applied, as_recorded, by_own_names, lighter, outlived
from .playback import COMMAND, Allowance, CassetteSettings, Mode
from .replayed_response import as_bytes, as_interaction, as_message, http_response, httpx_response, served
from .responder import ClosedCassette, Responder, answering
from .session import CassetteSession, begin, finishing, kept_cassette
from .vcrpy_import import VcrHooks, absent_clients, loaded_clients, unloaded_clients, vcr_hooks

_REASONS = {
    MissKind.EXTRA: "already_played",
    **dict.fromkeys((MissKind.CHANGED, MissKind.MISSING, MissKind.AMBIGUOUS), "no_match"),
}
"""vcrpy's words for kinds of misses; "cassette_not_found" for any other."""
_HttpResponse = http_response(vcr.stubs.VCRHTTPResponse)


class CassetteMiss(CannotOverwriteExistingCassetteException, NoRecordedAnswer):  # type: ignore[misc]  # vcr is untyped
    """No recorded answer matches a request. Code that catches vcrpy's own error catches this one as well.

    Attributes:
        miss: the miss, which the session also keeps in case the app handles this error.
        cassette, failed_request, similar_requests, reason: as in vcrpy's error.
    """

    def __init__(self, cassette: Any, failed_request: Any, miss: Miss) -> None:
        Exception.__init__(self, miss.message)  # vcrpy's constructor compares with every cassette
        self.miss = miss
        self.cassette = cassette
        self.failed_request = failed_request
        self.similar_requests: list[object] = []
        self.reason = _REASONS.get(miss.kind, "cassette_not_found")

    def __reduce__(self) -> tuple[type[CassetteError], tuple[str]]:
        """Pickle as a plain error with the same text, because a process pool sends it from a child to its parent."""
        return CassetteError, (str(self),)


class PlanguardCassette(Cassette):  # type: ignore[misc]  # vcr is untyped
    """A vcrpy cassette that gets its answers from a planguard session. vcrpy never rewrites its file."""

    def __init__(self, session: Responder, allows: Callable[[str], bool], skipped: tuple[str, ...]) -> None:
        """`skipped` are vcrpy's names of clients that cannot be used here."""
        mode = RecordMode.ALL if session.recording else RecordMode.NONE
        super().__init__(str(session.path), record_mode=mode, custom_patches=(_in_events(),))
        self.skip_patchers = skipped  # version 8 ignores this, and patches all installed clients
        self._session = session
        self._allows = allows
        self.hooks = VcrHooks()
        self._sent_at: WeakKeyDictionary[object, float] = WeakKeyDictionary()

    def ask(self, session: Responder, allows: Callable[[str], bool]) -> None:
        """Get all answers from another responder from now on."""
        self._session, self._allows = session, allows

    def let_pass(self) -> None:
        """Let all requests pass from now on, since another tool may put a patch back that has ended."""
        self._allows = lambda _: True

    @property
    def closed(self) -> bool:
        """True if every request is refused."""
        return isinstance(self._session, ClosedCassette)

    def __len__(self) -> int:
        return len(self._session.urls)

    def filter_request(self, request: Any) -> Any:
        """Return the request, or None to let it pass to an allowed host, or within a recorded call."""
        return None if self._allows(request.uri) or passes() else self.hooks.request(request)

    def can_play_response_for(self, request: object) -> bool:
        """Return True to have `play_response` called, which serves or raises.

        No side effects: clients call it repeatedly. If it returns False, the client sends the request next, so its
        latency is measured from here.
        """
        plays = self.plays(request)
        if not plays:
            self._sent_at[request] = time.perf_counter()
            seen = self.filter_request(request)
            if seen is not None:
                self._session.expect(as_message(seen))
        return plays

    def plays(self, request: object) -> bool:
        """Return True to have `play_response` called, without a note of a request that is sent next."""
        seen = self.filter_request(request)
        if seen is None:
            return False
        plays = self._session.replays(lambda: as_message(seen))
        if self._session.recording:
            self.record_mode = RecordMode.ALL  # if the limit is reached, `play_response` raises instead
        return plays

    def play_response(self, request: Any) -> dict[str, Any]:
        """Return the recorded answer. Raises CassetteMiss."""
        found = self._session.answer(as_message(self.hooks.request(request)))
        if isinstance(found, Miss):
            raise CassetteMiss(self, request, found)
        return served(found)

    def _responses(self, request: object) -> Generator[tuple[int, dict[str, Any]], None, None]:
        """Yield the response that would be served, for vcrpy's helpers (`responses_of`, `in`). Serves nothing."""
        entry: RecordedEntry | None = self._session.peek(as_message(self.hooks.request(request)))
        if entry is not None:
            yield entry.position - 1, served(entry)

    def find_requests_with_most_matches(self, request: object) -> list[Any]:
        """Return the request itself: on a redirect, aiohttp asks for the next request to play, which it just built."""
        return [(request, [], [])]

    def append(self, request: Any, response: dict[str, Any]) -> None:
        """Record a live exchange after the client has read the whole answer."""
        began = self._sent_at.pop(request, None)
        latency_s = None if began is None else time.perf_counter() - began
        seen = self.filter_request(request)
        answer = None if seen is None else self.hooks.response(response)
        if answer is not None:
            self._session.record(as_interaction(seen, answer, latency_s))


class _Connection(VCRConnection):  # type: ignore[misc]  # vcr is untyped
    """A connection of `http.client`, and of libraries built on it. The cassette answers or records its requests.

    vcrpy removes its patches in the whole process while it connects and sends, so another thread's connections in that
    moment are neither replayed nor recorded. This class keeps the patches in place.
    """

    cassette: Any
    """The cassette, set in vcrpy's subclass for it; None in the class that is never opened."""

    def connect(self, *_: Any, **__: Any) -> None:
        """Do nothing. The connection is made when a request is sent, which never happens in a replay."""

    def getresponse(self, *_: object, **__: object) -> Any:
        """Return the recorded answer, or call the live endpoint and record its answer. Raises CassetteMiss."""
        request = self._vcr_request
        if self.cassette.can_play_response_for(request):
            response = self.cassette.play_response(request)
        else:
            with recorded():
                response = self._live(request)
            self.cassette.append(request, response)
        return _HttpResponse(response, request.uri)

    def _live(self, request: Any) -> dict[str, Any]:
        body = as_bytes(request.body)
        self.real_connection.request(request.method, self._url(request.uri), body or None, request.headers)
        answer = self.real_connection.getresponse()
        return {
            "status": {"code": answer.status, "message": answer.reason},
            "headers": serialize_headers(answer),
            "body": {"string": answer.data if hasattr(answer, "data") else answer.read()},
        }


class _Patches(CassettePatcherBuilder):  # type: ignore[misc]  # vcr is untyped
    """Replacements for the classes and methods of HTTP clients while a cassette is open, as in vcrpy.

    Methods that another tool has replaced, such as pytest-httpx, stay with that tool: nothing goes live past it.
    """

    def __init__(self, cassette: PlanguardCassette) -> None:
        super().__init__(cassette)
        self._real: list[type[object]] = []

    def build(self) -> Any:
        """Return the patches in the order of application. They can be applied again after their removal."""
        patches = [*super().build()]  # now the real classes are known
        own = (Replacement(*method) for method in by_own_names(self._real))
        return [*own, *map(lighter, patches), *look_ups(self._cassette, Request, httpx_stubs)]

    def _build_patcher(self, obj: object, patched_attribute: str, replacement_class: object) -> Any:
        if isinstance(replacement_class, FunctionType) and patched_attribute in _SEND:
            now = getattr(obj, patched_attribute)
            replacement_class = now if is_mocked(obj, now) else as_recorded(replacement_class)
        return super()._build_patcher(obj, patched_attribute, replacement_class)

    def _build_cassette_subclass(self, base_class: Any) -> Any:
        real = base_class._baseclass  # noqa: SLF001 - pinned by a test
        self._real.append(real)

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
            if not isinstance(self, VCRConnection):  # httplib2 calls `http.client.HTTPConnection.__init__` of its base
                real.__init__(self, *args, **kwargs)
                return
            kwargs.pop("strict", None)
            self.real_connection = real(*args, **kwargs)
            self._sock = None

        return type(base_class.__name__, (base_class, _Connection), {"cassette": self._cassette, "__init__": __init__})


_SEND = frozenset({"handle_request", "handle_async_request", "_request", "fetch_impl"})
"""Methods in which clients that are not built on `http.client` open connections."""


@contextmanager
def open_cassette(
    path: str | Path,
    *,
    mode: Mode = "none",
    match: MatchMode = "gated",
    contracts: Iterable[Any] = (),
    redaction: Redaction | None = None,
    allowed_hosts: Iterable[str] = (),
    provisional: Callable[[], bool] = lambda: False,
    conversation_id: Callable[[], str | None] = lambda: None,
    state: Callable[[], Mapping[str, str]] = dict,
    for_model: str | None = None,
    max_age_s: float | None = None,
    block_network: bool = True,
    command: str = COMMAND,
    shown_as: str | None = None,
    allowance: Allowance | None = None,
    now: Callable[[], float] = time.time,
    vcr_config: Mapping[str, Any] | None = None,
) -> Iterator[CassetteSession]:
    """Replay or record a cassette during a `with` block.

    Arguments:
        path: the cassette, a vcrpy file.
        mode: "none" only replays; "missing" records if there is no file; "stale" records the whole file again if the
            first request does not match or the file is older than `max_age_s` (a later mismatch sets `outgrown`);
            "verify" sends everything to the live endpoint and writes nothing; "all" records again. The old file is kept
            until a complete cassette replaces it.
        match: "gated" serves a request with the same meaning, a reworded first attempt, and a retry that feeds back a
            finding or may do so; "strict" serves only the same meaning; "ordered" serves by position; "lenient" serves
            the most similar request of the conversation.
        contracts: the contracts for the answers. They determine what a retry has to feed back.
        redaction: the rules for removing secrets before anything is written to disk.
        allowed_hosts: hosts ("db.local", "127.0.0.1", "127.0.0.1:5432") that tests may reach; they are not recorded.
        provisional: returns True if a retry that seems to feed nothing back may still be answered, because an
            experiment follows, and then a call of `settle`.
        conversation_id: returns the app's name for the current conversation, or None.
        state: returns the texts to record with each request, by name.
        for_model: the model that the test names, which is recorded with each request; None if it names none.
        max_age_s: seconds after which a cassette is `expired`, by the Date header of its newest answer.
        block_network: True to refuse connections during a replay.
        command: the command to record again, to show in messages.
        shown_as: the file's name in messages, for example relative to the current folder. Defaults to its path.
        allowance: limits the cost of recording, over all cassettes that share it.
        now: the clock, seconds since the epoch.
        vcr_config: vcrpy's settings, whose filters apply to each exchange before planguard sees it.

    Raises CassetteError for a file that is not a cassette, and if a cassette cannot be written.
    """
    file = Path(path)
    hooks = vcr_hooks(vcr_config, VCR()) if vcr_config else VcrHooks()
    hosts = frozenset(host.lower() for host in (*allowed_hosts, *hooks.hosts))
    settings = CassetteSettings(
        mode,
        match,
        redaction or Redaction(),
        tuple(contracts),
        provisional,
        conversation_id,
        state,
        for_model,
        command,
        shown_as or file.as_posix(),
        allowance or Allowance(),
    )
    guard = NetworkGuard(hosts, blocking=block_network)
    kept = kept_cassette(file, mode)
    session = CassetteSession(file, kept.interactions if kept else (), settings, guard)
    session.notes += kept.doubts if kept else ()
    with ExitStack() as stack:
        stack.enter_context(finishing(session))
        begin(session, mode, max_age_s, now)
        stack.enter_context(installed(guard))
        stack.enter_context(answering(session))
        stack.enter_context(_patched(session, partial(is_among, hosts), hooks))
        yield session


@contextmanager
def serving(responder: Responder, allowed_hosts: Iterable[str] = ()) -> Iterator[None]:
    """Let `responder` answer all requests during a `with` block, even while a cassette is open."""
    hosts = frozenset(host.lower() for host in allowed_hosts)
    patches = _kept_patches(responder, partial(is_among, hosts), absent_clients())
    with installed(NetworkGuard(hosts)), answering(responder), patches:
        yield


@contextmanager
def refusing_loaded(responder: Responder, allows: Callable[[str], bool]) -> Iterator[None]:
    """Let `responder` refuse the requests of every loaded client, except those to a URL that `allows` accepts.

    Connections are not watched. A pooled client already has its connection, and may write to it outside Python.
    """
    with _kept_patches(responder, allows, unloaded_clients()):
        yield


@contextmanager
def _kept_patches(responder: Responder, allows: Callable[[str], bool], skipped: tuple[str, ...]) -> Iterator[None]:
    """Apply patches, and keep them for the next guard or rerun: it takes longer to build them than to apply them."""
    made_for = (skipped, loaded_clients())
    built = next((one for one in _kept if one.made_for == made_for and one.are_current()), None)
    if built is None:
        cassette = PlanguardCassette(responder, allows, skipped)
        built = BuiltPatches(cassette, _Patches(cassette).build(), made_for)
    else:
        _kept.remove(built)  # guards are nested, so each one that is active has patches for itself
    built.cassette.ask(responder, allows)
    try:
        with applied(built.patches):
            yield
    finally:
        if outlived(built.patches):
            built.cassette.let_pass()
        else:
            _kept[:] = [built, *_kept[: _MOST_KEPT - 1]]


_kept: list[BuiltPatches[PlanguardCassette]] = []
_MOST_KEPT = 8
"""Maximum number of patches to keep, since guards nest: the guards of a test's fixtures, its teardown and its rerun."""


@contextmanager
def _patched(responder: Responder, allows: Callable[[str], bool], hooks: VcrHooks | None) -> Iterator[None]:
    """Let `responder` answer the requests of all clients that vcrpy supports."""
    cassette = PlanguardCassette(responder, allows, absent_clients())
    cassette.hooks = hooks or cassette.hooks
    patches = _Patches(cassette).build()
    try:
        with applied(patches):
            yield
    finally:
        if outlived(patches):
            cassette.let_pass()


def _in_events() -> tuple[Any, str, Any]:
    """Return the patch of vcrpy that delivers replayed streams to httpx event by event."""
    plain = httpx_stubs._deserialize_response  # noqa: SLF001 - pinned by a test
    return httpx_stubs, "_deserialize_response", httpx_response(plain)
