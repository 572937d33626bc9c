"""Judge logs of any size on one machine: partition them by group into bounded files, and judge those in a pool.

If a worker dies, its partition is judged again, alone. A partition that kills that worker, too, is halved until the
responsible conversation is found. That one counts as unjudgeable, and all the others are judged.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...wire.logs.logged import Logged
from .grouping import Grouping, packed, parts_of, slot, unpacked
from .records import read_records
from .summary import LogSummary, summed

if TYPE_CHECKING:
    from typing import IO

    from ...wire.logs.logged import LogReader
    from .judging import LogJudge
    from .summary import KeptPartitions

PARTITION = 8 * 1024 * 1024
"""Number of bytes in a partition. A worker holds one partition in memory, plus the objects of one group."""
MOST_PARTITIONS = 256
"""Maximum number of files open at once. A larger partition is partitioned again."""
SMALL = 4 * 1024 * 1024
"""Maximum number of bytes of logs to judge without files and without a pool."""
ON_A_CLUSTER = 32
"""Minimum number of partitions to create for an engine, because it has many workers."""
MOST_PARTS = 2_000
"""Maximum number of records to read of one group. This bounds memory for an endless group, such as that of a constant
key."""
ENDS = "it ended the process that judges it, twice"
LARGE = f"its group has more than {MOST_PARTS} records: name a key that ties fewer with --group-by"

Making = Callable[[], "LogJudge"]
"""Makes the judge in a worker. Contracts travel as names."""


@dataclass(frozen=True, slots=True)
class LogJob:
    """The logs to judge, and how to judge them."""

    paths: tuple[Path, ...]
    make: Making
    """A function that can be pickled."""
    grouping: Grouping = field(default_factory=Grouping)
    mapped: LogReader | None = None
    jobs: int = 1
    done: Callable[[str, int, int], None] = lambda what, done, total: None  # noqa: ARG005
    """Called with "reading" or "judging", the number of bytes for which that is done, and their total."""
    run: Callable[[Making, Sequence[Path]], Iterator[LogSummary]] | None = None
    """Judges the partitions elsewhere, on an engine."""
    kept: KeptPartitions | None = None
    """Keeps the summaries of partitions until all are judged, so that a stopped command can go on."""
    names: Mapping[Path, str] = field(default_factory=dict)
    """The names of files in reports, if they differ from their paths: "-" for standard input."""


def judge_files(job: LogJob) -> LogSummary:
    """Return the summary of all logs. Raises OSError if a file cannot be read."""
    sizes = [path.stat().st_size for path in job.paths]
    counted = LogSummary()
    parts = _all_parts(job, sizes, counted)
    if sum(sizes) <= SMALL and job.jobs == 1 and job.run is None:
        judge = job.make()
        counted.most = judge.most
        groups: dict[str, list[Logged]] = {}
        for key, logged in parts:
            groups.setdefault(key, []).append(logged)
        for key in sorted(groups):
            _judge_group(judge, key, groups[key], counted)
        counted.close()
        return counted
    with tempfile.TemporaryDirectory(prefix="planguard-logs-") as folder:
        # Compressed logs are larger than their files. A partition that grows too large is partitioned again.
        slots = max(job.jobs if job.run is None else ON_A_CLUSTER, min(MOST_PARTITIONS, 1 + sum(sizes) // PARTITION))
        files = _spilled(parts, Path(folder), slots)
        if job.kept is not None:
            files, done = job.kept.split(files)
            counted = summed((counted, *done), job.make().most)
        found = job.run(job.make, files) if job.run is not None else _pooled(job, files)
        whole = summed((counted, *_counted(job, files, found)), job.make().most)
    if job.kept is not None:
        job.kept.discard()
    return whole


def _all_parts(job: LogJob, sizes: Sequence[int], into: LogSummary) -> Iterator[tuple[str, Logged]]:
    read, total = 0, sum(sizes)
    for path, size in zip(job.paths, sizes, strict=True):
        name = job.names.get(path, path.as_posix())
        for number, part in enumerate(parts_of(read_records(path), name, job.grouping, into, job.mapped)):
            yield part
            if number % 1000 == 999:
                job.done("reading", read, total)
        read += size
        job.done("reading", read, total)


def _counted(job: LogJob, files: Sequence[Path], found: Iterable[LogSummary]) -> Iterator[LogSummary]:
    size = sum(file.stat().st_size for file in files)
    job.done("judging", 0, size)
    for number, summary in enumerate(found, 1):  # a partition that was halved has several summaries
        yield summary
        job.done("judging", size * min(number, len(files)) // len(files), size)


def _judge_group(judge: LogJudge, key: str, parts: list[Logged], into: LogSummary) -> None:
    if len(parts) > MOST_PARTS:
        into.unjudgeable[LARGE] += len(parts) - MOST_PARTS
        into.calls += len(parts) - MOST_PARTS
        # Sorted, so that the order of the files does not decide which records are left out.
        parts = sorted(parts, key=lambda part: (part.at, part.call))[:MOST_PARTS]
    judge.group(key, parts, into)


# Partitions: files with a line for each part of a call. All parts of a group are in the same file.


def _spilled(parts: Iterable[tuple[str, Logged]], folder: Path, slots: int) -> list[Path]:
    lines = (packed(key, logged) for key, logged in parts)
    return [one for file in _partitioned(lines, folder, slots, 0) for one in _bounded(file, 1)]


def _partitioned(lines: Iterable[bytes], folder: Path, slots: int, salt: int) -> list[Path]:
    paths = [folder / f"{salt}-{number:04}" for number in range(slots)]
    files: list[IO[bytes]] = [path.open("wb", buffering=16_384) for path in paths]
    try:
        for line in lines:
            files[slot(line.partition(b"\t")[0], slots, salt)].write(line)
    finally:
        for file in files:
            file.close()
    return [path for path in paths if path.stat().st_size]


def _bounded(path: Path, salt: int) -> Iterator[Path]:
    """Yield the file, or its partitions if it is too large. A single group is never split."""
    size = path.stat().st_size
    # After three further rounds of up to 256 files each, a file that is still larger holds a single group.
    if size <= 4 * PARTITION or salt > 3:
        yield path
        return
    folder = path.with_name(f"{path.name}-parts")
    folder.mkdir()
    with path.open("rb") as file:
        parts = _partitioned(file, folder, min(MOST_PARTITIONS, 1 + size // PARTITION), salt)
    path.unlink()
    for part in parts:
        yield from _bounded(part, salt + 1)


def judge_partition(make: Making, path: Path, kept: KeptPartitions | None = None) -> LogSummary:
    """Return the summary of one partition."""
    with path.open("rb") as file:
        found = judge_partition_lines(make, file)
    if kept is not None:
        kept.keep(path, found)
    return found


def judge_partition_lines(make: Making, file: Iterable[bytes]) -> LogSummary:
    """Return the summary of the lines in one partition."""
    judge = _made(make)
    found = LogSummary(most=judge.most)
    groups: dict[bytes, list[bytes]] = {}
    more: dict[bytes, int] = {}
    for line in file:
        key, _, value = line.partition(b"\t")
        listed = groups.setdefault(key, [])
        if len(listed) < MOST_PARTS:
            listed.append(value)
        else:
            more[key] = more.get(key, 0) + 1
    for key in sorted(groups):
        # Popped, so that the lines of a judged group are freed before the next one is unpacked.
        judge.group(_name(key), [unpacked(line) for line in groups.pop(key)], found)
    for number in more.values():
        found.unjudgeable[LARGE] += number
        found.calls += number
    found.close()
    return found


def _name(key: bytes) -> str:
    import json

    return str(json.loads(key))


_LATEST: list[tuple[Making, LogJudge]] = []


def _made(make: Making) -> LogJudge:
    """Return the judge of this process. It is made once."""
    if not _LATEST or _LATEST[0][0] != make:
        _LATEST[:] = [(make, make())]
    return _LATEST[0][1]


# The pool.


def _pooled(job: LogJob, files: Sequence[Path]) -> Iterator[LogSummary]:
    """Yield the summary of each partition, in any order. If a worker dies, its partitions are judged again."""
    waiting = list(files)
    while waiting:
        pool = ProcessPoolExecutor(job.jobs, mp_context=_context(), initializer=_started)
        running: dict[Future[LogSummary], Path] = {}
        try:
            while waiting or running:
                while waiting and len(running) < job.jobs:
                    path = waiting.pop()
                    running[pool.submit(judge_partition, job.make, path, job.kept)] = path
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    running.pop(future)
                    yield result
        except BrokenProcessPool:
            # All running partitions are lost with the pool. Only a second failure shows which of them ended it.
            pool.shutdown()  # ends the pool's threads, so that the next workers are forked, too
            for path in running.values():
                yield from _alone(job.make, path, job.kept)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _alone(make: Making, path: Path, kept: KeptPartitions | None = None) -> Iterator[LogSummary]:
    """Yield the summaries of a partition that may end its process: it is judged alone, and halved if that happens."""
    with ProcessPoolExecutor(1, mp_context=_context()) as pool:
        try:
            yield pool.submit(judge_partition, make, path, kept).result()
            return
        except BrokenProcessPool:
            pass
    lines = path.read_bytes().splitlines(keepends=True)
    keys = sorted({line.partition(b"\t")[0] for line in lines})
    if len(keys) == 1:
        calls = len({unpacked(line.partition(b"\t")[2]).call for line in lines})
        lost = LogSummary(groups=1, calls=calls)
        lost.unjudgeable[f"{ENDS}: {_name(keys[0])[:80]}"] = calls
        yield lost
        return
    for number, half in enumerate((set(keys[: len(keys) // 2]), set(keys[len(keys) // 2 :]))):
        part = path.with_name(f"{path.name}.{number}")
        part.write_bytes(b"".join(line for line in lines if line.partition(b"\t")[0] in half))
        yield from _alone(make, part)


def _started() -> None:
    """Prepare a worker. ctrl-C ends it without a traceback, and it looks for cycles less often.

    Each call makes thousands of objects, and hardly any is in a cycle.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.freeze()
    gc.set_threshold(20_000, 50)


def _context() -> Any:
    """Return how to start workers: by a fork if this process has no other thread, which takes no time."""
    import threading

    forks = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    return multiprocessing.get_context("fork" if forks else "spawn")
