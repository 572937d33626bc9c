"""What is asked outside of marked tests is named: in those that may rely on it, or where something left behind asks."""

from pytest_planguard.testing.example import Example

from ...support.warm import WarmExample
from ..projects import project, rows_by_test

TESTS = """
import atexit, functools, gc, http.client, socket, threading, urllib.request, weakref

import pytest_planguard.errors

GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"]}'
LEFT, REFUSED = [], []

@functools.cache
def ask(place):
    try:
        urllib.request.urlopen(f"http://127.0.0.1:9/{place}", timeout=5)
    except OSError:
        pass
    return GOOD

AT_IMPORT = ask("import")

class Asking:
    def __del__(self):
        ask("finalizer")

niquests = {"__name__": "urllib3.a", "socket": socket}
exec("def fork(): socket.socket().connect_ex(('127.0.0.1', 7))", niquests)

def test_a_asks():
    ask("unmarked")
    niquests["fork"]()

def connect(port):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.connect()
    return weakref.ref(connection.sock)

def test_a_connection_is_closed_at_once():
    gc.disable()
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            assert connect(server.getsockname()[1])() is None
    finally:
        gc.enable()

@pytest.mark.planguard(TICKET)
def test_b_relies_on_it(planguard):
    planguard.check(AT_IMPORT)
    planguard.check(ask("unmarked"))

@pytest.mark.planguard(TICKET)
def test_c_leaves_something(planguard):
    LEFT.append(Asking())
    atexit.register(ask, "atexit")
    wait, done = threading.Event(), threading.Event()
    LEFT.extend([wait, done])
    raw = socket.socket()

    def asking():
        wait.wait(5)
        for go in (functools.partial(ask, "thread"), functools.partial(raw.connect_ex, ("127.0.0.1", 8))):
            try:
                go()
            except pytest_planguard.errors.CassetteError:
                REFUSED.append(go)
        done.set()

    threading.Thread(target=asking, name="late").start()
    planguard.check(GOOD)

def test_d_asks_late():
    assert len(REFUSED) == 2
    LEFT.clear()

@pytest.mark.planguard(TICKET)
def test_e_is_the_last(planguard):
    planguard.check(GOOD)
"""
CONFTEST = """
import sys

def pytest_runtest_logfinish(nodeid):
    app = sys.modules["test_app"]
    if "test_c" in nodeid:  # between two tests
        app.LEFT[1].set()
        app.LEFT[2].wait(5)
"""


def test_what_is_asked_outside_is_named() -> None:
    """With client and place; a finalizer of a marked test warns in the test it asks in, and its thread is refused."""
    made = Example(project(TESTS, conftest=CONFTEST).files)  # a process that ends as usual, with its atexit functions
    run = made.run_pytest("-p", "no:randomly")
    assert run.outcomes == {"passed": 6, "warning": 3}, run.output
    file = next(path for path in made.paths() if path.endswith(".py") and "def test_a_asks" in made.read(path))
    line = made.read(file).splitlines().index('AT_IMPORT = ask("import")') + 1
    earlier = [
        f"before the test: python asked 127.0.0.1:9 at import ({file}:{line})",
        f"before the test: python asked 127.0.0.1:9 in {file}::test_a_asks ({file}:{line + 10})",
        f"before the test: urllib3 asked 127.0.0.1:7 in {file}::test_a_asks ({file}:{line + 11})",
    ]
    for row in rows_by_test(run.example).values():
        assert row["untracked"] == earlier, row
    assert "a finalizer, Asking.__del__ (" in run.stdout
    for port in (8, 9):
        began = f"{file}::test_c_leaves_something"
        assert (
            f"thread 'late', which {began} began and which still runs, asked 127.0.0.1:{port} and was refused"
            in run.stdout
        )
    assert f"PlanguardWarning: python asked 127.0.0.1:9 after the tests ({file}:" in run.output


FILES = {
    "pytest.ini": "[pytest]\npython_files = *.py\naddopts = --doctest-glob=*.txt --doctest-modules\n",
    "conftest.py": """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path):
    if module_path.stem == "gone":
        module_path.unlink()
""",
    "gone.py": "def test_a(): pass",
    "undecodable.py": "# coding: planguard\ndef test_a(): pass",
    "package/__init__.py": "def test_a(): 'planguard'",
    "text.txt": ">>> 'planguard'\n'planguard'\n",
}


def test_a_file_that_cannot_be_read_is_an_error_of_pytest() -> None:
    """The error names the file, though planguard reads it before its import. Packages and doctests are as usual."""
    run = WarmExample(FILES).run_pytest("-p", "no:randomly", "--continue-on-collection-errors")
    assert (run.outcomes["passed"], run.outcomes["error"]) == (2, 4), run.output
    assert "pytest_planguard" not in run.output


AT_THE_END = """
import threading, urllib.request

import pytest_planguard.errors

GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"]}'
GO, DONE, REFUSED = threading.Event(), threading.Event(), []

def late():
    GO.wait(5)
    try:
        urllib.request.urlopen("http://127.0.0.1:9/", timeout=5)
    except pytest_planguard.errors.CassetteError as error:
        REFUSED.append(error)
    except OSError:
        pass
    DONE.set()

@pytest.mark.planguard(TICKET)
def test_leaves_a_thread(planguard):
    threading.Thread(target=late).start()
    planguard.check(GOOD)

def test_it_was_refused():
    assert len(REFUSED) == 1
"""
BEFORE_THE_TEARDOWN = """
import sys

def pytest_runtest_makereport(item, call):
    app = sys.modules["test_app"]
    if "test_leaves" in item.nodeid and call.when == "call":
        app.GO.set()
        app.DONE.wait(5)
"""


def test_a_thread_is_refused_between_the_end_of_a_test_and_its_teardown() -> None:
    """The cassette is closed by then, and the fixtures are not torn down yet."""
    done = project(AT_THE_END, conftest=BEFORE_THE_TEARDOWN).run_pytest("-p", "no:randomly")
    assert done.outcomes == {"passed": 2, "warning": 1}, done.output
