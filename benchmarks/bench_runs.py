"""What comparing two runs costs, as ratios within one process: python benchmarks/bench_runs.py [--rows N] [--memory].

Rows are lines of about 650 bytes. The floor is what nobody can do without: parse both files and hash every row
canonically. deepdiff is given the parsed answers of the same pairs.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from smoke import size

from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.model.codec import row_text
from pytest_planguard.runs.model.judged_answers import AttemptRow, Judged, value_of
from pytest_planguard.runs.model.run import CaseRow, Run, RunHeader
from pytest_planguard.runs.store.run_file import read_record
from pytest_planguard.runs.value_diff import ChangeKind, diff_values
from pytest_planguard.runs.value_diff_options import DEFAULT

WORDS = ("server", "printer", "garage", "table", "cable", "fire", "backup", "window", "door", "rack", "lamp", "shelf")
ROWS, ROUNDS = size((10_000, 3), (50, 1))
REPORTED = 1_000
"""Pairs that deepdiff is timed on; its cost is per pair."""


def answer(number: int, salt: str) -> dict[str, Any]:
    """An answer of about 480 bytes; another salt changes a text and a number of it."""
    pick = random.Random(number)
    steps = [{"id": f"s{n}", "do": " ".join(pick.choices(WORDS, k=6)), "hours": pick.randint(1, 9)} for n in range(4)]
    steps[1]["do"] += salt
    steps[2]["hours"] += len(salt)
    return {
        "title": f"Ticket {number}",
        "priority": pick.choice(["low", "high"]),
        "steps": steps,
        "notes": " ".join(pick.choices(WORDS, k=22)),
    }


def write(path: Path, rows: int, changed: Callable[[int], bool]) -> int:
    """Write a run record; returns the mean length of a line in bytes."""
    written = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(row_text(RunHeader(path.stem)) + "\n")
        for number in range(rows):
            text = json.dumps(answer(number, " x" if changed(number) else ""), separators=(",", ":"))
            judged = Judged((AttemptRow(text, ok=True),), "valid", ok=True, contract="T", digest="0" * 12, single=True)
            line = row_text(CaseRow(f"{number:06}", f"test_a.py::t[{number}]", judged=(judged,))) + "\n"
            written += len(line)
            file.write(line)
    return written // rows


def floor(paths: tuple[Path, Path]) -> None:
    """Parse both files and hash every row canonically."""
    for path in paths:
        with path.open("rb") as file:
            for line in file:
                text = json.dumps(json.loads(line), sort_keys=True, separators=(",", ":"))
                hashlib.blake2b(text.encode()).digest()


def ours(paths: tuple[Path, Path]) -> int:
    """Read both runs and compare them; the number of changed cases."""
    known: dict[bytes, CaseRow] = {}
    runs = [read_record(path, None, known) for path in paths]
    return sum(bool(case.values) for case in compare(*runs).cases)


def values(paths: tuple[Path, Path]) -> list[tuple[Any, Any]]:
    """The parsed answers, pair by pair."""
    runs: list[Run] = [read_record(path) for path in paths]
    pairs = zip(runs[0].rows, runs[1].rows, strict=True)
    return [(value_of(old.answers[0]), value_of(new.answers[0])) for old, new in pairs]


def cpu(action: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    action()
    return time.process_time() - start


def ratio(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float, float]:
    """Median CPU seconds of both, run in turn, and the median of their ratios."""
    pairs = [(cpu(one), cpu(other)) for _ in range(ROUNDS)]
    return (*(statistics.median(side) for side in zip(*pairs, strict=True)), statistics.median(a / b for a, b in pairs))


def against_deepdiff(paths: tuple[Path, Path]) -> tuple[float, float, float]:
    """Field diffs of pairs that all changed: deepdiff's CPU, ours, ratio. Both see the same parsed values."""
    from deepdiff import DeepDiff

    pairs = values(paths)[:REPORTED]
    gc.collect()
    gc.freeze()  # what earlier rounds left behind must not be collected on either side's time
    for old, new in pairs[:20]:
        found = diff_values(old, new, DEFAULT).changes
        assert [change.kind for change in found] == [ChangeKind.CHANGED] * 2
        assert len(DeepDiff(old, new)["values_changed"]) == 2
    return ratio(
        lambda: [DeepDiff(old, new) for old, new in pairs],
        lambda: [diff_values(old, new, DEFAULT) for old, new in pairs],
    )


def memory(rows: int) -> float:
    """Peak memory in MB of comparing two runs of so many rows, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--rows", str(rows), "--child"], capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--memory", action="store_true", help="also the peak memory of 100,000 rows")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        base, few, all_changed = (Path(folder) / f"{name}.jsonl" for name in ("base", "few", "all"))
        mean = write(base, options.rows, lambda _: False)
        write(few, options.rows, lambda number: number % 100 == 0)
        if options.child:
            ours((base, few))
            print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
            return
        write(all_changed, options.rows, lambda _: True)
        print(f"{options.rows:,} rows of {mean} bytes, CPU seconds, medians of {ROUNDS} rounds in turn")
        print("| case | ours | compared with | ratio |\n|---|---|---|---|")
        spent, least, times = ratio(lambda: ours((base, few)), lambda: floor((base, few)))
        print(
            f"| read and compare, 1 % changed | {spent:.2f} | parse and hash both: {least:.2f} | {times:.2f}x of it |"
        )
        spent, least, times = ratio(lambda: ours((base, all_changed)), lambda: floor((base, all_changed)))
        print(
            f"| read and compare, all changed | {spent:.2f} | parse and hash both: {least:.2f} | {times:.2f}x of it |"
        )
        theirs, spent, times = against_deepdiff((base, all_changed))
        print(
            f"| field diff of {REPORTED:,} changed pairs | {spent:.3f} | deepdiff: {theirs:.2f} | {times:.0f}x faster |"
        )
    if options.memory:
        print(f"| peak memory of 100,000 rows, 1 % changed | {memory(100_000):,.0f} MB | 1,024 MB | |")


if __name__ == "__main__":
    main()
