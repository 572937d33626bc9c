"""The judge of logs in another process: made from names there, and on a cluster with Dask, which needs the extra."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ....errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from ....contract import Contract
    from ....document.answer import Extract
    from ....retry.judging.judging_options import JudgeOptions
    from ....runs.logs.engine import Making
    from ....runs.logs.judging import LogJudge
    from ....runs.logs.summary import LogSummary
    from ....wire.exchange import Exchange

    Running = Callable[[Making, Sequence[Path]], Iterator[LogSummary]]


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


LOCAL_WORKERS = 2
"""Processes of a cluster on this machine."""
RETRIES = 2
"""Number of times that a partition is judged again after its worker was lost."""


def engine_of(address: str) -> Running:
    """Return the judge of partitions: `dask://HOST:PORT`, or `dask://local` for processes on this machine.

    Raises UsageError for another address, or without the extra.
    """
    scheme, _, where = address.partition("://")
    if scheme != "dask" or not where:
        raise UsageError(f"--engine {address!r} is not known; write dask://HOST:PORT or dask://local")
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise UsageError("--engine dask needs the extra: pip install 'pytest-planguard[dask]'") from None

    def run(make: Making, files: Sequence[Path]) -> Iterator[LogSummary]:
        given: dict[str, object] = {"n_workers": LOCAL_WORKERS, "threads_per_worker": 1, "dashboard_address": None}
        with distributed.Client(**given) if where == "local" else distributed.Client(f"tcp://{where}") as client:
            contents = (file.read_bytes() for file in files)
            sent = [client.submit(judge_content, make, one, retries=RETRIES, pure=False) for one in contents]
            for future in distributed.as_completed(sent):
                yield future.result()

    return run


def judge_content(make: Making, content: bytes) -> LogSummary:
    """Return the summary of a partition's lines. Contracts travel as names, and are loaded on the worker."""
    from io import BytesIO

    from ....runs.logs.engine import judge_partition_lines

    return judge_partition_lines(make, BytesIO(content))
