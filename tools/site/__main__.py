"""Write the source of the site: `python -m tools.site build/docs`."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from .tables import PAGES

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"(?m)^```(?P<language>\w+) (?P<words>\S.*)$")
"""The opening of a block that the tests run: "```python file=app.py replace", "```console run exit=1"."""


def write(target: Path) -> None:
    """Copy the pages, with code blocks as the site shows them, and add the generated ones."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target)
    for page in target.rglob("*.md"):
        page.write_text(shown(page.read_text(encoding="utf-8")), encoding="utf-8")
    for name, text in PAGES.items():
        (target / name).write_text(text(), encoding="utf-8")


def shown(text: str) -> str:
    """A page as readers see it: blocks have the name of their file as a title, and skipped output is an ellipsis."""
    return FENCE.sub(_fence, text).replace("[...]", "…")


def _fence(match: re.Match[str]) -> str:
    file = re.search(r"\bfile=(\S+)", match["words"])
    changed = " (changed lines)" if "replace" in match["words"].split() else ""
    return f"```{match['language']}" + (f' title="{file[1]}{changed}"' if file else "")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
