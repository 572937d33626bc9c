"""Print the table: `python -m tools.apps_matrix [--draw 40 --seed 7] [--times] [--frameworks PYTHON] [-n 2]`.

By default every loop has its errors at every position, and the subjects and wordings take turns; `--draw` takes apps at
random instead. Each app runs as it should be and in every broken version. `--frameworks` names the Python of an
environment that has instructor, pydantic-ai and langchain-openai beside this project and its test tools.
"""

from __future__ import annotations

import argparse
import sys
from statistics import median

from . import run


def main() -> int:
    """Run the cases and print what came of them; 1 where an app was misjudged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draw", metavar="NUMBER", type=int, help="so many apps, drawn at random")
    parser.add_argument("--seed", metavar="NUMBER", type=int, default=0, help="of the drawing")
    parser.add_argument("--frameworks", metavar="PYTHON", help="run the apps of frameworks with this interpreter")
    parser.add_argument("--times", action="store_true", help="what the experiments of right apps take, instead")
    parser.add_argument("-n", metavar="WORKERS", default="0", help="workers of pytest-xdist")
    given = parser.parse_args()
    loops = run.FRAMEWORKS if given.frameworks else run.LOOPS
    apps = run.drawn(loops, given.draw, given.seed) if given.draw else run.apps(loops)
    chosen = [case for app in apps for case in run.versions(*app)]
    if given.times:
        taken = run.extra_seconds([case for case in chosen if case[4] == "right"], given.frameworks or sys.executable)
        print(f"{len(taken)} tests: {median(taken):.3f} s more at the median, {max(taken):.3f} s at worst")
        return 0
    wrong = 0
    for name, results in zip(
        ("recorded", "replayed"),
        run.run(chosen, "-n", given.n, start=run.with_python(given.frameworks or sys.executable)),
        strict=True,
    ):
        print(f"\n{name}")
        print(*run.table(results), sep="\n")
        wrong += sum(not result.right for result in results)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
