"""Counts the mutation matrix of `carried` and prints it as tables: python tools/carried_matrix.py [--shared FOLDER]."""

from __future__ import annotations

import argparse
import csv
import importlib.util
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from pytest_planguard.contract.contract import Contract  # noqa: E402 - the tests are found from the root
from tests.retry.matching.matrix import Case, local_cases, lookalikes, mutants, result, shared_cases  # noqa: E402

RESULTS = ("lost", "unread", "carried")


def ticket(folder: Path) -> Contract:
    """The contract of the local model's loops, from the script that recorded them."""
    spec = importlib.util.spec_from_file_location("contract", folder / "scripts" / "contract.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Contract(module.Ticket, extract="whole")


def retries(folder: Path) -> list[Path]:
    """The recordings that the index lists with a retry."""
    with (folder / "index.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if int(row["retry_steps"] or 0)]
    return [folder / row["repo"].replace("/", "__") / row["path"] for row in rows]


def table(cases: Iterable[Case], *, verbose: bool = False) -> str:
    """One row a mutation: cases, and with known wordings on and off what the retries are judged to be."""
    counts: Counter[tuple[str, str]] = Counter()
    expected: dict[str, bool] = {}
    for case in cases:
        for name, spoiled in mutants(case):
            expected[name] = spoiled.carried
            counts[name, "n"] += 1
            for known in (True, False):
                told = result(spoiled, case, known_wordings=known)
                counts[name, f"{told} {known}"] += 1
                if verbose and (told == "carried") is not spoiled.carried:
                    print(f"  {name}, known={known}: {told}: {case.name}: {case.errors[:2]}")
    head = "| mutation | cases | must be | lost, known / off | unread, known / off | carried, known / off |"
    lines = [head, "|---|---|---|---|---|---|"]
    for name, carried in expected.items():
        cells = (f"{counts[name, f'{told} True']} / {counts[name, f'{told} False']}" for told in RESULTS)
        lines.append(f"| {name} | {counts[name, 'n']} | {'carried' if carried else 'lost'} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, help="folder with local_model/ and recordings/")
    parser.add_argument("--verbose", action="store_true", help="name every case that is judged wrong")
    chosen = parser.parse_args()
    print("## Look-alikes\n\n" + table(lookalikes(), verbose=chosen.verbose))
    if chosen.shared:
        local = chosen.shared / "local_model"
        files = sorted(p for arm in ("feedback", "inject") for p in (local / "cassettes" / arm).glob("*.yaml"))
        print("\n## Local model\n\n" + table(local_cases(files, ticket(local)), verbose=chosen.verbose))
        recordings = retries(chosen.shared / "recordings")
        print("\n## Real recordings\n\n" + table(shared_cases(recordings), verbose=chosen.verbose))


if __name__ == "__main__":
    main()
