"""Kill recording sessions, and let two record the same test: `python -m tools.kills [--kills N] [--pairs N]`.

Prints how many answers the app saw, how many of them a killed session left on disk, and the results of overlapping
sessions. The exit code is 1 if an exchange is missing, or a cassette mixes sessions.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path

import yaml

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.cassette_journal import journals_of, recover
from tests.support.lookalike import Lookalike

SESSION = """
import os, sys
from pathlib import Path
import httpx2
from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.session.cassette import open_cassette
for order in map(str.split, sys.stdin):  # imports are paid once: each cassette is a forked child
    path, who, count = order[0], order[1], int(order[2])
    child = os.fork()
    if child:
        print(child, flush=True)
        continue
    try:
        log = open(f"{path}.{who}.seen", "a")
        with open_cassette(path, mode="all"), httpx2.Client(verify=False) as client:
            for number in range(count):
                body = {"model": who, "messages": [{"role": "user", "content": f"{who} {number} " + "word " * 200}]}
                client.post(sys.argv[1] + "/v1/chat/completions", json=body)
                log.write(f"{number}\\n")
                log.flush()
        log.write("finished\\n")
    except CassetteError as error:
        log.write(f"refused {error}\\n")
    finally:
        log.flush()
        os._exit(0)
"""


class Sessions:
    """Recording sessions in separate processes, forked from one that has loaded everything."""

    def __init__(self, origin: str) -> None:
        self._parent = subprocess.Popen(
            [sys.executable, "-c", SESSION, origin], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def start(self, path: Path, who: str, count: int) -> int:
        """Start a session that records some requests, and return its process id."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(f"{path} {who} {count}\n")
        return int(self._parent.stdout.readline())

    def close(self) -> None:
        """End the process that the sessions are forked from."""
        self._parent.kill()
        self._parent.communicate()


def kill_once(sessions: Sessions, path: Path, chooser: random.Random, tally: Counter[str]) -> None:
    """Kill a session at a random point of its first 40 answers, and recover its exchanges."""
    child = sessions.start(path, "one", 40)
    wanted = chooser.randrange(1, 40)
    _wait(lambda: len(seen(path, "one")) >= wanted)
    time.sleep(chooser.uniform(0, 0.004))  # some time within the next exchange
    os.kill(child, signal.SIGKILL)
    _gone(child)
    answered = [line for line in seen(path, "one") if line != "finished"]
    parts = journals_of(path)
    recovered = len(questions(path)) if path.exists() else recover(path, parts[0])
    tally["kills"] += 1
    tally["answered"] += len(answered)
    tally["recovered"] += recovered
    tally["missing"] += max(0, len(answered) - recovered)
    tally["bad"] += len(questions(path)) != recovered


def overlap_once(sessions: Sessions, path: Path, chooser: random.Random, tally: Counter[str]) -> None:
    """Start a second session while a first one records; the first may be killed."""
    one = sessions.start(path, "one", chooser.randrange(3, 20))
    time.sleep(chooser.choice([0, 0.001, 0.01, 0.05]))
    two = sessions.start(path, "two", chooser.randrange(3, 20))
    if chooser.random() < 0.3:
        time.sleep(chooser.uniform(0.01, 0.1))
        os.kill(one, signal.SIGKILL)
    for child in (one, two):
        _gone(child)
    ends = {who: seen(path, who)[-1:] for who in ("one", "two")}
    finished = [who for who, end in ends.items() if end == ["finished"]]
    refused = [end[0] for end in ends.values() if end and end[0].startswith("refused")]
    owners = {question.split()[0] for question in questions(path)} if path.exists() else set()
    tally["pairs"] += 1
    tally["refused"] += len(refused)
    tally["refused in other words"] += sum("another session records this test now: got" not in one for one in refused)
    tally["foreign"] += len(owners) > 1 or not owners <= set(finished)
    tally["missing"] += bool(finished) and not owners
    for part in journals_of(path):
        who = {question.split()[0] for question in _texts(part)}
        tally["foreign"] += len(who) > 1
    if len(finished) == 1 and path.exists():
        tally["missing"] += len(questions(path)) != len(seen(path, finished[0])) - 1


def seen(path: Path, who: str) -> list[str]:
    """Return the log of a session's app: the number of each answer that it saw, and how the session ended."""
    log = path.with_name(f"{path.name}.{who}.seen")
    return log.read_text("utf-8").splitlines() if log.exists() else []


def questions(path: Path) -> list[str]:
    """Return the questions in a cassette: "one 3 word word …"."""
    return [_question(one) for one in yaml.safe_load(path.read_text("utf-8"))["interactions"]]


def _texts(part: Path) -> list[str]:
    from pytest_planguard.replay.files.cassette_journal import finished_exchanges

    text = finished_exchanges(part)
    return [_question(one) for one in yaml.safe_load(text)["interactions"]] if text else []


def _question(interaction: dict[str, dict[str, str]]) -> str:
    return str(yaml.safe_load(interaction["request"]["body"])["messages"][0]["content"])


def _wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done() and time.monotonic() < end:
        time.sleep(0.001)


def _gone(child: int) -> None:
    """Wait for another parent's child to end: a killed one stays a zombie until its parent ends."""
    state = Path(f"/proc/{child}/stat")
    _wait(lambda: not state.exists() or state.read_text("utf-8").rpartition(")")[2].split()[0] == "Z")


def run(kills: int, pairs: int, seed: int) -> Counter[str]:
    """Kill and overlap sessions, and return the figures."""
    chooser, tally = random.Random(seed), Counter[str]()
    server = Lookalike()
    sessions = Sessions(server.origin)
    try:
        # A killed client makes the server print a traceback.
        with tempfile.TemporaryDirectory() as folder, redirect_stderr(io.StringIO()):
            for number in range(kills):
                kill_once(sessions, Path(folder) / f"kill{number}.yaml", chooser, tally)
            for number in range(pairs):
                overlap_once(sessions, Path(folder) / f"pair{number}.yaml", chooser, tally)
    finally:
        sessions.close()
        server.stop()
    return tally


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--pairs", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        tally = run(asked.kills, asked.pairs, asked.seed)
    except CassetteError as error:
        print(f"FAILED {error}")
        return 1
    print(f"seed {asked.seed}: " + ", ".join(f"{name} {number}" for name, number in tally.items()))
    return int(bool(tally["missing"] or tally["bad"] or tally["foreign"] or tally["refused in other words"]))


if __name__ == "__main__":
    sys.exit(main())
