"""Read pytest's settings from the files of a project as text. No code of the project runs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

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
    return shlex.split(value, comments=False) if isinstance(value, str) else list(map(str, value))


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

    data = tomllib.loads(text)
    tool = data.get("tool", {}).get("pytest") if isinstance(data.get("tool"), dict) else None
    for table in (data.get("pytest"), (tool or {}).get("ini_options"), tool):
        if isinstance(table, dict):
            yield table
            return
