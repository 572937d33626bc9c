"""Print, for sixteen contracts, how many made-up answers are what they are said to be, and how many are thrown away.

    python -m tools.generated_answers [--valid 500] [--misses 100] [--only WORD]

A contract with a pydantic schema is tried twice: as it is, and as its JSON Schema, for which jsonschema-rs is the
judge. An example that Hypothesis gives up for a filter, a `reject` or an `assume` is thrown away.
`benchmarks/bench_generated.py` says what an answer costs.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.statistics import collector

from pytest_planguard import Contract
from pytest_planguard.testing import NearMiss, near_misses, valid_answers
from pytest_planguard.testing.answers.near_miss import KINDS
from tests.testing.answers.contracts import CONTRACTS, as_json_schema
from tests.testing.answers.test_generated import promised

MOST_THROWN_AWAY = 0.05
"""Share of the examples of one strategy that may be thrown away."""


@dataclass(frozen=True, slots=True)
class Examples:
    """The examples of one strategy."""

    right: int
    """Those that the judge accepts."""
    seen: int
    """Those that came to the judge."""
    given_up: int = 0
    """Those that a filter, a `reject` or an `assume` ended."""

    @property
    def thrown_away(self) -> float:
        """Share of those that were given up, 0 to 1; 0 where there is none."""
        return self.given_up / (self.seen + self.given_up) if self.given_up else 0.0


def examples_of(strategy: Any, number: int, judge: Callable[[Any], bool]) -> Examples:
    """Return how many of so many examples the judge accepts; none for a kind that does not apply to the contract."""
    right = seen = 0
    statuses: Counter[str] = Counter()

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
        nonlocal right, seen
        seen += 1
        right += judge(example)

    def count(statistics: Any) -> None:
        statuses.update(case["status"] for case in statistics["generate-phase"]["test-cases"])

    with suppress(Unsatisfiable), collector.with_value(count):
        examples()
    return Examples(right, seen, statuses["invalid"])


def validity(contract: Contract) -> Callable[[str], bool]:
    """Return what judges valid answers: the contract, and jsonschema-rs itself, where the schema is a JSON Schema."""
    if not isinstance(contract.schema, dict):
        return lambda text: contract.check(text).ok
    validator = jsonschema_rs.validator_for(contract.schema, validate_formats=True)
    return lambda text: validator.is_valid(json.loads(text)) and contract.check(text).ok


def line(name: str, contract: Contract, own: Any, valid: int, misses: int) -> str:
    """Return the figures of one contract: all kinds at once, then each that came about."""
    answers = examples_of(valid_answers(contract, given=own), valid, validity(contract))
    seen: set[str] = set()

    def judged(miss: NearMiss) -> bool:
        seen.add(miss.kind)
        return promised(contract, miss)

    any_kind = examples_of(near_misses(contract, given=own), 3 * misses, judged)
    by_kind = {
        kind: examples_of(near_misses(contract, [kind], given=own), misses, judged) for kind in KINDS if kind in seen
    }
    applicable = {kind: one for kind, one in by_kind.items() if one.seen}
    wrong = {kind: one.seen - one.right for kind, one in applicable.items() if one.seen > one.right}
    few = {kind: one.seen for kind, one in applicable.items() if one.seen < misses}
    wasteful = {
        kind: f"{one.thrown_away:.0%}" for kind, one in applicable.items() if one.thrown_away > MOST_THROWN_AWAY
    }
    return (
        f"{name}: valid {answers.right} of {answers.seen}; {len(applicable)} kinds, not as promised {wrong or 0}"
        f"{f', fewer than {misses} of {few}' if few else ''}; thrown away {answers.thrown_away:.1%} of valid answers, "
        f"{any_kind.thrown_away:.1%} of near misses, above 5 % for {wasteful or 'no kind'}"
    )


def contracts() -> Iterator[tuple[str, Contract, Any]]:
    """Yield each contract, and again as JSON Schema where that is another contract."""
    for name, (contract, own) in CONTRACTS.items():
        yield name, contract, own
        other = as_json_schema(contract)
        if other is not None:
            yield f"{name}, as JSON Schema", other, own


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--valid", type=int, default=500)
    parser.add_argument("--misses", type=int, default=100)
    parser.add_argument("--only", default="", metavar="WORD", help="contracts whose name has this word")
    options = parser.parse_args()
    for name, contract, own in contracts():
        if options.only in name:
            print(line(name, contract, own, options.valid, options.misses), flush=True)


if __name__ == "__main__":
    main()
