"""The files of a project: pytest's settings as text, files written whole, and the kind of a file."""

from __future__ import annotations

import errno
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import RunError
from ...replay.paths import replace_file

NAMES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")
"""Files in which pytest looks for its settings, in its order."""
_OWN = frozenset({"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"})
"""Files that belong to pytest even without a section."""
_OVERRIDE = "--override-ini="


def settings_in(name: str, text: str) -> Mapping[str, Any] | None:
    """Return pytest's section of a file. None if it has none, so that pytest looks further.

    Raises:
        ValueError: the file is not valid TOML or ini.
    """
    found = next(_tables(text) if name.endswith(".toml") else _section(text, name), None)
    return {} if found is None and name in _OWN else found


def setting(settings: Mapping[str, object], name: str, default: str) -> str:
    """Return the text of a setting. `-o NAME=VALUE` in `addopts` overrides it."""
    added = settings.get("addopts", "")
    values = [v for key, equals, v in (w.partition("=") for w in _overrides(words(added))) if equals and key == name]
    return str([settings.get(name, default), *values][-1])


def words(value: Any) -> Sequence[str]:
    """Return a list setting. A text is split into words as a shell would. Raises ValueError."""
    if isinstance(value, str):
        return shlex.split(value, comments=False)
    if not isinstance(value, list | tuple):  # TOML has other types: addopts = 3
        raise ValueError(f"expected a text or a list of words, got {value!r:.40}")  # noqa: TRY004 - as shlex does
    return list(map(str, value))


def _overrides(options: Sequence[str]) -> Iterator[str]:
    """Yield the values of `-o`, in the same word or the next."""
    waits = False
    for word in options:
        if waits or word.startswith(_OVERRIDE):
            yield word.removeprefix(_OVERRIDE)
        elif word.startswith("-o") and word != "-o":
            yield word.removeprefix("-o")
        waits = not waits and word in ("-o", "--override-ini")


def _section(text: str, name: str) -> Iterator[Mapping[str, object]]:
    from configparser import ConfigParser, Error

    # "%" has no meaning in these files, and a name that comes twice is for pytest to refuse.
    parser = ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except Error as error:
        raise ValueError(str(error)) from None
    section = "tool:pytest" if name == "setup.cfg" else "pytest"
    if parser.has_section(section):
        yield dict(parser.items(section))


def _tables(text: str) -> Iterator[Mapping[str, object]]:
    """Yield `[pytest]`, `[tool.pytest.ini_options]` or `[tool.pytest]`."""
    import tomllib

    try:
        data = tomllib.loads(text)
    except RecursionError:  # a = [[[[… 1,000 deep
        raise ValueError("it is nested too deep") from None
    tool = data["tool"].get("pytest") if isinstance(data.get("tool"), dict) else None
    below = tool.get("ini_options") if isinstance(tool, dict) else None
    # pytest.toml has [pytest]; pyproject.toml has ini_options, whose values are texts, or since pytest 9 native ones.
    for table in (data.get("pytest"), below, tool):
        if isinstance(table, dict):
            yield table
            return


WAYS_OUT = {
    errno.ENOSPC: "Free some space, or write to another disk",
    errno.EDQUOT: "Free some space, or write to another disk",
    errno.EACCES: "Give write permission for the folder, or choose another one",
    errno.EPERM: "Give write permission for the folder, or choose another one",
    errno.EROFS: "The file system is read-only: choose another folder",
}


def write_whole(path: Path, lines: Iterable[str], what: str) -> Path:
    """Write a file atomically.

    Args:
        path: the file. Its folder is created if it is missing.
        lines: its text in pieces, with line breaks. Written as UTF-8.
        what: the name of the content for the message: "the run".

    Raises:
        RunError: it cannot be written. The old file stays unchanged.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, (line.encode() for line in lines))
    except OSError as error:
        raise not_written(path, error, what) from error
    return path


def not_written(path: Path, error: OSError, what: str) -> RunError:
    """Return the error for a file that cannot be written."""
    way = WAYS_OUT.get(error.errno or 0, "Check the path")
    return RunError(f"{path}: {what} was not written: {error.strerror or error}. {way}.")


LINE_SUFFIXES = (".jsonl", ".ndjson")
YAML_SUFFIXES = (".yaml", ".yml")
ANSWER_SUFFIXES = (".json",)
SUFFIXES = (*YAML_SUFFIXES, *ANSWER_SUFFIXES, *LINE_SUFFIXES)
HEAD = 64 * 1024
"""Number of bytes at the start of a cassette that must contain its key."""
_INTERACTIONS = re.compile(rb'(?:^|[\s{,])"?interactions"?[ \t]*:')
"""The key of vcrpy's files, in YAML (`interactions:`) or JSON (`{"interactions":`), but not `my_interactions:`."""


def is_cassette(path: Path) -> bool:
    """Return True if a file is a cassette: it has a key `interactions` near its start.

    Return False for an unreadable file.
    """
    try:
        with path.open("rb") as file:
            return _INTERACTIONS.search(file.read(HEAD)) is not None
    except OSError:
        return False
