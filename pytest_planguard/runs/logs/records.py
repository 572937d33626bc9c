"""Read the records of log files one at a time: JSON Lines, JSON documents, protobuf, Parquet, compressed or not."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

from ...errors import UsageError
from ...wire.logs.langsmith import is_upload, uploaded
from ...wire.logs.logged import quick_json
from ...wire.logs.otlp_protobuf import requests_of
from ...wire.logs.readers import looks_logged, reader_of, records_of, refusal
from . import may_be_log

if TYPE_CHECKING:
    from pathlib import Path

    from ...wire.logs.logged import LogReader

MAX_LINE = 64 * 1024 * 1024
"""Maximum number of bytes of a line."""
MAX_DOCUMENT = 64 * 1024 * 1024
"""Maximum number of bytes of a document. Unlike JSON Lines, a document must fit in memory."""
LOOKED_AT = 5
"""Number of lines of a file to check to see if it is a log."""
_GZIP, _ZSTD, _PARQUET, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"PK\3\4"
ZIPPED = "a zip archive is not read, unless Inspect wrote it: unpack it and name the logs in it"
_ROWS = 256
"""Maximum number of rows of a Parquet file to hold in memory."""


class Broken(ValueError):
    """A record that cannot be read. The message says why."""


def is_log(path: Path, mapped: LogReader | None = None, *, refused: bool = True) -> bool:
    """Return True if a file's content is a log; False if it cannot be read. With `refused` a known other format is one.

    Raises UsageError if that takes an extra that is not installed.
    """
    if not may_be_log(path):
        return False
    try:
        with opened(path) as file:
            return _sniffed(path, file, mapped, refused=refused)
    except UsageError:
        raise
    except (OSError, ValueError, EOFError, zlib.error):
        return False


def _sniffed(path: Path, file: IO[bytes], mapped: LogReader | None, *, refused: bool) -> bool:
    if _begin(file) == _PARQUET:
        return any(_fits(row, mapped) or looks_logged(row) for row in islice(_rows(file), LOOKED_AT))
    if _begin(file) == _ZIP:
        return refused or any(not isinstance(record, Broken) for record in islice(_samples(file), 1))
    if (body := _binary(file)) is not None:
        return bool(body)
    head = file.readline(MAX_LINE + 1)
    while head and not head.strip():
        head = file.readline(MAX_LINE + 1)
    if not head or len(head) > MAX_LINE:
        return False
    try:
        first = quick_json(head)
    except ValueError:
        if path.name.lower().removesuffix(".gz").removesuffix(".zst").endswith((".jsonl", ".ndjson", ".bin")):
            return False
        found = _documents(head + file.read(MAX_DOCUMENT))
        return any(looks_logged(one) or (refused and _is_refused(one)) for one in found)
    lines = chain([first], (_value(line) for line in _first(file)))
    return any(_fits(each, mapped) or looks_logged(each) or (refused and _is_refused(each)) for each in lines)


def _is_refused(document: object) -> bool:
    return any(refusal(record) is not None for record in islice(records_of(document), LOOKED_AT))


def _first(file: IO[bytes]) -> Iterator[bytes]:
    for _ in range(LOOKED_AT):
        yield file.readline(MAX_LINE + 1)


def _value(line: bytes) -> Any:
    try:
        return quick_json(line)
    except ValueError:
        return None


def _fits(record: object, mapped: LogReader | None) -> bool:
    return mapped is not None and isinstance(record, dict) and mapped.sniff(record)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading and decompress it on the fly. Raises OSError, and UsageError without the extra."""
    with path.open("rb") as file:
        if not hasattr(file, "peek"):  # a file in a store
            file = io.BufferedReader(file)
        magic = _begin(file)
        if magic.startswith(_GZIP):
            with gzip.open(file) as unpacked:
                yield unpacked  # type: ignore[misc]  # reads bytes, line by line
        elif magic == _ZSTD:
            with _unpacked_zstd(file) as unpacked:
                yield unpacked
        else:
            yield file


def _unpacked_zstd(file: IO[bytes]) -> IO[bytes]:
    """Return the decompressed content of a zstd file, with the standard library from Python 3.14, else the extra."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            module = import_module(name)
        except ImportError:
            continue
        return io.BufferedReader(_Unpacked(module.ZstdFile(file), module.ZstdError))
    try:
        zstandard = import_module("zstandard")
    except ImportError:
        raise UsageError("a .zst file needs the extra: pip install 'pytest-planguard[logs]'") from None
    # A log that was appended to has several frames. By default, reading would end after the first.
    stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return io.BufferedReader(_Unpacked(stream, zstandard.ZstdError))


class _Unpacked(io.RawIOBase):
    """A decompressed stream whose damage is a ValueError. The packages' own errors are of no common class."""

    def __init__(self, stream: Any, error: type[Exception]) -> None:
        self._stream, self._error = stream, error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        try:
            return self._stream.readinto(buffer)
        except self._error as error:
            raise ValueError(str(error)) from None


