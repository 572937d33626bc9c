"""Rewrite all pinned decisions, messages, readings and reports: `make decisions`.

Decisions are in tests/*/decisions/pinned, message templates in tests/support/pinned/messages.txt, the readings of
plans in every format in tests/plans/readings, and reports in tests/report/whole. CONTRIBUTING.md explains how to
review a change.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.report.whole.reports import reports
from tests.support.decisions import DIGESTS, PACKAGES, PAGE, TESTS, cases, page, pinned, result
from tests.support.readings import documents, reading
from tests.support.readings import pinned as pinned_reading

_REPORTS = TESTS / "report" / "whole" / "pinned"


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
    for file in _REPORTS.iterdir():
        if file.name not in reports():
            file.unlink()
    for name, drawn in reports().items():
        _write(_REPORTS / name, drawn())


if __name__ == "__main__":
    main()
