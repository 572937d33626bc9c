"""Feed every public entry with generated inputs for some time: `python -m tools.fuzz.run [--minutes N] [--seed N]`.

Prints for each entry how many inputs it read, the CPU time, the dearest input, and the branches that were reached. An
input that ends in an undocumented error is kept under tests/corpus, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import hashlib
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import Flaky

from .inputs import texts
from .targets import ROOT, Target, targets

CORPUS = ROOT / "tests" / "corpus"
BATCH = 50
"""Inputs of one turn."""
MEASURED = 5
"""One turn in so many is measured for branches, which makes it two or three times slower."""
PER_100_KB_S = 1.0
"""CPU seconds that an input of 100,000 characters may take; a smaller one may take as long."""


@dataclass
class Tally:
    """What came of one entry."""

    inputs: int = 0
    refused: int = 0
    """Inputs that ended in a documented error."""
    seconds: float = 0.0
    dearest: float = 0.0
    """The most CPU seconds of one input, per 100,000 characters."""
    failures: list[str] = field(default_factory=list)


def feed(target: Target, text: str, tally: Tally) -> float:
    """Give one text to an entry, and return its CPU seconds per 100,000 characters; an undocumented error leaves it."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        try:
            target.run(text, Path(folder))
        except target.allowed:
            tally.refused += 1
        finally:
            used = time.process_time() - start
            tally.inputs += 1
            tally.seconds += used
    return used / max(1.0, len(text) / 100_000)


def _cost(target: Target, text: str, tally: Tally) -> float:
    """Return what a text costs: the least of three times where the first is over the bound.

    A collection of garbage of the whole process may fall into one of them: 1.1 s for 150 characters that take 2 ms.
    """
    cost = feed(target, text, tally)
    return cost if cost <= PER_100_KB_S else min(cost, *(feed(target, text, Tally()) for _ in range(2)))


def turn(target: Target, seed: int, tally: Tally, inputs: int = BATCH) -> None:
    """Generate inputs, and keep the smallest one that fails."""
    failing: list[tuple[str, BaseException]] = []

    @seeded(seed)
    @settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(texts(target.seeds()))
    def property_(text: str) -> None:
        try:
            cost = _cost(target, text, tally)
            if cost > max(PER_100_KB_S, tally.dearest):
                _keep(target, text, f"slow: {cost:.1f} s for each 100,000 characters", tally)
            tally.dearest = max(tally.dearest, cost)
        except Exception as error:
            failing[:] = [(text, error)]
            raise

    try:
        property_()
    except (Exception, Flaky):
        if not failing:
            raise
        text, error = failing[0]
        _keep(target, text, f"{type(error).__name__}: {str(error)[:200]}", tally)


def _keep(target: Target, text: str, why: str, tally: Tally) -> None:
    name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    path = CORPUS / target.name / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    tally.failures.append(f"{path.relative_to(ROOT)}: {why}")
    print(f"FAILED {tally.failures[-1]}", flush=True)


def run(minutes: float, seed: int, names: list[str]) -> int:
    """Take turns with all entries until their CPU time is used; print the table and return the exit code."""
    from coverage import Coverage

    chosen = [target for target in targets() if not names or target.name in names]
    tallies = {target.name: Tally() for target in chosen}
    coverage = Coverage(data_file=None, branch=True, source_pkgs=["pytest_planguard"], config_file=False)
    start = time.process_time()
    with suppress(KeyboardInterrupt):  # the table of what was done is printed all the same
        for number in count():
            if time.process_time() - start >= minutes * 60:
                break
            _round(chosen, tallies, seed + number, coverage if number % MEASURED == 0 else None)
            spent = (time.process_time() - start) / 60
            inputs = sum(tally.inputs for tally in tallies.values())
            print(f"round {number + 1}: {inputs:,} inputs, {spent:.1f} CPU min", flush=True)
    _print(chosen, tallies, coverage, seed, (time.process_time() - start) / 60)
    return int(any(tally.failures for tally in tallies.values()))


def _round(chosen: list[Target], tallies: dict[str, Tally], seed: int, coverage: Any) -> None:
    for target in chosen:
        if coverage is not None:
            coverage.start()
            coverage.switch_context(target.name)
        try:
            turn(target, seed, tallies[target.name])
        finally:
            if coverage is not None:
                coverage.stop()


def _print(chosen: list[Target], tallies: dict[str, Tally], coverage: Any, seed: int, minutes: float) -> None:
    print(f"\nseed {seed}, {minutes:.1f} CPU minutes, {sum(t.inputs for t in tallies.values()):,} inputs\n")
    print(f"{'entry':<15} {'inputs':>9} {'refused':>9} {'CPU s':>7} {'worst s/100k':>13} {'branches':>9}  failures")
    data = coverage.get_data()
    for target in chosen:
        tally = tallies[target.name]
        data.set_query_context(target.name)
        arcs = sum(len(data.arcs(file) or ()) for file in data.measured_files())
        print(
            f"{target.name:<15} {tally.inputs:>9,} {tally.refused:>9,} {tally.seconds:>7.0f} {tally.dearest:>13.2f} "
            f"{arcs:>9,}  {len(tally.failures)}"
        )


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0, help="CPU minutes over all entries")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("entries", nargs="*", help="only these entries")
    asked = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # in the background of a shell the first is ignored
        signal.signal(number, signal.default_int_handler)
    return run(asked.minutes, asked.seed, asked.entries)


if __name__ == "__main__":
    sys.exit(main())
