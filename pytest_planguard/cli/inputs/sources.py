"""The files that a command reads: named by paths and patterns, and the kind of each."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum, auto
from glob import has_magic, iglob
from importlib import import_module
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, Literal

import click

from ...errors import UsageError, nearest
from ...printable import one_line, visible
from ...replay.files.packed import PACKED_SUFFIXES, unpacked
from ..output import say

LOOKED_AT = 1_000
"""Maximum number of entries of a folder to compare with a misspelt name."""
NAMED = 3
"""Maximum number of files to suggest instead of a folder."""


class ExistingPath(click.Path):
    """A file or folder that exists, as a `Path`. If it does not, the error offers the nearest name beside it.

    With `patterns` it may be a pattern that some file fits, such as `logs/**/*.jsonl`, for shells that expand none.

    With `files_in`, a suffix, a folder is rejected, and the error offers files in it with that suffix.
    """

    def __init__(self, *, allow_dash: bool = False, files_in: str = "", patterns: bool = False) -> None:
        super().__init__(path_type=Path, allow_dash=allow_dash)
        self._files_in, self._patterns = files_in, patterns

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path. Raises click.BadParameter if it is missing, or a folder instead of a file."""
        if self._patterns and "://" in str(value):
            if next(stored(str(value)), None) is None:
                self.fail(f"{str(value)!r} does not exist.", param, ctx)
            return import_module("upath").UPath(value)
        if self._patterns and next(fitting(value), None):
            return Path(value)
        if not (self.allow_dash and value == "-") and not os.path.exists(value):  # noqa: PTH110  # "" is no path
            self.fail(f"{str(value)!r} does not exist.{_offered(Path(value))}", param, ctx)
        if value != "-" and _is_device(value):
            self.fail(f"{str(value)!r} is a device, which may have no end. Name a file.", param, ctx)
        if self._files_in and os.path.isdir(value):  # noqa: PTH112
            files = [str(file) for file in islice(sorted(Path(value).rglob(f"*{self._files_in}")), NAMED)]
            hint = f"Name one file of it: {', '.join(files)}." if files else f"No {self._files_in} file is in it."
            self.fail(f"{str(value)!r} is a folder. {visible(hint)}", param, ctx)
        return super().convert(value, param, ctx)


def fitting(pattern: str) -> Iterator[str]:
    """Yield the files that a pattern names; none if a file has that name itself. Hidden ones are left out."""
    if not os.path.exists(pattern):  # noqa: PTH110
        yield from (name for name in iglob(pattern, recursive=True) if os.path.isfile(name))  # noqa: PTH113, PTH207


def stored(address: str) -> Iterator[Path]:
    """Yield the files that an address in a store names, such as `s3://bucket/logs` or `gs://bucket/*.jsonl.gz`.

    Raises UsageError if the extra, or the store's package, is not installed.
    """
    try:
        system, path = import_module("fsspec.core").url_to_fs(address)
        names = system.glob(path) if has_magic(path) else system.find(path)
        yield from (import_module("upath").UPath(system.unstrip_protocol(name)) for name in sorted(names))
    except (ImportError, ValueError) as error:
        what = "pip install 'pytest-planguard[logs]' and the store's package, such as s3fs or gcsfs"
        raise UsageError(f"{address} cannot be read: {error}; {what}") from None


def fixed_part(pattern: Path) -> Path:
    """Return the folder of all files that a pattern can name: `logs` for `logs/**/*.jsonl`."""
    return Path(*takewhile(lambda part: not has_magic(part), pattern.parts))


def _is_device(value: Any) -> bool:
    """Return True if a path leads to a device. A link in a checkout may lead to `/dev/zero`."""
    try:
        mode = os.stat(value).st_mode  # noqa: PTH116
    except OSError:
        return False
    return stat.S_ISCHR(mode) or stat.S_ISBLK(mode)


def _offered(path: Path) -> str:
    near = nearest(path.name, _names(path.parent))
    if near is not None:
        return f" Did you mean {str(path.with_name(near))!r}?"
    return f" Looked in {visible(os.path.abspath(path.parent))}."  # noqa: PTH100  # `resolve` raises in a loop of links


