"""The results of mutants, and the score of each package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pytest_planguard.statistics import wilson

from .effort import FULL
from .sites import PACKAGES, Mutant, package_of

DEAD = frozenset({"killed", "timeout"})
FORGOTTEN = "forgotten"


def note(work: Path, mutant: Mutant, ended: str, effort: str, killer: str) -> None:
    """Record the result for a mutant as one line in one write."""
    known = {"mutant": mutant.name, "line": mutant.line, "what": mutant.what}
    line = {**known, "result": ended, "effort": effort, "killer": killer}
    with (work / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def results(work: Path) -> dict[str, dict[str, Any]]:
    """Return the last result of each mutant by its name."""
    last = {line["mutant"]: line for line in _lines(work)}
    return {name: line for name, line in last.items() if line["result"] != FORGOTTEN}


def _lines(work: Path) -> Iterator[dict[str, Any]]:
    file = work / "results.jsonl"
    if file.is_file():
        yield from map(json.loads, file.read_text("utf-8").splitlines())


def is_pending(result: dict[str, Any] | None, effort: str) -> bool:
    """Return True if a mutant needs this effort: it has no result, or survived a smaller one."""
    if result is None:
        return True
    return result["result"] not in DEAD and effort == FULL.name and result["effort"] != FULL.name


def forget_alive(work: Path, mutants: Sequence[Mutant]) -> None:
    """Take back the results of surviving mutants, so that they are judged again."""
    known = results(work)
    for mutant in mutants:
        if mutant.name in known and known[mutant.name]["result"] not in DEAD:
            note(work, mutant, FORGOTTEN, "", "")


def score(work: Path, sample: list[Mutant]) -> str:
    """Return the score of each package with its 95 % interval, and a line for each surviving mutant."""
    known = results(work)
    lines = []
    for package in PACKAGES:
        own = [known[one.name] for one in sample if package_of(one) == package and one.name in known]
        dead = sum(one["result"] in DEAD for one in own)
        low, high = wilson(dead, len(own))
        share = 100 * dead / max(len(own), 1)
        lines.append(f"{package}: {dead} of {len(own)} noticed ({share:.1f} %, {100 * low:.1f} to {100 * high:.1f} %)")
    alive = [known[one.name] for one in sample if one.name in known and known[one.name]["result"] not in DEAD]
    lines += [f"{one['mutant']} line {one['line']}: {one['what']} ({one['result']}, {one['effort']})" for one in alive]
    return "\n".join(lines)
