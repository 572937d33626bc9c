"""How connections end: which hosts were reached, and which refuse connections or have no address."""

from __future__ import annotations

import errno
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

_REFUSED = frozenset({errno.ECONNREFUSED})
_BEGUN = frozenset({errno.EINPROGRESS, errno.EWOULDBLOCK})


class Reach:
    """The ends of connections, noted by host."""

    def __init__(self) -> None:
        self._reached: set[str] = set()
        self._refused: dict[str, str] = {}
        self._begun: WeakKeyDictionary[socket.socket, tuple[AbstractSet[str], object]] = WeakKeyDictionary()

    @property
    def dead(self) -> dict[str, str]:
        """Hosts that only ever refused a connection or have no address, to the place as people write it.

        "127.0.0.1:8080"; the name alone where the port is unknown.
        """
        return {host: place for host, place in self._refused.items() if host not in self._reached}

    @contextmanager
    def trying(self, names: AbstractSet[str], port: object, connection: socket.socket | None = None) -> Iterator[None]:
        """Around a connection, or a lookup where there is no connection: notes how it ended, if it ended by raising."""
        try:
            yield
        except socket.gaierror:
            self._refuse(names, port)
            raise
        except OSError as error:
            self.ended(names, port, error.errno or errno.EIO, connection)
            raise

    def ended(self, names: AbstractSet[str], port: object, code: int, connection: socket.socket | None = None) -> None:
        """A connection was tried: `code` is 0 or an `errno`. What is only begun ends with `ended_later`."""
        if code in _BEGUN and connection is not None:
            self._begun[connection] = (names, port)
        elif code in _REFUSED:
            self._refuse(names, port)
        else:  # it stands, or broke for a reason of its own
            self._reached |= names

    def ended_later(self, connection: socket.socket, code: int) -> None:
        """What the socket says about a connection that was begun: event loops ask for it when it can be written to."""
        names, port = self._begun.pop(connection, (frozenset(), None))
        self.ended(names, port, code)

    def _refuse(self, names: AbstractSet[str], port: object) -> None:
        for name in names:
            self._refused.setdefault(name, f"{name}:{port}" if isinstance(port, int) else name)
