"""Stand in for a command on PATH: ask the running test for the output, or run the real program.

This file runs as a program, `python -I -S shim.py PORT TOKEN STDIN VARIABLES FOLDER NAME ...`, in a process that has
none of our packages. It imports almost nothing that a bare interpreter has not loaded already, because every agent call
of a replay starts it.
"""

import _socket
import os
import sys

CHILD = "PLANGUARD_CHILD"
"""Variable with the child of the test that a command belongs to."""
INSIDE = "PLANGUARD_INSIDE"
"""Variable of a real program: the tokens of the tests that record it, joined by colons."""


class Connection:
    """Frames between a shim and its test: one letter, eight bytes of length, the payload."""

    def __init__(self, link: _socket.socket) -> None:
        self.link = link

    @classmethod
    def to(cls, port: int) -> "Connection":
        """Connect to a test. Raises OSError if it has ended."""
        link = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        link.connect(("127.0.0.1", port))
        return cls(link)

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        """Send one frame. Raises OSError if the other side has gone."""
        self.link.sendall(kind + len(payload).to_bytes(8, "big") + payload)

    def receive(self) -> tuple[bytes, bytes]:
        """Return the next frame; (b"", b"") if the other side has gone, even in the middle of a frame."""
        head = self._exactly(9)
        size = int.from_bytes(head[1:], "big")
        payload = self._exactly(size) if len(head) == 9 else b""
        return (head[:1], payload) if len(head) == 9 and len(payload) == size else (b"", b"")

    def _exactly(self, size: int) -> bytes:
        pieces = []
        try:
            while size and (piece := self.link.recv(min(size, 1 << 20))):
                pieces.append(piece)
                size -= len(piece)
        except OSError:  # reset
            pass
        return b"".join(pieces)


def main(port: str, token: str, stdin: str, variables: str, folder: str, name: str, *arguments: str) -> int:
    """Return the exit code of the command.

    `stdin` is the `identity` of the test's standard input. `variables` are the names of those that the test asks for,
    joined by commas.
    """
    try:
        connection = Connection.to(int(port))
    except OSError:
        write(2, f"planguard: {name} was started after its test had ended\n".encode())
        return 1
    known = [f"{variable}={os.environ[variable]}" for variable in variables.split(",") if variable in os.environ]
    place = (token, os.environ.get(CHILD, ""), os.environ.get(INSIDE, ""), work_folder())
    words = (*place, str(len(known)), *known, name, *arguments)
    connection.send(b"H", b"\0".join(map(os.fsencode, words)))
    given: bytes | None = None
    while True:
        kind, payload = connection.receive()
        if kind == b"I":
            given = b"" if identity() == stdin else read_input(int(payload) / 1000)
            connection.send(b"I", given)
        elif kind in (b"O", b"E"):
            write(1 if kind == b"O" else 2, payload)
        elif kind == b"R":
            import runpy

            here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib takes 10 ms to import
            relay = runpy.run_path(os.path.join(here, "shim_relay.py"))["relay"]  # noqa: PTH118
            inherits = given is None and identity() == stdin
            return int(relay(connection, folder, name, arguments, payload, given, inherits=inherits))
        elif kind == b"K":
            die_by(int(payload))
        elif kind == b"W":
            connection.receive()  # until the caller's time limit ends this process, or the test ends
            die_by(9)
        else:
            return int(payload or 1)


def work_folder() -> str:
    """Return the folder in which the command was started; "" if it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109 - as above
    except OSError:
        return ""


def identity() -> str:
    """Return device and number of standard input, the same for all processes that share it; "-" if it is closed."""
    try:
        status = os.fstat(0)
    except OSError:
        return "-"
    return f"{status.st_dev}:{status.st_ino}"


def read_input(idle_s: float) -> bytes:
    """Read standard input until it ends, or until `idle_s` seconds pass without a byte. A terminal is not read.

    Some apps give a command a pipe that they neither write to nor close.
    """
    import select

    pieces = []
    try:
        if os.isatty(0):
            return b""
        while select.select([0], [], [], idle_s)[0] and (piece := os.read(0, 1 << 16)):
            pieces.append(piece)
    except OSError:
        pass
    return b"".join(pieces)


def write(descriptor: int, content: bytes) -> None:
    """Write all of it. Ignore a closed reader, because the real program would end silently by SIGPIPE, too."""
    try:
        while content:
            content = content[os.write(descriptor, content) :]
    except OSError:
        pass


def die_by(number: int) -> None:
    """End this process by a signal, as the real program ended."""
    import _signal  # type: ignore[import-not-found]  # the core of `signal`, without its 5 ms

    if number not in (_signal.SIGKILL, _signal.SIGSTOP):
        _signal.signal(number, _signal.SIG_DFL)
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
