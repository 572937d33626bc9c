"""A server on 127.0.0.1 that gives a recorded answer to whatever is asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pytest_planguard.wire.exchange import Message


class AnswerServer(ThreadingHTTPServer):
    """Gives the answer that was set last."""

    answer: Message

    @property
    def origin(self) -> str:
        """Its address: "http://127.0.0.1:49152"."""
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Keep quiet."""

    def do_POST(self) -> None:
        assert isinstance(self.server, AnswerServer)
        answer = self.server.answer
        self.rfile.read(int(self.headers.get("content-length") or 0))
        self.send_response(answer.status)
        self.send_header("content-type", answer.headers.get("content-type", "application/json"))
        self.send_header("content-length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)


@contextmanager
def answer_server() -> Iterator[AnswerServer]:
    """Yield a server whose answer can be set."""
    server = AnswerServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
