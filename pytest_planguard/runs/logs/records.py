"""Read the records of log files one at a time: JSON Lines, JSON documents, protobuf, Parquet, compressed or not."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator
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
from . import may_be_log, unpacked_name

if TYPE_CHECKING:
    from pathlib import Path

    from ...wire.logs.logged import LogReader

MAX_LINE = 64 * 1024 * 1024
"""Maximum number of bytes of a line."""
MAX_DOCUMENT = 64 * 1024 * 1024
"""Maximum number of bytes of a document. Unlike JSON Lines, a document must fit in memory."""
LOOKED_AT = 5
"""Number of records or lines of a file to check to see if it is a log. Other programs may print a line before it."""
_GZIP, _ZSTD, _PARQUET, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"PK\3\4"
"""The first bytes of each format."""
_HEAD = 400
"""Number of bytes in which an upload shows its form: a boundary, then the first part's name, up to about 250 bytes."""
_ROWS = 256
"""Maximum number of rows of a Parquet file to hold in memory."""
ZIPPED = "a zip archive is not read, unless Inspect wrote it: unpack it and name the logs in it"


class Broken(ValueError):
    """A record that cannot be read. The message says why."""


# Whether a file is a log.


def is_log(path: Path, mapped: LogReader | None = None, *, refused: bool = True) -> bool:
    """Return True if a file's content is a log; False if it cannot be read.

    Args:
        path: the file.
        mapped: the reader of the user's own format, from `--map`.
        refused: True if a format that is known and not read is a log too, so that it is refused by name and never
            judged as an answer.

    Raises:
        UsageError: the content needs an extra that is not installed.
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
    if refused and _begin(file) == _ZIP:  # an archive is never an answer, whatever is in it
        return True
    packed = _packed(file)
    found = islice(packed, LOOKED_AT) if packed is not None else _first_values(path, file)
    return any(_is_known(record, mapped, refused=refused) for record in found)


def _first_values(path: Path, file: IO[bytes]) -> Iterator[Any]:
    """Yield the values of a file's first lines, or its documents if the first line is no value by itself."""
    lines: Iterator[bytes] = (line for line in _lines_of(file) if line.strip())
    head = next(lines, b"")
    if len(head) > MAX_LINE:
        return
    first = _value(head)
    # Names of lines and of protobuf promise no documents.
    if isinstance(first, Broken) and not unpacked_name(path).endswith((".jsonl", ".ndjson", ".bin")):
        rest = file.read(MAX_DOCUMENT)
        documents = _documents(head + rest)
        first = next(documents, first)
        lines = _lines_of(io.BytesIO(rest))
        if not isinstance(first, Broken):
            yield from chain([first], documents)
            return
    yield from chain([first], map(_value, islice(lines, LOOKED_AT)))


def _is_known(document: object, mapped: LogReader | None, *, refused: bool) -> bool:
    if mapped is not None and isinstance(document, dict) and mapped.sniff(document):
        return True
    return looks_logged(document) or (refused and _is_refused(document))


def _is_refused(document: object) -> bool:
    return any(refusal(record) is not None for record in islice(records_of(document), LOOKED_AT))


# The bytes of a file, decompressed.


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


def _begin(file: IO[bytes], size: int = 4) -> bytes:
    """Return the first bytes without consuming them; b"" for a file that does not support this."""
    peek = getattr(file, "peek", None)
    return bytes(peek(size)[:size]) if peek is not None else b""


# The records of a file.


