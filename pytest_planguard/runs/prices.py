"""What answers cost: a dated table of list prices, which a file of the user's adds to, and a model's price in it.

Only what is known is counted. A model without a price, or an answer without counted tokens, has no cost: never 0.
Discounts (cached input, batches) and surcharges (long prompts) are not known here; the table has list prices for text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import RunError
from .model.foreign_fields import RowError, inner, objects, seen, text

if TYPE_CHECKING:
    from .model.run import CaseRow, Run

TABLE = Path(__file__).with_name("prices.json")
FORMAT = 1
KIND = "prices"
PER_TOKENS = 1_000_000
"""Prices are for so many tokens."""
_DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|00\d)$")
"""What ends the name of one release of a model; its price is that of the model unless the table has it by itself."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class PriceSource:
    """Where a part of the table comes from."""

    provider: str
    date: str
    """The day on which these were the prices: ISO 8601."""
    source: str

    def __str__(self) -> str:
        return f"{self.provider} of {self.date}"


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model."""

    models: Mapping[str, Price | None] = field(default_factory=dict)
    """By model, and by "provider/model"; None: known to have no price here."""
    sources: tuple[PriceSource, ...] = ()

    def of(self, model: str | None) -> Price | None:
        """Return the price of a model as an answer names it: "gpt-4o-2024-08-06", "openai/gpt-4o".

        None where unknown.
        """
        for name in _names(model or ""):
            if name in self.models:
                return self.models[name]
        return None

    def cost(self, row: CaseRow) -> float | None:
        """Return what the judged answers of a case cost; None where a price or a count of one of them is unknown."""
        attempts = [attempt for judged in row.judged for attempt in judged.attempts]
        return total(self.answer_cost(a.model or row.model, a.input_tokens, a.output_tokens) for a in attempts)

    def answer_cost(self, model: str | None, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """Return what one answer costs; None where its price or a count is unknown."""
        price = self.of(model)
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return (input_tokens * price.input + output_tokens * price.output) / PER_TOKENS


def total(costs: Iterable[float | None]) -> float | None:
    """Return the sum; None where there is nothing to add, or one of them is unknown."""
    found = list(costs)
    known = [cost for cost in found if cost is not None]
    return sum(known) if known and len(known) == len(found) else None


def read_prices(path: Path | None = None) -> Prices:
    """Return the table that comes with planguard, with what a file says added and in place of it.

    Raises:
        RunError: the file cannot be read, is no price table, or was written for a later planguard.
    """
    return _built_in() if path is None else _joined(_built_in(), _read(path))


def priced(run: Run, prices: Prices, *, again: bool = False) -> Run:
    """Return the run with a cost for every case that has none and can have one.

    `rerecord`: for every case, from the table.
    """
    rows = tuple(row if row.cost is not None and not again else _priced(row, prices) for row in run.rows)
    return replace(run, rows=rows)


def unpriced_models(runs: Iterable[Run]) -> tuple[str, ...]:
    """Return the models of cases with counted tokens and no cost, sorted."""
    rows = (row for run in runs for row in run.rows if row.cost is None and row.input_tokens is not None)
    return tuple(sorted({row.model or "(model unknown)" for row in rows}))


def _priced(row: CaseRow, prices: Prices) -> CaseRow:
    cost = prices.cost(row)
    return row if cost == row.cost else replace(row, cost=cost)


@lru_cache(maxsize=1024)  # a run has few models and many answers
def _names(model: str) -> tuple[str, ...]:
    """Yield the spellings under which a model may be in the table, the most exact first."""
    full = model.strip().lower().removeprefix("models/")
    provider, _, model_id = full.partition(":")  # "openai:chat:gpt-4o", as promptfoo says it
    other = f"{provider}/{model_id.rpartition(':')[2]}"
    return (full, _DATED.sub("", full), other, _DATED.sub("", other))


@lru_cache(maxsize=1)
def _built_in() -> Prices:
    return _read(TABLE)


def _joined(first: Prices, second: Prices) -> Prices:
    named = {source.provider for source in second.sources}
    kept = tuple(source for source in first.sources if source.provider not in named)
    return Prices({**first.models, **second.models}, (*kept, *second.sources))


def _read(path: Path) -> Prices:
    try:
        data = json.loads(path.read_bytes())
        if not isinstance(data, dict) or data.get("planguard") != KIND or data.get("format") != FORMAT:
            raise RowError(f'the fields "planguard" and "format" must be "{KIND}" and {FORMAT}, got {seen(data)}')
        providers = objects(data, "providers")
        models = {name: price for one in providers for name, price in _models(one)}
        return Prices(models, tuple(_source(one) for one in providers))
    except OSError as error:
        raise RunError(f"{path}: the prices cannot be read: {error.strerror or error}. Check the path.") from error
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: it is not a table of prices: {error}.") from error


def _models(provider: dict[str, Any]) -> Iterator[tuple[str, Price | None]]:
    name = text(provider, "provider").lower()
    for model, pair in inner(provider, "models").items():
        price = None if pair is None else Price(*_pair(model, pair))
        yield model.lower(), price
        yield f"{name}/{model.lower()}", price


def _pair(model: str, pair: Any) -> tuple[float, float]:
    known = isinstance(pair, list) and [n for n in pair if isinstance(n, int | float) and not isinstance(n, bool)]
    if not known or len(known) != len(pair) or len(pair) != 2 or not all(0 <= n < float("inf") for n in known):
        raise RowError(f"the price of {model!r} must be [input, output] for {PER_TOKENS:,} tokens, got {pair!r:.60}")
    return float(known[0]), float(known[1])


def _source(provider: dict[str, Any]) -> PriceSource:
    name, day, source = text(provider, "provider"), text(provider, "date"), text(provider, "source")
    try:
        return PriceSource(name, date.fromisoformat(day).isoformat(), source)
    except ValueError as error:
        raise RowError(f"the date of prices must be a day like 2026-12-31, got {seen(day)}") from error
