"""A command `planguard` that scripts find on their PATH; its runs start warm."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import StreamRequestHandler, TCPServer

from .example import run_module

CLIENT = """
import json, os, socket, sys

with socket.create_connection(("127.0.0.1", {port})) as server:
    server.sendall(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode())
    server.shutdown(socket.SHUT_WR)
    code, *texts = json.loads(server.makefile("rb").read())
for stream, text in enumerate(texts, 1):
    os.write(stream, text.encode())
sys.exit(code)
"""


class _Request(StreamRequestHandler):
    def handle(self) -> None:
        words, folder, environment = json.loads(self.rfile.read())
        done = run_module(["pytest_planguard", *words], Path(folder), environment)
        answer = [done.returncode, done.stdout.decode(), done.stderr.decode()]
        self.wfile.write(json.dumps(answer).encode())


@contextmanager
def planguard_on_path(folder: Path) -> Iterator[Path]:
    """Write the command into a folder that is on the PATH of scripts while the block runs."""
    with TCPServer(("127.0.0.1", 0), _Request) as server:
        (folder / "client.py").write_text(CLIENT.format(port=server.server_address[1]), encoding="utf-8")
        command = folder / "planguard"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -IS "{folder}/client.py" "$@"\n', encoding="utf-8")
        command.chmod(0o755)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield folder
        finally:
            server.shutdown()
            thread.join()
