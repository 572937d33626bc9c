"""The app that `tools.kills` ends: it records in forked children, each kind of app in its own way of asking."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.replay.taped_call import taped
from tests.replay.commands.tape import Tape

ANSWER = '{"words": "' + "word " * 200 + '"}'
"""What every model answers: a torn one would show."""
PATH = "/v1/chat/completions"


def body(who: str, number: int, **more: object) -> dict[str, Any]:
    """Return a request that is known by who asks and its number."""
    content = f"{who} {number} " + "word " * 200
    return {"model": who, "messages": [{"role": "user", "content": content}], **more}


class App:
    """Asks so many questions one way; `saw` is called with the number of each whose answer it has seen."""

    def __init__(self, origin: str, who: str, count: int, saw: Callable[[int], None]) -> None:
        self.url, self.who, self.numbers, self.saw = origin + PATH, who, range(count), saw

    def requests(self) -> None:
        """One after the other."""
        with httpx2.Client(verify=False) as client:
            for number in self.numbers:
                client.post(self.url, json=body(self.who, number))
                self.saw(number)

    def threads(self) -> None:
        """Four at a time."""
        with httpx2.Client(verify=False) as client, ThreadPoolExecutor(4) as pool:

            def ask(number: int) -> None:
                client.post(self.url, json=body(self.who, number))
                self.saw(number)

            list(pool.map(ask, self.numbers))

    def tasks(self) -> None:
        """Four at a time in one loop."""
        asyncio.run(self._all())

    async def _all(self) -> None:
        few = asyncio.Semaphore(4)
        async with httpx2.AsyncClient(verify=False) as client, asyncio.TaskGroup() as group:

            async def ask(number: int) -> None:
                async with few:
                    await client.post(self.url, json=body(self.who, number))
                    self.saw(number)

            for number in self.numbers:
                group.create_task(ask(number))

    def streams(self) -> None:
        """One after the other, in events."""
        with httpx2.Client(verify=False) as client:
            for number in self.numbers:
                with client.stream("POST", self.url, json=body(self.who, number, stream=True)) as answer:
                    for _ in answer.iter_bytes():
                        pass
                self.saw(number)

    def calls(self) -> None:
        """Calls of a function."""

        def ask(_prompt: str) -> str:
            return ANSWER

        tape = taped(ask)
        for number in self.numbers:
            tape(f"{self.who} {number} ")
            self.saw(number)

    def commands(self, tape: Tape) -> None:
        """Runs of a program, which answers on its standard output."""
        with tape.install(agent=f"echo '{ANSWER}'").recorded() as opened:
            for number in self.numbers:
                opened.run("agent", f"{self.who} {number} ")
                self.saw(number)


KINDS = ("requests", "threads", "tasks", "streams", "calls", "commands")


def _record(origin: str, kind: str, path: Path, who: str, count: int) -> None:
    with path.with_name(f"{who}.seen").open("a", encoding="utf-8") as log:

        def note(words: object) -> None:
            log.write(f"{words}\n")
            log.flush()

        app = App(origin, who, count, note)
        try:
            if kind == "commands":
                app.commands(Tape(path.parent))
            else:
                with open_cassette(path, mode="all"):
                    getattr(app, kind)()
            note("finished")
        except CassetteError as error:
            note(f"refused {error}")


def main(origin: str) -> None:
    """Record in a forked child what each line of standard input asks for: imports are paid once."""
    for kind, path, who, count in map(str.split, sys.stdin):
        child = os.fork()
        if child:
            print(child, flush=True)
            continue
        try:
            _record(origin, kind, Path(path), who, int(count))
        finally:
            os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
