"""Compare planguard's reading of recorded answers with the SDKs': `python -m tools.sdk_reading FOLDER`.

Ends with 1 where fewer than 99.5 % of the answers are read alike.
"""

from __future__ import annotations

import sys
from pathlib import Path

from .compare import compared

GOAL = 0.995


def main(folder: Path) -> int:
    """Print the figures, then each answer that is read differently."""
    result = compared(folder)
    for dialect, (alike, total) in sorted(result.by_dialect.items()):
        print(f"{dialect:20} {alike:4} of {total:4} alike")
    print(f"{'together':20} {result.alike:4} of {result.total:4} alike, {result.alike / max(result.total, 1):.2%}")
    for reason, times in result.left_out.most_common():
        print(f"left out {times:4}: {reason}")
    for line in result.differences:
        print(line)
    return int(result.alike < GOAL * result.total)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