def read_records(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield each record of a file with its number from 1, which is the line or the document.

    An unreadable record is yielded as a `Broken`. Raises OSError.
    """
    with opened(path) as file:
        try:
            yield from _records(file)
        except UsageError:
            raise
        except (EOFError, ValueError, zlib.error, gzip.BadGzipFile) as error:
            yield 0, Broken(f"the file ends early, or is broken: {error}")


def _rows(file: IO[bytes]) -> Iterator[Any]:
    """Yield the rows of a Parquet file as JSON has them, times as text. Raises UsageError without the extra."""
    try:
        table = import_module("pyarrow.parquet").ParquetFile(file)
    except ImportError:
        raise UsageError("a .parquet file needs the extra: pip install 'pytest-planguard[logs]'") from None
    for batch in table.iter_batches(batch_size=_ROWS):
        yield from (json.loads(json.dumps(row, default=str)) for row in batch.to_pylist())


def _records(file: IO[bytes]) -> Iterator[tuple[int, Any]]:
    if _begin(file) == _PARQUET:
        yield from enumerate(_rows(file), 1)
        return
    if _begin(file) == _ZIP:
        yield from enumerate(_samples(file), 1)
        return
    if (requests := _binary(file)) is not None:
        yield from enumerate(requests, 1)
        return
    head = file.readline(MAX_LINE + 1)
    if head.strip() and len(head) <= MAX_LINE and _value(head) is None:  # no line is a record by itself
        rest = file.read(MAX_DOCUMENT + 1)
        found = list(_documents(head + rest)) if len(rest) <= MAX_DOCUMENT else []
        if found:
            yield from enumerate((record for one in found for record in records_of(one)), 1)
            return
        if len(rest) > MAX_DOCUMENT:
            yield 1, Broken(f"it is one document of more than {MAX_DOCUMENT:,} bytes; write JSON Lines")
            return
        yield from _lines(chain([head], rest.splitlines(keepends=True)))
        return
    yield from _lines(chain([head], iter(lambda: file.readline(MAX_LINE + 1), b"")))


def _samples(file: IO[bytes]) -> Iterator[Any]:
    """Yield the samples of a log of Inspect, each with the header of the log, from its archive."""
    try:
        with ZipFile(file) as archive:
            header = _member(archive, "header.json" if "header.json" in archive.namelist() else "_journal/start.json")
            for name in archive.namelist():
                if name.startswith("samples/"):
                    sample = _member(archive, name)
                    yield sample if isinstance(sample, Broken) else {"status": "", **header, "samples": [sample]}
    except (BadZipFile, KeyError, NotImplementedError, TypeError):
        yield Broken(ZIPPED)


def _member(archive: ZipFile, name: str) -> Any:
    with archive.open(name) as member:
        content = member.read(MAX_DOCUMENT + 1)
    return quick_json(content) if len(content) <= MAX_DOCUMENT else Broken(f"longer than {MAX_DOCUMENT // 2**20} MB")


def _lines(lines: Iterator[bytes]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_LINE:
            yield number, Broken(f"longer than {MAX_LINE // 2**20} MB")
        elif line.strip():
            try:
                value = quick_json(line)
            except ValueError as error:
                yield number, Broken(f"it is not valid JSON: {error}")
                continue
            if isinstance(value, dict) and (reader_of(value) is not None or not looks_logged(value)):
                yield number, value
            else:  # a list, or one page of a backend's API: {"data": [...], "meta": {...}}
                yield from ((number, record) for record in records_of(value))


def _documents(content: bytes) -> Iterator[Any]:
    """Yield the JSON documents that follow each other in a text, as a console exporter prints them."""
    text = content.decode("utf-8-sig", errors="replace")
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        if at == len(text):
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value


def _begin(file: IO[bytes], size: int = 4) -> bytes:
    """Return the first bytes without consuming them; b"" for a file that does not support this."""
    peek = getattr(file, "peek", None)
    return bytes(peek(size)[:size]) if peek is not None else b""


def _binary(file: IO[bytes]) -> list[dict[str, Any]] | None:
    """Return the export requests of OTLP in a file, or the runs of an upload; None if the file begins like text.

    A request begins with field 1 and its length. A collector's file begins with the length of its first request.
    """
    if is_upload(_begin(file, 400)):
        return [uploaded(file.read(MAX_DOCUMENT))]
    begins = _begin(file)
    # b"\n" is also the tag of field 1, and b"\0" the first of four bytes of a length. JSON may begin with blank lines.
    if begins[:1] not in (b"\n", b"\0") or begins.lstrip()[:1] in (b"{", b"[") or not begins.strip():
        return None
    return list(requests_of(file.read(MAX_DOCUMENT)))


__all__ = ["Broken", "is_log", "opened", "read_records", "reader_of"]
