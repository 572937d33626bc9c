"""The judge of logs in a worker, made from names, so that contracts are loaded in the worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....contract import Contract
    from ....document.answer import Extract
    from ....retry.judging.judging_options import JudgeOptions
    from ....runs.logs.judging import LogJudge
    from ....wire.exchange import Exchange


@dataclass(frozen=True, slots=True)
class NamedJudge:
    """Makes a judge. This value can be pickled for workers and clusters."""

    specs: tuple[str, ...] = ()
    """Contracts by name. If (), the schema comes from each request."""
    extract: Extract | None = None
    options: dict[str, Any] = field(default_factory=dict)
    extensions: tuple[str, ...] = ()
    rows: str = "bad"
    most: int = 1_000

    def __call__(self) -> LogJudge:
        """Return the judge. Raises UsageError if a contract cannot be loaded."""
        from ....retry.judging.contracts.request_contracts import AutoContracts
        from ....retry.judging.judging_options import JudgeOptions
        from ....runs.load.contracts import load_contracts, load_extensions
        from ....runs.logs.judging import LogJudge
        from ....runs.prices import read_prices

        load_extensions(self.extensions)
        contracts = load_contracts(self.specs, self.extract)
        options = JudgeOptions(**self.options)
        auto = AutoContracts(self.extract or "embedded")
        return LogJudge(contracts, options, _Schemas(auto), read_prices(), self.rows, self.most)


@dataclass(frozen=True, slots=True)
class _Schemas:
    auto: Any

    def __call__(self, exchanges: Sequence[Exchange]) -> tuple[Contract, ...]:
        return self.auto.of(exchanges)  # type: ignore[no-any-return]


def options_data(options: JudgeOptions) -> dict[str, Any]:
    """Return the options that a user may set, by name."""
    names = ("max_attempts", "coverage", "must_feed_back", "unclear", "escalates", "partial")
    return {name: getattr(options, name) for name in names}
