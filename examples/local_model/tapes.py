"""Record the tapes of examples/planning: every answer that a policy without feedback can ask for, for each problem.

.venv/bin/python examples/local_model/tapes.py        while server.py runs; record.py does both
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TAPES = ROOT / "examples" / "planning" / "tapes"


def main() -> None:
    """Write one tape for each problem."""
    sys.path.insert(0, str(ROOT))
    from examples.planning.steps import PROBLEMS, pipeline
    from pytest_planguard import CallTape

    TAPES.mkdir(exist_ok=True)
    for name, (problem, category) in PROBLEMS.items():
        tape = CallTape.record(pipeline(problem))
        data = {"category": category, "problem": problem, **tape.data()}
        (TAPES / f"{name}.json").write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{name}: {len(tape.answers)} answers", flush=True)


if __name__ == "__main__":
    main()
