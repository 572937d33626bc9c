"""A stand-in for a language model on the loopback address. It answers chat completions in OpenAI's format.

It is not a model and needs no key. It gives a fixed list of answers, one for each turn of a conversation. Or it plays
the demo's model, which writes a wrong ticket until a request names the problems.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Answering = Callable[[list[dict[str, Any]]], str]

HOST = "127.0.0.1"
LONGEST = 10_000_000
"""Maximum number of bytes of a request. A longer one is rejected."""
BAD = {"title": "Printer on fire", "priority": "urgent", "steps": ["Cut the power"]}
GOOD = {"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call the fire brigade"]}
NAMED = ("priority", "steps")
"""Fields that a retry must name before the demo's stand-in writes the good ticket."""


def ticket_answer(messages: list[dict[str, Any]]) -> str:
    """Return the good ticket if a retry names both problems of the bad one, else the bad one."""
    retry = str(messages[-1].get("content", "")) if len(messages) > 2 else ""
    return json.dumps(GOOD if all(word in retry for word in NAMED) else BAD)


def scripted(answers: Sequence[str]) -> Answering:
    """Return a stand-in that gives these answers in order and repeats the last, separately for each conversation.

    The messages up to the first user message, which has the task, identify a conversation.
    """
    given: Counter[str] = Counter()
    lock = threading.Lock()

    def answer(messages: list[dict[str, Any]]) -> str:
        with lock:
            task = next((at for at, message in enumerate(messages, 1) if message.get("role") == "user"), 2)
            conversation = json.dumps(messages[:task], sort_keys=True)
            number = given[conversation]
            given[conversation] += 1
        return answers[min(number, len(answers) - 1)]

    return answer


class StandIn:
    """A running stand-in: a context manager that ends with its server."""

    def __init__(self, answer: Answering) -> None:
        self._server = ThreadingHTTPServer((HOST, 0), _handler(answer))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """The address for `OPENAI_BASE_URL`, such as 'http://127.0.0.1:40123/v1'."""
        return f"http://{HOST}:{self._server.server_address[1]}/v1"


def _handler(answer: Answering) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body are two writes, and the second would wait 40 ms for an ACK

        def do_POST(self) -> None:
            status, body = self._answered()
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            """Print nothing, because the demo has its own output."""

        def _answered(self) -> tuple[int, dict[str, Any]]:
            length = self.headers.get("Content-Length", "")
            if not length.isdigit() or int(length) > LONGEST:
                self.close_connection = True
                return 413, _error(f"a request has a length up to {LONGEST:,} bytes, got {length or 'none'}")
            data = self.rfile.read(int(length))
            if not self.path.endswith("/chat/completions"):
                return 404, _error(f"the stand-in answers /v1/chat/completions alone, got {self.path}")
            return _completed(data, answer)

    return Handler


def _completed(data: bytes, answer: Answering) -> tuple[int, dict[str, Any]]:
    try:
        asked = json.loads(data)
        messages = asked["messages"]
    except (ValueError, KeyError, TypeError):
        return 400, _error("expected a JSON object with messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        return 400, _error("messages must be a list of objects")
    if asked.get("stream"):
        return 400, _error("the stand-in does not stream: leave stream out")
    return 200, _completion(answer(messages), str(asked.get("model", "stand-in")), len(messages))


def _completion(text: str, model: str, turns: int) -> dict[str, Any]:
    words = len(text.split())
    return {
        "id": "chatcmpl-stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20 * turns, "completion_tokens": words, "total_tokens": 20 * turns + words},
    }


def _error(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "type": "invalid_request_error"}}
