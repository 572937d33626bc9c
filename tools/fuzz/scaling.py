"""How much dearer hostile inputs get at double the size: `python -m tools.fuzz.scaling`.

The ratio of the fastest of five rounds at both sizes; and the memory that the larger one takes, over its size.
"""

from __future__ import annotations

import gc
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

from .targets import TICKET, Target, targets

ROUNDS = 5
MOST = 2.3
"""The largest ratio of CPU times at double the size."""
MEMORY = 40
"""The most bytes for each byte of an input of over 100,000 characters."""
SIZE = 120_000
"""Characters of the smaller input."""

Shape = Callable[[int], str]


def _repeated(unit: str, before: str = "", after: str = "") -> Shape:
    return lambda size: before + unit * (size // len(unit)) + after


SHAPES: dict[str, Shape] = {
    "open braces": _repeated("{"),
    "open brackets": _repeated('[{"a":'),
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
    "tables": _repeated("| a | b |\n|---|---|\n"),
    "YAML lists": _repeated("- a\n"),
    "YAML mappings": lambda size: "".join(f"k{n}: v\n" for n in range(size // 9)),
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
ENTRIES = ("check", "judge", "decode", "redact", "recording", "plan-md", "plan-json", "plan-yaml")


def inputs(target: Target, shape: Shape, size: int) -> str:
    """Return a hostile text in the place where an entry reads one."""
    text = shape(size)
    if target.name == "judge":
        return f"{TICKET[:-1]}\x1e{text}"
    if target.name in ("decode", "redact"):
        return f"https://api.test/v1/chat/completions\x1e{text}\x1e{text}"
    return text


def ratios(entries: tuple[str, ...] = ENTRIES, size: int = SIZE) -> Iterator[tuple[str, str, float, float, float]]:
    """Yield entry, shape, CPU seconds at the larger size, the ratio of times, and the memory over the size."""
    for target in targets():
        if target.name in entries:
            for name, shape in SHAPES.items():
                small, large = (inputs(target, shape, one) for one in (size, 2 * size))
                times = {0: float("inf"), 1: float("inf")}
                for _ in range(ROUNDS):
                    for which, text in enumerate((small, large)):
                        times[which] = min(times[which], _seconds(target, text))
                ratio = times[1] / max(times[0], 0.002)
                yield target.name, name, times[1], ratio, _memory(target, large)


def _seconds(target: Target, text: str) -> float:
    gc.collect()
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        _run(target, text, Path(folder))
        return time.process_time() - start


def _memory(target: Target, text: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        tracemalloc.start()
        _run(target, text, Path(folder))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak / len(text.encode("utf-8", "surrogatepass"))


def _run(target: Target, text: str, folder: Path) -> None:
    try:
        target.run(text, folder)
    except target.allowed:
        return


def main() -> int:
    """Print every shape that is too dear, and the figures of all."""
    bad, count, worst, fullest = 0, 0, 0.0, 0.0
    for entry, shape, seconds, ratio, memory in ratios(tuple(sys.argv[1:]) or ENTRIES):
        count += 1
        worst, fullest = max(worst, ratio), max(fullest, memory)
        too = ratio > MOST or memory > MEMORY or seconds > 2 * SIZE / 100_000
        bad += too
        mark = "TOO DEAR" if too else "ok"
        print(
            f"{mark:<8} {entry:<10} {shape:<20} {seconds:6.2f} s  x{ratio:4.2f}  {memory:5.1f} times the size",
            flush=True,
        )
    print(
        f"\n{count} shapes: {bad} too dear; the worst ratio {worst:.2f}, the most memory {fullest:.1f} times the size"
    )
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
