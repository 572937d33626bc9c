"""Feed generated inputs to every public entry for some time: `python -m tools.fuzz.run --minutes N`.

Prints the inputs, the CPU time and the most expensive input of each entry. An input that causes an undocumented error
is kept under tests/corpus, and the exit code is 1.
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
from pathlib import Path

from .inputs import Inputs
from .targets import ROOT, Target, targets

CORPUS = ROOT / "tests" / "corpus"
TURN_S, MOST = 0.3, 1_000
"""CPU seconds and inputs of one turn: a fast entry gets more inputs than a slow one."""
PER_100_KB_S = 1.0
"""CPU seconds for an input of 100,000 characters; a smaller one may take as long."""


@dataclass
class Tally:
    """The results of one entry."""

    inputs: int = 0
    refused: int = 0
    """Inputs that caused a documented error."""
    seconds: float = 0.0
    dearest: float = 0.0
    """The most CPU seconds of one input, per 100,000 characters."""
    failures: list[str] = field(default_factory=list)


def feed(target: Target, text: str, tally: Tally) -> float:
    """Feed one text to an entry, and return its CPU seconds per 100,000 characters; undocumented errors propagate."""
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
    """Return the cost of a text; if it is over the limit, the least of three measurements.

    A garbage collection of the whole process may hit one of them: 1.1 s for 150 characters that take 2 ms.
    """
    cost = feed(target, text, tally)
    return cost if cost <= PER_100_KB_S else min(cost, *(feed(target, text, Tally()) for _ in range(2)))


def turn(target: Target, drawn: Inputs, tally: Tally, inputs: int, seconds: float = float("inf")) -> None:
    """Feed generated inputs until their number or the CPU seconds are used up, and keep the first one that fails."""
    end = time.process_time() + seconds
    for _ in range(inputs):
        text = drawn.draw()
        try:
            cost = _cost(target, text, tally)
        except Exception as error:
            _keep(target, _shortest(target, text, type(error)), f"{type(error).__name__}: {str(error)[:200]}", tally)
            return
        if cost > max(PER_100_KB_S, tally.dearest):
            _keep(target, text, f"slow: {cost:.1f} s for each 100,000 characters", tally)
        tally.dearest = max(tally.dearest, cost)
        if time.process_time() > end:
            return


def _shortest(target: Target, text: str, kind: type[Exception]) -> str:
    """Remove everything that the error does not need: halves first, single characters last."""
    size = len(text) // 2
    while size:
        for at in range(len(text) - size, -1, -size):
            shorter = text[:at] + text[at + size :]
            try:
                feed(target, shorter, Tally())
            except kind:
                text = shorter
            except Exception:
                continue  # a different error does not count
        size //= 2
    return text


def _keep(target: Target, text: str, why: str, tally: Tally) -> None:
    name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    path = CORPUS / target.name / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    tally.failures.append(f"{path.relative_to(ROOT)}: {why}")
    print(f"FAILED {tally.failures[-1]}", flush=True)


def run(minutes: float, seed: int, names: list[str], inputs: int | None = None) -> int:
    """Take turns with all entries until the CPU time or the number of inputs is used up, and print the table.

    Returns the exit code: 1 if an input failed.
    """
    chosen = [target for target in targets() if not names or target.name in names]
    tallies = {target.name: Tally() for target in chosen}
    drawn = {target.name: Inputs(target.seeds(), seed) for target in chosen}
    start = time.process_time()
    with suppress(KeyboardInterrupt):  # print the table even after an interrupt
        while time.process_time() < start + 60 * minutes and (inputs is None or _inputs(tallies) < inputs):
            for target in chosen:
                turn(target, drawn[target.name], tallies[target.name], MOST, TURN_S)
    _print(tallies, seed, (time.process_time() - start) / 60)
    return int(any(tally.failures for tally in tallies.values()))


def _inputs(tallies: dict[str, Tally]) -> int:
    return sum(tally.inputs for tally in tallies.values())


def _print(tallies: dict[str, Tally], seed: int, minutes: float) -> None:
    print(f"\nseed {seed}, {minutes:.1f} CPU minutes, {_inputs(tallies):,} inputs\n")
    print(f"{'entry':<15} {'inputs':>9} {'refused':>9} {'CPU s':>7} {'worst s/100k':>13}  failures")
    for name, tally in tallies.items():
        figures = f"{tally.inputs:>9,} {tally.refused:>9,} {tally.seconds:>7.0f} {tally.dearest:>13.2f}"
        print(f"{name:<15} {figures}  {len(tally.failures)}")


def main() -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=1.0, help="CPU minutes over all entries")
    parser.add_argument("--inputs", type=int, help="end after so many inputs, if the minutes are not over")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("entries", nargs="*", help="only these entries")
    asked = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell ignores the first one in background jobs
        signal.signal(number, signal.default_int_handler)
    return run(asked.minutes, asked.seed, asked.entries, asked.inputs)


if __name__ == "__main__":
    sys.exit(main())
