"""Draw apps: `python -m tools.apps_matrix.draw --seed 7 --count 40 [--python PYTHON] [-n 2]`.

Loops, subjects and wordings come from tables of their own, which are not to be looked at when a rule is written; each
app runs as it should be and in every broken version, two of which are of the drawn apps alone. Prints what
`python -m tools.apps_matrix` prints.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from . import bars, run
from .project.app import feedback


def main() -> int:
    """Draw, run, and print what came of it; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", metavar="NUMBER", type=int, required=True, help="of the drawing")
    parser.add_argument("--count", metavar="NUMBER", type=int, default=40, help="of apps")
    parser.add_argument("--python", metavar="PYTHON", default=sys.executable, help="the interpreter of the apps")
    parser.add_argument("-n", metavar="WORKERS", default="0", help="workers of pytest-xdist")
    given = parser.parse_args()
    apps = run.drawn(given.count, given.seed)
    chosen = [case for app in apps for case in run.versions(*app, *feedback.FURTHER)]
    start = run.as_installed(str(Path(given.python).absolute()))
    return bars.printed(run.run(chosen, "-n", given.n, start=start))


if __name__ == "__main__":
    sys.exit(main())
