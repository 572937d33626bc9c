"""Rewrite all pinned decisions, messages, readings and outputs: `make decisions`.

Decisions are in tests/*/decisions/pinned, message templates in tests/support/pinned/messages.txt, the readings of
plans in every format in tests/plans/readings, and whole outputs in tests/*/whole. CONTRIBUTING.md explains how to
review a change.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.whole.printed import outputs as outputs_of_commands
from tests.contract.whole.strength import outputs as outputs_of_strength
from tests.plugin.whole.sessions import outputs as outputs_of_sessions
from tests.report.whole.reports import reports
from tests.runs.whole.comparisons import outputs as outputs_of_runs
from tests.support.decisions import DIGESTS, PACKAGES, PAGE, TESTS, cases, page, pinned, result
from tests.support.readings import documents, reading
from tests.support.readings import pinned as pinned_reading
from tests.support.whole import write_pinned


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Judge every input, and write the decisions."""
    every = {(package, case): result(case) for package in PACKAGES for case in cases(package)}
    for (package, case), made in every.items():
        _write(pinned(package, case), made.text)
    gone = {file for package in PACKAGES for file in (TESTS / package / "decisions" / "pinned").iterdir()}
    for file in gone - {pinned(package, case) for package, case in every}:
        file.unlink()
    _write(PAGE, page(every.values(), PAGE.read_text(encoding="utf-8")))
    digests = {f"{package}/{case.__name__}": made.inputs for (package, case), made in every.items()}
    _write(DIGESTS, f"{json.dumps(digests, indent=1, sort_keys=True)}\n")
    for document in documents(TESTS / "plans" / "readings" / "documents"):
        _write(pinned_reading(document), reading(document.read_text("utf-8"), document.name, document.parent.name))
    write_pinned(TESTS / "report" / "whole" / "pinned", reports())
    write_pinned(TESTS / "contract" / "whole" / "pinned", outputs_of_strength())
    write_pinned(TESTS / "cli" / "whole" / "pinned", outputs_of_commands())
    write_pinned(TESTS / "plugin" / "whole" / "pinned", outputs_of_sessions())
    write_pinned(TESTS / "runs" / "whole" / "pinned", outputs_of_runs())


if __name__ == "__main__":
    main()
