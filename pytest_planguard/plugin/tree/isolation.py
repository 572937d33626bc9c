"""Isolate a process that imports one tree: it gets no network, and no module of the other tree."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

_CONNECTS = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo")
_HERE = ("127.0.0.1", "::1", "localhost")


def without_network() -> None:
    """Refuse every connection to another machine from now on. Imported code cannot undo this."""
    sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    """Raise OSError if an event connects to another machine.

    The address follows a socket in the arguments; for a lookup, the host name comes first.
    """
    if event not in _CONNECTS:
        return
    address = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = address[0] if isinstance(address, tuple) else address if event == "socket.getaddrinfo" else None
    if host is not None and host not in _HERE:
        raise OSError(f"{event}: code of a tree is imported without network")


def search_first(paths: tuple[str, ...], tree: Path, elsewhere: str) -> None:
    """Search these folders first for modules, including packages that an editable installation maps to a folder."""
    sys.path[:0] = [path for path in paths if path not in sys.path]
    if not elsewhere:
        return
    for name, module in [*sys.modules.items()]:
        found: object = getattr(module, "MAPPING", None) if name.startswith("__editable__") else None
        mapping: dict[str, str] = found if isinstance(found, dict) else {}
        for package, folder in [*mapping.items()]:
            if Path(folder).is_relative_to(elsewhere):
                mapping[package] = str(tree / Path(folder).relative_to(elsewhere))


def file_in(module: ModuleType | None, tree: Path) -> Path | None:
    """Return the file of a module if it belongs to the tree and is not installed, else None."""
    found = getattr(module, "__file__", None)
    if not isinstance(found, str):
        return None
    path = Path(found)
    installed = "site-packages" in path.parts or path.is_relative_to(sys.prefix)
    return path if path.is_relative_to(tree) and not installed else None


def strangers(elsewhere: str) -> tuple[str, ...]:
    """Return the modules that come from the other tree, sorted.

    If there are any, the facts would describe that tree.
    """
    if not elsewhere:
        return ()
    other = Path(elsewhere)
    found = (name for name, module in [*sys.modules.items()] if file_in(module, other) is not None)
    return tuple(sorted(name for name in found if not name.startswith("pytest_planguard")))
