"""Generate the project, record every case against a loopback server, replay it, and count the results."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.lookalike.model import Answer
from tests.support.lookalike.server import Lookalike, _Handler
from tests.support.lookalike.spelling import Spelling

from ..sessions import Start, environment, failed_checks, grades, rows
from .project.app import feedback, subjects, wordings

PROJECT = Path(__file__).parent / "project"
LOOPS = (
    *("raw", "openai_sdk", "openai_stream", "openai_responses", "anthropic_sdk", "tool_agent", "in_the_prompt"),
    *("system_note", "quoting", "remembering", "gives_up", "fixture", "asynchronous", "openai_async", "anyio"),
    *("unittest", "isolated"),
)
CANNOT_RUN = ("other fixture",)
"""Loops whose tests cannot be rerun separately."""
INI = """[pytest]
planguard_prove_fixtures = app
planguard_prove_seconds = 60
asyncio_default_fixture_loop_scope = function
filterwarnings = ignore
"""
_NUMBER = re.compile(r"\bCase (\d+)\.")
CLOSED = "http://127.0.0.1:9"
"""No server answers here."""
PLUGINS = ("planguard", "asyncio", "anyio", "xdist")
"""The suite's plugins. The tool uses all installed ones, like a user's pytest."""
Case = tuple[str, str, str, str, str]
"""Loop, subject, position of the errors, wording and version."""


@dataclass(frozen=True)
class Result:
    """The result of one case."""

    case: Case
    passed: bool
    grades: tuple[str, ...]
    """Grades of the findings that the version feeds back."""
    reasons: tuple[str, ...]
    """Reasons of the inconclusive proofs."""
    failed: tuple[str, ...] = ()
    """From the row of a failed test: its outcome, failed checks, and requests without an answer."""

    @property
    def version(self) -> str:
        """The way in which the app handles errors."""
        return self.case[4]

    @property
    def names(self) -> bool:
        """True if its words contain a name, a number or a value."""
        return feedback.WORDINGS[self.case[3]].names

    @property
    def color(self) -> str:
        """The result: "red"; "unclear" if the test passes with a warning; else the weakest of "reacts" and "proven"."""
        weakest = next((grade for grade in ("unclear", "reacts") if grade in self.grades), "proven")
        return weakest if self.passed else "red"

    @property
    def right(self) -> bool:
        """True if the test of a correct app passes, and that of a broken one fails."""
        return self.passed == (self.version == "right")

    @property
    def undecided(self) -> bool:
        """True if a finding is neither shown to be fed back nor missing, nor in words that need no experiment."""
        return not {"proven", "reacts", "verbatim", "missing", "wrong"} >= set(self.grades)


class Scripted(_Handler):
    """Gives the case's bad answer first, and a good one after any second request."""

    chosen: Sequence[Case]
    asked: Counter[int]
    """The number of requests of each case."""

    def _answer(self, _: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        text = "\n".join(turn.text for turn in spelling.turns(body))
        number = int(_NUMBER.findall(text)[-1])
        self.asked[number] += 1
        told = answers(self.chosen[number])[self.asked[number] - 1]
        tools = json.dumps([body.get("tools"), body.get("toolConfig")])
        self._say(Answer(told, "submit" if "submit" in tools else None), spelling, body, stream=stream)


def answers(case: Case) -> list[str]:
    """Return the model's answers to a case, in order: a stale app needs two bad answers."""
    _, subject, position, _, version = case
    asked = subjects.SUBJECTS[subject]
    again = [asked.bad(feedback.following(position))] if version == "stale" else []
    return [asked.bad(position), *again, json.dumps(asked.good)]


def scripted(chosen: Sequence[Case]) -> Lookalike:
    """Return a loopback server that answers from the script, in the form of any provider."""
    return Lookalike(handler=type("Handler", (Scripted,), {"chosen": chosen, "asked": Counter()}))


def versions(loop: str, subject: str, position: str, wording: str, *more: str) -> list[Case]:
    """Return an app in its correct version, and in each broken version that differs from it."""
    told = [v for v in (*feedback.VERSIONS, *more) if feedback.is_broken(subject, position, wording, v) is not None]
    return [(loop, subject, position, wording, version) for version in told]


def apps(loops: Sequence[str]) -> list[tuple[str, str, str, str]]:
    """Return each loop with errors at every position, so that all subjects and wordings take turns."""
    places = [(loop, position) for loop in loops for position in subjects.POSITIONS]
    asked = list(subjects.SUBJECTS)
    named = list(wordings.WORDINGS)
    return [(loop, asked[n % len(asked)], position, named[n % len(named)]) for n, (loop, position) in enumerate(places)]


def run(
    chosen: Sequence[Case], *args: str, start: Start, plugins: Sequence[str] | None = PLUGINS
) -> list[list[Result]]:
    """Record the cases, then replay them offline, and return the results of both. No `plugins`: all installed ones."""
    server = scripted(chosen)
    with tempfile.TemporaryDirectory(prefix="matrix-") as name:
        folder = Path(name)
        shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
        (folder / "pytest.ini").write_text(INI, encoding="utf-8")
        (folder / "cases.json").write_text(json.dumps(chosen), encoding="utf-8")
        try:
            _pytest(start, folder, server.origin, plugins, "--planguard-record=missing", *args)
        finally:
            server.stop()
        first = _results(folder, chosen)
        _pytest(start, folder, CLOSED, plugins, *args)
        return [first, _results(folder, chosen)]


def _pytest(start: Start, folder: Path, origin: str, plugins: Sequence[str] | None, *args: str) -> None:
    named = [word for plugin in plugins or () for word in ("-p", plugin)]
    command = ["pytest", "-q", "--tb=no", f"--rootdir={folder}", "-p", "no:cacheprovider", *named]
    alone = {} if plugins is None else {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    env = {**environment(), **alone, "MATRIX_ORIGIN": origin}
    done = start([*command, *args], folder, env)
    if done.returncode > 1:
        raise RuntimeError(f"{' '.join(args)}\n{done.stdout.decode()[-4000:]}\n{done.stderr.decode()[-2000:]}")


def rows_of(folder: Path, chosen: Sequence[Case]) -> list[dict[str, Any]]:
    """Return the rows of the last run, in the order of the cases."""
    found = {_key(test): row for test, row in rows(folder).items()}
    return [found["-".join(case).replace(" ", "_")] for case in chosen]


def _results(folder: Path, chosen: Sequence[Case]) -> list[Result]:
    return [_result(case, row) for case, row in zip(chosen, rows_of(folder, chosen), strict=True)]


def _key(test: str) -> str:
    name = test.rpartition("::")[2]
    inner = name.partition("[")[2].removesuffix("]") or name.removeprefix("test_").replace("__", "-")
    return inner.replace(" ", "_")


def _result(case: Case, row: dict[str, Any]) -> Result:
    tried = [attempt for c in row["judged"] for attempt in c["attempts"]]
    tried = tried[1:] if case[4] == "stale" else tried  # the errors of the first answer are fed back correctly
    unsettled = (p["reason"] for p in row["proofs"] if p["result"] in ("unproven", "not judged"))
    passed = row["result"] == "passed"
    return Result(case, passed, tuple(grades(tried)), tuple(unsettled), () if passed else tuple(_failures(row)))


def _failures(row: dict[str, Any]) -> Iterator[str]:
    yield f"outcome {row['outcome']}"
    yield from failed_checks(row)
    yield from (f"{proof['result']}: {proof['reason']}" for proof in row["proofs"])
    yield from row["misses"]


def wrong(results: Sequence[Result]) -> Iterator[str]:
    """Yield the number of apps and cases, then every wrong case."""
    yield f"{len({r.case[:4] for r in results})} apps, {len(results)} cases"
    yield from (f"  wrong: {'-'.join(r.case)}: {r.grades} {r.failed} {r.reasons}" for r in results if not r.right)
