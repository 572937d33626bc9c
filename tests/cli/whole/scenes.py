"""What commands print about folders made for them: waiting pipelines, recorded searches, histories, reviews."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_planguard.pipeline.history import AttemptHistory
from pytest_planguard.pipeline.matrix import AttemptRecord
from pytest_planguard.pipeline.state_files import Pause, RunState, write_pause
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure, write_baseline
from pytest_planguard.runs.model.run import RunHeader
from pytest_planguard.runs.snapshots import PendingSnapshot, PendingStore
from pytest_planguard.runs.store.store import Store

from ...support.runs import attempt, bad, case, finding, good
from ...support.whole import Outputs
from ..test_search_command import write_searches
from .session import printed


def scenes() -> Outputs:
    """Return what makes the output of each scene."""
    return {f"{name}.txt": partial(_played, make, lines) for name, (make, lines) in _SCENES.items()}


def _played(make: Callable[[Path], None], lines: str) -> str:
    before = Path.cwd()
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            make(Path())
            return printed(lines)
        finally:
            os.chdir(before)


def _gates(here: Path) -> None:
    """Write folders of runs: free, waiting, waiting with odd files beside, and with tasks that have answered."""
    findings: tuple[dict[str, Any], ...] = (
        {"path": ["steps", 1, "name"], "message": "expected a name"},
        {"path": [], "message": "two\nlines"},
        {"path": "steps"},
    )
    pause = Pause("go:Do Not Execute", "Expert\tTask", "Do Not\nExecute", "yesterday", "p1", findings)
    for name in ("waits", "stops", "stale", "odd"):
        (here / name).mkdir()
        write_pause(here / name, pause)
    (here / "stale" / "resume.json").write_text('{"pause": "p0"}')
    (here / "odd" / "abort.json").write_text("no JSON")
    (here / "odd" / "resume.json").write_text("[]")
    (here / "broken").mkdir()
    (here / "broken" / "pause.json").write_text('{"task": 1}')
    for name in ("free", "one", "changed"):
        (here / name).mkdir()
    for name in ("one", "stale"):
        RunState(here / name).answered("plan", "a")
    state = RunState(here / "changed")
    state.answered("plan", "a")
    state.answered("budget", "b")
    state.answered("steps\n", "c", ["plan", "budget"])
    state.answered("tests", "d", ["steps\n"])
    state.answered("plan", "e")
    state.answered("budget", "f")


def _searches(here: Path) -> None:
    """Write steps with their tapes, and files that are none."""
    write_searches(here)
    for name, text in {"text": '"tape"', "nothing": "null", "kind": '{"version": 1, "category": 1}'}.items():
        (here / f"{name}.json").write_text(text)
    (here / "odd.json").write_text(
        json.dumps({**json.loads((here / "tapes" / "easy.json").read_text()), "category": 1})
    )
    (here / "tapes" / "deeper").mkdir()
    (here / "tapes" / "deeper" / "late.json").write_text((here / "tapes" / "hard.json").read_text())
    (here / "none").mkdir()
    (here / "file").touch()


def _figures(here: Path) -> None:
    """Write kept runs, a history of attempts, and a log of errors."""
    retried = case("a", attempt("1", finding("missing", ("x",))), attempt("2"), task="Levers", model="m1")
    when = RunHeader("x", created="2026-05-01T10:20:30+00:00", commit="0123456789abcdef")
    Store(here).save("main", when, [retried, bad("b", model="m2"), replace(good("c"), stale=("changed",))])
    Store(here).save("last", RunHeader("x"), [good("a")])
    history = AttemptHistory(here / "history.jsonl")
    for number, result in enumerate(("pass", "fail:content", "error:transport", "pass")):
        history.append(AttemptRecord(("Levers", "Plan")[number // 3], f"m{number % 2}", result, float(number)))
    partly = (here / "history.jsonl").read_text() + "hello\nhello\n"
    (here / "partly.jsonl").write_text(partly)
    (here / "foreign.jsonl").write_text("hello\nhello\n")
    (here / "one-foreign.jsonl").write_text("hello\n")
    log = [
        {"model": "m", "step": "levers", "error": "ValueError('Could not extract json string from output: ')"},
        {"task": "levers", "step": "other", "error": "ReadTimeout('timed out')"},
        {"model": "m", "error": "ReadTimeout('timed out')"},
        {"model": "m", "error": "who knows"},
        {"error": "ValueError('Could not extract json string from output: ')"},
    ]
    (here / "errors.json").write_text(json.dumps(log))
    (here / "empty.json").write_text("[]")
    (here / "mixed.json").write_text('[{"error": "x"}, 1]')
    (here / "broken.json").write_text("{")


def _reviews(here: Path) -> None:
    """Write what a review has to decide: snapshots, an expected value, and failures that a list gets wrong."""
    snapshot = here / "__snapshots__" / "test_a.pgsnap"
    snapshot.parent.mkdir()
    snapshot.write_text("1\n")
    store = PendingStore(here)
    store.keep(PendingSnapshot("test_a.py::test_x", snapshot.as_posix(), "1\n", "2\n", "  1 -> 2"))
    store.keep(PendingSnapshot("test_b.py::test_y", "__snapshots__/test_b.pgsnap", None, "1\n", "  1"))
    store.keep(PendingSnapshot("test_c.py::test_z", "__snapshots__/gone.pgsnap", "1\n", "2\n", "  1 -> 2"))
    (here / "cases.jsonl").write_text('{"name": "b", "expected": 3}\n')
    store.keep(PendingSnapshot("test_d.py::test_w[b]", "cases.jsonl", "1", "2", "  1 -> 2", "b"))
    known = [
        KnownFailure("old", "missing", ("a",), "2025-01-01", expires="2026-01-01", owner="Ada", reason="a slow fix"),
        KnownFailure("gone", "missing", ("a",)),
        KnownFailure("known", "missing", ("a",)),
    ]
    write_baseline(here / "known.json", Baseline(tuple(known)))
    Store(here).save("last", RunHeader("last"), [bad("new"), bad("old"), good("gone"), bad("known")])


_SCENES: dict[str, tuple[Callable[[Path], None], str]] = {
    "gates": (
        _gates,
        """
        gate status --run-dir free
        gate status --run-dir waits
        gate resume --run-dir waits --note 'the budget was raised'
        gate status --run-dir waits
        gate resume --run-dir waits
        gate abort --run-dir waits
        gate status --run-dir waits
        gate abort --run-dir waits
        gate abort --run-dir stops
        gate resume --run-dir stops
        gate resume --run-dir free
        gate status --run-dir stale
        gate status --run-dir odd
        gate status --run-dir broken
        gate resume --run-dir broken
        gate status --run-dir one
        gate status --run-dir changed
        gate status
        gate resume --run-dir waits/pause.json
        gate go
        """,
    ),
    "searches": (
        _searches,
        """
        search steps.py:STEPS tapes
        search steps.py:STEPS tapes/hard.json tapes --policy cbj,full --budget 10
        search steps.py:STEPS tapes --policy ' cbj , blind ' --format markdown
        search steps.py:made tapes/hard.json --policy dfs,full --budget 4 --format json
        search steps.py:STEPS tapes/hard.json --budget 0
        search steps.py:STEPS tapes/hard.json --level low
        search steps.py:LEVELS tapes/hard.json
        search steps.py:LEVELS tapes/hard.json --level minimal
        search steps.py:LEVELS tapes/hard.json --level low
        search steps.py:STEPS tapes/hard.json --policy ''
        search steps.py:STEPS tapes/hard.json --html tree.html --curve curve.svg
        search steps.py:STEPS tapes/hard.json --html tapes
        search steps.py:STEPS tapes/hard.json --curve file/curve.svg
        search steps.py:STEPS none
        search steps.py:STEPS none tapes/deeper/none
        search steps.py:STEPS text.json
        search steps.py:STEPS nothing.json
        search steps.py:STEPS kind.json
        search steps.py:STEPS odd.json
        search steps.py:OTHER tapes
        search steps.py:BROKEN tapes
        search steps.py:NONE tapes
        search steps.py:failing tapes
        search steps.py:STEPS
        """,
    ),
    "figures": (
        _figures,
        """
        report
        report --format json
        report --format markdown
        report last
        report main --format json
        report main --tasks
        report --tasks
        report main --tasks --format json
        report main --tasks --format markdown
        report --matrix history.jsonl
        report --matrix history.jsonl --format json
        report --matrix history.jsonl --format markdown
        report --matrix partly.jsonl
        report --matrix foreign.jsonl
        report --matrix one-foreign.jsonl
        report --matrix errors.json
        report --matrix empty.json
        report --matrix mixed.json
        report --matrix broken.json
        report --matrix .planguard
        report main --matrix history.jsonl
        report --extract whole
        report main -o report.txt
        report main -o report.junit --format json
        """,
    ),
    "reviews": (
        _reviews,
        """
        review
        review --baseline known.json
        review --baseline nothing.json
        """,
    ),
}