def _names(folder: Path) -> Iterator[str]:
    try:
        with os.scandir(folder) as found:
            yield from (entry.name for entry in islice(found, LOOKED_AT))
    except (OSError, ValueError):  # it is missing, unreadable, or not a valid folder name
        return


CASSETTE_SUFFIXES = (".yaml", ".yml", ".json")
LINE_SUFFIXES = (".jsonl", ".ndjson")
MARKDOWN_SUFFIXES = (".md", ".markdown")
SUFFIXES = (*CASSETTE_SUFFIXES, *PACKED_SUFFIXES, *LINE_SUFFIXES, ".part")
"""Suffixes that are read in a folder, plus Markdown if plans are wanted. Plain text is read only if it is named."""
PLAN_HOMES = (".kiro", ".specify", ".planning", ".taskmaster", ".claude", ".cursor", ".agent-os")
"""Hidden folders in which planning tools keep plans."""
STDIN = Path("-")
"""The path that means standard input: one document, or one JSON document per line."""
Plans = Literal["no", "by content", "all"]
"""The documents that count as plans: none, those that look like one, or all, even broken ones."""

_INTERACTIONS = re.compile(rb'(?m)^(?:interactions[ \t]*:|- request[ \t]*:|[ \t]*+[{,]?[ \t]*+"interactions"[ \t]*:)')
"""The key that makes a file a cassette, at the start of a line of YAML or pretty JSON. Early files are a list."""
_LISTS = (re.compile(rb"(?m)^requests[ \t]*:"), re.compile(rb"(?m)^responses[ \t]*:"))
"""The two keys of LangChain's cassettes."""
_COMPACT = re.compile(rb'\{[^\[\]{}]{0,2000}"interactions"[ \t]*:|\[\s*\{\s*"request"[ \t]*:')
"""The keys of a cassette at the start of JSON on one line."""


class SourceKind(StrEnum):
    """The kind of a file."""

    CASSETTE = auto()
    DOCUMENT = auto()
    """The whole file is one answer."""
    PLAN = auto()
    """The whole file may be a plan."""
    OTHER = auto()
    """An unrelated file in a folder: settings, an index."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file to judge."""

    path: Path
    named: bool
    """True if the user named it; False if it was found in a folder."""

    def content(self) -> bytes:
        """Return its decompressed content. Raises OSError."""
        return sys.stdin.buffer.read() if self.path == STDIN else unpacked(self.path.read_bytes())


def _leads_out(file: Path, folder: Path) -> bool:
    from ...replay.files.names import leads_out

    return leads_out(file, folder)


def find_sources(paths: Iterable[Path], suffixes: tuple[str, ...] = SUFFIXES) -> tuple[Source, ...]:
    """Return each file that the paths name once: a file itself, or a folder's files sorted by name.

    A path that does not exist is a pattern, such as `logs/**/*.jsonl`. A link that leads out of the folder (here
    `logs`) is skipped with a note, because a checkout could otherwise make planguard read any file of the machine.
    """
    found: dict[Path, Source] = {}
    for path in paths:
        for source in _sources(path, suffixes):
            home = _searched(source, path)
            if home is not None and _leads_out(source.path, home):
                link, folder = (one_line(str(one), 200) for one in (source.path, home))
                say(f"note: {link} is a link out of {folder} and was skipped; name it to read it", err=True)
            else:
                found.setdefault(source.path.absolute(), source)
    return tuple(found.values())


def _searched(source: Source, path: Path) -> Path | None:
    """Return the folder that was searched for a file that may be outside; None if it is inside, or was named."""
    if not source.named:
        return path if source.path.is_symlink() else None
    return None if source.path == path else fixed_part(path)  # a pattern goes through links to folders, too


