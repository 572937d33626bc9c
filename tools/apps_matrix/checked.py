"""What `planguard check` says of the apps' recordings: `python -m tools.apps_matrix.checked [--python PYTHON]`.

Every recording is checked by itself, so by its words alone: right apps, and those that say the same whatever is wrong,
in stock phrases or in the words for another error of the same subject.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from pathlib import Path

from . import run
from .bars import Bar
from .project.app import subjects

VERSIONS = ("right", "generic", "blind", "constant of another")
CODES = {0: "green", 1: "red"}


def main() -> int:
    """Record, check, and print the shares; 1 where fewer than 95 % of the wrong ones are red."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", metavar="PYTHON", default=sys.executable, help="the interpreter of the apps")
    python = str(Path(parser.parse_args().python).absolute())
    chosen = [case for app in run.apps(run.LOOPS) for case in run.versions(*app, VERSIONS[-1]) if case[4] in VERSIONS]
    with run.recorded(chosen, start=run.as_installed(python), seconds=60) as folder:
        paths = [row["recording"]["path"] for row in run.rows_of(folder, chosen)]
        found = [_checked(python, folder, case, path) for case, path in zip(chosen, paths, strict=True)]
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


def _checked(python: str, folder: Path, case: run.Case, path: str) -> str:
    model = subjects.SUBJECTS[case[1]].model.__name__
    coverage = "first" if run.feedback.WORDINGS[case[3]].first else "all"
    command = ["-c", "from pytest_planguard.cli.main import main; main()", "check", path, "--coverage", coverage]
    done = subprocess.run(
        [python, *command, "-c", f"app/subjects.py:{model}"], cwd=folder, capture_output=True, check=False
    )
    if done.returncode not in CODES:
        raise RuntimeError(f"{path}: {done.stdout.decode()[-500:]} {done.stderr.decode()[-500:]}")
    return CODES[done.returncode]


if __name__ == "__main__":
    sys.exit(main())
