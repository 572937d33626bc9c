"""How much dearer hostile inputs get at double the size: `python -m tools.fuzz.scaling [ENTRY...]`.

The ratios of the fastest rounds and of the memory at both sizes, and the memory of the larger one over its size. Each
pair of an entry and a shape is measured in a process of a pool of two.
"""

from __future__ import annotations

import gc
import json
import signal
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from .targets import TICKET, Target, targets

FEWEST, ROUNDS, PATIENCE_S = 2, 5, 15.0
"""Rounds at each size. Fewer than five are enough where even the slowest of the larger size is within the bound; where
the fastest is not, there are more as long as they have not taken 15 CPU seconds."""
MOST = 2.3
"""The largest ratio of CPU times at double the size."""
COARSE_S = 0.005
"""CPU seconds below which the clock and what a call costs anyway hide what the size costs."""
COARSE_BYTES = 100_000
"""Bytes of memory below which their ratio says nothing."""
PER_100_KB_S = 1.0
MEMORY = 40
"""The most bytes for each byte of an input of over 100,000 characters."""
SIZE = 60_000
"""Characters of the smaller input: twice of it is above the size from which the bound of memory counts."""
FINE_S = 0.02
"""CPU seconds of the smaller input below which one of four times the size is taken: the clock's noise is less there."""
LARGEST = 16 * SIZE
"""Characters of the largest smaller input: the larger one of 2,000,000 is still read as a plan."""
HANG_S = 120
"""CPU seconds after which a pair is given up."""

Shape = Callable[[int], str]


