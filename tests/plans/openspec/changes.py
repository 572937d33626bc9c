"""Write OpenSpec changes with injected defects: `python -m tests.plans.openspec.changes FOLDER`.

Every change is a delta and a task list. A defect is a function of both texts and of a place, 0 or 1: each is injected
at two places of every change.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

CHANGES = 60
SEED = 20261122
_SUBJECTS = ("Session", "Invoice", "Report", "Upload", "Search", "Export", "Login", "Quota", "Alert", "Backup")
_VERBS = ("renewal", "limits", "history", "retries", "ordering", "deletion", "format", "access", "naming", "archive")
Texts = tuple[str, str]
Defect = Callable[[str, str, int], Texts]


def requirement(name: str, *, scenarios: int = 1, word: str = "SHALL") -> str:
    """Return one requirement with its scenarios."""
    body = f"### Requirement: {name}\n\nThe system {word} keep {name.lower()} as agreed.\n"
    for number in range(1, scenarios + 1):
        body += f"\n#### Scenario: Case {number}\n\n- **WHEN** case {number} happens\n- **THEN** the system answers\n"
    return body


def change(number: int) -> Texts:
    """Return the delta and the tasks of one sound change."""
    source = random.Random(SEED + number)
    names = [f"{subject} {verb}" for subject in _SUBJECTS for verb in _VERBS]
    source.shuffle(names)
    added = [requirement(name, scenarios=source.randint(1, 3)) for name in names[: source.randint(2, 4)]]
    modified = [requirement(name, word="MUST") for name in names[10 : 10 + source.randint(2, 3)]]
    removed = [f"### Requirement: {name}\n\n**Reason**: no longer used\n" for name in names[20:22]]
    renamed = [
        f"- FROM: `### Requirement: {a}`\n- TO: `### Requirement: {b}`\n"
        for a, b in ((names[30], names[31]), (names[32], names[33]))
    ]
    parts = [
        f"## ADDED Requirements\n\n{chr(10).join(added)}",
        f"## MODIFIED Requirements\n\n{chr(10).join(modified)}",
        f"## REMOVED Requirements\n\n{chr(10).join(removed)}",
        f"## RENAMED Requirements\n\n{''.join(renamed)}",
    ]
    groups = [
        f"## {group}. {source.choice(_SUBJECTS)}\n\n"
        + "".join(f"- [ ] {group}.{task} Write {source.choice(_VERBS)}\n" for task in range(1, source.randint(3, 5)))
        for group in range(1, 4)
    ]
    return "\n".join(parts), "\n".join(groups)


def blocks(delta: str, section: str) -> list[tuple[str, str]]:
    """Return name and text of each requirement of a section."""
    body = delta.split(f"## {section} Requirements\n", 1)[1].split("\n## ", 1)[0]
    found = body.split("### Requirement: ")[1:]
    return [(one.split("\n", 1)[0], f"### Requirement: {one}") for one in found]


def _cut(text: str, block: str, line: Callable[[str], bool]) -> str:
    kept = "\n".join(one for one in block.split("\n") if not line(one))
    return text.replace(block, kept, 1)


def no_scenario(section: str) -> Defect:
    """Remove every scenario of a requirement."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        _, block = blocks(delta, section)[place]
        head = block.split("\n#### ", 1)[0] + "\n"
        return delta.replace(block, head, 1), tasks

    return inject


def empty_scenario(section: str) -> Defect:
    """Leave the headings of its scenarios alone."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        _, block = blocks(delta, section)[place]
        return _cut(delta, block, lambda line: line.startswith("- **")), tasks

    return inject


def no_text(section: str) -> Defect:
    """Remove what a requirement says."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        _, block = blocks(delta, section)[place]
        return _cut(delta, block, lambda line: line.startswith("The system")), tasks

    return inject


def weak(section: str, word: str) -> Defect:
    """Replace SHALL and MUST by a word that binds nobody."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        _, block = blocks(delta, section)[place]
        return delta.replace(block, block.replace("SHALL", word).replace("MUST", word), 1), tasks

    return inject


def repeated(section: str) -> Defect:
    """Write a requirement of a section twice."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        name, block = blocks(delta, section)[place]
        if section == "REMOVED":
            return delta.replace(block, f"{block}\n### Requirement: {name}\n\n**Reason**: again\n\n", 1), tasks
        return delta.replace(block, f"{block.rstrip()}\n\n{requirement(name)}\n", 1), tasks

    return inject


def in_both(first: str, second: str) -> Defect:
    """Write a requirement of one section into another one, too."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        name, _ = blocks(delta, first)[place]
        text = requirement(name) if second != "REMOVED" else f"### Requirement: {name}\n\n**Reason**: again\n"
        return delta.replace(f"## {second} Requirements\n", f"## {second} Requirements\n\n{text}", 1), tasks

    return inject


def _sides(delta: str) -> list[str]:
    return [line for line in delta.split("\n") if line.startswith(("- FROM:", "- TO:"))]


def one_side(side: int) -> Defect:
    """Remove one side of a rename."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        return delta.replace(f"{_sides(delta)[2 * place + side]}\n", "", 1), tasks

    return inject


