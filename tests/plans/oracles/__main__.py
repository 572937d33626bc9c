"""Compare verdicts with OpenSpec's and Task Master's own: `python -m tests.plans.oracles NODE_PREFIX FOLDER…`.

Every `openspec` folder and every `.taskmaster` file below the folders is judged by its tool, and by `planguard check`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SAME = {"dep-self": "SELF", "dep-cycle": "CIRCULAR", "dep-exists": "MISSING"}
"""Our rules that say what Task Master says."""
CHECKED_BY_OPENSPEC = "req-|delta-(?!target)|id-(unique|group)|required-sections|has-requirements"
"""Our rules that OpenSpec has, too: a warning of them makes an item invalid in its strict mode.

It asks for placeholders in the purpose only, and calls a target that is missing no more than a remark.
"""
Said = tuple[bool, str]
"""A verdict of "valid", and the first reason against it."""


def findings_in(folder: Path, *paths: str) -> dict[str, list[tuple[str, str, str]]]:
    """Return code, severity and message of each finding of `planguard check`, by path."""
    command = [str(Path(sys.executable).with_name("planguard")), "check", "--format", "json", *paths]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = defaultdict(list)
    for file in json.loads(done.stdout)["files"]:
        for attempt in (a for row in file["rows"] for judged in row["judged"] for a in judged["attempts"]):
            found[file["path"]] += [(one["code"], one["severity"], one["message"]) for one in attempt["findings"]]
    return found


def openspec(prefix: Path, project: Path) -> Iterator[tuple[str, Said, Said]]:
    """Yield each change and spec of a project with OpenSpec's verdict and ours."""
    command = [prefix.resolve() / "node_modules/.bin/openspec", "validate", "--all", "--strict", "--json"]
    done = subprocess.run([*command, "--no-interactive"], cwd=project, capture_output=True, text=True, check=False)
    ours = findings_in(project, "openspec")
    for item in json.loads(done.stdout)["items"]:
        issues = [issue["message"] for issue in item["issues"] if issue["level"] != "INFO"]
        start = f"openspec/{item['type']}s/{item['id']}/"
        whole = item["type"] == "change"  # below a spec are files that are no part of it, and further specs
        mine = [
            one
            for path, said in ours.items()
            if path == f"{start}spec.md" or (whole and path.startswith(start))
            for one in said
        ]
        checked = re.compile(CHECKED_BY_OPENSPEC + ("|no-placeholders" if "placeholder" in "".join(issues) else ""))
        bad = [
            f"{code}: {message}"
            for code, severity, message in mine
            if severity in ("retry", "fail") or (severity == "warn" and checked.match(code))
        ]
        yield start, (item["valid"], "".join(issues[:1])), (not bad, "".join(bad[:1]))


def task_master(prefix: Path, files: Iterable[Path]) -> Iterator[tuple[str, Said, Said]]:
    """Yield each file with the kinds of issues that Task Master and we report of its dependencies."""
    asked: list[str] = []
    for file in files:
        data = json.loads(file.read_text(encoding="utf-8"))
        tags = ["master"] if isinstance(data, list) or "tasks" in data else [k for k, v in data.items() if "tasks" in v]
        asked += [word for tag in tags for word in (str(file), tag)]
    command = ["node", HERE / "task_master.mjs", prefix, *asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    theirs: dict[str, Counter[str]] = defaultdict(Counter)
    for line in done.stdout.splitlines():
        path, _, issues = json.loads(line)
        theirs[path].update(kind for kind, _ in issues)
    for path, kinds in theirs.items():
        found = findings_in(Path(path).parent, Path(path).name)[Path(path).name]
        ours = Counter(SAME[code] for code, severity, _ in found if severity == "retry" and code in SAME)
        yield path, (not kinds, " ".join(sorted(kinds))), (not ours, " ".join(sorted(ours)))


def report(name: str, compared: Iterable[tuple[str, Said, Said]], *, reasons: bool = False) -> int:
    """Print how many verdicts are equal, and the differences by reason. Return the number of differences."""
    rows = list(compared)
    differ = [(item, *said) for item, *said in rows if said[0][0] != said[1][0] or (reasons and said[0] != said[1])]
    print(f"{name}: {len(rows)} compared, {sum(not theirs[0] for _, theirs, _ in rows)} invalid, {len(differ)} differ")
    for item, theirs, ours in sorted(differ, key=lambda one: one[1:]):
        print(f"  {item}\n    theirs: {theirs[1][:160] or 'valid'}\n    ours:   {ours[1][:160] or 'valid'}")
    return len(differ)


def main() -> int:
    """Compare everything below the folders."""
    prefix, *folders = map(Path, sys.argv[1:])
    projects = sorted({found.parent for folder in folders for found in folder.rglob("openspec") if found.is_dir()})
    tasks = sorted({found for folder in folders for found in folder.rglob(".taskmaster/**/tasks.json")})
    changes: list[Any] = [row for project in projects for row in openspec(prefix, project)]
    return report("OpenSpec", changes) + report("Task Master", task_master(prefix, tasks), reasons=True)


if __name__ == "__main__":
    sys.exit(min(main(), 1))
