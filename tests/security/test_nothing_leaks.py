"""Secrets that an app sends and a server answers are in no file and no output of a session, whether its tests pass."""

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pytest_planguard.cli.cassette.cassette_command import check_secrets
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.testing.example import Run

from ..integration.projects import CONTRACTS
from ..replay.privacy.test_planted import HEX, PLANTED, SHAPES, VALUE
from ..support.commands import run as command
from ..support.warm import WarmExample
from .rule_shapes import drawn
from .test_drawn_secrets import in_a_form, in_a_prompt, in_arguments, in_pieces

pytestmark = pytest.mark.slow

PLACES = (in_a_prompt, in_arguments, in_a_form, in_pieces)
EXCHANGES = [*PLANTED.values(), *(PLACES[n % 4](shape.text) for n, shape in enumerate(drawn()))]
"""95 exchanges with secrets of the kinds that were once recorded, and 60 with those that a seed drew."""

APP = """
import base64, json, os
import httpx2
import pytest
from contracts import *


def ask(changed=""):
    plants = json.load(open(os.environ["PLANTS"]))
    with httpx2.Client(verify=False) as client:
        for number, (path, headers, body) in enumerate(plants):
            own = dict(headers)
            own["x-number"] = str(number)
            content = base64.b64decode(body)
            client.post(os.environ["ORIGIN"] + path, headers=own, content=changed.encode() + content)


@pytest.mark.planguard(TICKET, max_attempts=400)
def test_kept():
    ask()


@pytest.mark.planguard(TICKET, max_attempts=400)
def test_broken():
    ask()
    raise AssertionError("this test fails after it has asked")
"""


class _Answers(BaseHTTPRequestHandler):
    """Answers the request of a number with what was planted there."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes: the second would wait 40 ms for an ACK

    def do_POST(self) -> None:
        """Read the request and answer."""
        self.rfile.read(int(self.headers.get("content-length", "0")))
        planted = EXCHANGES[int(self.headers["x-number"])]
        self.send_response(200)
        for name, values in planted.response_headers:
            for value in values:
                self.send_header(name, value)
        self.send_header("content-length", str(len(planted.response_body)))
        self.end_headers()
        self.wfile.write(planted.response_body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Say nothing."""


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    """A server on a free port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def session(origin: str, tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Two recording sessions, a replay, and one with other requests."""
    plants = tmp_path_factory.mktemp("outside") / "plants.json"
    plants.write_text(json.dumps([_sent(one) for one in EXCHANGES]), "utf-8")
    env = {"PLANTS": str(plants), "ORIGIN": origin}
    example = WarmExample({"contracts.py": CONTRACTS, "test_app.py": APP})
    kept = ("--junitxml=junit.xml", "--planguard-save=one", "-rA")
    recorded = example.run_pytest("--planguard-record=all", *kept, env=env, plugins=("planguard",))
    again = recorded.example.run_pytest("--planguard-record=all", *kept, env=env, plugins=("planguard",))
    replayed = again.example.run_pytest(*kept, env=env, plugins=("planguard",))
    changed = replayed.example.replaced("def test_kept():\n    ask()", 'def test_kept():\n    ask("x")')
    return [recorded, again, replayed, changed.run_pytest(*kept, env=env, plugins=("planguard",))]


def _sent(planted: Interaction) -> tuple[str, dict[str, str], str]:
    parts = urlsplit(planted.url)
    headers = {name: values[0] for name, values in planted.request_headers}
    return f"{parts.path}?{parts.query}", headers, base64.b64encode(planted.request_body).decode()


def pieces() -> set[str]:
    """What must stand nowhere: every value, and the middle third of every drawn one."""
    found = {VALUE, VALUE[3:12], HEX, base64.b64encode(f"me:{VALUE}".encode()).decode(), "Planted012", "PLANTED0"}
    found |= {base64.b64encode(SHAPES[name].encode()).decode()[:12] for name in ("sk", "aws")}
    for shape in drawn():
        lines = [line for line in shape.secret.replace("\\n", "\n").split("\n") if not line.startswith("-----")]
        found |= {line[len(line) // 3 : 2 * len(line) // 3 + 3] for line in lines}
    return found


def leaks(texts: dict[str, str]) -> list[tuple[str, str]]:
    """The places that hold a piece of a secret."""
    return [(name, piece) for name, text in texts.items() for piece in pieces() if piece in text]


def test_every_exchange_was_recorded(session: list[Run]) -> None:
    """Both tests have a cassette; where it was replaced by another one, the old one is kept."""
    example = session[1].example
    assert len(EXCHANGES) == 155
    for path in (*example.paths(".yaml"), *example.paths(".kept")):
        assert example.read(path).count("- request:") == 155, path
    assert "this test fails after it has asked" in session[1].stdout


def test_no_file_and_no_output_holds_a_secret(session: list[Run]) -> None:
    """Cassettes, parts, rows, JUnit, what the stale replay sent, caches, and all that was printed."""
    for number, run in enumerate(session):
        files = {path: run.example.read(path) for path in run.example.paths() if not path.endswith(".pyc")}
        assert leaks({**files, f"output {number}": run.output}) == []


def test_no_report_holds_a_secret(session: list[Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the commands say of the cassette, and of the run that was kept."""
    session[-1].example.write(tmp_path)
    monkeypatch.chdir(tmp_path)
    (recording, *_) = tmp_path.rglob("cassettes/**/*.yaml")
    commands = [
        ("check", str(recording)),
        ("check", str(recording), "--format", "json"),
        ("show", str(recording), "--whole"),
        *(("report", "one", "--format", form) for form in ("text", "json", "markdown")),
        *(("diff", "one", "last", "--format", form) for form in ("text", "json", "markdown")),
    ]
    said = {" ".join(one): command(*one).output for one in commands}
    assert all(said.values())
    assert leaks(said) == []


def test_recorded_again_it_holds_nothing_to_take_out(session: list[Run], tmp_path: Path) -> None:
    """What was taken out stays out: the dry run over the cassette finds nothing."""
    session[0].example.write(tmp_path)
    assert check_secrets([tmp_path / "cassettes"], [], "text")[1] in (0, 3)