def read_records(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield each record of a file with its number from 1, which is the line or the document.

    An unreadable record is yielded as a `Broken`, with the number 0 if it is the file itself.

    Raises:
        OSError: the file cannot be read.
        UsageError: the content needs an extra that is not installed.
    """
    with opened(path) as file:
        try:
            packed = _packed(file)
            yield from enumerate(packed, 1) if packed is not None else _text_records(file)
        except UsageError:
            raise
        except (EOFError, ValueError, zlib.error, gzip.BadGzipFile) as error:
            yield 0, Broken(f"the file ends early, or is broken: {error}")


def _packed(file: IO[bytes]) -> Iterable[Any] | None:
    """Return the records of a Parquet file, an archive, an upload or protobuf; None if the file begins like text."""
    begins = _begin(file)
    if begins == _PARQUET:
        return _rows(file)
    if begins == _ZIP:
        return _samples(file)
    if is_upload(_begin(file, _HEAD)):
        return [uploaded(file.read(MAX_DOCUMENT))]
    # A request of OTLP begins with the tag of field 1, which is b"\n". A collector's file begins with the length of its
    # first request in four bytes, of which the first is b"\0". JSON may begin with blank lines.
    if begins[:1] in (b"\n", b"\0") and begins.lstrip()[:1] not in (b"{", b"[", b""):
        return requests_of(file.read(MAX_DOCUMENT))
    return None


def _rows(file: IO[bytes]) -> Iterator[Any]:
    """Yield the rows of a Parquet file as JSON has them, times as text. Raises UsageError without the extra."""
    try:
        table = import_module("pyarrow.parquet").ParquetFile(file)
    except ImportError:
        raise UsageError("a .parquet file needs the extra: pip install 'pytest-planguard[logs]'") from None
    for batch in table.iter_batches(batch_size=_ROWS):
        yield from (json.loads(json.dumps(row, default=str)) for row in batch.to_pylist())


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


def _text_records(file: IO[bytes]) -> Iterator[tuple[int, Any]]:
    lines = enumerate(_lines_of(file), 1)
    start, head = next(((number, line) for number, line in lines if line.strip()), (0, b""))
    if not head or len(head) > MAX_LINE or not isinstance(_value(head), Broken):
        yield from _line_records(chain([(start, head)], lines))
        return
    # The first line is no record by itself: it begins a document, or is a broken line of a log.
    rest = file.read(MAX_DOCUMENT + 1)
    if len(rest) <= MAX_DOCUMENT:
        found = list(_documents(b"\n" * (start - 1) + head + rest))
        if found and not isinstance(found[0], Broken):
            yield from enumerate((record for one in found for record in records_of(one)), 1)
            return
    elif not _is_of_lines(rest):
        yield 1, Broken(f"it is one document of more than {MAX_DOCUMENT // 2**20} MB; write JSON Lines")
        return
    rest += file.readline(MAX_LINE + 1)  # the end of the line at which the reading stopped
    yield from _line_records(enumerate(chain([head], _lines_of(io.BytesIO(rest)), _lines_of(file)), start))


def _is_of_lines(text: bytes) -> bool:
    """Return True if one of the first lines is an object: only the first line is cut, as by a rotation."""
    return any(isinstance(_value(line), dict) for line in islice(_lines_of(io.BytesIO(text)), LOOKED_AT))


def _lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines; of one that is longer than the limit, one byte more than the limit."""
    while line := file.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE + 1)


def _line_records(lines: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, Any]]:
    for number, line in lines:
        if len(line) > MAX_LINE:
            yield number, Broken(f"longer than {MAX_LINE // 2**20} MB")
        elif line.strip():
            value = _value(line)
            if isinstance(value, Broken) or (
                isinstance(value, dict) and (reader_of(value) is not None or not looks_logged(value))
            ):
                yield number, value
            else:  # a list, or one page of a backend's API: {"data": [...], "meta": {...}}
                yield from ((number, record) for record in records_of(value))


def _value(line: bytes) -> Any:
    """Return the JSON value of a line, or a `Broken`."""
    try:
        return quick_json(line)
    except ValueError as error:
        return Broken(f"it is not valid JSON: {error}")


def _documents(content: bytes) -> Iterator[Any]:
    """Yield the JSON documents that follow each other in a text, as a console exporter prints them.

    Text after them that is not JSON, such as the half document of a killed process, is the last, as a `Broken`.
    """
    text = content.decode("utf-8-sig", errors="replace")
    decoder, at = json.JSONDecoder(), 0
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        if at == len(text):
            return
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            yield Broken(f"it is not valid JSON: {error}")
            return
        yield value
