"""Show that work ends, and that its cost grows no faster than its input, without a limit on any one duration."""

import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HANG_S = 120
"""Far above what any of the guarded work takes (each under 3 s), far below what its runaway form would."""

ROUNDS = 5
"""The fastest of five rounds is the one that nothing else on the machine slowed down."""


def growth(work: Callable[[int], object], small: int, large: int) -> float:
    """Compare the cost of work at two sizes: the fastest round of the larger over the fastest of the smaller.

    The rounds alternate, so that a slow minute of the machine falls on both. Linear work gives about large / small.
    """
    fastest = {small: float("inf"), large: float("inf")}
    gc.disable()  # its share grows with what the rest of the suite has left behind
    try:
        for _ in range(ROUNDS):
            for size in fastest:
                fastest[size] = min(fastest[size], _seconds(work, size))
    finally:
        gc.enable()
    return fastest[large] / max(fastest[small], 1e-4)  # below a tenth of a millisecond the clock is too coarse


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
