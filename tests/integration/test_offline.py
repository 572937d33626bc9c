"""Every way of sending a request past a cassette is served, refused or named; the server's log decides."""

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer
from typing import Any

import pytest

from pytest_planguard.replay.files.cassette_text import render

from ..support.exchanges import URL, chat, user
from ..support.nightly import drawn
from .projects import project, rows_by_test

WAYS = """
import asyncio, atexit, concurrent.futures, contextlib, ctypes, http.client, multiprocessing, os, queue, socket, ssl
import struct, subprocess, sys, threading, time, urllib.request, _socket
import httpx2

PORT = int(os.environ["LIVE_PORT"])
HERE = ("127.0.0.1", PORT)
LIVE = f"http://127.0.0.1:{PORT}"
SECURE = ("127.0.0.1", int(os.environ["SECURE_PORT"]))
TLS = f"https://127.0.0.1:{SECURE[1]}"
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE
STYLES = ("check", "observed", "driven")
KEPT = {style: http.client.HTTPConnection(*HERE) for style in STYLES}
KEPT_TLS = {style: http.client.HTTPSConnection(*SECURE, context=TRUSTING) for style in STYLES}
for connection in (*KEPT.values(), *KEPT_TLS.values()): connection.connect()
RAW = socket.create_connection(HERE)
RAW_TLS = TRUSTING.wrap_socket(socket.create_connection(SECURE))
POOLED = httpx2.Client(verify=False)
POOLED.get(LIVE + "/warm")
POOLED.get(TLS + "/warm")
LOOP = asyncio.new_event_loop()
POOLED_ASYNC = httpx2.AsyncClient(verify=False)
for url in (LIVE, TLS): LOOP.run_until_complete(POOLED_ASYNC.get(url + "/warm"))
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
def kept(name, connections=KEPT):
    connection = connections[name.partition("-")[0]]
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

def fast_open(name):
    with socket.socket() as s:
        s.settimeout(3)
        s.sendto(get(name), socket.MSG_FASTOPEN, HERE)
        s.recv(100)
def unix(name):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(3); s.connect(os.environ["UNIX_SOCKET"]); s.sendall(get(name)); s.recv(100)
def by_ctypes(name):
    libc = ctypes.CDLL(None)
    fd = libc.socket(2, 1, 0)
    libc.connect(fd, struct.pack("<H", 2) + struct.pack(">H", PORT) + socket.inet_aton("127.0.0.1") + bytes(8), 16)
    libc.send(fd, get(name), len(get(name)), 0)
    time.sleep(0.1); libc.close(fd)
class Leaving:
    def __init__(self, name): self.name = name
    def __del__(self): read(self.name)
def finalizer(name):
    with contextlib.suppress(Exception): Leaving(name)
def pool(kind, name):
    with kind(1) as workers: workers.submit(read, name).result(20)
def forked_workers(count):
    return concurrent.futures.ProcessPoolExecutor(count, multiprocessing.get_context("fork"))
def whatever(name):
    try: read(name)
    except BaseException: pass
def spawned_pool(method, name):
    with multiprocessing.get_context(method).Pool(1) as workers: workers.apply(read, (name,))
def uvloop_run(coroutine):
    import uvloop
    uvloop.run(coroutine)
async def uvloop_datagram(name):
    transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(asyncio.DatagramProtocol, None, HERE)
    transport.sendto(name.encode())
    await asyncio.sleep(0.1)
def third(module, ask):
    def way(name):
        import importlib
        ask(importlib.import_module(module), name)
    return way
async def aiohttp_get(aiohttp, name):
    async with aiohttp.ClientSession() as session, session.get(f"{LIVE}/{name}") as answer: await answer.read()
async def trio_get(name):
    import trio
    stream = await trio.open_tcp_stream(*HERE)
    await stream.send_all(get(name)); await stream.receive_some(100)
def curl(pycurl, name):
    handle = pycurl.Curl(); handle.setopt(pycurl.URL, f"{LIVE}/{name}"); handle.perform()
def grpc_ask(grpc, name):
    grpc.insecure_channel(f"127.0.0.1:{PORT}").unary_unary("/a/b")(name.encode(), timeout=1)
if multiprocessing.current_process().name == "MainProcess":  # a child imports this module, too
    BEFORE = concurrent.futures.ProcessPoolExecutor(1)
    BEFORE.submit(int).result()

WAYS = {
    "httpx2_pooled_tls": lambda n: POOLED.get(f"{TLS}/{n}"),
    "httpx2_async_pooled": lambda n: LOOP.run_until_complete(POOLED_ASYNC.get(f"{LIVE}/{n}")),
    "httpx2_async_pooled_tls": lambda n: LOOP.run_until_complete(POOLED_ASYNC.get(f"{TLS}/{n}")),
    "http_client_kept_tls": lambda n: kept(n, KEPT_TLS),
    "raw_tls_kept": lambda n: RAW_TLS.sendall(get(n)),
    "fast_open": fast_open,
    "finalizer": finalizer,
    "thread_pool": lambda n: pool(concurrent.futures.ThreadPoolExecutor, n),
    "base_exception": whatever,
    "gethostbyname": lambda n: socket.gethostbyname("example.invalid"),
    "getaddrinfo": lambda n: socket.getaddrinfo("example.invalid", 80),
    "uvloop_stream": lambda n: uvloop_run(stream(n)),
    "uvloop_datagram": lambda n: uvloop_run(uvloop_datagram(n)),
    "uvloop_httpx2": lambda n: uvloop_run(from_async(n)),
    "uvloop_child": lambda n: uvloop_run(async_child(n)),
    "unix_socket": unix,
    "ctypes": by_ctypes,
    "process_pool": lambda n: pool(forked_workers, n),
    "spawned_pool": lambda n: spawned_pool("spawn", n),
    "fork_server": lambda n: spawned_pool("forkserver", n),
    "popen": lambda n: os.popen(f"curl -s {LIVE}/{n}").read(),
    "node": lambda n: subprocess.run(["node", "-e", f"fetch('{LIVE}/{n}').then(r => r.text())"]),
    "httpx": third("httpx", lambda m, n: m.get(f"{LIVE}/{n}")),
    "requests": third("requests", lambda m, n: m.get(f"{LIVE}/{n}")),
    "urllib3": third("urllib3", lambda m, n: m.PoolManager(retries=False).request("GET", f"{LIVE}/{n}")),
    "niquests": third("niquests", lambda m, n: m.get(f"{LIVE}/{n}")),
    "aiohttp": third("aiohttp", lambda m, n: asyncio.run(aiohttp_get(m, n))),
    "aiohttp_uvloop": third("aiohttp", lambda m, n: uvloop_run(aiohttp_get(m, n))),
    "trio": third("trio", lambda m, n: m.run(trio_get, n)),
    "websockets": third("websockets.sync.client", lambda m, n: m.connect(f"ws://127.0.0.1:{PORT}/{n}", proxy=None)),
    "pycurl": third("pycurl", curl),
    "curl_cffi": third("curl_cffi.requests", lambda m, n: m.get(f"{LIVE}/{n}")),
    "primp": third("primp", lambda m, n: m.Client().get(f"{LIVE}/{n}")),
    "grpc": third("grpc", grpc_ask),
    "atexit": lambda n: atexit.register(read, n),
    "descriptor": lambda n: os.write(RAW.fileno(), get(n)),
    "workers_from_before": lambda n: BEFORE.submit(read, n).result(20),
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
ways = {{ways}}

def ask():
    body = json.dumps({{{{"model": "m", "messages": [{{{{"role": "user", "content": "one"}}}}]}}}}).encode()
    request = urllib.request.Request("{URL}", body, {{{{"content-type": "application/json"}}}})
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]

@pytest.mark.parametrize("way", ways["check"])
@pytest.mark.planguard(TICKET, mode="check")
def test_check(planguard, way):
    go(way, "check")
    planguard.check(GOOD)

@pytest.mark.parametrize("way", ways["observed"])
@pytest.mark.planguard(TICKET, cassette="rec.yaml")
def test_observed(planguard, way):
    go(way, "observed")
    ask()

@pytest.mark.parametrize("way", ways["driven"])
@pytest.mark.planguard(TICKET, cassette="rec.yaml")
def test_driven(planguard, way):
    def answer(messages):
        go(way, "driven")
        return ask()
    planguard.converge(answer, "one")
"""


