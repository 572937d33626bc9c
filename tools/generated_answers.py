"""Print, for sixteen contracts, how many made-up answers are what they are said to be, and what they cost.

    python -m tools.generated_answers [--valid 500] [--misses 100]

The last line is the time of a valid ticket as a multiple of what hypothesis' own `st.from_type` takes for the model.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pytest_planguard.testing import near_misses, valid_answers
from pytest_planguard.testing.answers.near_miss import KINDS
from tests.testing.answers.contracts import CONTRACTS, Ticket
from tests.testing.answers.test_generated import promised


def run(strategy: Any, number: int, judge: Any) -> tuple[int, int]:
    """Return how many of so many examples the judge accepts, and how many there were."""
    seen: list[bool] = []

    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def examples(example: Any) -> None:
        seen.append(judge(example))

    try:
        examples()
    except Exception as exc:  # a kind that does not apply to the contract
        if type(exc).__name__ not in ("Unsatisfiable", "FailedHealthCheck"):
            raise
    return sum(seen), len(seen)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--valid", type=int, default=500)
    parser.add_argument("--misses", type=int, default=100)
    options = parser.parse_args()
    for name in CONTRACTS:
        print(line(name, options.valid, options.misses), flush=True)
    print(f"a valid ticket costs {ratio():.1f} times st.from_type")


def line(name: str, valid: int, misses: int) -> str:
    """Return the figures of one contract."""
    contract, own = CONTRACTS[name]
    good, number = run(valid_answers(contract, given=own), valid, lambda text: contract.check(text).ok)
    wrong: Counter[str] = Counter()
    applies = 0
    for kind in KINDS:
        hit, seen = run(near_misses(contract, [kind], given=own), misses, lambda miss: promised(contract, miss))
        applies += bool(seen)
        wrong[kind] += seen - hit
    return f"{name}: valid {good} of {number}; {applies} kinds, not as promised {dict(+wrong) or 0}"


def ratio() -> float:
    """Return the cost of a valid ticket over that of hypothesis' own strategy; the fastest of five rounds of each."""
    ours, theirs = valid_answers(CONTRACTS["ticket"][0]), st.from_type(Ticket)
    fastest = [min(seconds(strategy) for _ in range(5)) for strategy in (ours, theirs)]
    return fastest[0] / fastest[1]


def seconds(strategy: Any) -> float:
    """Return the CPU seconds of 300 examples."""
    start = time.process_time()
    run(strategy, 300, lambda _: True)
    return time.process_time() - start


if __name__ == "__main__":
    main()
