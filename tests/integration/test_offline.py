"""Every way of asking around a recording is served, refused or named; the server's own log is the judge."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pytest_planguard.replay.files.recording_text import render

from ..support.exchanges import URL, chat, user
from .projects import project, rows_by_test

WAYS = """
import asyncio, contextlib, http.client, multiprocessing, os, queue, socket, subprocess, sys, threading
import urllib.request, _socket
import httpx2

PORT = int(os.environ["LIVE_PORT"])
HERE = ("127.0.0.1", PORT)
LIVE = f"http://127.0.0.1:{PORT}"
KEPT = {style: http.client.HTTPConnection(*HERE) for style in ("check", "observed", "driven")}
for connection in KEPT.values(): connection.connect()
RAW = socket.create_connection(HERE)
POOLED = httpx2.Client()
POOLED.get(LIVE + "/warm")
CONNECT = socket.socket.connect
JOBS = queue.Queue()

def get(name): return f"GET /{name} HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n".encode()
def read(name): urllib.request.urlopen(f"{LIVE}/{name}", timeout=3).read()
def work():
    while True:
        name, done = JOBS.get()
        try: read(name)
        except BaseException: pass
        done.set()
threading.Thread(target=work, daemon=True).start()

def talk(kind, name, connect=None):
    with contextlib.closing(kind) as s:
        s.settimeout(3)
        (connect or type(s).connect)(s, HERE)
        s.sendall(get(name))
        s.recv(100)
class Sub(socket.socket):
    def connect(self, address): return super().connect(address)
async def stream(name):
    reader, writer = await asyncio.open_connection(*HERE)
    writer.write(get(name))
    await writer.drain()
    await reader.read(100)
async def from_async(name):
    async with httpx2.AsyncClient() as client: await client.get(f"{LIVE}/{name}")
async def async_child(name):
    await (await asyncio.create_subprocess_exec(sys.executable, "-c", code(name))).wait()
def code(name): return f"import urllib.request; urllib.request.urlopen('{LIVE}/{name}', timeout=3).read()"
def thread(name):
    t = threading.Thread(target=read, args=(name,)); t.start(); t.join()
def old_thread(name):
    done = threading.Event(); JOBS.put((name, done)); done.wait(5)
def kept(name):
    connection = KEPT[name.partition("-")[0]]
    connection.request("GET", f"/{name}"); connection.getresponse().read()
def raw_kept(name): RAW.sendall(get(name)); RAW.settimeout(3); RAW.recv(100)
def sendto(name): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(name.encode(), HERE)
def sendmsg(name): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendmsg([name.encode()], [], 0, HERE)
def fork(name):
    pid = os.fork()
    if not pid:
        try: read(name)
        finally: os._exit(0)
    os.waitpid(pid, 0)
def child(method, name):
    p = multiprocessing.get_context(method).Process(target=read, args=(name,)); p.start(); p.join()
def proxy(name):
    os.environ["http_proxy"] = LIVE
    try: urllib.request.urlopen(f"http://api.example.invalid/{name}", timeout=3)
    finally: del os.environ["http_proxy"]

WAYS = {
    "httpx2": lambda n: httpx2.get(f"{LIVE}/{n}"),
    "httpx2_pooled": lambda n: POOLED.get(f"{LIVE}/{n}"),
    "httpx2_async": lambda n: asyncio.run(from_async(n)),
    "urllib": read,
    "http_client_kept": kept,
    "raw_socket": lambda n: talk(socket.socket(), n),
    "raw_socket_kept": raw_kept,
    "lower_socket": lambda n: talk(_socket.socket(), n),
    "kept_original": lambda n: talk(socket.socket(), n, CONNECT),
    "subclass": lambda n: talk(Sub(), n),
    "udp_sendto": sendto,
    "udp_sendmsg": sendmsg,
    "asyncio_stream": lambda n: asyncio.run(stream(n)),
    "thread": thread,
    "old_thread": old_thread,
    "decimal_host": lambda n: urllib.request.urlopen(f"http://2130706433:{PORT}/{n}", timeout=3),
    "mapped_ipv6": lambda n: socket.create_connection(("::ffff:127.0.0.1", PORT), timeout=3).sendall(get(n)),
    "proxy": proxy,
    "subprocess": lambda n: subprocess.run([sys.executable, "-c", code(n)]),
    "curl": lambda n: subprocess.run(["curl", "-s", f"{LIVE}/{n}"]),
    "asyncio_subprocess": lambda n: asyncio.run(async_child(n)),
    "os_system": lambda n: os.system(f"curl -s {LIVE}/{n}"),
    "posix_spawn": lambda n: os.waitpid(os.posix_spawn("/usr/bin/curl", ["curl", "-s", f"{LIVE}/{n}"], {}), 0),
    "os_fork": fork,
    "multiprocessing_fork": lambda n: child("fork", n),
    "multiprocessing_spawn": lambda n: child("spawn", n),
}
def go(way, style):
    try: WAYS[way](f"{style}-{way}")
    except Exception: pass
