"""What `planguard check` takes for a file of answers: python benchmarks/bench_check.py [LINES [ROUNDS]].

Two processes, one after the other: the command, and a bare loop of json and pydantic over the same file. Each counts
its own CPU time, imports included, and its peak memory. Of 20 answers 15 are good, one good in a fence, four bad.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from smoke import size

LINES, ROUNDS, SMALL = size((100_000, 3, 1_000), (40, 1, 20))
"""Lines and rounds unless others are asked for, and the lines of the small run."""
WANTED, WANTED_MB = 4.0, 100
MODELS = """
from typing import Literal
from pydantic import BaseModel, Field

class Out(BaseModel):
    summary: str = Field(min_length=40)
    recommendation: Literal["approve", "reject", "revise"]
    risks: list[str] = Field(min_length=3)
"""
BARE = """
import json, sys
from models import Out
from pydantic import ValidationError

good = total = 0
with open(sys.argv[1], "rb") as lines:
    for line in lines:
        total += 1
        try:
            Out.model_validate_json(json.loads(line)["output"])
            good += 1
        except ValidationError:
            pass
print(f"{good:,} of {total:,}")
"""


@dataclass(frozen=True)
class Cost:
    """What one process took, and what it said."""

    cpu_s: float
    peak_mb: float
    code: int
    output: str


def main(lines: int, rounds: int) -> int:
    """Print the table; 1 where the command tells other figures for many lines than for few."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "models.py").write_text(MODELS, encoding="utf-8")
        (folder / "bare.py").write_text(BARE, encoding="utf-8")
        few, many = _written(folder / "few.jsonl", SMALL), _written(folder / "many.jsonl", lines)
        small = _cost(folder, *_check(few, "-q"))
        print(f"{lines:,} lines, {many.stat().st_size / 2**20:.0f} MB      bare loop   command   ratio   peak memory")
        for label, options in (("figures only (-q)", ["-q"]), ("bad answers listed", [])):
            pairs = [_round(folder, many, options) for _ in range(rounds)]
            bare, mine = (min(side, key=lambda cost: cost.cpu_s) for side in zip(*pairs, strict=True))
            ratio = mine.cpu_s / bare.cpu_s
            print(f"{label:<28} {bare.cpu_s:>6.2f} s {mine.cpu_s:>7.2f} s {ratio:>7.2f} {mine.peak_mb:>10.0f} MB")
            same = mine.code == small.code == 1 and _good(mine) * SMALL == _good(small) * lines
            print(f"  exit {mine.code}, {_figures(mine)}; of {SMALL:,} lines: exit {small.code}, {_figures(small)}")
            if not same:
                return 1
    print(f"(wanted: ratio at most {WANTED:.0f}, memory at most {WANTED_MB} MB)")
    return 0


def _round(folder: Path, file: Path, options: list[str]) -> tuple[Cost, Cost]:
    return _cost(folder, "bare.py", file.name), _cost(folder, *_check(file, *options))


def _written(path: Path, lines: int) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps({"id": f"case-{n:07}", "output": text}) + "\n" for n, text in _answers(lines))
    return path


def _answers(number: int) -> Iterator[tuple[int, str]]:
    for n in range(number):
        answer = {
            "summary": f"Case {n}: the service moves its sessions to a cache, as latency doubled. {'x' * (n % 60)}",
            "recommendation": ("approve", "reject", "revise")[n % 3],
            "risks": [f"risk {m} of case {n}" for m in range(3 + n % 2)],
        }
        kind = n % 20
        if kind in (1, 2):
            answer["risks"] = answer["risks"][:2]
        elif kind == 3:
            answer["recommendation"] = "maybe"
        elif kind == 4:
            del answer["summary"]
        text = json.dumps(answer)
        yield n, f"Here it is:\n```json\n{text}\n```" if kind == 5 else text


def _check(file: Path, *options: str) -> tuple[str, ...]:
    return "-m", "pytest_planguard", "check", file.name, "-c", "models.py:Out", *options


def _cost(folder: Path, *arguments: str) -> Cost:
    """Run Python and return what that one process took."""
    with (folder / "output").open("w+") as output:
        process = subprocess.Popen([sys.executable, *arguments], cwd=folder, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode, output.read())


def _figures(cost: Cost) -> str:
    return next(line for line in cost.output.splitlines() if line.startswith("answers "))


def _good(cost: Cost) -> int:
    """Return the first number of 'answers      800 of 1,000 meet the contract'."""
    return int(_figures(cost).split()[1].replace(",", ""))


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*given, *(LINES, ROUNDS)[len(given) :]))
