"""Kill sessions that record, and let two record the same test: `python -m tools.kills [--kills N] [--pairs N]`.

A session is killed within requests, threads, tasks, streams, calls, commands, or a run of pytest with two workers.
Prints for each kind how many answers the app saw and how many exchanges are on disk, and the results of overlapping
sessions. The exit code is 1 if an exchange is missing, an unfinished file was read as whole, or a cassette mixes
sessions.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import (
    cassette_of,
    finished_exchanges,
    is_locked,
    journals_of,
    recover,
)
from pytest_planguard.replay.files.reader import interactions_of, read_cassette
from tests.support.lookalike import Lookalike

from .killed_app import ANSWER, KINDS

ROOT = Path(__file__).parent.parent
WORKERS = "workers"
FAULTS = ("missing", "torn", "read as whole", "foreign", "refused in other words")
NAMED = re.compile(r"\b([a-z]+) (\d+) ")
"""Who asks and the number of the question, in the body of a request: "one 3 "."""
MOST = {"commands": 8}
"""Exchanges of a session by kind, if one takes long; 40 for the others."""
TESTS = """
import httpx2, pytest
from pytest_planguard import Contract
from tools.killed_app import PATH, body

@pytest.mark.planguard(Contract({"type": "object"}))
@pytest.mark.parametrize("who", ["first", "second", "third", "fourth"])
def test_app(who):
    with httpx2.Client(verify=False) as client, open(f"{who}.seen", "a") as log:
        for number in range(20):
            client.post(ORIGIN + PATH, json=body(who, number))
            print(number, file=log, flush=True)
"""


class Sessions:
    """Recording sessions in processes of their own, forked from one that has everything loaded."""

    def __init__(self, origin: str) -> None:
        self._parent = subprocess.Popen(
            [sys.executable, "-m", "tools.killed_app", origin],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, cwd=ROOT,
        )  # fmt: skip

    def start(self, kind: str, path: Path, who: str, count: int) -> int:
        """Start a session that records some exchanges, and return its process id."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(f"{kind} {path} {who} {count}\n")
        return int(self._parent.stdout.readline())

    def close(self) -> None:
        """End the process that the sessions come from."""
        self._parent.kill()
        self._parent.communicate()


def kill_once(sessions: Sessions, kind: str, folder: Path, chooser: random.Random, tally: Counter[str]) -> None:
    """Kill a session at a random point before its last answer, and recover its exchanges."""
    most = MOST.get(kind, 40)
    child = sessions.start(kind, folder / "tape.yaml", "one", most)
    _after(folder, chooser.randrange(1, most), chooser)
    os.kill(child, signal.SIGKILL)
    _gone(child)
    _count(folder, most, tally)


