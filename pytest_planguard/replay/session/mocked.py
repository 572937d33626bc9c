"""Record and replay what a mock answers in place of a model: pytest-httpx, respx, responses, MockTransport.

Such a tool replaces the method that planguard would patch, so the patches here are one step above: where a client looks
up the transport of a request. Fixtures may come in any order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import Any

from ...wire.decode import decode_request
from ..network.senders import passing
from .patches import Replacement
from .replayed_response import as_message

_SEND = ("handle_request", "handle_async_request")
"""The methods of httpx's transports and of their connection pools that send."""


def look_ups(cassette: Any, vcrpy_request: Callable[..., Any], stubs: Any) -> Iterator[Replacement]:
    """Yield replacements for the look-ups of loaded clients.

    `cassette` is vcrpy's, with the methods of `PlanguardCassette`; `stubs` are vcrpy's functions for httpx.
    """
    for name in ("httpx", "httpx2"):
        module: Any = sys.modules.get(name)
        for kind in () if module is None else (module.Client, module.AsyncClient):
            yield _look_up(
                kind, "_transport_for_url", partial(_Transport, cassette, vcrpy_request, stubs, module), _answers_itself
            )
    requests: Any = sys.modules.get("requests")
    if requests is not None:
        ours = partial(_Adapter, cassette, vcrpy_request, requests.RequestException)
        yield _look_up(requests.Session, "get_adapter", ours, lambda found: _is_mocked(type(found), "send"))


def _look_up(kind: Any, name: str, ours: Callable[[Any], object], mocked: Callable[[Any], bool]) -> Replacement:
    real = getattr(kind, name)

    def look_up(self: object, *args: object, **kwargs: object) -> Any:
        found = real(self, *args, **kwargs)
        return ours(found) if mocked(found) else found

    return Replacement(kind, name, look_up)


def _answers_itself(transport: object) -> bool:
    """Return True for a transport of httpx that a tool or a test answers, itself or at its connections (respx)."""
    kinds = [type(transport), type(getattr(transport, "_pool", None))]
    names = {kind.__name__ for kind in kinds[0].__mro__}
    return "MockTransport" in names or any(_is_mocked(kind, name) for kind in kinds for name in _SEND)


def is_mocked(owner: object, method: object) -> bool:
    """Return True if another tool answers in place of a method: its function is from a package that is not the owner's.

    A tool that only looks on, such as OpenTelemetry, wraps the method and keeps its module.
    """
    packages = [str(getattr(one, "__module__", "")).partition(".")[0] for one in (owner, method)]
    return packages[1] not in (packages[0], "vcr", __name__.partition(".")[0])


def _is_mocked(kind: type[object], name: str) -> bool:
    """Return True if a tool answers in place of a method that a class has, or inherits from another package."""
    owner = next((one for one in kind.__mro__ if name in vars(one)), None)
    return owner is not None and is_mocked(owner, vars(owner)[name])


def _asks_model(cassette: Any, request: Any) -> bool:
    """Return True if a cassette answers or records a request; the mock of another service answers as it likes."""
    return not cassette.closed and decode_request(1, as_message(request)).is_generation


# In a replay, the mock is asked first, since it may count its requests. An error of the client's own kind, such as a
# time-out, was raised while recording, too, and has no recorded answer. Other errors are those of a mock that lets the
# request pass: the network is closed, and the recorded answer is served.


class _Transport:
    """A mocked transport of httpx that is watched."""

    def __init__(self, cassette: Any, vcrpy_request: Callable[..., Any], stubs: Any, module: Any, mock: Any) -> None:
        self._cassette, self._request, self._stubs, self._module = cassette, vcrpy_request, stubs, module
        self._mock = mock

    def handle_request(self, request: Any) -> Any:
        """Answer a request."""
        sent = self._sent(request, request.read())
        if not _asks_model(self._cassette, sent):
            return _ask(self._mock, request)
        if self._cassette.plays(sent):
            with _raising(self._module.TransportError):
                _ask(self._mock, request)
        return self._stubs.vcr_handle_request(self._cassette, _ask, self._module)(self._mock, request)

    async def handle_async_request(self, request: Any) -> Any:
        """Answer a request."""
        sent = self._sent(request, await request.aread())
        if not _asks_model(self._cassette, sent):
            return await _ask_async(self._mock, request)
        if self._cassette.plays(sent):
            with _raising(self._module.TransportError):
                await _ask_async(self._mock, request)
        return await self._stubs.vcr_handle_async_request(self._cassette, _ask_async, self._module)(self._mock, request)

    def _sent(self, request: Any, body: bytes) -> object:
        return self._request(request.method, str(request.url), body, request.headers)


def _ask(mock: Any, request: Any) -> Any:
    with passing():
        return mock.handle_request(request)


async def _ask_async(mock: Any, request: Any) -> Any:
    with passing():
        return await mock.handle_async_request(request)


@contextmanager
def _raising(kind: type[Exception]) -> Iterator[None]:
    """Suppress all errors but those of a kind."""
    try:
        yield
    except kind:
        raise
    except Exception:
        return


class _Adapter:
    """A mocked adapter of requests that is watched."""

    def __init__(self, cassette: Any, vcrpy_request: Callable[..., Any], error: type[Exception], mock: Any) -> None:
        self._cassette, self._request, self._error, self._mock = cassette, vcrpy_request, error, mock

    def send(self, request: Any, **how: Any) -> Any:
        """Answer a request."""
        sent = self._request(request.method, request.url, request.body, dict(request.headers))
        if request.body is not None and not isinstance(request.body, str | bytes):
            request.body = sent.body  # a file or an iterator has been read
        if not _asks_model(self._cassette, sent):
            return self._ask(request, how)
        if self._cassette.can_play_response_for(sent):
            with _raising(self._error):
                self._ask(request, how)
            return self._as_response(request, self._cassette.play_response(sent))
        answer = self._ask(request, how)
        headers = {name: [value] for name, value in answer.headers.items()}
        status = {"code": answer.status_code, "message": answer.reason}
        self._cassette.append(sent, {"status": status, "headers": headers, "body": {"string": answer.content}})
        return answer

    def _ask(self, request: Any, how: dict[str, Any]) -> Any:
        with passing():
            return self._mock.send(request, **how)

    def _as_response(self, request: Any, played: dict[str, Any]) -> Any:
        from urllib3 import HTTPResponse

        headers = {name: ", ".join(values) for name, values in played["headers"].items()}
        status, body = played["status"], BytesIO(played["body"]["string"])
        raw = HTTPResponse(body, headers, status["code"], reason=status["message"], preload_content=False)
        return self._mock.build_response(request, raw)
