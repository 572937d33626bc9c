"""Run apps in this environment and keep the results: `python -m tools.frameworks.run NAME... [-k WORDS]`.

Writes, for each app, `cassettes/frameworks/NAME/CASE.correct.yaml` and `CASE.broken.yaml`, and `results.json` with the
versions and the result of each case. Exits with 1 if a correct app fails or a broken one passes.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from pytest_planguard.testing.example import Run

from .project import Result, examine, literal

KEPT = Path(__file__).parents[2] / "cassettes" / "frameworks"


def main() -> int:
    """Run the named apps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("app", nargs="+")
    parser.add_argument("-k", default="", dest="only", help="as pytest's -k")
    args = parser.parse_args()
    right = [_app(app, args.only) for app in args.app]
    return int(not all(right))


def _app(app: str, only: str) -> bool:
    results, runs = examine(app, only)
    folder = KEPT / app
    folder.mkdir(parents=True, exist_ok=True)
    _keep_results(app, folder / "results.json", results)
    for result in results:
        print("ok    " if result.right else "WRONG ", app, result.case, result.transport, *result.grades)
        if not result.right:
            print(f"       {asdict(result)}")
        elif not any(word in result.case for word in literal(app, "NOT_KEPT", [])):
            for way, run in (("correct", runs["recorded"]), ("broken", runs["broken"])):
                (folder / f"{result.case}.{way}.yaml").write_text(_recording(run, result.case), encoding="utf-8")
    if not all(r.right for r in results):
        for way, run in runs.items():
            print(f"--- {way}\n{run.output[-20_000:]}")
    return all(r.right for r in results)


def _keep_results(app: str, path: Path, results: list[Result]) -> None:
    """Write the results; a run of some cases keeps the results of the others."""
    kept = {c["case"]: c for c in json.loads(path.read_text())["cases"]} if path.exists() else {}
    kept.update({r.case: asdict(r) for r in results})
    versions = {name: version(name) for name in literal(app, "SHOWN", literal(app, "PACKAGES", []))}
    python = ".".join(map(str, sys.version_info[:2]))
    data = {"app": app, "python": python, "versions": versions, "cases": [kept[case] for case in sorted(kept)]}
    path.write_text(json.dumps(data, indent=1) + "\n")


def _recording(run: Run, case: str) -> str:
    (path,) = [p for p in run.example.paths(".yaml") if p.rpartition("/")[2].startswith(f"test_app-{case}-")]
    return run.example.read(path)


if __name__ == "__main__":
    sys.exit(main())
