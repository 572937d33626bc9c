"""Print the table: `python -m tools.apps_matrix [--part 1/4] [--python PYTHON] [-n 2]`.

By default every loop has its errors at every position, and the subjects and wordings take turns. Each app runs
correctly and in every broken version, with all installed plugins. The shares of the results are compared with limits.
`--python` names an interpreter that has this project with its extra `all`, pytest-recording, pytest-asyncio, anyio and
the SDKs.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ..sessions import with_python
from . import bars, run


def main() -> int:
    """Run the cases and print the results; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", metavar="PYTHON", default=sys.executable, help="the interpreter of the apps")
    parser.add_argument("--part", metavar="K/N", help="every Nth app alone, from the Kth on")
    parser.add_argument("-n", metavar="WORKERS", default="0", help="workers of pytest-xdist")
    given = parser.parse_args()
    apps = run.apps(run.LOOPS)
    if given.part:
        number, parts = map(int, given.part.split("/"))
        apps = apps[number - 1 :: parts]
    chosen = [case for app in apps for case in run.versions(*app)]
    start = with_python(str(Path(given.python).absolute()))
    return bars.printed(run.run(chosen, "-n", given.n, start=start, plugins=None))


if __name__ == "__main__":
    sys.exit(main())
