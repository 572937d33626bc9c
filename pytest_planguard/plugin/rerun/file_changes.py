"""Files and folders that reruns change, put back as the first run left them.

A rerun gives the app a changed answer, so a file that it writes may hold a value that no model gave. Audit events tell
of a change before it happens.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE, S_ISLNK, S_ISREG
from typing import TYPE_CHECKING, ClassVar

from ...replay.network.hooks import listen, unlisten
from .writes import BY_THE_WAY, WRITING, absolute

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST = 64_000_000
"""Maximum number of bytes to keep of all files. Further ones are only cut back to their size: most of them are logs."""


@dataclass(frozen=True, slots=True)
class Before:
    """A file before the first change of it."""

    size: int
    mode: int
    content: bytes | None
    """None if there was no more room for it."""


class FileChanges:
    """The files that were changed while `noted` was active, each with its state before."""

    def __init__(self, project: str) -> None:
        """`project` is its folder. Elsewhere in the system's temporary folder, new files may be those of a thread."""
        self._project, self._temporary = project, tempfile.gettempdir()
        self._is_worker, self._room = "PYTEST_XDIST_WORKER" in os.environ, MOST
        self._renamed: list[tuple[str, str]] = []
        self._files: dict[str, Before | str | None] = {}
        self._new_folders: list[str] = []
        self._old_folders: list[str] = []

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note each file before it is changed, and put all of them back at the end."""
        listeners = {event: self._listener(note) for event, note in self._NOTES.items()}
        listen(listeners)
        try:
            yield
        finally:
            unlisten(listeners)
            self.put_back()

    def put_back(self) -> None:
        """Restore files and folders; what cannot be written stays as it is."""
        for folder in reversed(self._old_folders):  # `rmtree` removes the inner ones first
            with suppress(OSError):
                os.makedirs(folder)
        for path, before in [*self._files.items()]:  # a thread may still be changing it
            with suppress(OSError):
                _restore(path, before)
        for folder in reversed(self._new_folders):
            with suppress(OSError):  # not empty: another process has written there
                os.rmdir(folder)
        # The last rename first: a was renamed to b, and b to c.
        for now, before in reversed(self._renamed):
            if not os.path.lexists(before):
                with suppress(OSError):
                    os.rename(now, before)

    def _listener(self, note: Callable[..., None]) -> Callable[..., None]:
        return lambda *args: note(self, *args)

    def _open(self, path: object, _mode: object, flags: object) -> None:
        # Another worker of pytest-xdist may add lines to the same log; two equal lines do less harm than a lost one.
        is_shared_log = isinstance(flags, int) and flags & os.O_APPEND and self._is_worker
        if isinstance(flags, int) and flags & WRITING and not is_shared_log and isinstance(path, str | bytes):
            self._keep(os.path.realpath(path))  # writes go through a link at the end of the path

    def _remove(self, path: object, folder: object) -> None:
        self._keep(path, folder)

    def _truncate(self, path: object, _size: object) -> None:
        self._keep(path)

    def _rename(self, old: object, new: object, old_folder: object, new_folder: object) -> None:
        before, after = absolute(old, old_folder), absolute(new, new_folder)
        if before is not None and after is not None and os.path.isdir(before) and not os.path.islink(before):
            self._renamed.append((after, before))
            return
        self._keep(before)
        self._keep(after)

    def _link(self, _: object, new: object, *folders: object) -> None:
        self._keep(new, folders[-1])

    def _make_folder(self, path: object, _mode: object, folder: object) -> None:
        text = absolute(path, folder)
        if text is not None and text not in self._old_folders and not os.path.lexists(text):
            self._new_folders.append(text)

    def _remove_folder(self, path: object, folder: object) -> None:
        text = absolute(path, folder)
        if text is not None and text not in self._new_folders and os.path.isdir(text):
            self._old_folders.append(text)

    def _keep(self, path: object, folder: object = -1) -> None:
        text = absolute(path, folder)
        if text is not None:  # one name for each file, by whatever linked folder the app reaches it
            text = os.path.join(os.path.realpath(os.path.dirname(text)), os.path.basename(text))
        if text is None or text in self._files or not BY_THE_WAY.isdisjoint(Path(text).parts):
            return
        try:
            state = os.lstat(text)
            if S_ISLNK(state.st_mode):
                self._files[text] = os.readlink(text)
            elif S_ISREG(state.st_mode):
                content = _content(text) if state.st_size <= self._room else None
                self._room -= len(content or b"")
                self._files[text] = Before(state.st_size, S_IMODE(state.st_mode), content)
        except FileNotFoundError:
            if text.startswith(self._project) or not text.startswith(self._temporary):
                self._files[text] = None
        except OSError:  # its folder cannot be searched, or the file cannot be read
            return

    _NOTES: ClassVar[dict[str, Callable[..., None]]] = {
        "open": _open,
        "os.rename": _rename,
        "os.remove": _remove,
        "os.truncate": _truncate,
        "os.link": _link,
        "os.symlink": _link,
        "os.mkdir": _make_folder,
        "os.rmdir": _remove_folder,
    }


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _restore(path: str, before: Before | str | None) -> None:
    """Write in place: the app may keep the file open, and adds to it after the test. A text is the target of a link."""
    if isinstance(before, str):
        if not os.path.islink(path) or os.readlink(path) != before:
            with suppress(FileNotFoundError):
                os.remove(path)
            os.symlink(before, path)
    elif before is None:
        os.remove(path)
    elif before.content is None:
        if os.path.getsize(path) > before.size:
            os.truncate(path, before.size)
    elif not os.path.isfile(path) or _content(path) != before.content:
        _write(path, before.content, before.mode)


def _write(path: str, content: bytes, mode: int) -> None:
    if os.path.islink(path):  # a link has replaced the file
        os.remove(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, mode), "wb") as file:
        file.write(content)
        file.truncate()
    os.chmod(path, mode)