def _ways(words: str, **needs: str) -> list[str]:
    """Return the names of the ways whose module or program is installed; `make clients` runs all of them."""
    return [*words.split(), *(way for way, need in needs.items() if find_spec(need) or shutil.which(need))]


REFUSED = _ways(
    "httpx2 httpx2_pooled httpx2_async httpx2_async_pooled urllib http_client_kept raw_socket raw_socket_kept "
    "lower_socket kept_original subclass udp_sendto udp_sendmsg asyncio_stream thread old_thread thread_pool finalizer "
    "base_exception decimal_host mapped_ipv6 proxy gethostbyname getaddrinfo process_pool os_fork multiprocessing_fork "
    "fast_open httpx2_pooled_tls httpx2_async_pooled_tls http_client_kept_tls raw_tls_kept",
    uvloop_stream="uvloop",
    uvloop_datagram="uvloop",
    uvloop_httpx2="uvloop",
    httpx="httpx",
    requests="requests",
    urllib3="urllib3",
    niquests="niquests",
    aiohttp="aiohttp",
    aiohttp_uvloop="aiohttp",
    trio="trio",
    websockets="websockets",
)
"""Nothing reaches the server, and the test fails; forked children hand their refusal to the test."""
NAMED = _ways(
    "subprocess asyncio_subprocess multiprocessing_spawn spawned_pool fork_server unix_socket ctypes "
    "workers_from_before descriptor",
    curl="curl",
    os_system="curl",
    popen="curl",
    posix_spawn="curl",
    node="node",
    uvloop_child="uvloop",
    pycurl="pycurl",
    curl_cffi="curl_cffi",
    primp="primp",
    grpc="grpc",
)
"""What they send may reach the server; the row says that they ran."""
LISTED = {
    "atexit": "an `atexit` function",
}
"""What no row names, with its words in docs/guides/security.md: a warning after the run. The list only shrinks."""
STYLES = ("check", "observed", "driven")


