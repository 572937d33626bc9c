"""The cost of a case by the project's own price table, the ini value `planguard_prices`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ...errors import RunError
from ...runs.prices import read_prices, total
from ..options import settings_of

if TYPE_CHECKING:
    from ...runs.prices import Prices
    from ..case import Case

PRICES: pytest.StashKey[Prices] = pytest.StashKey()


def prices_of(config: pytest.Config) -> Prices:
    """Return the price table of this run, read once. Raises pytest.UsageError for an invalid one."""
    found = config.stash.get(PRICES, None)
    if found is None:
        path = config.rootpath / Path(settings_of(config).prices or "")
        try:
            found = config.stash[PRICES] = read_prices(path)
        except RunError as error:
            raise pytest.UsageError(f"ini value planguard_prices: {error}") from None
    return found


def cost_of(case: Case) -> float | None:
    """Return the cost of a case's judged answers; None if part of it is unknown.

    For projects with a price table. `planguard diff` handles list prices, and uses the same ones for both runs.
    """
    prices = prices_of(case.item.config)
    exchanges = [attempt.exchange for found in case.conversations for attempt in found.attempts]
    return total(prices.answer_cost(e.model, e.usage.input_tokens, e.usage.output_tokens) for e in exchanges)
