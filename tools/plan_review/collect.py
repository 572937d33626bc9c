"""Copy plan documents out of snapshots of public repositories, a bounded number of each repository and kind.

    python -m tools.plan_review.collect MIRRORS FOLDER

MIRRORS holds git directories `OWNER+NAME/repo`. The choice is a seeded one; the documents keep their paths.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import subprocess
from pathlib import Path

SEED = 20261122
MOST = 24
"""Documents of one kind that one repository gives."""
KEPT_ASIDE = frozenset(
    (
        *("Fission-AI/OpenSpec", "ariel-frischer/autospec", "obra/superpowers", "existential-birds/amelia"),
        *("LuChangQiu/kiro-spec-engine", "eyaltoledano/claude-task-master", "PlanExeOrg/PlanExe-prompt-lab"),
        *("5rbit/mxrc", "AlbertHongGG/SpecKitResearch", "30675137/Cinema_Bussiness_Center_Platform"),
        *("nkllon/kiro-ai-development-hackathon", "ALLiDoizCode/m2m"),
    )
)
"""Repositories whose documents are not looked at here."""
KINDS = {
    "spec-kit": r"(^|/)specs/[^/]+/(tasks|spec)\.md$",
    "kiro": r"(^|/)\.kiro/specs/.*(tasks|requirements)\.md$",
    "openspec": r"(^|/)openspec/changes/.*tasks\.md$",
    "openspec-change": r"(^|/)openspec/changes/.*(proposal|spec)\.md$",
    "bmad": r"(^|/)(stories|implementation-artifacts)/[^/]*\d[^/]*\.md$",
    "task-master": r"(^|/)\.?taskmaster/.*tasks\.json$",
    "superpowers": r"(^|/)docs/(superpowers/)?plans/.*\.md$",
    "workflow": r"^\.github/workflows/.*\.ya?ml$",
    "crewai": r"(^|/)config/tasks\.yaml$",
}
FEW = {"workflow": 2}
"""Kinds that would drown the others."""


def git(repository: Path, *arguments: str) -> bytes:
    """Return what a git command prints."""
    return subprocess.run(["git", "-C", str(repository), *arguments], check=True, capture_output=True).stdout


def main() -> None:
    """Copy the documents and write `index.csv` beside them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    rows = []
    for repository in sorted(options.mirrors.glob("*/repo")):
        name = repository.parent.name.replace("+", "/", 1)
        if name in KEPT_ASIDE:
            continue
        commit = git(repository, "rev-parse", "HEAD").decode().strip()
        paths = git(repository, "ls-tree", "-r", "-z", "--name-only", "HEAD").decode().split("\0")
        for kind, pattern in KINDS.items():
            fitting = sorted(path for path in paths if re.search(pattern, path))
            chosen = random.Random(f"{SEED}{name}{kind}").sample(fitting, min(len(fitting), FEW.get(kind, MOST)))
            for path in sorted(chosen):
                target = options.folder / repository.parent.name / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(git(repository, "show", f"HEAD:{path}"))
                rows.append((kind, name, path, commit))
    with (options.folder / "index.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([("kind", "repository", "path", "commit"), *rows])


if __name__ == "__main__":
    main()
