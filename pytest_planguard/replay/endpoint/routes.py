"""A route of the endpoint: an unguessable prefix for one child, followed by the upstreams that it may use."""

from __future__ import annotations

import secrets
from contextvars import Context, copy_context
from urllib.parse import urlsplit, urlunsplit

from ..session.responder import Responder


class Route:
    """The target of one prefix: its responder and its real upstreams."""

    def __init__(self, responder: Responder, context: Context | None = None) -> None:
        self.token = secrets.token_urlsafe(16)
        self.responder = responder
        self.context = context or copy_context()
        """The context in which the child was started. It tells to which conversation requests belong."""
        self.asked = False
        """True once a request has arrived."""
        self.notes: list[str] = []
        """Notes for people, one line each."""
        self._upstreams: list[str] = []

    def slot(self, upstream: str) -> str:
        """Return the path that represents an upstream: '/TOKEN/0'."""
        if upstream not in self._upstreams:
            self._upstreams.append(upstream)
        return f"/{self.token}/{self._upstreams.index(upstream)}"

    def url(self, slot: str, rest: str) -> str | None:
        """Return the real URL of a request: '0', '/chat/completions' -> 'https://api.openai.com/v1/chat/completions'.

        A replay uses the recorded URL with the same ending, since the replaying machine may not know the recorded
        address. None for an unknown slot.
        """
        if not slot.isdecimal() or int(slot) >= len(self._upstreams):
            return None
        upstream = self._upstreams[int(slot)]
        return _recorded_place(upstream, rest, self.responder) or (f"{upstream}{rest}" if upstream else None)

    def note(self, text: str) -> None:
        """Keep a note, once."""
        if text not in self.notes:
            self.notes.append(text)


def _recorded_place(upstream: str, rest: str, responder: Responder) -> str | None:
    """Return the URL of a recorded exchange whose path ends like the request's, with the request's own parameters."""
    path, _, query = rest.partition("?")
    recorded = [] if responder.recording or path in ("", "/") else [urlsplit(url) for url in responder.urls]
    own = urlsplit(upstream + path).path
    if any(parts.path == own for parts in recorded) and upstream:
        return None
    same = (parts for parts in recorded if parts.path.endswith(path))
    return next((urlunsplit((p.scheme, p.netloc, p.path, query, "")) for p in same), None)
