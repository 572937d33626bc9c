"""One app as a separate project that pytest runs in four ways: recorded and replayed, with and without its feedback."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_planguard.testing.example import Example, Run
from tests.support.lookalike import Lookalike

from ..sessions import failed_checks, grades

HERE = Path(__file__).parent
APPS = HERE / "apps"
BESIDE = ("task.py", "instructor_loop.py")
"""Shared modules, copied beside each app."""
PORT = 18437
"""Appears in the cassettes: a fixed port keeps them stable when they are recorded again."""
FIRST = {"title": "Printer", "priority": "hi", "steps": []}
LAST = {"title": "Printer", "priority": "high", "steps": ["look", "restart"]}
LONGEST_S = 900.0
ROWS = ".planguard/last.jsonl"
QUIET = {
    "AGNO_TELEMETRY": "false",
    "ANONYMIZED_TELEMETRY": "False",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_TRACING_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "GUARDRAILS_RUN_SYNC": "true",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_TELEMETRY": "False",
    "MIRASCOPE_TELEMETRY": "false",
    "NO_PROXY": "127.0.0.1",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OTEL_SDK_DISABLED": "true",
}
"""Telemetry off, everywhere."""
QUIETLY = ("-q", "-rf", "--tb=native", "-W", "ignore")
"""Native tracebacks: pytest's own parse the sources of all frames, which makes Python 3.11 fail on some of these."""
TEST = """
import os

import app
import pytest
import task

CORRECT = os.environ["APP"] == "correct"
CONTRACTS = getattr(app, "CONTRACTS", {})


def cases():
    for case in app.CASES:
        mark = pytest.mark.planguard(getattr(task, CONTRACTS.get(case, "TICKET")), **getattr(app, "MARKER", {}))
        yield pytest.param(case, marks=mark, id=case)


@pytest.mark.parametrize("case", cases())
def test_app(case):
    try:
        app.run(case, CORRECT)
    except Exception:
        if CORRECT:
            raise  # without its feedback an app gives up, each in its own way
"""
CONFTEST = '''
"""Notes which HTTP client each test sends with."""
import importlib
import json

import pytest

CLIENTS = {
    "httpx": ("httpx", ["Client.send", "AsyncClient.send"]),
    "httpx2": ("httpx2", ["Client.send", "AsyncClient.send"]),
    "requests": ("requests", ["Session.send"]),
    "aiohttp": ("aiohttp", ["ClientSession._request"]),
    "botocore": ("botocore.httpsession", ["URLLib3Session.send"]),
    "urllib3": ("urllib3", ["PoolManager.urlopen"]),
    "urllib": ("urllib.request", ["OpenerDirector.open"]),
}
SEEN = {}
NOW = []


def noting(client, real):
    def send(*args, **kwargs):
        if NOW:
            SEEN.setdefault(NOW[-1], client)
        return real(*args, **kwargs)
    return send


for client, (module, places) in CLIENTS.items():
    try:
        found = importlib.import_module(module)
    except ImportError:
        continue
    for owner, _, name in (place.rpartition(".") for place in places):
        setattr(getattr(found, owner), name, noting(client, getattr(getattr(found, owner), name)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    NOW.append(item.callspec.id)
    try:
        return (yield)
    finally:
        NOW.pop()


def pytest_sessionfinish(session):
    (session.config.rootpath / "clients.json").write_text(json.dumps(SEEN))
'''


@dataclass
class Result:
    """The result of one case."""

    app: str
    case: str
    transport: str = "?"
    contract: str = "TICKET"
    recorded: str = "?"
    replayed: str = "?"
    """Result of recording the correct app, and of its replay with the server stopped …"""
    broken: str = "?"
    gate: str = "?"
    """… of the app without its feedback: recorded, and replayed from the correct app's recording."""
    grades: list[str] = field(default_factory=list)
    """How well the correct app feeds its findings back."""
    missing: list[str] = field(default_factory=list)
    """The reasons why the app without feedback fails."""

    @property
    def right(self) -> bool:
        """True if the correct app passes and the other one fails, each time."""
        good = {self.recorded, self.replayed} == {"passed"}
        bad = {self.broken, self.gate} == {"failed"}
        return good and bad and any(reason.startswith("feedback: ") for reason in self.missing)


def source(app: str) -> Path:
    """Return the module of an app, in any folder of `apps`."""
    return next(APPS.rglob(f"{app}.py"))


def literal(app: str, name: str, otherwise: Any) -> Any:
    """Return a constant of an app's source, without importing it."""
    for node in ast.parse(source(app).read_text()).body:
        if isinstance(node, ast.Assign) and [getattr(t, "id", None) for t in node.targets] == [name]:
            return ast.literal_eval(node.value)
    return otherwise


def examine(app: str, only: str = "") -> tuple[list[Result], dict[str, Run]]:
    """Run one app in all four ways; return the results, and the runs by their names in `Result`."""
    sources = {"app.py": source(app), **{name: HERE / name for name in BESIDE}}
    example = Example({**{n: p.read_text() for n, p in sources.items()}, "test_app.py": TEST, "conftest.py": CONFTEST})
    server = Lookalike(PORT)
    for case, behaviour in literal(app, "SCRIPTS", {}).items():
        server.script(behaviour.pop("good", LAST), behaviour.pop("bad", FIRST), when=f"({case})", **behaviour)
    server.script(LAST, FIRST)

    def run(example: Example, way: str, variant: str, *args: str) -> Run:
        env = {**QUIET, "APP": way, "LOOKALIKE": f"http://127.0.0.1:{PORT}"}
        chosen = ["-k", only] if only else []
        return example.run_pytest(
            *QUIETLY, f"--planguard-variant={variant}", *chosen, *args, env=env, timeout_s=LONGEST_S
        )

    correct = run(example, "correct", "correct", "--planguard-record=all")
    broken = run(example, "broken", "broken", "--planguard-record=all")
    server.stop()
    correct_now = correct.example.without(ROWS)
    again = run(correct_now, "correct", "correct")
    gate = run(correct_now, "broken", "correct")
    runs = {"recorded": correct, "replayed": again, "broken": broken, "gate": gate}
    return _results(app, runs), runs


def _results(app: str, runs: dict[str, Run]) -> list[Result]:
    clients = json.loads(runs["recorded"].example.read("clients.json"))
    contracts = literal(app, "CONTRACTS", {})
    found: dict[str, Result] = {}
    for name, run in runs.items():
        if ROWS not in run.example.files:
            raise SystemExit(f"{app}: no rows where it was {name}:\n{run.output[-20_000:]}")
        for row in map(json.loads, run.example.read(ROWS).splitlines()[1:]):
            case = row["test"].partition("[")[2].rstrip("]")
            result = found.setdefault(case, Result(app, case, clients.get(case, "?"), contracts.get(case, "TICKET")))
            setattr(result, name, row["result"])
            if name == "recorded":
                result.grades = sorted({*grades([a for c in row["judged"] for a in c["attempts"]])})
            if name == "broken":
                result.missing = [*failed_checks(row)]
    return list(found.values())
