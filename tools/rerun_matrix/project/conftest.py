"""The project's conftest.py."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from told import CALL, work

pytest_plugins = ["told"]
collect_ignore = [] if "DJANGO_SETTINGS_MODULE" in os.environ else ["django_tests.py"]


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every project has one of this kind."""
    monkeypatch.setenv("APP_ENV", "test")


@pytest.fixture(autouse=True, scope="session")
def logs() -> None:
    """Taken by no test."""
    logging.getLogger("app").setLevel("INFO")
    logging.getLogger("asyncio").setLevel("ERROR")  # its warnings tell how busy a machine is


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A database that commits at once."""
    connection = sqlite3.connect(tmp_path_factory.mktemp("data") / "orders.db", isolation_level=None)
    connection.execute("create table orders (name text unique)")
    yield connection
    connection.close()


@pytest.fixture
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """What a test writes is taken back."""
    database.execute("begin")
    yield database
    database.execute("rollback")


@pytest.fixture
def committing(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """What a test writes is kept when it is torn down."""
    database.execute("begin")
    yield database
    database.execute("commit")


@pytest.fixture(scope="session")
def names() -> list[str]:
    """Who has ordered: data that tests share."""
    return []


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Count."""
        self.server.hits += 1  # type: ignore[attr-defined]
        body = str(self.server.hits).encode()  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def _served() -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.hits = 0
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    yield lambda: int(urlopen(url).read())
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def server() -> Iterator[Any]:
    """A counter of the test's own."""
    yield from _served()


@pytest.fixture(scope="session")
def shared_server() -> Iterator[Any]:
    """A counter that tests share."""
    yield from _served()


@pytest.fixture
def by_outcome(request: pytest.FixtureRequest) -> Iterator[None]:
    """Read how the test went, in both ways that pytest documents."""
    yield
    print("went by attribute:", request.node.rep_setup.outcome, request.node.rep_call.outcome)
    print("went by stash:", request.node.stash[CALL]["call"].outcome)


@pytest.fixture
def slow() -> Iterator[None]:
    """Take time, print and log on both sides of a test."""
    work(10)
    print("set up")
    logging.getLogger("app").warning("set up")
    yield
    work(7)
    print("torn down")
    logging.getLogger("app").warning("torn down")


@pytest.fixture
def broken() -> Iterator[None]:
    """Fail when it is torn down."""
    yield
    raise RuntimeError("no way down")


@pytest.fixture
def leaving_traces(tmp_path: Path) -> Iterator[Path]:
    """Change what is around."""
    here = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(here)
