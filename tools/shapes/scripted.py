"""A loopback endpoint of OpenAI chat that gives prepared answers, one a request, in order."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = dict[str, Any]
"""A message of the assistant; `finish` and `status` (of an HTTP failure) are taken out of it."""


def text(words: str, finish: str = "stop") -> Answer:
    """Return an answer in words."""
    return {"content": words, "finish": finish}


def call(tool: str, arguments: Any, number: int) -> Answer:
    """Return an answer that calls a tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    calls = [{"id": f"call_{number}", "type": "function", "function": function}]
    return {"content": None, "tool_calls": calls, "finish": "tool_calls"}


def failure(status: int, words: str) -> Answer:
    """Return a failed request."""
    return {"status": status, "content": words}


@contextmanager
def scripted(answers: Sequence[Answer]) -> Iterator[str]:
    """Serve the answers; the value is the base URL for a client."""
    waiting = list(answers)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(waiting))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def _handler(waiting: list[Answer]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            status, body = _response(waiting.pop(0), request, len(waiting))
            content = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            """Keep the terminal for what the recorder says."""

    return Handler


def _response(answer: Answer, request: dict[str, Any], left: int) -> tuple[int, dict[str, Any]]:
    message = {"role": "assistant", **answer}
    status, finish = message.pop("status", 200), message.pop("finish", "stop")
    if status >= 400:
        return status, {"error": {"message": message["content"], "type": "error"}}
    return 200, {
        "id": f"chatcmpl-{left}",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
    }
