"""What the plugin costs a test session: idle, and with 1,000 answers checked through `planguard.check`.

The answers are good in one case, and in another every fourth breaks its schema, under `--tb=no`.

Prints ratios of CPU time (user and system, of whole pytest processes) over the same session without planguard. The two
sides take turns, so that a machine whose speed drifts slows both, and keep their byte code, as an installed package
does. Run: `python benchmarks/bench_plugin.py [ROUNDS]`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from smoke import byte_code, size

CASES = size(1_000, 4)
WARM = size(1, 0)
"""Rounds that do not count: the first one warms the byte code and the disk."""
IDLE = "def test_nothing():\n    assert True\n"

SCHEMA = """
import json
import pytest
from pydantic import BaseModel, Field
from typing import Literal

class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)

def answer(n):
    return json.dumps({"title": f"Ticket {n}", "priority": "low", "steps": ["look", f"mend {n}"]})

ANSWERS = [answer(n) for n in range(CASES)]
""".replace("CASES", str(CASES))
QUARTER_BAD = """
ANSWERS = [text.replace("low", "urgent") if n % 4 == 0 else text for n, text in enumerate(ANSWERS)]
"""
PLAIN = """
@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(answer):
    assert Ticket.model_validate_json(answer)
"""
PLANGUARD = """
from pytest_planguard import Contract

@pytest.mark.planguard(Contract(Ticket))
@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_answer(planguard, answer):
    assert planguard.check(answer)
"""
OFF = ["-p", "no:cacheprovider", "--tb=no"]
ON = [*OFF, "-p", "pytest_planguard.plugin"]


def main(rounds: int) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        sessions = {"idle": IDLE, "plain": SCHEMA + PLAIN, "checked": SCHEMA + PLANGUARD}
        sessions |= {"plain-bad": SCHEMA + QUARTER_BAD + PLAIN, "checked-bad": SCHEMA + QUARTER_BAD + PLANGUARD}
        for name, text in sessions.items():
            (root / name).mkdir()
            (root / name / "test_it.py").write_text(textwrap.dedent(text), encoding="utf-8")
        print("session / the same without planguard                 CPU ratio: median (of minima), wanted")
        _row(root, "idle: one test, nothing marked", "idle", "idle", rounds, 1.10)
        _row(root, "1,000 answers: planguard.check / pydantic alone", "checked", "plain", rounds, 1.60)
        _row(root, "the same, a quarter of them failing, --tb=no", "checked-bad", "plain-bad", rounds, 1.60)


def _row(root: Path, title: str, ours: str, theirs: str, rounds: int, limit: float) -> None:
    ratios, left, right = [], [], []
    for number in range(rounds + WARM):
        a, b = _cpu_s(root, root / ours, *ON), _cpu_s(root, root / theirs, *OFF)
        if number >= WARM:
            ratios.append(a / b)
            left.append(a)
            right.append(b)
    print(f"{title:<50} {statistics.median(ratios):>7.2f} ({min(left) / min(right):.2f})   (at most {limit:.2f})")


def _cpu_s(root: Path, *arguments: object) -> float:
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **byte_code(root)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before = os.times()
    command = [sys.executable, "-m", "pytest", "-q", *map(str, arguments)]
    ended = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if ended.returncode not in (0, 1):  # 1: some tests failed, as they should
        raise SystemExit(ended.stdout + ended.stderr)
    after = os.times()
    return (after.children_user - before.children_user) + (after.children_system - before.children_system)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else size(21, 1))
