"""One run of a command in the form of a cassette, and the changed files and variables that belong to it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ...errors import CassetteError, UsageError
from ...wire.exchange import Message
from ...wire.untrusted_json import mapping, objects, parse_json, words
from ..files.interaction import as_data, local_request
from ..paths import fits_glob, fits_nothing
from ..privacy.redact import Cleaner
from ..privacy.redaction_rules import Redaction
from ..privacy.secret_names import Speaks, name_speaks

# "PLAN_ID"; not "2ND" or "A-B", which no shell can set.
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}", re.ASCII)
_LONGEST = 200
"""Maximum number of characters of a pattern."""


@dataclass(frozen=True, slots=True)
class TapeScope:
    """The changed files and the environment variables that are recorded with a run."""

    files: tuple[str, ...] = ()
    """Patterns below the work folder, such as `docs/**/*.md`; a pattern with `!` excludes files. () means all files."""
    environment: tuple[str, ...] = ()
    """Names of the only variables to record."""

    def records(self, path: str) -> bool:
        """Return True if a changed file belongs to the run: `path` is relative, with forward slashes."""
        wanted = [pattern for pattern in self.files if not pattern.startswith("!")]
        unwanted = [pattern[1:] for pattern in self.files if pattern.startswith("!")]
        return (not wanted or _fits(path, wanted)) and not _fits(path, unwanted)


EVERYTHING = TapeScope()
"""All files, but no variables."""


def tape_scope(files: Iterable[str], environment: Iterable[str]) -> TapeScope:
    """Return the scope that a project's settings describe.

    Raises:
        UsageError: a pattern leads out of the work folder or to hidden files, or a variable is named like a secret.
    """
    patterns, names = tuple(map(str.strip, files)), tuple(map(str.strip, environment))
    for pattern in patterns:
        parts = pattern.removeprefix("!").split("/")
        if len(pattern) > _LONGEST or "\\" in pattern or any(p in ("", ".") or p.startswith(".") for p in parts):
            raise UsageError(
                f"tape_files: got {pattern!r}; write a pattern of files below the work folder that are not hidden, "
                "such as docs/**/*.md"
            )
        if fits_nothing(parts):
            raise UsageError(f"tape_files: got {pattern!r}, which matches no file; correct it")
    for name in names:
        if not _VARIABLE.fullmatch(name):
            raise UsageError(f"tape_environment: got {name!r}; write the name of a variable, such as LANG")
        if name == "PATH":
            raise UsageError("tape_environment: got PATH, which planguard changes for its shims; leave it out")
        if name_speaks(name) is not Speaks.NOTHING:
            raise UsageError(
                f"tape_environment: got {name}, which names a secret; leave it out, secrets are never recorded"
            )
    return TapeScope(patterns, names)


def _fits(path: str, patterns: Iterable[str]) -> bool:
    """Return True if a path fits a pattern; a pattern without a slash applies to names in any folder."""
    globs = ((pattern if "/" in pattern else f"**/{pattern}").split("/") for pattern in patterns)
    return any(fits_glob(path.split("/"), glob) for glob in globs)


SCHEME = "command"
"""Scheme of the address of a recorded run: `command://claude`."""


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file that a command created or changed."""

    path: str
    """Relative to the folder in which the command ran, with forward slashes."""
    content: bytes
    before: str
    """State of the file before the run: "absent", or a digest from `state_of`."""


@dataclass(frozen=True, slots=True)
class CommandRequest:
    """The input of a command."""

    command: str
    arguments: tuple[str, ...]
    stdin: bytes = b""
    prompt_files: Mapping[str, bytes] | None = None
    """Files that the arguments name, by path. Their content is part of the request."""
    environment: Mapping[str, str] | None = None
    """Variables to record with the request. They do not affect matching."""

    @property
    def url(self) -> str:
        """`command://claude`."""
        return f"{SCHEME}://{quote(self.command, safe='')}"

    @property
    def body(self) -> bytes:
        """The request as JSON, without secrets in its arguments. Secrets are expected there, so they fail nothing."""
        # A file name that is not UTF-8, such as b"\xff", is half a character in an argument: "\udcff".
        words = [word.encode("utf-8", "backslashreplace").decode() for word in self.arguments]
        data: dict[str, object] = {"command": self.command, "argv": Cleaner(Redaction()).value(words, "argv")}
        if self.stdin:
            data["stdin"] = as_data(self.stdin)
        if self.prompt_files:
            data["prompt_files"] = [{"path": p, "content": as_data(c)} for p, c in self.prompt_files.items()]
        if self.environment:
            data["environment"] = dict(self.environment)
        return json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")

    @property
    def message(self) -> Message:
        """The request in the form that the gate reads."""
        return local_request(self.url, self.body)


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a run."""

    stdout: bytes = b""
    stderr: bytes = b""
    exit_code: int | None = None
    """The exit code; None if the program did not exit by itself."""
    signal: int | None = None
    """The signal that ended the program."""
    timed_out: bool = False
    """True if the caller stopped waiting, so that the end of the run is unknown."""
    files: tuple[WrittenFile, ...] = ()

    @property
    def body(self) -> bytes:
        """The result as JSON."""
        data: dict[str, object] = {"exit_code": self.exit_code}
        if self.signal is not None:
            data["signal"] = self.signal
        if self.timed_out:
            data["timed_out"] = True
        data["stdout"], data["stderr"] = as_data(self.stdout), as_data(self.stderr)
        data["files"] = [{"path": f.path, "before": f.before, "content": as_data(f.content)} for f in self.files]
        return json.dumps(data, ensure_ascii=False).encode("utf-8", "backslashreplace")


def stdin_of(body: bytes) -> bytes:
    """Return the standard input of a recorded request; b"" if it had none or cannot be read."""
    try:
        return as_bytes(mapping(parse_json(body.decode())).get("stdin", ""))
    except (KeyError, TypeError, ValueError):
        return b""


def environment_of(body: bytes) -> dict[str, str]:
    """Return the variables of a recorded request; {} if it has none or cannot be read."""
    try:
        return {name: words(value) for name, value in mapping(parse_json(body.decode()).get("environment")).items()}
    except (AttributeError, ValueError):
        return {}


def result_of(body: bytes) -> CommandResult:
    """Read the result of a recorded run.

    Raises:
        CassetteError: the body is not a result.
    """
    try:
        data = mapping(parse_json(body.decode()))
        code, number = data.get("exit_code"), data.get("signal")
        return CommandResult(
            as_bytes(data["stdout"]),
            as_bytes(data["stderr"]),
            None if code is None else int(code),
            None if number is None else int(number),
            bool(data.get("timed_out")),
            tuple(
                WrittenFile(words(one["path"]), as_bytes(one["content"]), words(one["before"]))
                for one in objects(data["files"])
            ),
        )
    except (KeyError, TypeError, ValueError) as error:
        problem = f"got {type(error).__name__}: {error}"
        raise CassetteError(f"a recorded run of a command cannot be read: {problem}; record the test again") from None


def as_bytes(data: Any) -> bytes:
    """Return the bytes that `as_data` encoded. Raises ValueError or KeyError for anything else."""
    if isinstance(data, str):
        return data.encode("utf-8", "surrogatepass")
    return base64.b64decode(data["base64"], validate=True)
