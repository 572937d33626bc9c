"""Generate the project, record every case against a loopback server, replay it, and count what came of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.lookalike.model import Answer, Turn
from tests.support.lookalike.server import Lookalike, _Handler
from tests.support.lookalike.spelling import Spelling

from .project import feedback

PROJECT = Path(__file__).parent / "project"
LOOPS = (
    *("raw", "openai_sdk", "openai_stream", "openai_responses", "anthropic_sdk", "tool_agent", "in_the_prompt"),
    *("system_note", "quoting", "remembering", "gives_up", "fixture", "asynchronous", "openai_async", "anyio"),
    *("unittest", "isolated"),
)
"""Loops that need no more than the project's own development environment."""
FRAMEWORKS = ("instructor", "pydantic_ai", "langchain")
CANNOT_RUN = ("other fixture",)
"""Loops whose tests are not run again by themselves."""
INI = """[pytest]
planguard_prove_fixtures = app
planguard_prove_seconds = {seconds}
asyncio_default_fixture_loop_scope = function
filterwarnings = ignore
"""
CLOSED = "http://127.0.0.1:9"
"""Nobody answers here."""
PLUGINS = ("planguard", "asyncio", "anyio", "xdist")
Case = tuple[str, str, str, str]
Start = Callable[[Sequence[str], Path, Mapping[str, str]], "subprocess.CompletedProcess[bytes]"]
"""Runs a module with its arguments in a folder with an environment, to its end."""


@dataclass(frozen=True)
class Result:
    """What came of one case."""

    case: Case
    passed: bool
    grades: tuple[str, ...]
    """Of the findings of the first attempt."""
    reasons: tuple[str, ...]
    """Of the proofs that settle nothing."""
    failed: tuple[str, ...] = ()
    """What the row of a failed test says: its outcome, failed checks, and requests without an answer."""

    @property
    def right(self) -> bool:
        """Whether the test passes where its app is right, and fails where it is not."""
        return self.passed == (self.case[3] == "right")

    @property
    def undecided(self) -> bool:
        """Whether a finding is neither proven nor lost, nor in words that need no experiment."""
        return not {"proven", "verbatim", "lost"} >= set(self.grades)


