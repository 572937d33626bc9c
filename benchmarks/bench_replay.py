"""What a replayed request costs, as ratios within one run: python benchmarks/bench_replay.py [--quick]."""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import vcr
from smoke import size

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.session.cassette import open_cassette

MANY = size(1_000, 20)
"""Interactions of the long cassette."""
URL = "https://api.example.com/v1/chat/completions"
WORDS = ("server", "room", "printer", "garage", "table", "user", "cable", "fire", "backup", "window", "door", "rack")
HEADERS = (("content-type", ("application/json",)),)


def body(number: int) -> bytes:
    """A request of about 1.7 kB, as apps send them: system prompt, task, schema."""
    words = " ".join(WORDS[(number * 7 + i * i) % len(WORDS)] for i in range(120))
    schema = {
        "type": "object",
        "properties": {f"field_{i}": {"type": "string", "description": f"what {WORDS[i]} it is"} for i in range(10)},
    }
    system = {"role": "system", "content": "You turn a task into a ticket. Answer with JSON only."}
    return json.dumps(
        {
            "model": "m",
            "messages": [system, {"role": "user", "content": f"Task {number}: {words}"}],
            "response_format": {"type": "json_schema", "json_schema": {"name": "ticket", "schema": schema}},
        }
    ).encode()


def answer(number: int) -> bytes:
    """A chat completion."""
    message = {"role": "assistant", "content": json.dumps({"title": f"ticket {number}", "steps": ["a", "b"]})}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps({"id": "c", "object": "chat.completion", "model": "m", "choices": [choice]}).encode()


def write(path: Path, number: int) -> None:
    """A cassette of so many interactions."""
    interactions = (Interaction("POST", URL, HEADERS, body(n), 200, "OK", HEADERS, answer(n)) for n in range(number))
    path.write_text(render(interactions), encoding="utf-8")


@contextmanager
def plain(path: Path) -> Iterator[Any]:
    """Plain vcrpy with its own body matching."""
    with vcr.VCR(record_mode="none", match_on=("method", "uri", "body")).use_cassette(str(path)) as cassette:
        yield cassette


def last_requests(opened: Callable[[Path], Any], path: Path, requests: int, samples: int) -> list[float]:
    """CPU seconds that each of the last `samples` requests takes, the ones before it played in order."""
    client = httpx2.Client()
    times = []
    with opened(path):
        for number in range(requests):
            sent = body(number)
            start = time.process_time()
            client.post(URL, content=sent, headers={"content-type": "application/json"})
            times.append(time.process_time() - start)
    return times[-samples:]


def late_over_early(files: dict[int, Path], rounds: int) -> tuple[list[float], float]:
    """For each round the last of many requests over the last of 10; and the least CPU seconds of a last request.

    A request takes about a millisecond and the machine's pace changes by the second, so each round takes the median of
    twenty requests on either side, the short cassettes half before and half after the long one.
    """
    ratios, least = [], float("inf")
    for _ in range(rounds):
        early = [t for _ in range(2) for t in last_requests(open_cassette, files[10], 10, 5)]
        late = last_requests(open_cassette, files[MANY], MANY, 20)
        early += [t for _ in range(2) for t in last_requests(open_cassette, files[10], 10, 5)]
        ratios.append(statistics.median(late) / statistics.median(early))
        least = min(least, statistics.median(late))
    return ratios, least


def last_under_vcrpy(path: Path, requests: int) -> float:
    """CPU seconds of the last request under vcrpy's body matching; those before are marked as played without asking."""
    client = httpx2.Client()
    with plain(path) as cassette:
        for number in range(requests - 1):
            cassette.play_counts[number] = 1
        start = time.process_time()
        client.post(URL, content=body(requests - 1), headers={"content-type": "application/json"})
        return time.process_time() - start


def enter_and_leave(opened: Callable[[Path], Any], path: Path, rounds: int) -> float:
    """CPU seconds to open and close a cassette of one interaction."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        with opened(path):
            pass
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        files = {number: Path(folder, f"{number}.yaml") for number in (1, 10, MANY)}
        for number, path in files.items():
            write(path, number)
        ratios, last = late_over_early(files, 3 if quick else size(7, 1))
        vcrpy = min(last_under_vcrpy(files[MANY], MANY) for _ in range(1 if quick else size(2, 1)))
        ours = enter_and_leave(open_cassette, files[1], size(20, 1))
        theirs = enter_and_leave(plain, files[1], size(20, 1))
    rows = [
        (f"last of {MANY:,} in order / last of 10", statistics.median(ratios), "at most 1.5"),
        (f"last of {MANY:,}: vcrpy's body matching / ours", vcrpy / last, "at least 100"),
        ("open and close one interaction: ours / vcrpy", ours / theirs, "told, not bounded"),
    ]
    for name, ratio, wanted in rows:
        print(f"{name:<48} {ratio:>8.2f}   ({wanted})")
    print(f"(rounds of the first row: {', '.join(f'{ratio:.2f}' for ratio in sorted(ratios))})")
    print(f"(last request {last * 1e3:.2f} ms; open and close {ours * 1e3:.2f} ms, vcrpy {theirs * 1e3:.2f} ms)")


if __name__ == "__main__":
    main()
