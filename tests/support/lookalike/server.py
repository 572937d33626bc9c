"""The HTTP side of the look-alike: a threaded standard-library server on a free port of 127.0.0.1."""

from __future__ import annotations

import gzip
import json
import threading
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .model import Answer, Script, Turn, answer
from .spelling import Spelling
from .spellings import is_stream, spelling_of


@dataclass(frozen=True)
class Received:
    """One request as it arrived; header names in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Lookalike:
    """A running server. Add behaviours with `script(...)`; the first whose `when` fits a request's text answers it."""

    def __init__(self, port: int = 0, handler: type[_Handler] | None = None) -> None:
        """`port` 0 takes a free one; `handler` answers in another way."""
        self.scripts: list[Script] = []
        self.received: list[Received] = []
        self._failed: list[Script] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler or _Handler)
        self._server.daemon_threads = True
        self._server.lookalike = self  # type: ignore[attr-defined]  # the handler's way back to us
        self._lock = threading.Lock()
        self._running = True
        # A short poll keeps `stop` quick: the suite starts one server a test.
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def origin(self) -> str:
        """`http://127.0.0.1:PORT`; the base URL of an Anthropic client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def base_url(self) -> str:
        """The base URL of an OpenAI client."""
        return f"{self.origin}/v1"

    def script(self, good: Any, bad: Any, **behaviour: Any) -> Script:
        """Add a behaviour (the fields of `Script`)."""
        self.scripts.append(Script(good, bad, **behaviour))
        return self.scripts[-1]

    def stop(self) -> None:
        """Close the port; requests fail from now on."""
        if self._running:
            self._running = False
            self._server.shutdown()
            self._server.server_close()

    def choose(self, turns: list[Turn]) -> Script:
        """Return the script for a request. A request that fits no script gets an empty object."""
        text = "\n".join(turn.text for turn in turns)
        return next((s for s in self.scripts if s.when in text), Script({}, {}))

    def failure(self, script: Script) -> tuple[int, dict[str, str]] | None:
        """Return the script's next transport failure; None if none is left."""
        with self._lock:
            done = sum(failed is script for failed in self._failed)
            self._failed.append(script)
        return script.failures[done] if done < len(script.failures) else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *args: object) -> None:
        """Keep the test output quiet."""

    def do_POST(self) -> None:
        lookalike: Lookalike = self.server.lookalike  # type: ignore[attr-defined]  # set by Lookalike
        raw = self._body()
        body = json.loads(raw) if raw[:1] == b"{" else {}
        path = self.path.partition("?")[0]
        lookalike.received.append(Received(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        spelling = spelling_of(path)
        if spelling is None:
            self._send(404, {"error": {"message": f"no such endpoint: {path}"}})
            return
        self._answer(lookalike, spelling, body, stream=is_stream(path, body))

    def _answer(self, lookalike: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        turns = spelling.turns(body)
        script = lookalike.choose(turns)
        time.sleep(script.delay_s)
        failure = lookalike.failure(script)
        if failure is not None:
            status, headers = failure
            self._send(status, {"error": {"type": "overloaded", "message": "try again later"}}, headers)
            return
        self._say(answer(script, turns, spelling.limit(body)), spelling, body, stream=stream, packed=script.gzip)

    def _say(
        self, said: Answer, spelling: Spelling, body: dict[str, Any], *, stream: bool, packed: bool = False
    ) -> None:
        if stream:
            self._stream(spelling.stream(said, body), spelling.stream_type)
        else:
            self._send(200, spelling.whole(said, body), packed=packed)

    def _body(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            raw = b""
            while size := int(self.rfile.readline(), 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        return gzip.decompress(raw) if self.headers.get("content-encoding") == "gzip" else raw

    def _send(
        self, status: int, body: dict[str, Any], headers: dict[str, str] | None = None, *, packed: bool = False
    ) -> None:
        data = json.dumps(body, ensure_ascii=False).encode()
        extra = dict(headers or {})
        if packed:
            data, extra["content-encoding"] = gzip.compress(data, mtime=0), "gzip"
        self.send_response(status)
        fixed = {"content-type": "application/json", "content-length": str(len(data)), "set-cookie": "session=s3cr3t"}
        for name, value in {**fixed, **extra}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: list[str] | list[bytes], content_type: str) -> None:
        self.send_response(200)
        self.send_header("content-type", content_type)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in events:
            data = event.encode() if isinstance(event, str) else event
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")
