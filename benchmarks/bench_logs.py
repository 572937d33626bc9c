"""What judging logs costs: processor time of an exchange, beside a bare parse and check, and memory by size.

Run: python benchmarks/bench_logs.py [--same] [EXCHANGES…]. The exchanges are those of recordings in
`cassettes/frameworks`, retries included, each with other words and ids, a third of them in each of three forms.
`--same` compares the output of a plain run with that after a worker was killed, and with that of `--engine dask://local`.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, Field
from smoke import size, verdict

from pytest_planguard import Contract

SIZES = size((5_000, 100_000), (90,))
LIMIT_MS, LIMIT_MB = 1.2, 300
"""What an exchange may cost, and all processes together at any size."""
ROOT = Path(__file__).parents[1] / "cassettes" / "frameworks"
FROM = 1_795_345_869
"""Seconds since 1970; the exchanges are one second apart."""
TASK = "the printer is on fire"
OWN = re.compile(r"\bPrinter\b|(?<=['\"])(?:hi|look|restart)\b|\b(?:chatcmpl|call|fc|toolu|tooluse|msg|resp)[-_]\d+\b")
"""What differs from task to task: `Printer`, `"hi"`, `'look'` in answers and their quotes, and ids such as `call_1`."""
Bodies = list[tuple[str, dict[str, Any], dict[str, Any]]]


class Ticket(BaseModel):
    """What the recorded apps ask for."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=1)


TICKET = Contract(Ticket)


def recorded() -> list[Bodies]:
    """Return the recorded conversations whose answers are no streams: URL, request and answer of each attempt."""
    found = []
    for path in sorted(ROOT.glob("*/*.yaml")):
        loaded = yaml.load(path.read_text(), yaml.CSafeLoader).get("interactions", [])
        pairs = [(i["request"]["uri"], i["request"]["body"], i["response"]["body"]["string"]) for i in loaded]
        try:
            bodies = [(url, json.loads(asked), json.loads(answered)) for url, asked, answered in pairs]
        except (TypeError, ValueError):
            continue
        if len(bodies) > 1:
            found.append(bodies)
    return found


def lines(exchanges: int) -> Iterator[str]:
    """Yield so many exchanges as lines of a log, a conversation after the other."""
    conversations, written, number = [json.dumps(one) for one in recorded()], 0, 0
    while written < exchanges:
        bodies = conversations[number % len(conversations)]
        text = OWN.sub(rf"\g<0>-{number}", bodies.replace(TASK, f"{TASK} on floor {number}"))
        for url, asked, answered in json.loads(text)[: exchanges - written]:
            form = FORMS[number // len(conversations) % len(FORMS)]
            answered = answered | {"id": f"answer-{written}"} if "id" in answered else answered
            yield json.dumps(form(f"{number:032x}", FROM + written, url, asked, answered))
            written += 1
        number += 1


def pair(trace: str, at: int, url: str, asked: Any, answered: Any) -> Any:
    """Return an exchange as a gateway logs it."""
    request, response = {"url": url, "body": asked}, {"status": 200, "body": answered}
    times = {"timestamp": at}
    return {"id": f"{at}", "trace_id": trace, **times, "request": request, "response": response}


def openinference(trace: str, at: int, url: str, asked: Any, answered: Any) -> Any:
    """Return an exchange as a span that holds the bodies as text."""
    bodies = {"input.value": json.dumps(asked), "output.value": json.dumps(answered)}
    return span(trace, at, {"openinference.span.kind": "LLM", "llm.model_name": "m", "url": url, **bodies})


def gen_ai(trace: str, at: int, url: str, asked: Any, answered: Any) -> Any:
    """Return an exchange as a span that holds its messages, or its bodies if they are of another API than chat."""
    if "choices" not in answered or not all(isinstance(m.get("content"), str) for m in asked["messages"]):
        return openinference(trace, at, url, asked, answered)
    said = answered["choices"][0]["message"]
    calls = [{"type": "tool_call", "id": c["id"], **c["function"]} for c in said.get("tool_calls") or ()]
    answer = {"role": "assistant", "parts": calls or [{"type": "text", "content": said["content"]}]}
    told = [{"role": m["role"], "parts": [{"type": "text", "content": m["content"]}]} for m in asked["messages"]]
    messages = {"gen_ai.input.messages": json.dumps(told), "gen_ai.output.messages": json.dumps([answer])}
    tools = {"gen_ai.tool.definitions": json.dumps(asked["tools"])} if calls else {}
    return span(trace, at, {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", **messages, **tools})


def span(trace: str, at: int, attributes: dict[str, str]) -> Any:
    """Return a span in OTLP's JSON."""
    flat = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    times = {"startTimeUnixNano": f"{at * 10**9}"}
    one = {"traceId": trace, "spanId": f"{at:016x}", "parentSpanId": "a" * 16, "name": "chat", **times}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [{**one, "attributes": flat}]}]}]}


