"""The event `pipeline.paused` to a webhook. Whatever becomes of it, the pipeline goes on."""

from __future__ import annotations

import ipaddress
import json
import threading
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ...errors import UsageError

if TYPE_CHECKING:
    from http.client import HTTPMessage
    from urllib.request import Request

TIMEOUT_S = 3.0


def checked_url(url: str) -> str:
    """Return a webhook's URL. Raises UsageError unless it is https, or http to this machine."""
    parts = urlsplit(url)
    if parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(parts.hostname))):
        return url
    raise UsageError(f"wrong webhook: got {url!r}; give an https URL, or http to 127.0.0.1 or localhost")


def send(url: str, event: Mapping[str, Any], timeout_s: float = TIMEOUT_S) -> str | None:
    """Post an event as JSON; why it failed, or None where it was taken.

    Waits `timeout_s` seconds in all, also for a server that sends a byte at a time. A redirect to another host is not
    followed.
    """
    problems: list[str | None] = []
    worker = threading.Thread(target=lambda: problems.append(_post(url, event, timeout_s)), daemon=True)
    worker.start()
    worker.join(timeout_s)
    return problems[0] if problems else f"the webhook did not answer within {timeout_s:g} s"


def _post(url: str, event: Mapping[str, Any], timeout_s: float) -> str | None:
    from urllib.error import HTTPError
    from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

    class SameHost(HTTPRedirectHandler):
        """Refuses to carry an event to another host than the one that was configured."""

        def redirect_request(
            self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
        ) -> Request | None:
            if _origin(newurl) != _origin(url):
                raise HTTPError(req.full_url, code, f"it redirects to another host, {_origin(newurl)}", headers, fp)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    body = json.dumps(event, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace")
    request = Request(url, body, {"Content-Type": "application/json"}, method="POST")
    handlers = [SameHost(), ProxyHandler({})] if _is_loopback(urlsplit(url).hostname or "") else [SameHost()]
    try:
        with build_opener(*handlers).open(request, timeout=timeout_s):
            return None
    except HTTPError as error:
        error.close()
        return f"the webhook answered {error.code}: {error.reason}"
    except Exception as error:  # the pipeline must go on, whatever a foreign server does
        return f"the webhook cannot be reached: {type(error).__name__}: {error}"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
