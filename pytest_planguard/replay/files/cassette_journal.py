"""A cassette while it is recorded: each exchange is on disk before the app gets its answer. No finished file changes.

The journal `NAME.yaml.<8 hex digits>.part` belongs to one session and grows by appending. Its content at the end *is*
the cassette, so finishing adds the end mark and renames it atomically. A killed process leaves all finished exchanges.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ...errors import CassetteError
from ..paths import replace_file
from .cassette_text import HEADER, RunningText, render_interaction
from .interaction import Interaction, mark_of
from .names import REPLACED, keep_replaced
from .reader import interactions_of

_END = re.compile(r"(?m)^    status:\n      code: \d+\n      message: .*\n(?=-|#|\Z)")
"""The last lines of a complete exchange. A body's text is indented deeper than `status:`, so it cannot imitate them."""

# "a.yaml.1f0a93c2.part", "a.yaml.part" and "a.yaml.part.1".
_PART = re.compile(r"(?:\.[0-9a-f]{8})?\.part(?:\.\d{1,9})?\Z")
"""The end of the name of a journal."""


def journals_of(path: Path) -> list[Path]:
    """Return the journals beside a cassette, the most recently written first."""
    try:
        parts = [file for file in path.parent.iterdir() if cassette_of(file) == path]
    except OSError:
        return []
    return sorted(parts, key=lambda part: (-_written(part), part.name))


def _written(part: Path) -> float:
    try:
        return part.stat().st_mtime
    except OSError:  # its session has just ended
        return 0.0


class CassetteJournal:
    """Writes one cassette. It opens before the first request, so that an unwritable folder is reported at once."""

    def __init__(self, path: Path, secret_in: Callable[[str], tuple[int, str] | None] = lambda _text: None) -> None:
        """Open the journal of a cassette. `secret_in` returns line and kind of the first secret of a text, or None."""
        self.path = path
        self._secret_in = secret_in
        self.part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
        """The journal's file. No other session writes or renames it."""
        self.count = 0
        self._running = RunningText()
        try:
            self.part.parent.mkdir(parents=True, exist_ok=True)
            with alone_in(self.part.parent):
                self.interrupted = _not_running(path)
                """The journals that interrupted sessions left, the latest first."""
                self._file: IO[str] = self.part.open("x", encoding="utf-8", newline="\n")
                self._usual = self.part.stat().st_mode & 0o777
                self.part.chmod(0o600)  # its content is still unchecked
                self.locked = lock(self._file) is True
                """True if other sessions notice this one; False on a file system without locks."""
        except OSError as error:
            raise _failed(self.part, error) from error

    def append(self, interaction: Interaction) -> None:
        """Add one exchange and wait until it is on disk. Raises CassetteError if it cannot be written."""
        before, text = self.count, self.follow(interaction)
        self._write(text if before else HEADER + text)

    def follow(self, interaction: Interaction) -> str:
        """Count an exchange that another process adds to the same file; return its text."""
        self.count += 1
        return render_interaction(interaction, self._running)

    def _write(self, text: str) -> None:
        try:
            self._file.write(text)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _failed(self.part, error) from error

    def finish(self) -> bool:
        """Put the journal in the place of the cassette. If nothing was recorded, return False and change nothing.

        Raises CassetteError if the journal still holds a secret, or cannot be renamed.
        """
        own = is_same_file(self.part, self._file)  # while the file is open: a closed one has no descriptor to compare
        try:
            if own and self.count:
                # before the end mark, so that a refused journal never looks like a whole cassette
                self._refuse_secrets()
                self._write(f"{self._running.mark()}\n")
        finally:
            self._close()
        if not own:
            raise CassetteError(
                f"{self.part}: is no longer the file of this session; it was moved or removed. "
                "Record the test again. No finished cassette was changed"
            )
        if not self.count:
            self.part.unlink(missing_ok=True)
            return False
        try:
            # before the rename, after which another process may open the cassette
            self.part.chmod(_mode_of(self.path, self._usual))
            self.part.replace(self.path)
        except OSError as error:
            raise _failed(self.path, error) from error
        return True

    def _refuse_secrets(self) -> None:
        """Check the file on disk once more for secrets from any source."""
        secret = self._secret_in(self.part.read_text(encoding="utf-8"))
        if secret is not None:
            line, kind = secret
            raise CassetteError(
                f"{self.part}: the cassette contains a secret: got {kind} in line {line}; take it out of what is sent, "
                "remove this file, and record again. No finished cassette was changed"
            )

    def abandon(self) -> None:
        """Leave the finished cassette alone; the journal stays if it has an exchange."""
        self._close()
        if not self.count:
            self.part.unlink(missing_ok=True)

    def _close(self) -> None:
        try:
            self._file.close()
        except OSError as error:  # the disk is full, and keeps what could be written
            raise _failed(self.part, error) from error