def _repeated(unit: str, before: str = "", after: str = "") -> Shape:
    return lambda size: before + unit * (size // len(unit)) + after


SHAPES: dict[str, Shape] = {
    "open braces": _repeated("{"),
    "open brackets": _repeated('[{"a":'),
    "broken objects": _repeated("{a: }\n"),
    "quotes": _repeated('"'),
    "escaped quotes": _repeated('\\"', '{"a": "', '"}'),
    "members": lambda size: "{" + ",".join(f'"k{n}": {n}' for n in range(size // 12)) + "}",
    "one key again": _repeated('"a": 1,', "{", '"a": 1}'),
    "a long number": _repeated("9"),
    "a long list": _repeated("1,", '{"steps": [', "1]}"),
    "a long string": _repeated("a ", '{"title": "', '"}'),
    "line breaks": _repeated("\n"),
    "blanks": _repeated(" "),
    "fences": _repeated("```json\n"),
    "closed fences": _repeated("```\n{}\n```\n"),
    "thinking": _repeated("<think>"),
    "stars": _repeated("**a"),
    "links": _repeated("[a]("),
    "headings": _repeated("# a\n"),
    "boxes": _repeated("- [ ] T001 a (depends on T002)\n"),
    "ranges": _repeated("- [ ] T001 a (depends on T001-T500)\n"),
    "ranges of both": lambda size: "## Dependencies\n\n" + "- T001-T500 depend on T501-T999\n" * (size // 32),
    "tables": _repeated("| a | b |\n|---|---|\n"),
    "YAML lists": _repeated("- a\n"),
    "YAML mappings": lambda size: "".join(f"k{n}: v\n" for n in range(size // 9)),
    "nodes": _repeated('{"kind":"optional","child":{"kind":"k1","child":1}},', "[", '"x"]'),
    "deep nodes": lambda size: '{"kind":"optional","child":' * (size // 28) + "1" + "}" * (size // 28),
    "wrong words": _repeated('"k2001",', "[", "1]"),
    "quoted errors": _repeated("steps: Input should be a valid list\n"),
    "events": _repeated('data: {"choices": [{"delta": {"content": "a"}}]}\n\n'),
    "keys": _repeated("sk-abc "),
    "names of secrets": _repeated("API_KEY="),
    "base64": _repeated("QUtJ"),
    "ampersands": _repeated("a=b&"),
    "log commands": _repeated("::error::a\n"),
    "control characters": _repeated("\x1b[31m"),
    "surrogates": _repeated("\ud800"),
    "bidirectional": _repeated("\u202ea"),
}
ENTRIES = (
    "check", "check-unions", "judge", "decode", "redact", "cassette", "plan-md", "plan-json", "plan-yaml", "rows",
)  # fmt: skip


def inputs(target: Target, shape: Shape, size: int) -> str:
    """Return a hostile text in the place where an entry reads one."""
    text = shape(size)
    if target.name == "judge":
        return f"{TICKET[:-1]}\x1e{text}"
    if target.name == "rows":
        return target.seeds()[0].replace(json.dumps(TICKET), json.dumps(text))
    if target.name in ("decode", "redact"):
        return f"https://api.test/v1/chat/completions\x1e{text}\x1e{text}"
    return text


@dataclass(frozen=True)
class Figures:
    """What one pair of an entry and a shape costs."""

    entry: str
    shape: str
    per_100_kb_s: float
    """CPU seconds of the larger input, for each 100,000 bytes."""
    ratio: float
    """The fastest round of the larger input over the fastest of the smaller."""
    memory: float
    """The most bytes at a time, for each byte of the larger input."""
    memory_ratio: float
    """The most bytes of the larger input over those of the smaller."""

    @property
    def too_dear(self) -> bool:
        """Whether a bound is broken."""
        return max(self.ratio, self.memory_ratio) > MOST or self.memory > MEMORY or self.per_100_kb_s > PER_100_KB_S

    def __str__(self) -> str:
        mark = "TOO DEAR" if self.too_dear else "ok"
        memory = f"{self.memory:5.1f} times the size  x{self.memory_ratio:4.2f}"
        costs = f"{self.per_100_kb_s:6.3f} s for 100 kB  x{self.ratio:4.2f}  {memory}"
        return f"{mark:<8} {self.entry:<12} {self.shape:<20} {costs}"


def figures(pair: tuple[str, str]) -> Figures:
    """Return what a pair of an entry and a shape costs; infinite figures where it takes more than `HANG_S`."""
    entry, shape = pair
    target = next(one for one in targets() if one.name == entry)
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANG_S)
    try:
        _seconds(target, inputs(target, SHAPES[shape], 1_000))  # what is loaded or compiled once
        size = SIZE
        while size < LARGEST and _seconds(target, inputs(target, SHAPES[shape], size)) < FINE_S:
            size *= 4
        small, large = (inputs(target, SHAPES[shape], one) for one in (size, 2 * size))
        seconds, ratio = _times(target, small, large)
        before, after = (_memory(target, one) for one in (small, large))
        size = len(large.encode("utf-8", "surrogatepass"))
        memory_ratio = after / max(before, COARSE_BYTES)
        return Figures(entry, shape, seconds / size * 100_000, ratio, after / size, memory_ratio)
    except TimeoutError:
        return Figures(entry, shape, *(float("inf"),) * 4)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _give_up(*_: object) -> None:
    raise TimeoutError


def _times(target: Target, small: str, large: str) -> tuple[float, float]:
    """Return the CPU seconds of the larger input, and the ratio of the fastest rounds."""
    times: tuple[list[float], list[float]] = ([], [])
    done = 0
    while True:
        for which, text in zip(times, (small, large), strict=True):
            which.append(_seconds(target, text))
        done += 1
        least = max(min(times[0]), COARSE_S)
        is_over = min(times[1]) > MOST * least
        if done >= FEWEST and max(times[1]) <= MOST * least:
            break
        if done >= ROUNDS and (not is_over or sum(map(sum, times)) > PATIENCE_S):
            break
    return min(times[1]), min(times[1]) / least


def _seconds(target: Target, text: str) -> float:
    gc.collect()
    gc.freeze()  # what earlier pairs have left behind costs no look in this one
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        _run(target, text, Path(folder))
        return time.process_time() - start


def _memory(target: Target, text: str) -> int:
    """Return the most bytes that are in use at a time."""
    with tempfile.TemporaryDirectory() as folder:
        tracemalloc.start()
        try:
            _run(target, text, Path(folder))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def _run(target: Target, text: str, folder: Path) -> None:
    try:
        target.run(text, folder)
    except target.allowed:
        return


def main(words: Sequence[str]) -> int:
    """Print the figures of every pair; return 1 where a bound is broken."""
    pairs = [(entry, shape) for entry in words or ENTRIES for shape in SHAPES]
    bad = 0
    with get_context("spawn").Pool(2) as pool:
        for one in pool.imap_unordered(figures, pairs):
            bad += one.too_dear
            print(one, flush=True)
    print(f"\n{len(pairs)} pairs, {bad} too dear")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
