"""Every benchmark in one go, each in a process of its own: python benchmarks/run.py [--quick].

All figures are ratios of one run: to a floor (bare pytest, a bare loop, a bare parse) or to a peer (plain vcrpy).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TABLES = (
    ("A session with the plugin, over bare pytest (and pydantic)", "bench_plugin.py", "21", "5"),
    ("The record of a run, as a share of its session", "bench_records.py", "5", "1"),
    ("A driven conversation, over a bare loop of json and pydantic", "bench_converge.py", "", ""),
    ("A replayed request, beside plain vcrpy", "bench_replay.py", "", "--quick"),
    ("Whole cassettes opened and replayed, beside plain vcrpy", "bench_cassettes.py", "", "--quick"),
    (
        "A file of answers through planguard check, over a bare loop",
        "bench_check.py",
        "",
        "20000 1",
    ),
    ("A watched stream, over iterating it through the SDK", "bench_stream.py", "", "--quick"),
    ("A judged plan, over the bare parse of its text", "bench_plans.py", "", ""),
    ("A made-up answer, over Hypothesis' own instance of the model", "bench_generated.py", "", ""),
)
"""Title, script, and its argument in a full and in a quick run."""


def main() -> int:
    """Print every table; 1 where a script failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds, rougher figures")
    quick = parser.parse_args().quick
    failed = 0
    for title, script, full, short in TABLES:
        print(f"\n{title}\n{'-' * len(title)}", flush=True)
        argument = short if quick else full
        failed |= subprocess.run([sys.executable, HERE / script, *argument.split()], check=False).returncode
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
