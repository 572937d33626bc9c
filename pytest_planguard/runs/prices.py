"""The cost of answers, from a dated table of list prices that the user's own file can extend.

An unknown cost stays unknown, and never becomes 0: a model may have no price, or an answer no token counts. The table
has list prices for text, without discounts (cached input, batches) or surcharges (long prompts).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import RunError
from .model.codec import RowError, inner, objects, seen, text

if TYPE_CHECKING:
    from .model.run import CaseRow, Run

TABLE = Path(__file__).with_name("prices.json")
FORMAT = 1
KIND = "prices"
PER_TOKENS = 1_000_000
"""The number of tokens that a price is for."""
_DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|00\d)$")
"""The suffix of one release of a model, as in "gpt-4o-2024-08-06" and "claude-3-opus-latest".

A release has the price of its model, unless the table lists the release.
"""


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class PriceSource:
    """The source of a part of the table."""

    provider: str
    date: str
    """The day of these prices, as ISO 8601."""
    source: str

    def __str__(self) -> str:
        return f"{self.provider} of {self.date}"


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by model."""

    models: Mapping[str, Price | None] = field(default_factory=dict)
    """The key is a model or "provider/model". None: the table knows the model, but has no price for it."""
    sources: tuple[PriceSource, ...] = ()

    def of(self, model: str | None) -> Price | None:
        """Return the price of a model as an answer names it: "gpt-4o-2024-08-06", "openai/gpt-4o". None if unknown."""
        for name in _names(model or ""):
            if name in self.models:
                return self.models[name]
        return None

    def cost(self, row: CaseRow) -> float | None:
        """Return the cost of a case's judged answers. None if the price or token count of any of them is unknown."""
        attempts = [attempt for judged in row.judged for attempt in judged.attempts]
        return total(self.answer_cost(a.model or row.model, a.input_tokens, a.output_tokens) for a in attempts)

    def answer_cost(self, model: str | None, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """Return the cost of one answer. None if its price or a token count is unknown."""
        price = self.of(model)
        if price is None or input_tokens is None or output_tokens is None:
            return None
        return (input_tokens * price.input + output_tokens * price.output) / PER_TOKENS


def total(costs: Iterable[float | None]) -> float | None:
    """Return the sum. None if the list is empty or one of the costs is unknown."""
    found = list(costs)
    known = [cost for cost in found if cost is not None]
    return sum(known) if known and len(known) == len(found) else None


def read_prices(path: Path | None = None) -> Prices:
    """Return the built-in table. The prices in the file are added to it, and override it.

    Raises:
        RunError: the file is unreadable, isn't a price table, or was written for a later planguard.
    """
    return _built_in() if path is None else _joined(_built_in(), _read(path))


def priced(run: Run, prices: Prices, *, again: bool = False) -> Run:
    """Return the run with a cost for every case that has none, if its price is known.

    `again` prices every case from the table, also those that have a cost.
    """
    rows = tuple(row if row.cost is not None and not again else _priced(row, prices) for row in run.rows)
    return replace(run, rows=rows)


def unpriced_models(runs: Iterable[Run]) -> tuple[str, ...]:
    """Return the models of cases that have token counts but no cost, sorted."""
    rows = (row for run in runs for row in run.rows if row.cost is None and row.input_tokens is not None)
    return tuple(sorted({row.model or "(model unknown)" for row in rows}))


def _priced(row: CaseRow, prices: Prices) -> CaseRow:
    cost = prices.cost(row)
    return row if cost == row.cost else replace(row, cost=cost)


@lru_cache(maxsize=1024)  # a run has few models and many answers
def _names(model: str) -> tuple[str, ...]:
    """Return the spellings under which the table may list the model, the most exact first."""
    # Gemini answers as "models/gemini-2.5-pro".
    full = model.strip().lower().removeprefix("models/")
    provider, _, model_id = full.partition(":")  # "openai:chat:gpt-4o" is promptfoo's spelling
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
    # JSON has whole numbers that no float holds (1 with 400 zeros), and Python reads "Infinity" and "NaN" as numbers.
    if not known or len(known) != len(pair) or len(pair) != 2 or not all(0 <= n <= sys.float_info.max for n in known):
        raise RowError(f"the price of {model!r} must be [input, output] for {PER_TOKENS:,} tokens, got {pair!r:.60}")
    return float(known[0]), float(known[1])


def _source(provider: dict[str, Any]) -> PriceSource:
    name, day, source = text(provider, "provider"), text(provider, "date"), text(provider, "source")
    try:
        return PriceSource(name, date.fromisoformat(day).isoformat(), source)
    except ValueError as error:
        raise RowError(f"the date of prices must be a day like 2026-12-31, got {seen(day)}") from error
