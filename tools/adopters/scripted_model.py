"""A loopback model for chat completions, whole or streamed, that gives its answers in order, whatever is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Answer = str | dict[str, str]
"""A text, or a tool with its arguments as JSON."""


class ScriptedServer:
    """Serves on a free port until `stop`. The last answer is repeated."""

    def __init__(self, answers: list[Answer]) -> None:
        self._left, self.calls = [*answers], 0
        handler = type("Handler", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def base_url(self) -> str:
        """The value for OPENAI_BASE_URL."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def stop(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()

    def message(self) -> dict[str, Any]:
        """Return the next answer as an assistant's message."""
        self.calls += 1
        answer = self._left.pop(0) if len(self._left) > 1 else self._left[0]
        if isinstance(answer, str):
            return {"role": "assistant", "content": answer}
        function = {"name": answer["tool"], "arguments": answer["args"]}
        call = {"index": 0, "id": f"call_{self.calls}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedServer

    def log_message(self, *args: object) -> None:
        """Keep the output quiet."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        message = self.model.message()
        finish = "tool_calls" if message.get("tool_calls") else "stop"
        base = {"id": f"chatcmpl-{self.model.calls}", "created": 1, "model": asked.get("model", "m")}
        if asked.get("stream"):
            chunks = ({**base, "object": "chat.completion.chunk", **part} for part in _parts(message, finish))
            self._send("".join(f"data: {json.dumps(c)}\n\n" for c in chunks) + "data: [DONE]\n\n", "text/event-stream")
            return
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        self._send(json.dumps({**base, "object": "chat.completion", "choices": [choice], "usage": usage}))

    def _send(self, text: str, kind: str = "application/json") -> None:
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def _parts(message: dict[str, Any], finish: str) -> Iterator[dict[str, Any]]:
    text = message["content"] or ""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": text[at : at + 40]} for at in range(0, len(text), 40)]
    deltas += [{"tool_calls": message["tool_calls"]}] if message.get("tool_calls") else []
    yield from ({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas)
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}
