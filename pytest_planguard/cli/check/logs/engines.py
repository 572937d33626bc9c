"""Judge partitions on a cluster with Dask, which needs the extra."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from ....errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from ....runs.logs.engine import Making
    from ....runs.logs.summary import LogSummary

    Running = Callable[[Making, Sequence[Path]], Iterator[LogSummary]]

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
