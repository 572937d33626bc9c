"""Whole cassettes opened and replayed, beside plain vcrpy: python benchmarks/bench_cassettes.py [FOLDER] [--quick].

Each recorded request is asked again, in order, as a patched HTTP client asks vcrpy: whether it can be played, then for
its answer. Without FOLDER the cassettes of the project are taken; generated ones of several sizes come with them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import vcr
import yaml
from bench_replay import plain, write
from smoke import size
from vcr.errors import CannotOverwriteExistingCassetteException, UnhandledHTTPRequestError
from vcr.persisters.filesystem import FilesystemPersister
from vcr.serializers import yamlserializer

from pytest_planguard.replay.files.reader import find_cassettes
from pytest_planguard.replay.session.cassette import PlanguardCassette, open_cassette

PROJECT = Path(__file__).parent.parent
SIZES, LONG = size(((1, 5, 20, 100), 5_000), ((1, 5), 20))
FILES = size(None, 3)
"""How many cassettes of a folder are taken; None for all."""
GROUPS = ((1, 1), (2, 4), (5, 19), (20, 10**6))
"""Interactions of a cassette, from and to."""
Opened = Callable[[Path], Any]


@contextmanager
def ours(file: Path) -> Iterator[PlanguardCassette]:
    """A cassette as the plugin opens it."""
    with open_cassette(file) as session:
        yield PlanguardCassette(session, lambda _: False, ())


@contextmanager
def as_it_comes(file: Path) -> Iterator[Any]:
    """A cassette as plain vcrpy opens it, comparing no bodies: every retry gets the first answer that is left."""
    with vcr.VCR(record_mode="none").use_cassette(str(file)) as cassette:
        yield cassette


def loadable(folder: Path) -> dict[Path, list[Any]]:
    """The cassettes that plain vcrpy loads, with their requests."""
    found = {}
    for file in [*find_cassettes([folder])][:FILES]:
        if file.suffix in (".yaml", ".yml"):
            with suppress(Exception):
                found[file] = FilesystemPersister.load_cassette(file, yamlserializer)[0]
    return found


def replayed(opened: Opened, file: Path, requests: list[Any]) -> tuple[float, int]:
    """CPU seconds to open a cassette, ask for every answer in order and close it, and how many were played."""
    played = 0
    start = time.process_time()
    with opened(file) as cassette:
        for request in requests:
            with suppress(CannotOverwriteExistingCassetteException, UnhandledHTTPRequestError):
                if cassette.can_play_response_for(request):
                    cassette.play_response(request)
                    played += 1
    return time.process_time() - start, played


def compared(files: dict[Path, list[Any]], rounds: int, peer: Opened) -> dict[Path, tuple[float, float, int, int]]:
    """For each cassette the least CPU seconds of ours and of vcrpy, taken in turn, and how many answers each gave."""
    found = {}
    for file, requests in files.items():
        mine, theirs = zip(
            *((replayed(ours, file, requests), replayed(peer, file, requests)) for _ in range(rounds)), strict=True
        )
        found[file] = (min(mine)[0], min(theirs)[0], mine[0][1], theirs[0][1])
    return found


def table(title: str, files: dict[Path, list[Any]], rounds: int, peer: Opened = plain) -> None:
    """Print the ratios of a set of cassettes, by number of interactions."""
    found = compared(files, rounds, peer)
    print(f"{title}: {len(found):,} cassettes that plain vcrpy loads")
    for low, high in (*GROUPS, (1, 10**6)):
        chosen = [times for file, times in found.items() if low <= len(files[file]) <= high]
        if chosen:
            mine, theirs, answered, answered_there = map(sum, zip(*chosen, strict=True))
            name = "all" if (low, high) == (1, 10**6) else f"{low} to {high}" if high < 10**6 else f"{low} and more"
            wanted = {"all": "at most 1.2", "20 and more": "below 1"}.get(name, "told, not bounded")
            print(
                f"  {name + ' interactions':<28} {mine / theirs:>6.2f}   ({wanted}; {len(chosen)} files, "
                f"{mine:.2f} s and {theirs:.2f} s, {answered:,} and {answered_there:,} answers)"
            )


def long_open(file: Path, rounds: int) -> tuple[float, float]:
    """CPU seconds to open the long cassette, and those of a plain parse of its YAML."""
    text = file.read_text(encoding="utf-8")
    parse, opened = [], []
    for _ in range(rounds):
        start = time.process_time()
        yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        middle = time.process_time()
        with open_cassette(file):
            opened.append(time.process_time() - middle)
        parse.append(middle - start)
    return min(opened), min(parse)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=PROJECT / "cassettes")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    asked = parser.parse_args()
    rounds = 1 if asked.quick else size(3, 1)
    files = loadable(asked.folder)
    table(f"opened and replayed, ours / vcrpy matching bodies, {asked.folder.name}", files, rounds)
    table(f"the same, ours / vcrpy as it comes, no bodies compared, {asked.folder.name}", files, rounds, as_it_comes)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in SIZES:
            write(folder / f"{number}.yaml", number)
        table("the same, generated", loadable(folder), rounds)
        write(folder / "long.yaml", LONG)
        opened, parse = long_open(folder / "long.yaml", rounds)
    told = f"at most 1.3; {opened:.2f} s, {parse:.2f} s"
    print(f"{LONG:,} interactions opened / plain parse {opened / parse:>8.2f}   ({told})")


if __name__ == "__main__":
    main()
