"""Write the source of the site: `python -m tools.site build/docs`."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from .tables import PAGES

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"(?m)^```(?P<language>\w+) (?P<words>\S.*)$")
"""The opening of a block that the tests run: "```python file=app.py replace", "```console run exit=1"."""


LINK = re.compile(r"(?<=\]\()(?:\.\./)+[\w./-]+")
"""A link to another folder: the `../../SECURITY.md` of `[policy](../../SECURITY.md)`."""
SOURCE = "https://github.com/planguard/pytest-planguard/blob/main"


def write(target: Path) -> None:
    """Copy the pages, with code blocks for the site, and add the generated ones."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target)
    for page in target.rglob("*.md"):
        place = page.parent.relative_to(target)
        page.write_text(shown(page.read_text(encoding="utf-8"), place), encoding="utf-8")
    for name, text in PAGES.items():
        (target / name).write_text(text(), encoding="utf-8")


def shown(text: str, place: Path = Path()) -> str:
    """Return a page of this folder for readers: with titles of files, ellipses, and links to files outside docs/."""
    return LINK.sub(lambda link: _link(link[0], place), FENCE.sub(_fence, text)).replace("[...]", "…")


def _link(link: str, place: Path) -> str:
    above = Path(os.path.normpath("docs" / place / link)).as_posix()
    return link if above.startswith("docs/") else f"{SOURCE}/{above}"


def _fence(match: re.Match[str]) -> str:
    file = re.search(r"\bfile=(\S+)", match["words"])
    changed = " (changed lines)" if "replace" in match["words"].split() else ""
    return f"```{match['language']}" + (f' title="{file[1]}{changed}"' if file else "")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
