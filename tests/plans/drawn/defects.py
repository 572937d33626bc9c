"""Inject defects into plans of repositories, and count how many are shown.

`python -m tests.plans.drawn.defects SEED FOLDER…`. Each kind is put into at most twelve plans of its format. A defect
is shown if judging the folder again gives a new warning or error, compared by rule and words.
"""

import os
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from pytest_planguard.plans.judging.judge_files import PlanReport
from pytest_planguard.plans.judging.policy import PlanPolicy

EACH = 12
LARGEST = 200_000
SUFFIXES = {".md", ".json", ".yaml", ".yml"}

Damage = Callable[[str], str | None]
"""Returns the damaged text; None if the text has no place for the defect."""


def put(pattern: str, replacement: str, number: int = 0) -> Damage:
    """Replace the match with this number, or the last one."""

    def damage(text: str) -> str | None:
        found = [*re.finditer(pattern, text)]
        if not found:
            return None
        at = found[min(number, len(found) - 1)]
        return text[: at.start()] + at.expand(replacement) + text[at.end() :]

    return damage


def drop(pattern: str, replacement: str = "") -> Damage:
    """Replace every match."""
    return lambda text: re.sub(pattern, replacement, text)


def twice(pattern: str) -> Damage:
    """Give the third element the id of the second."""

    def damage(text: str) -> str | None:
        found = [*re.finditer(pattern, text)][1:3]
        if len(found) < 2:
            return None
        one, two = found
        return text[: two.start("id")] + one["id"] + text[two.end("id") :]

    return damage


def circle(pattern: str) -> Damage:
    """Make the second and the third task wait for each other."""

    def damage(text: str) -> str | None:
        found = [*re.finditer(pattern, text)][1:3]
        if len(found) < 2:
            return None
        one, two = found
        text = f"{text[: two.end()]} (depends on {one['id']}){text[two.end() :]}"
        return f"{text[: one.end()]} (depends on {two['id']}){text[one.end() :]}"

    return damage


def together(apart: int) -> Damage:
    """Let two tasks of a phase change one file at the same time, with as many tasks between them."""

    def damage(text: str) -> str | None:
        found = [*re.finditer(r"(?m)^- \[ \] (T\d{3}) (?!\[P\])(.*)$", text)]
        near = (at for at in range(len(found) - 2) if text[found[at].end() : found[at + 2].start()].count("\n") <= 3)
        first = next(near, None)
        if first is None:
            return None
        for task in (found[first + 1 + apart], found[first]):
            changed = f"- [ ] {task[1]} [P] Change the thing in src/zz_same.py"
            text = text[: task.start()] + changed + text[task.end() :]
        return text

    return damage