def rename_again(side: int) -> Defect:
    """Write a rename whose one side stands in another one."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        pair = _sides(delta)[2 * place : 2 * place + 2]
        pair[1 - side] = pair[1 - side].replace("Requirement: ", "Requirement: Other ")
        return f"{delta}{pair[0]}\n{pair[1]}\n", tasks

    return inject


def renamed_and(section: str, side: int) -> Defect:
    """Speak of one side of a rename in another section."""

    def inject(delta: str, tasks: str, place: int) -> Texts:
        name = _sides(delta)[2 * place + side].split("Requirement: ")[1].rstrip("`")
        text = requirement(name) if section != "REMOVED" else f"### Requirement: {name}\n\n**Reason**: again\n"
        return delta.replace(f"## {section} Requirements\n", f"## {section} Requirements\n\n{text}", 1), tasks

    return inject


def orphan(delta: str, tasks: str, place: int) -> Texts:
    """Write a requirement outside every section of the delta."""
    stray = requirement("Stray thing")
    return (f"{stray}\n{delta}" if place == 0 else f"{delta}\n## Notes\n\n{stray}"), tasks


def empty_sections(delta: str, tasks: str, place: int) -> Texts:
    """Leave headings of sections alone."""
    del delta
    return ("## ADDED Requirements\n" if place == 0 else "## MODIFIED Requirements\n\n## REMOVED Requirements\n"), tasks


def no_sections(delta: str, tasks: str, place: int) -> Texts:
    """Give the sections other names."""
    del place
    for section in ("ADDED", "MODIFIED", "REMOVED", "RENAMED"):
        delta = delta.replace(f"## {section} Requirements", f"## About {section.lower()}")
    return delta, tasks


def task_twice(delta: str, tasks: str, place: int) -> Texts:
    """Give two tasks of a group one number."""
    group = place + 1
    return delta, tasks.replace(f"- [ ] {group}.2 ", f"- [ ] {group}.1 ", 1)


def other_group(delta: str, tasks: str, place: int) -> Texts:
    """Number a task for another group."""
    group = place + 1
    return delta, tasks.replace(f"- [ ] {group}.2 ", f"- [ ] {group + 1}.9 ", 1)


DEFECTS: dict[str, Defect] = {
    **{f"no-scenario-{s.lower()}": no_scenario(s) for s in ("ADDED", "MODIFIED")},
    **{f"empty-scenario-{s.lower()}": empty_scenario(s) for s in ("ADDED", "MODIFIED")},
    **{f"no-text-{s.lower()}": no_text(s) for s in ("ADDED", "MODIFIED")},
    **{f"weak-{s.lower()}": weak(s, w) for s, w in (("ADDED", "should"), ("MODIFIED", "may"))},
    **{f"repeated-{s.lower()}": repeated(s) for s in ("ADDED", "MODIFIED", "REMOVED")},
    "modified-and-removed": in_both("MODIFIED", "REMOVED"),
    "modified-and-added": in_both("MODIFIED", "ADDED"),
    "added-and-removed": in_both("ADDED", "REMOVED"),
    "rename-without-from": one_side(0),
    "rename-without-to": one_side(1),
    "renamed-twice": rename_again(0),
    "renamed-to-twice": rename_again(1),
    "renamed-and-modified": renamed_and("MODIFIED", 0),
    "renamed-to-added": renamed_and("ADDED", 1),
    "renamed-and-removed": renamed_and("REMOVED", 0),
    "orphan": orphan,
    "empty-sections": empty_sections,
    "no-sections": no_sections,
    "task-twice": task_twice,
    "task-in-other-group": other_group,
}


def all_changes() -> Iterator[tuple[str, str, str]]:
    """Yield name, delta and tasks of every change, sound and with each defect."""
    for number in range(CHANGES):
        delta, tasks = change(number)
        yield f"{number:02}-sound-0", delta, tasks
        for name, inject in DEFECTS.items():
            for place in (0, 1):
                yield (f"{number:02}-{name}-{place}", *inject(delta, tasks, place))


def main() -> None:
    """Write the changes as OpenSpec has them."""
    root = Path(sys.argv[1])
    for name, delta, tasks in all_changes():
        folder = root / "openspec" / "changes" / name
        (folder / "specs" / "core").mkdir(parents=True, exist_ok=True)
        (folder / "proposal.md").write_text(
            "## Why\n\nIt is needed.\n\n## What Changes\n\n- It changes.\n", encoding="utf-8"
        )
        (folder / "specs" / "core" / "spec.md").write_text(delta, encoding="utf-8")
        (folder / "tasks.md").write_text(tasks, encoding="utf-8")


if __name__ == "__main__":
    main()
