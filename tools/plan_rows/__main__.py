"""Break the code once for each promise, in a copy, and print the table of tests that turned red.

python -m tools.plan_rows > tests/plans/ROWS.md        # some minutes
python -m tools.plan_rows 19 63 > tests/plans/ROWS.md  # breaks these rows alone; the table has all
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection
from pathlib import Path

from .breaks import BREAKS, LEFT, Break

ROOT = Path(__file__).parents[2]
FOLDERS = ("pytest_planguard", "tests", "fixtures", "cassettes")
HEAD = """\
# Promises about plans of other systems

Each promise has a test. The test was seen to fail: the code was changed as the last column says, in a copy, the test
turned red, and it is green on the code as it is. The numbers are those in the docstrings of the tests. Written by
`python -m tools.plan_rows`.

| row | promise | test (below tests/plans) | what turned it red |
|---|---|---|---|
"""


def passes(copy: Path, test: str) -> bool:
    """Return whether a test passes in the copy."""
    command = [sys.executable, "-m", "pytest", f"tests/plans/{test}", "-q", "-x", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{test} could not be run:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.returncode == 0


def is_caught(copy: Path, one: Break) -> bool:
    """Return whether the test turns red while the code is broken; the code is restored afterwards."""
    file = copy / "pytest_planguard" / one.file
    sound = file.read_text(encoding="utf-8")
    if sound.count(one.old) < 1:
        raise SystemExit(f"row {one.row}: {one.old!r} does not stand in {one.file}")
    file.write_text(sound.replace(one.old, one.new, 1), encoding="utf-8")
    try:
        return not passes(copy, one.test)
    finally:
        file.write_text(sound, encoding="utf-8")


def line(one: Break) -> str:
    """Return the row of the table."""
    old, new = (" ".join(text.split()).replace("|", "\\|") for text in (one.old, one.new))
    change = f"`{old[:60]}` → `{new[:60]}`" if new else f"without `{old[:60]}`"
    return f"| {one.row} | {one.promise} | `{one.test}` | {change} in `{one.file}` |"


def page() -> str:
    """Return the table with all rows."""
    left = "\n".join(f"- Row {row}: {why}." for row, why in LEFT)
    return HEAD + "\n".join(map(line, BREAKS)) + f"\n\n## Without a test of the product\n\n{left}\n"


def main(rows: Collection[int]) -> int:
    """Print the table; 1 where a broken promise went unnoticed or a test is red on sound code.

    Args:
        rows: which rows to break; empty for all of them.
    """
    asked = [one for one in BREAKS if not rows or one.row in rows]
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "work"
        copy.mkdir()
        for folder_name in FOLDERS:
            shutil.copytree(ROOT / folder_name, copy / folder_name)
        shutil.copy(ROOT / "pyproject.toml", copy)
        bad += [f"red on sound code: {test}" for test in sorted({one.test for one in asked}) if not passes(copy, test)]
        bad += [f"not noticed: row {one.row}, {one.promise}" for one in asked if not is_caught(copy, one)]
    print(page(), end="")
    print("\n".join(bad), file=sys.stderr)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main({int(word) for word in sys.argv[1:]}))
