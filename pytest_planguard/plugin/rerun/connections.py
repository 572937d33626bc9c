"""The connections of this process, as its system lists them: also those that libraries hold beneath Python."""

from __future__ import annotations

import gc
import os
import socket
from stat import S_ISSOCK


def open_connections() -> frozenset[tuple[int, int]]:
    """Return the connections of this process by descriptor and inode, whoever opened them. Pairs are none."""
    folder = next((f for f in ("/proc/self/fd", "/dev/fd") if os.path.isdir(f)), None)  # noqa: PTH112
    if folder is None:
        return frozenset()
    found = set()
    for name in os.listdir(folder):  # noqa: PTH208 - names are all that is asked for
        try:
            state = os.fstat(int(name))
            if S_ISSOCK(state.st_mode) and peer(int(name)):
                found.add((int(name), state.st_ino))
        except (OSError, ValueError):  # closed meanwhile: the descriptor of this listing itself
            continue
    return frozenset(found)


def peer(descriptor: int) -> str:
    """Return the other end of a connection: '10.0.0.1:5432', '/run/x.sock'; '' without a name, as of a socket pair."""
    try:
        copy = socket.socket(fileno=os.dup(descriptor))
    except OSError:
        return ""
    with copy:
        try:
            peer = copy.getpeername()
        except OSError:
            return ""
    if isinstance(peer, tuple):
        return ":".join(map(str, peer[:2]))
    return os.fsdecode(peer) if isinstance(peer, bytes) else str(peer)


def is_below_python(descriptor: int) -> bool:
    """Whether no socket of Python has a descriptor: what those send is asked about elsewhere."""
    return not any(issubclass(type(one), socket.socket) and one.fileno() == descriptor for one in gc.get_objects())
