"""What watching a stream costs over iterating it through the SDK: python benchmarks/bench_stream.py [--quick].

Only the CPU time of the reading thread counts; the server runs in another one.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from openai import OpenAI
from pydantic import BaseModel
from smoke import size

from pytest_planguard import Contract, StreamThresholds, watch_stream

PIECE = 10
"""Characters of a piece: two or three tokens."""
MB = size(1_000_000, 2_000)


class Step(BaseModel):
    """One step."""

    name: str
    text: str
    days: int


class Plan(BaseModel):
    """What is asked for."""

    title: str
    steps: list[Step]


CONTRACT = Contract(Plan)


def document(characters: int) -> str:
    """A good answer of about so many characters."""
    steps = [
        {"name": f"step {n}", "text": f"Look at part {n} again, then decide on {n * 7}.", "days": n % 9}
        for n in range(characters // 96)
    ]
    return json.dumps({"title": "Move", "steps": steps})


def served(text: str) -> ThreadingHTTPServer:
    """A server on 127.0.0.1 that streams the text as chat completion chunks."""
    pieces = (text[at : at + PIECE] for at in range(0, len(text), PIECE))
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    events = [
        {**chunk, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces
    ]
    body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events) + b"data: [DONE]\n\n"

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def cost_s(items: Iterable[Any], kept: list[Any] | None = None) -> float:
    """Seconds of this thread's CPU time for one iteration."""
    started = time.thread_time()
    for item in items:
        if kept is not None:
            kept.append(item)
    return time.thread_time() - started


def watched(items: Iterable[Any], *, partial: bool) -> Any:
    """The items, watched to their end."""
    return watch_stream(items, CONTRACT, policy="observe", thresholds=StreamThresholds(partial=partial))


def main() -> None:
    """Print both tables."""
    quick = "--quick" in sys.argv
    server = served(document(MB // 4 if quick else MB))
    client = OpenAI(api_key="x", base_url=f"http://127.0.0.1:{server.server_address[1]}/v1", max_retries=0)
    chunks: list[Any] = []
    stream = client.chat.completions.create(model="m", messages=[{"role": "user", "content": "x"}], stream=True)
    bare = cost_s(stream, chunks)
    server.shutdown()
    print(f"iterating {len(chunks):,} chunks through the SDK: {bare:.2f} s")
    for partial in (False, True):
        extra = min(cost_s(watched(chunks, partial=partial)) - cost_s(chunks) for _ in range(3))
        print(f"  watching them, partial validation {'on' if partial else 'off'}: + {extra / bare:.1%}")
    for times in (1, 5) if quick else size((1, 10, 50), (1,)):
        text = document(times * MB)
        for partial in (False, True):
            pieces = (text[at : at + PIECE] for at in range(0, len(text), PIECE))
            spent = cost_s(watched(pieces, partial=partial))
            print(f"{times:3} MB, partial validation {'on ' if partial else 'off'}: {spent / times:.2f} s for each MB")


if __name__ == "__main__":
    main()