class Scripted(_Handler):
    """Answers badly first, as the case in the task says, and well as soon as it is asked again, whatever is said."""

    def _answer(self, _: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        said = Answer(_reply(spelling.turns(body)), "submit" if "submit" in json.dumps(body.get("tools")) else None)
        if stream:
            self._stream(spelling.stream(said, body), spelling.stream_type)
        else:
            self._send(200, spelling.whole(said, body))


def _reply(turns: Sequence[Turn]) -> str:
    text = "\n".join(turn.text for turn in turns)
    if "previous attempt was rejected" in text or any(turn.role == "assistant" for turn in turns):
        return json.dumps(feedback.GOOD)
    return feedback.bad(next((p for p in feedback.POSITIONS if f"Case: {p}." in text), "first"))


def scripted() -> Lookalike:
    """A loopback server that answers from the script, in the spelling of any provider."""
    server = Lookalike()
    server._server.RequestHandlerClass = Scripted  # noqa: SLF001 - the test server has no other way to be taught
    return server


def cases(
    loops: Iterable[str],
    positions: Iterable[str] = tuple(feedback.POSITIONS),
    wordings: Sequence[str] = feedback.WORDINGS,
    variants: Sequence[str] = feedback.VARIANTS,
) -> list[Case]:
    """Every combination."""
    return [(lo, po, wo, va) for lo in loops for po in positions for wo in wordings for va in variants]


def one_wording_each(loops: Sequence[str]) -> list[Case]:
    """Every loop with every position, each with one wording, so that all wordings have their turn."""
    apps = [(loop, position) for loop in loops for position in feedback.POSITIONS]
    wordings = feedback.WORDINGS
    return [case for n, (lo, po) in enumerate(apps) for case in cases([lo], [po], [wordings[n % len(wordings)]])]


def with_python(python: str) -> Start:
    """Return how to run modules in processes of a Python."""

    def start(args: Sequence[str], folder: Path, env: Mapping[str, str]) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([python, "-m", *args], cwd=folder, env=env, capture_output=True, check=False)

    return start


def run(chosen: Sequence[Case], *args: str, start: Start, seconds: float = 60) -> list[list[Result]]:
    """Record the cases, then replay them offline: what came of each, both times."""
    with _recorded(chosen, *args, start=start, seconds=seconds) as folder:
        recorded = _results(folder, chosen)
        _pytest(start, folder, CLOSED, *args)
        return [recorded, _results(folder, chosen)]


def extra_seconds(chosen: Sequence[Case], python: str = sys.executable) -> list[float]:
    """Replay the cases with experiments and without: the CPU seconds that each takes longer with them."""
    start = with_python(python)
    with _recorded(chosen, start=start, seconds=60) as folder:
        taken = {}
        for mode in ("never", "auto"):
            (folder / "times.jsonl").unlink()
            _pytest(start, folder, CLOSED, "-o", f"planguard_prove={mode}")
            lines = (folder / "times.jsonl").read_text(encoding="utf-8").splitlines()
            taken[mode] = dict(json.loads(line) for line in lines[1:])  # the first test imports what all share
    return [taken["auto"][test] - taken["never"][test] for test in taken["auto"]]


@contextmanager
def _recorded(chosen: Sequence[Case], *args: str, start: Start, seconds: float) -> Iterator[Path]:
    """The folder of the project, with its recordings."""
    server = scripted()
    with tempfile.TemporaryDirectory(prefix="matrix-") as name:
        folder = Path(name)
        for file in PROJECT.glob("*.py"):
            (folder / file.name).write_bytes(file.read_bytes())
        (folder / "pytest.ini").write_text(INI.format(seconds=seconds), encoding="utf-8")
        (folder / "cases.json").write_text(json.dumps(chosen), encoding="utf-8")
        try:
            _pytest(start, folder, server.origin, "--planguard-record=missing", *args)
        finally:
            server.stop()
        yield folder


def _pytest(start: Start, folder: Path, origin: str, *args: str) -> None:
    plugins = [word for plugin in PLUGINS for word in ("-p", plugin)]
    command = ["pytest", "-q", "--tb=no", f"--rootdir={folder}", "-p", "no:cacheprovider", *plugins]
    env = {k: v for k, v in os.environ.items() if k != "CI" and not k.startswith(("PYTEST_", "PLANGUARD_", "COV_"))}
    env |= {"MATRIX_ORIGIN": origin, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    done = start([*command, *args], folder, env)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(args)}\n{done.stdout.decode()[-4000:]}\n{done.stderr.decode()[-2000:]}")


def _results(folder: Path, chosen: Sequence[Case]) -> list[Result]:
    lines = (folder / ".planguard" / "last.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    rows = {_key(row["test"]): row for row in map(json.loads, lines)}
    return [_result(case, rows["-".join(case).replace(" ", "_")]) for case in chosen]


def _key(test: str) -> str:
    name = test.rpartition("::")[2]
    inner = name.partition("[")[2].removesuffix("]") or name.removeprefix("test_").replace("__", "-")
    return inner.replace(" ", "_")


def _result(case: Case, row: dict[str, Any]) -> Result:
    first = [c["attempts"][0] for c in row["conversations"] if c["attempts"]]
    grades = tuple(fate["grade"] for attempt in first for fate in attempt["carried"])
    unsettled = (p["reason"] for p in row["proofs"] if p["fate"] in ("unproven", "not judged"))
    passed = row["result"] == "passed"
    return Result(case, passed, grades, tuple(unsettled), () if passed else tuple(_failures(row)))


def _failures(row: dict[str, Any]) -> Iterator[str]:
    yield f"outcome {row['outcome']}"
    for conversation in row["conversations"]:
        yield from (f"{c['name']}: {c['message']}" for c in conversation["checks"] if c["status"] == "fail")
    yield from (f"{proof['fate']}: {proof['reason']}" for proof in row["proofs"])
    yield from row["misses"]


def table(results: Sequence[Result]) -> Iterator[str]:
    """The counts by wording, and below them every case that is wrong or undecided, by reason."""
    yield f"{'wording':<15} {'variant':<10} {'cases':>5} {'right':>6} {'wrong':>6} {'undecided':>10}"
    for wording in feedback.WORDINGS:
        for variant in feedback.VARIANTS:
            these = [r for r in results if r.case[2:] == (wording, variant)]
            counts = (len(these), sum(r.right for r in these), sum(not r.right for r in these))
            undecided = sum(r.undecided for r in these)
            yield f"{wording:<15} {variant:<10} {counts[0]:>5} {counts[1]:>6} {counts[2]:>6} {undecided:>10}"
    apps = len({r.case[:2] for r in results})
    red = sum(not r.right for r in results if r.case[3] == "right")
    green = sum(not r.right for r in results if r.case[3] != "right")
    undecided = [r for r in results if r.undecided]
    yield f"{apps} apps, {len(results)} cases: {red} right apps red, {green} lossy apps green, "
    yield f"{len(undecided)} undecided ({len(undecided) / max(len(results), 1):.1%})"
    reasons = Counter("; ".join(sorted(set(r.reasons))) or f"read as {', '.join(r.grades)}" for r in undecided)
    yield from (f"  {number:>4} undecided: {reason}" for reason, number in reasons.most_common())
    yield from (f"  wrong: {'-'.join(r.case)}: {r.grades} {r.reasons}" for r in results if not r.right)
