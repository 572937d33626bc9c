"""How much a made-up answer costs, as a ratio to what Hypothesis draws. Run: python benchmarks/bench_generated.py.

`st.from_type` draws an instance of the model; `valid_answers` the text of an answer, which also keeps content
constraints. Both are of one process on one machine; absolute times mean nothing elsewhere.
"""

from __future__ import annotations

import sys
import time
from typing import Any, Literal

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from smoke import size, verdict

from pytest_planguard import Contract, distinct, min_length
from pytest_planguard.testing import near_misses, texts, valid_answers

EXAMPLES, ROUNDS = size((300, 5), (3, 1))
LIMIT = 6.0
"""What the ratio of a valid answer may be at most."""


class Ticket(BaseModel):
    """The model of the README."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


PLAIN = Contract(Ticket)
CONSTRAINED = Contract(Ticket, constraints=[min_length("title", 20), distinct("steps")])


def seconds(strategy: st.SearchStrategy[Any]) -> float:
    """Return the seconds of processor time of the fastest of several rounds of examples."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def examples(_: Any) -> None:
        return None

    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        examples()
        times.append(time.process_time() - start)
    return min(times)


def main() -> int:
    """Print the ratios; 1 where a valid answer costs more than the limit."""
    base = seconds(st.from_type(Ticket))
    ratio = seconds(valid_answers(PLAIN)) / base
    print(f"a valid ticket                  {ratio:.2f} (at most {LIMIT:g})")
    print(f"a valid ticket with constraints {seconds(valid_answers(CONSTRAINED)) / base:.2f}")
    print(f"a near miss of a ticket         {seconds(near_misses(PLAIN)) / base:.2f}")
    print(f"a ticket as a model wraps it    {seconds(texts(PLAIN)) / base:.2f}")
    return verdict(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
