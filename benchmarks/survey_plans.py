"""Count what the plan rules find in a folder of real plans. Run: python benchmarks/survey_plans.py FOLDER [SEED].

FOLDER holds index.csv with the columns format, file, repo and path, and the documents under <format>/<file>. With a
seed, a sample of 40 findings is drawn, at most 3 of one rule and format, to be read one by one in their documents.
"""

from __future__ import annotations

import csv
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

from pytest_planguard.contract.finding import Finding
from pytest_planguard.plans.judging.policy import policy_of

SAMPLE = 40
PER_CELL = 3
"""Findings of one rule and format that the sample may hold."""


def survey(folder: Path) -> dict[str, tuple[str, tuple[Finding, ...]]]:
    """Format and findings of every document, by repository and path."""
    with (folder / "index.csv").open(newline="", encoding="utf-8") as index:
        rows = {f"{row['repo']}/{row['path']}": row for row in csv.DictReader(index)}
    texts = {path: (folder / row["format"] / row["file"]).read_bytes() for path, row in rows.items()}
    return {
        path: (report.plan.format if report.plan else "unknown", report.findings)
        for path, report in policy_of().judge(texts).items()
    }


def table(found: dict[str, tuple[str, tuple[Finding, ...]]]) -> str:
    """A line for each format and rule: documents with the finding, findings."""
    documents = Counter(name for name, _ in found.values())
    with_rule: Counter[tuple[str, str, str]] = Counter()
    findings: Counter[tuple[str, str, str]] = Counter()
    for name, listed in found.values():
        keys = [(name, finding.code, str(finding.severity)) for finding in listed]
        findings.update(keys)
        with_rule.update(set(keys))
    lines = ["| format | documents | rule | severity | documents with it | findings |", "|---|---|---|---|---|---|"]
    for name in sorted(documents):
        rows = sorted(key for key in findings if key[0] == name)
        for number, key in enumerate(rows or [(name, "none", "")]):
            first = (f"`{name}`", str(documents[name])) if number == 0 else ("", "")
            lines.append(f"| {first[0]} | {first[1]} | {key[1]} | {key[2]} | {with_rule[key]} | {findings[key]} |")
    return "\n".join(lines)


def sample(found: dict[str, tuple[str, tuple[Finding, ...]]], seed: int) -> list[tuple[str, str, Finding]]:
    """Findings drawn at random, in the order of the draw."""
    every = [(path, name, finding) for path, (name, listed) in sorted(found.items()) for finding in listed]
    random.Random(seed).shuffle(every)
    drawn: list[tuple[str, str, Finding]] = []
    taken: defaultdict[tuple[str, str], int] = defaultdict(int)
    for path, name, finding in every:
        if taken[name, finding.code] < PER_CELL and len(drawn) < SAMPLE:
            taken[name, finding.code] += 1
            drawn.append((path, name, finding))
    return drawn


def main() -> None:
    """Print the table and the sample."""
    found = survey(Path(sys.argv[1]))
    print(table(found))
    if len(sys.argv) > 2:
        for number, (path, name, finding) in enumerate(sample(found, int(sys.argv[2])), 1):
            print(f"{number}. {name} {finding.code} {path}:{finding.span}: {finding.message}")


if __name__ == "__main__":
    main()
