"""Judges the cases and counts: `python -m tools.feedback_matrix.known TEXTS.json first|second [-k WORD]`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from .cases import cases, halves


def main() -> None:
    """One row a validator: faults told and false alarms, faults not told and misses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path)
    parser.add_argument("half", choices=["first", "second"])
    parser.add_argument("-k", default="", dest="only")
    parser.add_argument("--verbose", action="store_true")
    chosen = parser.parse_args()
    texts = json.loads(chosen.texts.read_text(encoding="utf-8"))
    names = halves(list(texts))[chosen.half == "second"]
    counts: Counter[tuple[str, str]] = Counter()
    for case in cases(texts, [n for n in names if chosen.only in n]):
        alarms, misses = case.misjudged()
        for name in (case.validator, "all"):
            counts[name, "cases"] += 1
            counts[name, "told"] += len(case.told)
            counts[name, "alarms"] += len(alarms)
            counts[name, "lost"] += len(case.answer) - len(case.told)
            counts[name, "misses"] += len(misses)
        if chosen.verbose and (alarms or misses):
            print(f"## {case.name}\nALARM {alarms} MISS {misses}\n{case.text[:600]}\n")
    print("| validator | cases | told | false alarms | not told | misses |\n|---|---|---|---|---|---|")
    for name in sorted({n for n, _ in counts}, key=lambda n: (n == "all", n)):
        row = [counts[name, what] for what in ("cases", "told", "alarms", "lost", "misses")]
        print(f"| {name} | {' | '.join(map(str, row))} |")


if __name__ == "__main__":
    main()
