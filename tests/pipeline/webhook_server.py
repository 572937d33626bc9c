"""A loopback webhook that is good, slow, or sends elsewhere."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Webhook:
    """What came in, and where it is reached."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.status = 204
        self.location: str | None = None
        self.answer = threading.Event()
        """Set: it answers at once. Cleared: only when the test ends."""
        self.answer.set()
        self.url = ""


@contextmanager
def webhook() -> Iterator[Webhook]:
    """A server on 127.0.0.1 for as long as the block runs."""
    state = Webhook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state.events.append(json.loads(self.rfile.read(int(self.headers["content-length"])) or b"{}"))
            state.answer.wait()
            self.send_response(state.status)
            if state.location:
                self.send_header("location", state.location)
            self.end_headers()

        do_GET = do_POST  # noqa: N815 - the standard library calls it by this name

        def log_message(self, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    state.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.answer.set()
        server.shutdown()
        server.server_close()
        thread.join()
