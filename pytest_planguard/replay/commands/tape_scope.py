"""What a run of a command is recorded with beside its words and streams: which changed files, which variables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ...errors import UsageError
from ..privacy.secret_names import Speaks, name_speaks

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)
# The pieces of a pattern: "**/" any folders, "**" anything, "*" and "?" within one name, "[a-z]" one of these.
_PIECE = re.compile(r"\*\*/|\*\*|\*|\?|\[[^\]/]+\]|.", re.DOTALL)
_MEANING = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_LONGEST = 200
"""Characters of a pattern at most."""


@dataclass(frozen=True, slots=True)
class TapeScope:
    """Which changed files and which variables of the environment a run is recorded with."""

    files: tuple[str, ...] = ()
    """Patterns below the work folder, such as `docs/**/*.md`; one with `!` leaves files out. () for all files."""
    environment: tuple[str, ...] = ()
    """Names of variables; no other is recorded."""

    def records(self, path: str) -> bool:
        """Return whether a changed file belongs to the run: `path` is relative, with forward slashes."""
        wanted = [pattern for pattern in self.files if not pattern.startswith("!")]
        unwanted = [pattern[1:] for pattern in self.files if pattern.startswith("!")]
        return (not wanted or _fits(path, wanted)) and not _fits(path, unwanted)


EVERYTHING = TapeScope()
"""All files, and no variable."""


def tape_scope(files: Iterable[str], environment: Iterable[str]) -> TapeScope:
    """Return the scope that a project asks for.

    Raises:
        UsageError: a pattern leads out of the work folder or to hidden files, or a variable's name speaks of a secret.
    """
    patterns, names = tuple(map(str.strip, files)), tuple(map(str.strip, environment))
    for pattern in patterns:
        parts = pattern.removeprefix("!").split("/")
        if len(pattern) > _LONGEST or "\\" in pattern or any(p in ("", ".") or p.startswith(".") for p in parts):
            raise UsageError(
                f"tape_files: got {pattern!r}; write a pattern of files below the work folder that are not hidden, "
                "such as docs/**/*.md"
            )
        try:
            _expression(pattern.removeprefix("!"))
        except re.error as error:
            raise UsageError(f"tape_files: got {pattern!r}, no pattern ({error}); correct it") from None
    for name in names:
        if not _VARIABLE.fullmatch(name):
            raise UsageError(f"tape_environment: got {name!r}; write the name of a variable, such as LANG")
        if name == "PATH":
            raise UsageError("tape_environment: got PATH, which planguard changes for its shims; leave it out")
        if name_speaks(name) is not Speaks.NOTHING:
            raise UsageError(
                f"tape_environment: got {name}, which speaks of a secret; leave it out, secrets are never recorded"
            )
    return TapeScope(patterns, names)


def _fits(path: str, patterns: Iterable[str]) -> bool:
    return any(_expression(pattern).fullmatch(path) for pattern in patterns)


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """Return a pattern as a regular expression; one without a slash is about names in any folder."""
    anywhere = "" if "/" in pattern else _MEANING["**/"]
    return re.compile(anywhere + "".join(map(_translated, _PIECE.findall(pattern))), re.DOTALL)


def _translated(piece: str) -> str:
    if len(piece) > 1 and piece[0] == "[":  # "[!ab]" is anything but these
        inner = piece[1:-1].replace("[", "\\[")
        return f"[^/{inner[1:]}]" if inner.startswith("!") and len(inner) > 1 else f"[{inner}]"
    return _MEANING.get(piece, re.escape(piece))