def kill_workers(origin: str, folder: Path, chooser: random.Random, tally: Counter[str]) -> None:
    """Kill a run of pytest with its two workers."""
    (folder / "test_app.py").write_text(TESTS.replace("ORIGIN", repr(origin)), encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--planguard-record=all"]
    environment = {"PYTHONPATH": str(ROOT), **{name: value for name, value in os.environ.items() if name != "CI"}}
    run = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _after(folder, chooser.randrange(1, 60), chooser)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    _wait(lambda: not _in_group(run.pid))
    _count(folder, 20, tally)


def _after(folder: Path, number: int, chooser: random.Random) -> None:
    """Wait for so many answers, and until somewhere within the next exchange."""
    _wait(lambda: len(answered(folder)) >= number)
    time.sleep(chooser.uniform(0, 0.004))


def _count(folder: Path, whole: int, tally: Counter[str]) -> None:
    """Count what the apps saw and what is on the disk, the journals recovered; `whole` is what a finished one has."""
    for path in folder.rglob("*.yaml"):
        tally["read as whole"] += len(exchanges(path)) != whole
    for part in folder.rglob("*.part"):
        _recover(part, tally)
    seen, kept = answered(folder), [one for path in folder.rglob("*.yaml") for one in exchanges(path)]
    tally["kills"] += 1
    tally["answered"] += len(seen)
    tally["on the disk"] += len(kept)
    tally["missing"] += len(seen - {question for question, _ in kept})
    tally["torn"] += sum(answer != ANSWER for _, answer in kept)


def _recover(part: Path, tally: Counter[str]) -> None:
    """Make a cassette of a journal, unless none of its exchanges is whole; count one that is read without that."""
    path, copy = cassette_of(part), part.with_name("copy.yaml")
    assert path is not None
    copy.write_bytes(part.read_bytes())
    tally["read as whole"] += _is_read(copy)
    copy.unlink()
    _wait(lambda: not is_locked(part))  # a thread may outlive the first one of its process for a moment
    if finished_exchanges(part):
        tally["torn"] += recover(path, part) != len(exchanges(path))


def answered(folder: Path) -> set[str]:
    """Return the questions whose answers the apps have seen: "one 3"."""
    logs = ((log.stem, log.read_text("utf-8").split("\n")) for log in folder.glob("*.seen"))
    return {f"{who} {number}" for who, numbers in logs for number in numbers if number.isdecimal()}


def exchanges(path: Path) -> list[tuple[str, str]]:
    """Return question and answer of each exchange of a cassette: ("one 3", '{"words": …}')."""
    read = read_cassette(path)
    questions = [_question(raw.request.body) for raw in read.interactions]
    return list(zip(questions, (one.answer_text.strip() for one in read.exchanges), strict=True))


def _is_read(path: Path) -> bool:
    try:
        read_cassette(path)
    except CassetteError:
        return False
    return True


def _question(request: bytes) -> str:
    found = NAMED.search(request.decode())
    assert found is not None, request[:200]
    return f"{found[1]} {found[2]}"


def overlap_once(sessions: Sessions, folder: Path, chooser: random.Random, tally: Counter[str]) -> None:
    """Start a second session while a first one records; the first may be killed."""
    path = folder / "tape.yaml"
    one = sessions.start("requests", path, "one", chooser.randrange(3, 20))
    time.sleep(chooser.choice([0, 0.001, 0.01, 0.05]))
    two = sessions.start("requests", path, "two", chooser.randrange(3, 20))
    if chooser.random() < 0.3:
        time.sleep(chooser.uniform(0.01, 0.1))
        os.kill(one, signal.SIGKILL)
    for child in (one, two):
        _gone(child)
    ends = {log.stem: log.read_text("utf-8").splitlines()[-1:] for log in folder.glob("*.seen")}
    finished = [who for who, end in ends.items() if end == ["finished"]]
    refused = [end[0] for end in ends.values() if end and end[0].startswith("refused")]
    asked = {name for name, _ in exchanges(path)} if path.exists() else set()
    owners = {name.split()[0] for name in asked}
    tally["pairs"] += 1
    tally["refused"] += len(refused)
    tally["refused in other words"] += sum("another session records this test now: got" not in one for one in refused)
    tally["foreign"] += len(owners) > 1 or not owners <= set(finished)
    tally["missing"] += bool(finished) and not owners
    for part in journals_of(path):
        raws = interactions_of(part, text) if (text := finished_exchanges(part)) else ()
        tally["foreign"] += len({_question(raw.request.body).split()[0] for raw in raws}) > 1
    if len(finished) == 1 and asked:
        tally["missing"] += len({name for name in answered(folder) if name.startswith(finished[0])} - asked)


def _wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not done() and time.monotonic() < end:
        time.sleep(0.001)


def _gone(child: int) -> None:
    """Wait for a process of another parent: a killed one stays a zombie until that ends."""
    state = Path(f"/proc/{child}/stat")
    _wait(lambda: not state.exists() or state.read_text("utf-8").rpartition(")")[2].split()[0] == "Z")


def _in_group(group: int) -> bool:
    """Return whether a process of a group still runs."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def run(
    kills: int, pairs: int, seed: int, kinds: tuple[str, ...] = (*KINDS, WORKERS), *, told: bool = False
) -> dict[str, Counter[str]]:
    """Kill and overlap sessions, and return the figures of each kind, those of overlaps under "pairs"."""
    chooser, tallies = random.Random(seed), {kind: Counter[str]() for kind in (*kinds, "pairs")}
    server = Lookalike()
    server.script(json.loads(ANSWER), json.loads(ANSWER))
    sessions = Sessions(server.origin)
    try:
        # A killed client makes the server print a traceback.
        with tempfile.TemporaryDirectory() as top, redirect_stderr(io.StringIO()):
            for number in range(kills + pairs):
                kind = kinds[number % len(kinds)] if number < kills else "pairs"
                folder, tally = Path(top) / str(number), tallies[kind]
                folder.mkdir()
                if kind == WORKERS:
                    kill_workers(server.origin, folder, chooser, tally)
                elif kind == "pairs":
                    overlap_once(sessions, folder, chooser, tally)
                else:
                    kill_once(sessions, kind, folder, chooser, tally)
                if told and number % 20 == 19:
                    print(f"{number + 1} of {kills + pairs}", flush=True)
    finally:
        sessions.close()
        server.stop()
    return tallies


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m tools.kills")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    tallies = run(asked.kills, asked.pairs, asked.seed, told=True)
    for kind, tally in tallies.items():
        print(f"{kind:9} " + ", ".join(f"{name} {number}" for name, number in tally.items()))
    every = sum(tallies.values(), Counter[str]())
    bad = {name: every[name] for name in FAULTS if every[name]}
    print(f"seed {asked.seed}: {every['kills']} kills, {every['answered']} exchanges answered, {bad or 'none lost'}")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main())