T = r"(?m)^- \[[ xX]\] (?P<id>T\d{3})\b.*$"
LINE = r"(?m)^(- \[[ xX]\] (T\d{3})\b.*)$"
KINDS: Mapping[str, Mapping[str, Damage]] = {
    "spec-kit-tasks": {
        "id twice": twice(T),
        "waits for none": put(LINE, r"\1 (depends on T999)", 3),
        "waits for itself": put(LINE, r"\1 (depends on \2)", 3),
        "circle": circle(T),
        "no such story": put(r"(?m)^(- \[[ xX]\] T\d{3} .*?)\[US\d+\]", r"\1[US99]", 2),
        "no id": put(r"(?m)^(- \[[ xX]\]) T\d{3}\b", r"\1", 4),
        "parallel neighbours": together(0),
        "parallel apart": together(1),
        "question": put(LINE, r"\1 [NEEDS CLARIFICATION: which one?]", 2),
        "no such requirement": put(LINE, r"\1 (FR-999)", 2),
        "wrong mark": put(r"(?m)^- \[[ xX]\] (T\d{3})", r"- [?] \1", 3),
    },
    "spec-kit-spec": {
        "requirement twice": twice(r"(?m)^- \*\*(?P<id>FR-\d+)\*\*.*$"),
        "story twice": twice(r"(?m)^### User Story (?P<id>\d+) .*$"),
        "no scenarios": put(r"(?s)(### User Story 1 .*?)\*\*Acceptance Scenarios\*\*:.*?(?=\n---|\n### |\n## )", r"\1"),
        "no requirements": drop(r"(?m)^- \*\*FR-\d+.*\n"),
        "open": put(r"(?m)^- \*\*FR-(\d+)\*\*:.*$", r"- **FR-\1**: TBD", 1),
        "empty": put(r"(?m)^(- \*\*FR-\d+\*\*:).*$", r"\1", 1),
    },
    "kiro-tasks": {
        "id twice": twice(r"(?m)^- \[[ xX]\] (?P<id>\d+)\. .*$"),
        "no such requirement": put(r"(_Requirements: )[^_\n]*_", r"\g<1>99.9_", 1),
        "no such criterion": put(r"(_Requirements: )[^_\n]*_", r"\g<1>1.99_"),
        "no number": put(r"(?m)^(- \[[ xX]\]) \d+\. ", r"\1 ", 1),
        "done with open steps": put(r"(?m)^(- \[)[ xX](\] \d+\. .*\n)(?=(?:    .*\n|  +- .*\n)*?  - \[ \])", r"\1x\2"),
    },
    "kiro-requirements": {
        "number twice": twice(r"(?m)^### Requirement (?P<id>\d+).*$"),
        "no criteria": put(r"(?s)#### Acceptance Criteria\n.*?(?=\n### |\n## |\Z)", "", 1),
    },
    "bmad-story": {
        "no such criterion": put(r"\(AC:? ?#?\d+[^)]*\)", "(AC: 99)", 1),
        "odd status": put(r"(?m)^(\**Status:?\**:? *\n*)\w[\w -]*$", r"\1nearly there"),
        "done with open tasks": put(r"(?m)^(\**Status:?\**:? *)(?!Done)\w[\w -]*$(?=[\s\S]*\n- \[ \])", r"\1Done"),
        "no criteria": put(r"(?m)^## Acceptance Criteria", "## Other"),
    },
    "openspec-tasks": {
        "id twice": twice(r"(?m)^- \[[ xX]\] (?P<id>\d+\.\d+) .*$"),
        "other group": put(r"(?m)^(- \[[ xX]\]) \d+\.(\d+) ", r"\1 77.\2 ", 2),
    },
    "openspec-delta": {
        "no scenario": put(r"(?s)\n#### Scenario.*?(?=\n### |\n## |\Z)", ""),
        "not normative": drop(r"\b(SHALL|MUST)\b", "may"),
        "requirement twice": twice(r"(?m)^### Requirement: (?P<id>.*)$"),
        "no sections": drop(r"(?m)^## (ADDED|MODIFIED|REMOVED) Requirements", "## Notes"),
    },
    "openspec-spec": {
        "no purpose": put(r"(?m)^## Purpose", "## About"),
        "requirement twice": twice(r"(?m)^### Requirement: (?P<id>.*)$"),
        "delta": put(r"(?m)^## Requirements", "## ADDED Requirements"),
    },
    "superpowers": {
        "number twice": twice(r"(?m)^### Task (?P<id>\d+):.*$"),
        "no goal": drop(r"(?m)^\*\*Goal:\*\*.*\n"),
        "other level": put(r"(?m)^### (Task \d+:)", r"## \1", 1),
        "open": put(r"(?m)^(### Task \d+:).*$", r"\1 TBD", 1),
    },
    "task-master": {
        "waits for none": put(r'"dependencies": \[[^\]]*\]', '"dependencies": [999]', 1),
        "id twice": twice(r'(?m)^ {2,8}"id": (?P<id>\d+)'),
        "odd status": put(r'"status": "[\w-]+"', '"status": "nearly"', 1),
    },
    "autospec-tasks": {
        "waits for none": put(r"dependencies: \[[^\]]*\]", "dependencies: [T999]", 2),
        "id twice": twice(r"- id: \"?(?P<id>T\d{3})"),
        "total": put(r"total_tasks: \d+", "total_tasks: 999"),
        "odd status": put(r"status: \"?(Pending|Completed)\"?", "status: Nearly", 1),
    },
    "workflow-jobs": {"needs none": put(r"(?m)^(    )runs-on:", r"\1needs: [nothing]\n\1runs-on:", 1)},
    "atomicguard": {"waits for none": put(r'"dependencies": \[[^\]]*\]', '"dependencies": ["zz"]', 1)},
}


def plans_in(roots: list[Path]) -> Iterator[tuple[str, Path, str, dict[str, str]]]:
    """Yield the format, root and path of each plan that is no template, with the texts of its folder."""
    for root in roots:
        os.chdir(root)
        for folder in sorted({file.parent for file in Path().rglob("*") if file.suffix in SUFFIXES}):
            files = [one for one in sorted(folder.iterdir()) if one.suffix in SUFFIXES and one.is_file()]
            texts = {str(one): one.read_text("utf-8", "replace") for one in files if one.stat().st_size < LARGEST}
            for path, report in PlanPolicy().judge(texts).items():
                if report.plan is not None and "template" not in path:
                    yield report.plan.format, root, path, texts


def said(reports: Mapping[str, PlanReport]) -> Counter[tuple[str, str, str, str]]:
    """What is found in a folder, without lines."""
    return Counter(
        (path, one.code, one.severity.value, re.sub(r" \(line.*", "", one.message))
        for path, report in reports.items()
        for one in report.findings
    )


def noticed(path: str, text: str, texts: dict[str, str]) -> str:
    """Return how a damaged text is judged: "retry", "warn", "remark" or "missed"."""
    reports = PlanPolicy().judge({**texts, path: text})
    new = {severity for _, _, severity, _ in said(reports) - said(PlanPolicy().judge(texts))}
    if new & {"retry", "fail"}:
        return "retry"
    return "warn" if "warn" in new else "remark" if new or reports[path].plan is None else "missed"


def main() -> None:
    """Print the kinds that are not all shown, and the share of all defects."""
    chance, roots = random.Random(int(sys.argv[1])), [Path(name).resolve() for name in sys.argv[2:]]
    plans = defaultdict(list)
    for name, *where in plans_in(roots):
        plans[name].append(where)
    total: Counter[str] = Counter()
    for name, kinds in KINDS.items():
        chance.shuffle(plans[name])
        for kind, damage in kinds.items():
            ways: Counter[str] = Counter()
            for root, path, texts in plans[name]:
                text = damage(texts[path])
                if text is not None and text != texts[path] and ways.total() < EACH:
                    os.chdir(root)
                    ways[noticed(path, text, texts)] += 1
            total += ways
            if ways["remark"] or ways["missed"]:
                print(name, kind, dict(ways))
    shown = total["retry"] + total["warn"]
    print(
        f"{total.total()} defects of {sum(map(len, KINDS.values()))} kinds, {shown / total.total():.0%} shown",
        dict(total),
    )


if __name__ == "__main__":
    main()
