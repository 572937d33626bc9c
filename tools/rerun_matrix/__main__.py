"""`python -m tools.rerun_matrix PYTHON ...`: 20 shuffled orders in each Python's environment, alone and with `-n 2`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from ..sessions import Start, with_python
from .run import SHARING, WRITING, differences, run, write


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs="+", metavar="PYTHON", help="of environments with pytest and its plugins")
    parser.add_argument("--orders", type=int, default=20)
    args = parser.parse_args()
    return max([compare(str(Path(python).absolute()), args.orders) for python in args.pythons])


def compare(python: str, orders: int) -> int:
    """Compare every order; print a line for each, and the differences."""
    bad = 0
    with tempfile.TemporaryDirectory(prefix="reruns-") as name:
        write(Path(name))
        start = with_python(python, timeout_s=600)
        for order in range(orders):
            for more in ((), ("-n", "2")):
                bad += _compared(Path(name), start, order, *more)
    print(f"{python}: {orders} orders, alone and with -n 2: {bad} differ")
    return int(bad > 0)


def _compared(folder: Path, start: Start, order: int, *more: str) -> int:
    env = {"ORDER": str(order), "DJANGO_SETTINGS_MODULE": "site_settings", "PYTHONPATH": str(folder)}
    shuffled_here = ("-p", "no:randomly")
    one, other = (run(folder, start, prove, *shuffled_here, *more, **env) for prove in ("never", "auto"))
    found = [*differences(one, other)]
    if other.off != WRITING | SHARING:
        found.append(f"not run again: {sorted(other.off)}")
    print(f"order {order} {' '.join(more) or 'alone'}: {dict(other.gradings)}", *found, sep="\n", flush=True)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