def _sources(path: Path, suffixes: tuple[str, ...]) -> Iterator[Source]:
    if "://" in str(path):
        found = (Source(file, named=file == path) for file in stored(str(path)))
        yield from (one for one in found if one.named or one.path.name.lower().endswith(suffixes))
        return
    if not path.is_dir():
        yield from (Source(Path(one), named=True) for one in sorted(fitting(str(path))) or [str(path)])
        return
    for file in sorted(path.rglob("*")):
        hidden = any(part.startswith(".") for part in file.relative_to(path).parts)
        if not hidden and file.name.lower().endswith(suffixes) and file.is_file():
            yield Source(file, named=False)


def hidden_plan_folders(paths: Iterable[Path], suffixes: tuple[str, ...]) -> tuple[Path, ...]:
    """Return the hidden folders of planning tools that are skipped, directly in the given folders."""
    homes = (path / name for path in paths if path.is_dir() for name in PLAN_HOMES)
    return tuple(home for home in homes if home.is_dir() and any(True for _ in _sources(home, suffixes)))


def has_lines(source: Source) -> bool:
    """Return True if the file's suffix means one answer per line."""
    return source.path.suffix.lower() in LINE_SUFFIXES


def are_lines(content: bytes) -> bool:
    """Return True for several lines that are each one JSON object, array or string. Blank lines don't count."""
    # Not `splitlines`: a lone "\r" may be white space inside a document.
    lines = [line for line in content.split(b"\n") if line.strip()]
    return len(lines) > 1 and all(map(_is_document, lines))


def _is_document(line: bytes) -> bool:
    if line.lstrip()[:1] not in (b"{", b"[", b'"'):  # "3" and "true" may be a list of words
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def input_again() -> bytes:
    """Return all of standard input, and leave it to be read again."""
    content = sys.stdin.buffer.read()
    sys.stdin = io.TextIOWrapper(io.BytesIO(content))
    return content


def kind_of(source: Source, content: bytes, *, with_contract: bool, plans: Plans = "no") -> SourceKind:
    """Return the kind of a file that is read whole: by its name, else by a key `interactions`.

    In a folder, a YAML file is a cassette or nothing, and a JSON file is an answer only if a contract was named. A
    broken file counts as a cassette, so that its reader reports the problem. If plans are wanted, any other document
    may be one.
    """
    suffix = source.path.suffix.lower()
    if suffix == ".part":
        return SourceKind.CASSETTE
    if source.path.name.lower().endswith(PACKED_SUFFIXES):
        suffix = Path(source.path.stem).suffix.lower()
    if suffix in CASSETTE_SUFFIXES and _has_interactions(content):
        return SourceKind.CASSETTE
    if plans == "by content" and not source.named and suffix in MARKDOWN_SUFFIXES and not content.strip():
        return SourceKind.OTHER
    if plans != "no":
        known = suffix in CASSETTE_SUFFIXES and plans != "all"
        return SourceKind.PLAN if not known or _well_formed(content) else SourceKind.CASSETTE
    if source.path == STDIN:
        return SourceKind.DOCUMENT
    if source.named or (with_contract and suffix == ".json"):
        return SourceKind.DOCUMENT if with_contract or _well_formed(content) else SourceKind.CASSETTE
    return SourceKind.OTHER if _well_formed(content) else SourceKind.CASSETTE


def _has_interactions(content: bytes) -> bool:
    """Return True if the content has the keys of a cassette."""
    if _INTERACTIONS.search(content) or _COMPACT.match(content.lstrip()):
        return True
    return all(key.search(content) for key in _LISTS)


def _well_formed(content: bytes) -> bool:
    """Return True if the content is a JSON or YAML document that is not empty."""
    text = content.decode("utf-8-sig", errors="replace")
    if "\0" in text:
        return False
    try:
        return (json.loads if text.lstrip()[:1] in ("{", "[") else _yaml)(text) is not None
    except (ValueError, RecursionError):
        return False


def _yaml(text: str) -> object:
    """Return the value of a YAML document. Raises ValueError for other text."""
    import yaml

    from ...replay.files.safe_yaml import load_plain

    try:
        return load_plain(text)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from None
