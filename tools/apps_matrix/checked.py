"""What `planguard check` says of the apps' cassettes: `python -m tools.apps_matrix.checked [--python PYTHON]`.

Every cassette is checked by itself, so by its words alone: right apps, and those that say the same whatever is wrong,
in stock phrases or in the words for another error of the same subject.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from . import run
from .bars import Bar

VERSIONS = ("right", "generic", "blind", "constant of another")
CODES = {0: "green", 1: "red"}
CONTRACTS = """
from app.subjects import SUBJECTS

for name, subject in SUBJECTS.items():
    globals().update({name: subject.contract, f"{name}_submitted": subject.submitted})
"""
EACH = """
import json
import os
import sys

from pytest_planguard.cli.main import main

own = os.getpid()
for command in json.load(sys.stdin) if __name__ == "__main__" else ():
    try:
        sys.argv = ["planguard", *command]
        main()
    except SystemExit as ended:
        if os.getpid() != own:  # a process that was forked to judge a file
            raise
        with open("codes.txt", "a") as file:
            print(ended.code or 0, file=file)
"""


def main() -> int:
    """Record, check, and print the shares; 1 where fewer than 95 % of the wrong ones are red."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", metavar="PYTHON", default=sys.executable, help="the interpreter of the apps")
    python = str(Path(parser.parse_args().python).absolute())
    chosen = [case for app in run.apps(run.LOOPS) for case in run.versions(*app, VERSIONS[-1]) if case[4] in VERSIONS]
    with run.recorded(chosen, start=run.as_installed(python), seconds=60) as folder:
        paths = [row["cassette"]["path"] for row in run.rows_of(folder, chosen)]
        found = _checked(python, folder, chosen, paths)
    bars = [_bar(version, chosen, found) for version in VERSIONS]
    print(*bars, sep="\n")
    for case, color in zip(chosen, found, strict=True):
        if (color == "red") is (case[4] == "right"):
            print(f"  {color}: {'-'.join(case)}")
    return int(not all(bar.ok for bar in bars))


def _bar(version: str, chosen: list[run.Case], found: list[str]) -> Bar:
    counted = Counter(color for case, color in zip(chosen, found, strict=True) if case[4] == version)
    least = None if version == "right" else 95.0
    return Bar(f"{version}: red by reading alone", counted["red"], counted.total(), least=least)


def _checked(python: str, folder: Path, chosen: Sequence[run.Case], paths: Sequence[str]) -> list[str]:
    """Return the colour of each cassette: the command runs once for each, in one process that imports it once."""
    (folder / "contracts.py").write_text(CONTRACTS, encoding="utf-8")
    (folder / "check_all.py").write_text(EACH, encoding="utf-8")
    commands = [["check", path, *_options(case)] for case, path in zip(chosen, paths, strict=True)]
    done = subprocess.run(
        [python, "check_all.py"], cwd=folder, capture_output=True, check=False, input=json.dumps(commands).encode()
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode()[-2000:])
    codes = map(int, (folder / "codes.txt").read_text(encoding="utf-8").split())
    return [CODES[code] for code in codes]


def _options(case: run.Case) -> list[str]:
    coverage = "first" if run.feedback.WORDINGS[case[3]].first else "all"
    contract = f"contracts.py:{case[1]}{'_submitted' if case[0] == 'tool_agent' else ''}"
    return ["--coverage", coverage, "--contract", contract]


if __name__ == "__main__":
    sys.exit(main())
