"""Show that work ends, and that its cost grows no faster than its input, without a limit on any one duration."""

import gc
import signal
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HANG_S = 120
"""Far above what any of the guarded work takes (each under 3 s), far below what its runaway form would."""

FEWEST, MOST = 2, 5
"""Rounds of the smaller size, and of the larger one where it is slow: the fastest is one that nothing slowed down. The
first may load or compile something."""


def assert_growth(work: Callable[[int], object], small: int, large: int, *, below: float) -> None:
    """Compare the cost of work at two sizes: the fastest round of the larger over the fastest of the smaller.

    Linear work gives about large / small. The smaller size is measured twice; the larger one, which costs most of the
    time, until a round is quick enough, and five times at most.

    Raises:
        AssertionError: no round of the larger size costs less than `below` times the fastest of the smaller.
    """
    gc.disable()  # its share grows with what the rest of the suite has left behind
    try:
        fastest = max(min(_seconds(work, small) for _ in range(FEWEST)), 1e-4)  # below it the clock is too coarse
        ratios: list[float] = []
        while len(ratios) < MOST and (not ratios or ratios[-1] >= below):
            ratios.append(_seconds(work, large) / fastest)
    finally:
        gc.enable()
    assert min(ratios) < below, f"{large / small:g} times the input costs {min(ratios):.1f} times as much"


@contextmanager
def no_hang() -> Iterator[None]:
    """Fail a test whose work is still running after two minutes, where it would otherwise block the whole suite."""

    def give_up(*_: object) -> None:
        raise TimeoutError(f"still running after {HANG_S} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, HANG_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _seconds(work: Callable[[int], object], size: int) -> float:
    start = time.process_time()
    work(size)
    return time.process_time() - start


def peak_memory(work: Callable[[], object]) -> int:
    """Return the most bytes that the work has in use at a time, over what was in use before. No clock is asked."""
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        work()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
