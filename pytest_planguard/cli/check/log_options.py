"""The options of `planguard check` that apply only to logs, and the judges of logs that they choose."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from ...errors import UsageError
from ..commands import Options

if TYPE_CHECKING:
    from pathlib import Path

    from ...contract import Contract
    from ...document.answer import Extract
    from ...retry.judging.judging_options import JudgeOptions
    from ...runs.logs.engine import Making
    from ...runs.logs.grouping import Grouping
    from ...runs.logs.judging import LogJudge
    from ...runs.logs.summary import LogSummary
    from ...wire.exchange import Exchange
    from ...wire.logs.logged import LogReader

    Running = Callable[[Making, Sequence[Path]], Iterator[LogSummary]]


# "90s", "15m", "24h", "7d", "2w".
_SINCE = re.compile(r"(\d{1,6})([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%|(0?\.\d{1,9})")
"""A share such as `5%`, `0.5%` or `0.05`."""


@dataclass(frozen=True, slots=True)
class LogArguments:
    """The options for logs, as typed."""

    group_by: str = "trace"
    map: tuple[str, ...] = ()
    sample: str = "100%"
    seed: int = 0
    since: str | None = None
    jobs: int | None = None
    save: str | None = None
    engine: str | None = None
    resume: bool = False

    def grouping(self) -> Grouping:
        """Return how calls are grouped into conversations, and which groups are judged. Raises UsageError."""
        from ...runs.logs.grouping import Grouping, checked_key

        since = _since(self.since) if self.since else 0
        return Grouping(checked_key(self.group_by), self.share, self.seed, since)

    @property
    def share(self) -> float:
        """The share of groups to judge. Raises UsageError."""
        found = _SHARE.fullmatch(self.sample)
        share = (float(found[1]) / 100 if found[1] else float(found[2])) if found else 0.0
        if not 0 < share <= 1:
            raise UsageError(f"--sample {self.sample!r} is not a share of groups; write 5% or 0.05")
        return share

    def mapped(self) -> LogReader | None:
        """Return the reader for the user's map, or None. Raises UsageError."""
        if not self.map:
            return None
        from ...wire.logs.pairs import map_of, mapped_reader

        return mapped_reader("map", map_of(self.map))


def _since(text: str) -> int:
    found = _SINCE.fullmatch(text)
    if not found:
        raise UsageError(f"--since {text!r} is not a duration; write 30m, 1h or 2d")
    return time.time_ns() - int(found[1]) * _SECONDS[found[2]] * 10**9


_WORDS = {
    ("--group-by",): ("trace|session|NAME", "What ties the calls of one task: also NAME or NAME:PATTERN of a field."),
    ("--map",): ("request=PATH", "The place in a row of request=, response=, id=, group=, time=, model=; repeatable."),
    ("--sample",): ("5%", "The share of the groups that is judged."),
    ("--seed",): ("N", "Chooses other groups for the sample."),
    ("--since",): ("1h", "Leave out older calls (30m, 2d)."),
    ("-j", "jobs"): ("N", "Processes that judge."),
    ("--save",): ("NAME", "Save the conversations as a run, for diff and report."),
    ("--engine",): ("dask://HOST:PORT", "Judge on a cluster."),
    ("--resume",): ("", "Keep what is judged until the end. After a stop, the same command goes on from there."),
}
_GIVEN: dict[str, dict[str, Any]] = {
    "--group-by": {"default": "trace"},
    "--map": {"multiple": True},
    "--sample": {"default": "100%"},
    "--seed": {"type": int, "default": 0},
    "-j": {"type": click.IntRange(1)},
    "--resume": {"is_flag": True},
}
LISTED = "\n".join(f"  {' '.join((names[0], value)):<32}  {text}" for names, (value, text) in _WORDS.items())
"""The options at the end of the command's help. There are many of them, and they apply only to logs."""
log_options = Options(
    *(
        click.option(*names, metavar=value or None, help=text, hidden=True, **_GIVEN.get(names[0], {}))
        for names, (value, text) in _WORDS.items()
    )
)


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
        from ...retry.judging.judging_options import JudgeOptions
        from ...retry.judging.request_contracts import AutoContracts
        from ...runs.load.contracts import load_contracts, load_extensions
        from ...runs.logs.judging import LogJudge
        from ...runs.prices import read_prices

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
            # Workers may share no disk with this machine, so the lines travel.
            contents = (file.read_bytes() for file in files)
            sent = [client.submit(judge_content, make, one, retries=RETRIES, pure=False) for one in contents]
            for future in distributed.as_completed(sent):
                yield future.result()

    return run


def judge_content(make: Making, content: bytes) -> LogSummary:
    """Return the summary of a partition's lines. Contracts travel as names, and are loaded on the worker."""
    from io import BytesIO

    from ...runs.logs.engine import judge_partition_lines

    return judge_partition_lines(make, BytesIO(content))
