"""What a replayed run of a command costs over a bare interpreter: python benchmarks/bench_commands.py.

The cassette has 40 runs that mean the same, each with a file of 2 kB. Rounds alternate, and the median counts.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from smoke import size

from pytest_planguard.replay.commands.command_server import CommandServer, shims
from pytest_planguard.replay.commands.taped_run import CommandRequest, CommandResult, WrittenFile
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import local_exchange
from pytest_planguard.replay.session.cassette import open_cassette

RUNS = size(40, 2)
BARE = [sys.executable, "-c", "pass"]
SHIM = ["agent", "-p", "Write plan.md for the printer."]


def recording(path: Path) -> None:
    """Write a cassette of so many runs."""
    files = (WrittenFile("plan.md", b"x" * 2_000, "absent"),)
    result = CommandResult(b"I have written plan.md\n", exit_code=0, files=files)
    request = CommandRequest(SHIM[0], tuple(SHIM[1:]))
    run = local_exchange(request.url, request.body, result.body, 1.0)
    path.write_text(render([run] * RUNS), encoding="utf-8")


def cost(command: Sequence[str], folder: Path) -> tuple[float, float]:
    """Return seconds of wall time, and of processor time in the child."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print medians and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recording(folder / "tape.yaml")
        work = folder / "work"
        work.mkdir()
        with open_cassette(folder / "tape.yaml"):
            server = CommandServer(folder)
            with shims(["agent"], server.port, server.token):
                pairs = [(cost(BARE, work), cost(SHIM, work)) for _ in range(RUNS)]
            server.close()
    median: Callable[[list[float]], float] = statistics.median
    for at, what in enumerate(("wall", "processor")):
        bare, shim = median([b[at] for b, _ in pairs]), median([s[at] for _, s in pairs])
        print(f"{what}: bare interpreter {bare * 1000:.1f} ms, shim {shim * 1000:.1f} ms, {shim / bare:.2f} x")


if __name__ == "__main__":
    main()
