"""Draw findings that are shown by default: `python -m tests.plans.drawn.hits SEED FOLDER > sheet.tsv`.

Each folder below FOLDER is a repository, OWNER+NAME, with its commit in OWNER+NAME.commit. The draw goes around rules,
formats and repositories. A sheet names repository, commit, path, line, rule and severity; whoever reads the places adds
the verdict: "true", "false", and why.
"""

import os
import random
import sys
from collections import defaultdict
from pathlib import Path

from pytest_planguard.plans.judging.policy import PlanPolicy

SHOWN = ("warn", "retry", "fail")
SUFFIXES = {".md", ".json", ".yaml", ".yml"}
LARGEST = 400_000
MOST = 100

Hit = tuple[str, str, str, int, str, str]
"""Repository, commit, path, line, rule and severity."""


def hits_in(folder: Path) -> dict[tuple[str, str, str], list[Hit]]:
    """Every finding that is shown, by rule, format and repository. Files of one folder are judged together."""
    found = defaultdict(list)
    for repository in sorted(one for one in folder.iterdir() if one.is_dir()):
        commit = folder.joinpath(f"{repository.name}.commit").read_text().strip()
        os.chdir(repository)
        files = [file for file in sorted(Path().rglob("*")) if file.suffix in SUFFIXES and file.is_file()]
        texts = {file.as_posix(): file.read_bytes() for file in files if file.stat().st_size < LARGEST}
        for path, report in PlanPolicy().judge(texts).items():
            for one in report.findings if report.plan is not None else ():
                if one.severity.value in SHOWN:
                    line = one.span.line if one.span else 0
                    hit = (repository.name, commit, path, line, one.code, one.severity.value)
                    found[(one.code, report.plan.format if report.plan else "", repository.name)].append(hit)
    return found


def draw(groups: dict[tuple[str, str, str], list[Hit]], seed: int) -> list[Hit]:
    """A hit of each group in turn, until there are enough."""
    chance = random.Random(seed)
    piles = [sorted(groups[key]) for key in sorted(groups)]
    for pile in piles:
        chance.shuffle(pile)
    chance.shuffle(piles)
    rounds = max(map(len, piles), default=0)
    return [pile[at] for at in range(rounds) for pile in piles if at < len(pile)][:MOST]


if __name__ == "__main__":
    print("repository", "commit", "path", "line", "rule", "severity", "verdict", sep="\t")
    for drawn in draw(hits_in(Path(sys.argv[2]).resolve()), int(sys.argv[1])):
        print(*drawn, "", sep="\t")