FORMS = (pair, openinference, gen_ai)


def floor(path: Path) -> float:
    """Return the seconds that it takes to parse a line and to check an answer for it, for the first 5,000 lines."""
    answer = '{"title": "Printer", "priority": "high", "steps": ["look", "restart"]}'
    with path.open() as file:
        kept = [*islice(file, 5_000)]
    start = time.process_time()
    for line in kept:
        json.loads(line)
        TICKET.check(answer)
    return (time.process_time() - start) / max(1, len(kept))


def command(path: Path, *more: str) -> list[str]:
    """Return the command that judges a log."""
    return [sys.executable, "-m", "pytest_planguard", "check", str(path), "-c", f"{__file__}:TICKET", "-j", "2", *more]


def judged(path: Path) -> tuple[float, float]:
    """Return processor seconds, and the most megabytes that all processes had together, of the whole command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command(path, "-q"), stdout=subprocess.DEVNULL)
    most, ended = [0.0], threading.Event()
    watch = threading.Thread(target=_watch, args=(process.pid, most, ended))
    watch.start()
    process.wait()
    ended.set()
    watch.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, most[0]


def _watch(pid: int, most: list[float], ended: threading.Event) -> None:
    while not ended.wait(0.2):
        most[0] = max(most[0], _megabytes(pid))


def _megabytes(pid: int) -> float:
    """Return the memory of a process and its children; pages that they share count once."""
    try:
        [kept] = [one for one in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() if one.startswith("Pss:")]
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (OSError, ValueError):
        return 0.0
    return int(kept.split()[1]) / 1024 + sum(_megabytes(int(child)) for child in children)


def same(path: Path) -> bool:
    """Print and return whether the output is the same if a worker is killed, and on a cluster of processes."""
    plain = subprocess.run(command(path), stdout=subprocess.PIPE, check=False).stdout
    process = subprocess.Popen(command(path), stdout=subprocess.PIPE, text=False)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while not (started := workers.read_text().split()):
        time.sleep(0.05)
    time.sleep(1)  # in the middle of its partition
    os.kill(int(started[0]), signal.SIGKILL)
    killed = process.communicate()[0]
    cluster = subprocess.run(command(path, "--engine", "dask://local"), stdout=subprocess.PIPE, check=False).stdout
    print(f"{len(plain):,} bytes; a killed worker gives the same: {plain == killed}; dask: {plain == cluster}")
    return plain == killed == cluster


def main() -> int:
    """Print a line for each size; 1 where an exchange or the memory costs more than the limit."""
    failed, first = False, 0.0
    compared = "--same" in sys.argv
    for exchanges in [int(number) for number in sys.argv[1:] if number != "--same"] or SIZES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "log.jsonl"
            with path.open("w") as file:
                file.writelines(f"{line}\n" for line in lines(exchanges))
            if compared:
                failed |= not same(path)
                continue
            bare = floor(path) * 1000
            began = time.monotonic()
            seconds, megabytes = judged(path)
            each, rate = seconds / exchanges * 1000, exchanges / (time.monotonic() - began)
            first = first or each
            failed |= each > LIMIT_MS or megabytes > LIMIT_MB
            print(f"{exchanges:>9,} exchanges, {path.stat().st_size / 2**20:.0f} MB: {each:.2f} ms each, ", end="")
            print(f"{each / bare:.1f} times a bare parse and check ({bare:.3f} ms), {megabytes:.0f} MB, ", end="")
            print(f"{rate:,.0f} a second, {each / first:.2f} times the first size an exchange", flush=True)
    return verdict(failed)


if __name__ == "__main__":
    sys.exit(main())
