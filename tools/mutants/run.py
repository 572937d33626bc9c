"""Draw, measure, judge and print: `python -m tools.mutants.run SEED [--each N] [--again]`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from .apart import Apart
from .effort import FULL, QUICK, Effort
from .loop import Loop, is_function
from .results import forget_alive, is_pending, results, score
from .sites import EACH, Mutant, draw
from .tests_of_lines import TestsOfLines, arguments

ROOT = Path(__file__).parent.parent.parent


def main(words: Sequence[str]) -> int:
    """Judge a sample with little effort first, then judge the survivors with full effort."""
    asked = _asked(words)
    work = ROOT / ".mutants" / f"{asked.seed}"
    work.mkdir(parents=True, exist_ok=True)
    tests = TestsOfLines(ROOT, ROOT / ".mutants" / "measured")
    tests.measure()
    sample = draw(ROOT, asked.seed, asked.each)
    (work / "sample").write_text("\n".join(f"{m.name} {m.line} {m.what}" for m in sample), "utf-8")
    share, _, shares = asked.share.partition("/")
    parts = asked.only.split(",")
    own = [one for one in sample[int(share) - 1 :: int(shares)] if any(part in one.path for part in parts)]
    if asked.again:
        forget_alive(work, own)
    for effort in (QUICK,) if asked.quick else (QUICK, FULL):
        _judge(own, work, tests, effort)
    print(f"seed {asked.seed}\n{score(work, sample)}")
    return 0


def _asked(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.mutants.run")
    parser.add_argument("seed", type=int)
    parser.add_argument("--each", type=int, default=EACH, help="mutants of each package")
    parser.add_argument("--share", default="1/1", help="K/N: the K-th of N processes side by side")
    parser.add_argument("--only", default="", help="parts of the paths of the mutants that are judged: A,B,C")
    parser.add_argument("--quick", action="store_true", help="leave it at few examples of each property")
    parser.add_argument("--again", action="store_true", help="judge once more what was alive, after tests were written")
    return parser.parse_args(words)


def _judge(mutants: Sequence[Mutant], work: Path, tests: TestsOfLines, effort: Effort) -> None:
    known = results(work)
    pending = [one for one in mutants if is_pending(known.get(one.name), effort.name)]
    of_functions = [one for one in pending if is_function(ROOT, one) and not _runs_at_load_only(tests, one)]
    if of_functions:
        loop = Loop(ROOT, work, of_functions, tests, effort)
        asked = [*arguments(loop.files), "-s"]
        # In a fork, because mutants judged apart must start from a process that has not loaded the package.
        _in_a_fork(lambda: pytest.main(asked, plugins=[loop]))
    # Mutants that need a separate process come last: each takes as long as five others.
    Apart(ROOT, work, tests, effort).judge([one for one in pending if one not in of_functions])


def _in_a_fork(work: Callable[[], object]) -> None:
    pid = os.fork()
    if not pid:
        try:
            work()
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.waitpid(pid, 0)


def _runs_at_load_only(tests: TestsOfLines, mutant: Mutant) -> bool:
    """Return True if only loading modules call a function: a fork of loaded modules is too late for its mutants."""
    return not tests.of_line(mutant.path, mutant.line) and tests.runs_at_load(mutant.path, mutant.line)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