"""
TESTS = f"""
import json, urllib.request
from ways import go
way = pytest.mark.parametrize("way", {{ways}})

def ask():
    body = json.dumps({{{{"model": "m", "messages": [{{{{"role": "user", "content": "one"}}}}]}}}}).encode()
    request = urllib.request.Request("{URL}", body, {{{{"content-type": "application/json"}}}})
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]

@way
@pytest.mark.planguard(TICKET, mode="check")
def test_check(planguard, way):
    go(way, "check")
    planguard.check(GOOD)

@way
@pytest.mark.planguard(TICKET, cassette="rec.yaml")
def test_observed(planguard, way):
    go(way, "observed")
    ask()

@way
@pytest.mark.planguard(TICKET, cassette="rec.yaml")
def test_driven(planguard, way):
    def answer(messages):
        go(way, "driven")
        return ask()
    planguard.converge(answer, "one")
"""
REFUSED = (
    "httpx2",
    "httpx2_pooled",
    "httpx2_async",
    "urllib",
    "http_client_kept",
    "raw_socket",
    "raw_socket_kept",
    "lower_socket",
    "kept_original",
    "subclass",
    "udp_sendto",
    "udp_sendmsg",
    "asyncio_stream",
    "thread",
    "old_thread",
    "decimal_host",
    "mapped_ipv6",
    "proxy",
)
NAMED = (
    "subprocess",
    "curl",
    "asyncio_subprocess",
    "os_system",
    "posix_spawn",
    "os_fork",
    "multiprocessing_fork",
    "multiprocessing_spawn",
)
STYLES = ("check", "observed", "driven")
GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"]}'


class Live:
    """A server for HTTP and datagrams on one port, and what reached it."""

    def __init__(self) -> None:
        log = self.log = list[str]()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                log.append(self.path.rpartition("/")[2])
                self.send_response(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_request(self, code: object = "-", size: object = "-") -> None: ...

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = int(self.http.server_port)
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", self.port))
        self.datagrams.setblocking(False)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def reached(self) -> set[str]:
        """Names of the ways that got through, datagrams included."""
        try:
            while True:
                self.log.append(self.datagrams.recv(2000).decode())
        except BlockingIOError:
            return set(self.log)


@pytest.fixture(scope="module")
def outcome() -> Iterator[tuple[set[str], dict[str, dict[str, object]]]]:
    """What reached the server, and the row of each test, of one run of every way in every style."""
    live = Live()
    recording = render((chat([user("one")], GOOD),))
    example = project(TESTS.format(ways=[*REFUSED, *NAMED]), ways=WAYS).with_files({"rec.yaml": recording})
    with closing(live.datagrams):
        run = example.run_pytest("-q", env={"LIVE_PORT": str(live.port)}, timeout_s=240)
        yield live.reached, rows_by_test(run.example)
    live.http.shutdown()
    live.http.server_close()


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("way", REFUSED)
def test_a_way_around_is_refused(outcome: tuple[set[str], dict[str, dict[str, object]]], way: str, style: str) -> None:
    """Nothing reached the server, and the test failed though it caught the error."""
    reached, rows = outcome
    assert f"{style}-{way}" not in reached
    assert rows[f"test_{style}[{way}]"]["result"] == "failed"


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("way", NAMED)
def test_a_child_is_named(outcome: tuple[set[str], dict[str, dict[str, object]]], way: str, style: str) -> None:
    """Its request may have reached the server; the test's row says that a child ran."""
    unseen = outcome[1][f"test_{style}[{way}]"]["unseen"]
    assert isinstance(unseen, list)
    assert unseen[0].startswith("child process: ")