def finished_exchanges(part: Path) -> str:
    """Return the text of a journal up to its last whole exchange; "" without one.

    Raises CassetteError for a file that cannot be read.
    """
    try:
        # A crash may have cut the last character in two.
        text = part.read_bytes().decode("utf-8", "ignore")
    except OSError as error:
        raise CassetteError(f"{part}: cannot be read ({error.strerror or error})") from error
    ends = [match.end() for match in _END.finditer(text)]
    return text[: ends[-1]] if ends and text.startswith(HEADER) else ""


def count_exchanges(text: str) -> int:
    """Return the number of exchanges in a journal's text."""
    return len(re.findall(r"(?m)^- request:$", text))


def cassette_of(part: Path) -> Path | None:
    """Return the path of the cassette that a journal is written for; None if the name is not a journal's."""
    name = _PART.sub("", part.name)
    return part.with_name(name) if name and name != part.name else None


def recover(path: Path, part: Path | None = None, *, root: Path | None = None) -> int:
    """Turn the complete exchanges of an interrupted journal into a cassette; return their number.

    `part` is the journal, by default the latest beside the cassette. `root` is the folder that keeps a finished
    cassette which is replaced; without it none is. Raises CassetteError if there is no journal, it has no whole
    exchange, a session still writes it, or there is a finished cassette that cannot be kept.
    """
    part = part or next(iter(journals_of(path)), path.with_name(f"{path.name}.part"))
    if path.exists() and root is None:
        raise CassetteError(
            f"{path}: there is a finished cassette; recover {part.name} with --replace, which keeps that one for "
            f"`planguard cassette restore`, or remove {part.name}"
        )
    if is_locked(part):
        raise _taken(part)
    text = finished_exchanges(part)
    if not text:
        raise CassetteError(f"{part}: has no finished exchange; record the test again")
    mark = mark_of(raw.as_recorded for raw in interactions_of(part, text))
    try:
        if root is not None and path.exists() and not keep_replaced(root, path, path.read_bytes()):
            raise CassetteError(f"{root / REPLACED}: cannot be written, so {path} is not replaced; make it writable")
        replace_file(path, f"{text}{mark}\n".encode())
        part.unlink()  # last: a crash before it leaves the exchanges in both files
    except OSError as error:
        raise _failed(path, error) from error
    return mark.count


def _mode_of(path: Path, usual: int) -> int:
    """Return the mode of a finished cassette: that of the one it replaces, or the system's default."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        return usual


def _not_running(path: Path) -> tuple[Path, ...]:
    """Return the journals beside a cassette. Raises CassetteError if a running session is writing one of them."""
    parts = journals_of(path)
    for part in parts:
        if is_locked(part):
            raise _taken(part)
    return tuple(parts)


def _taken(part: Path) -> CassetteError:
    return CassetteError(
        f"{part}: another session records this test now: got {holder(part)}; wait until it ends, then record again. "
        "No finished cassette was changed"
    )


def _failed(path: Path, error: OSError) -> CassetteError:
    reason = error.strerror or str(error)
    return CassetteError(
        f"{path}: cannot be written ({reason}); make room or make the folder writable, then record again. "
        "No finished cassette was changed"
    )


def lock(file: IO[str]) -> bool | None:
    """Lock an open journal for this session.

    Returns:
        True once it is locked, False if another session holds it, None if the system has no locks for files.
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # Another session holds it. Any other error is that of a file system without locks: ENOLCK on NFS.
        return False if error.errno in (errno.EACCES, errno.EAGAIN) else None
    return True


def is_locked(path: Path) -> bool:
    """Return True if a running session holds a journal; False for a file that is missing or cannot be opened."""
    try:
        with path.open(encoding="utf-8") as file:
            return lock(file) is False
    except OSError:
        return False


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other sessions from opening journals in a folder, if the system has locks.

    Otherwise two sessions that start at the same moment could both check before either has its lock.
    """
    try:
        import fcntl

        opened = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def is_same_file(path: Path, file: IO[str]) -> bool:
    """Return True if a path still leads to an open file: another session may have moved it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False


def holder(path: Path) -> str:
    """Return who holds a file, for messages: "process 4711", or "another process" if that is unknown."""
    try:
        number = f":{path.stat().st_ino} "
        locks = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return "another process"
    # "1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF"
    pids = [line.split()[4] for line in locks if number in line and "FLOCK" in line]
    return f"process {pids[0]}" if pids else "another process"
