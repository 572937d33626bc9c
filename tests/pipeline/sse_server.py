"""A loopback server that streams an answer for as long as somebody reads it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAUSE_S = 0.002
LONGEST = 20_000
"""Pieces of an answer that nobody closes."""


class StreamingServer:
    """Sends piece after piece of the text that was set last."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        """The answers still to be given; the last one is given again and again."""
        self.requests: list[dict[str, Any]] = []
        self.closed = threading.Event()
        """Set once a client has closed the connection in the middle of an answer."""
        self.ended = threading.Event()
        """Set once an answer was read to its end."""
        self.port = 0


@contextmanager
def streaming_server() -> Iterator[StreamingServer]:
    """A server on 127.0.0.1 for as long as the block runs."""
    state = StreamingServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            state.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            text = state.answers.pop(0) if len(state.answers) > 1 else state.answers[0]
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            events = anthropic_events(text) if self.path.endswith("/messages") else openai_events(text)
            try:
                for event in events:
                    self.wfile.write(event)
                    self.wfile.flush()
                    time.sleep(PAUSE_S)
                state.ended.set()
            except OSError:
                state.closed.set()

        def log_message(self, *args: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    state.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def openai_events(text: str) -> Iterator[bytes]:
    """Chat completion chunks of eight characters."""
    for at in range(0, len(text), 8):
        choice = {"index": 0, "delta": {"content": text[at : at + 8]}, "finish_reason": None}
        yield _event(
            None, {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        )
    yield b"data: [DONE]\n\n"


def anthropic_events(text: str) -> Iterator[bytes]:
    """The events of one message with one block of text."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    yield _event("message_start", {"message": {**message, "stop_reason": None, "stop_sequence": None}})
    yield _event("content_block_start", {"index": 0, "content_block": {"type": "text", "text": ""}})
    for at in range(0, len(text), 8):
        delta = {"type": "text_delta", "text": text[at : at + 8]}
        yield _event("content_block_delta", {"index": 0, "delta": delta})
    yield _event("content_block_stop", {"index": 0})
    yield _event("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}})
    yield _event("message_stop", {})


def _event(name: str | None, data: dict[str, Any]) -> bytes:
    """Event."""
    body = json.dumps(data if name is None else {"type": name, **data})
    return f"event: {name}\ndata: {body}\n\n".encode() if name else f"data: {body}\n\n".encode()