def _cases(ways: Iterable[str]) -> list[tuple[str, str]]:
    """Return each way with a style of its tests by day, and with all three at night."""
    return [(way, style) for row, way in enumerate(ways) for style in drawn(STYLES, 3, row)]


GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"]}'


class Live:
    """A server for HTTP (over TCP, TLS and a unix socket) and datagrams, and the requests that reached it."""

    def __init__(self, folder: Path) -> None:
        log = self.log = list[str]()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body are two writes: the second would wait 40 ms for an ACK

            def do_GET(self) -> None:
                log.append(self.path.rpartition("/")[2])
                self.send_response(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def address_string(self) -> str:
                return "here"

            def log_message(self, *args: object) -> None: ...

        class Unix(ThreadingMixIn, UnixStreamServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None: ...

        class Http(ThreadingHTTPServer):
            def handle_error(self, *_: object) -> None: ...

        self.path = str(folder / "live.sock")
        self.servers = (
            Http(("127.0.0.1", 0), Handler),
            Http(("127.0.0.1", 0), Handler),
            Unix(self.path, Handler),
        )
        self.port, self.secure_port = (int(server.server_address[1]) for server in self.servers[:2])
        self.servers[1].socket = _certified(folder).wrap_socket(self.servers[1].socket, server_side=True)
        self.datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.datagrams.bind(("127.0.0.1", self.port))
        self.datagrams.setblocking(False)
        for server in self.servers:
            threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def environment(self) -> dict[str, str]:
        """Where it is, for `ways`."""
        return {"LIVE_PORT": str(self.port), "SECURE_PORT": str(self.secure_port), "UNIX_SOCKET": self.path}

    @property
    def reached(self) -> set[str]:
        """Names of the ways that got through, datagrams included."""
        try:
            while True:
                self.log.append(self.datagrams.recv(2000).decode())
        except BlockingIOError:
            return set(self.log)

    def close(self) -> None:
        """Close all ports."""
        self.datagrams.close()
        for server in self.servers:
            server.shutdown()
            server.server_close()


def _certified(folder: Path) -> ssl.SSLContext:
    """Return a context with an untrusted certificate."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    how = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", "-x509", *how, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


Outcome = tuple[set[str], dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    """Run every way once in each of its styles, and return what reached the server and each test's row."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    live = Live(tmp_path_factory.mktemp("live"))
    recording = render((chat([user("one")], GOOD),))
    # What is beyond Python is named from its loading on: it comes last, so that it does not name the others.
    last = sorted(NAMED, key=["pycurl", "curl_cffi", "primp", "grpc"].__contains__)
    cases = [*_cases(REFUSED), *_cases(LISTED), *sorted(_cases(NAMED), key=lambda case: last.index(case[0]))]
    ways = {style: [way for way, own in cases if own == style] for style in STYLES}
    example = project(TESTS.format(ways=ways), ways=WAYS).with_files({"rec.yaml": recording})
    with closing(live):
        run = example.run_pytest("-q", env=live.environment, timeout_s=540)
        yield live.reached, rows_by_test(run.example)


@pytest.mark.slow
@pytest.mark.parametrize(("way", "style"), _cases(REFUSED))
def test_a_way_around_is_refused(outcome: Outcome, way: str, style: str) -> None:
    """Nothing reached the server, and the test failed though it caught the error."""
    reached, rows = outcome
    assert f"{style}-{way}" not in reached
    assert rows[f"test_{style}[{way}]"]["result"] == "failed"


@pytest.mark.slow
@pytest.mark.parametrize(("way", "style"), _cases(NAMED))
def test_a_sender_is_named(outcome: Outcome, way: str, style: str) -> None:
    """Its request may have reached the server; the test's row says who ran."""
    assert outcome[1][f"test_{style}[{way}]"]["untracked"]


@pytest.mark.slow
def test_nothing_else_is_silent(outcome: Outcome) -> None:
    """By the server's log, each way that got through in a passing test is named or is on the list in the docs."""
    reached, rows = outcome
    silent = {
        way
        for way in reached - {"warm"}
        for row in [rows["test_{}[{}]".format(*way.split("-"))]]
        if row["result"] == "passed" and not row["untracked"]
    }
    assert {name.partition("-")[2] for name in silent} <= {*LISTED}


@pytest.mark.parametrize("way", LISTED)
def test_what_no_row_names_is_written_down(way: str) -> None:
    """The last section about the network says what happens instead."""
    page = Path(__file__).parents[2] / "docs" / "guides" / "security.md"
    assert LISTED[way] in page.read_text(encoding="utf-8").partition("### What planguard can't see")[2]


UNBLOCKED = """
import http.client, os, socket
HERE = ("127.0.0.1", int(os.environ["LIVE_PORT"]))
@pytest.mark.planguard(TICKET)
def test_socket(planguard):
    planguard.check(GOOD)
    with socket.create_connection(HERE) as s:
        s.sendall(b"GET /socket HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
        s.recv(100)
@pytest.mark.planguard(TICKET)
def test_client(planguard):
    planguard.check(GOOD)
    client = http.client.HTTPConnection(*HERE)
    client.request("GET", "/client")
    client.getresponse()
"""


def test_without_blocking_the_recording_still_answers(tmp_path: Path) -> None:
    """A connection passes. A recorded client is refused if nothing is recorded, and no file is written."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    with closing(Live(tmp_path)) as live:
        run = project(UNBLOCKED).run_pytest("-q", "-o", "planguard_block_network=false", env=live.environment)
        assert live.reached == {"socket"}
    outcomes = {name: row["outcome"] for name, row in rows_by_test(run.example).items()}
    assert outcomes == {"test_socket": "valid", "test_client": "unrecorded"}
    assert not [path for path in run.example.files if path.startswith("cassettes/")]
