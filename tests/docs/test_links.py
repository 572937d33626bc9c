"""Links lead somewhere, and no page tells where it was written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tools.site.tables import PAGES

from ..support.one_item import in_one_item
from ..support.paths import ROOT
from .pages import DOCS, name, pages

FOLDERS = re.compile(r"(?:benchmarks|cassettes|docs|examples|fixtures|pytest_planguard|tests|tools)/[\w/.*-]+")
"""A place of this repository: `tests/retry/test_laws.py`, `tests/*/decisions/pinned`."""
PLACE = re.compile(rf"{FOLDERS.pattern}|[a-z_]+(?:/[a-z_*]+)*/?(?:\.(?:py|toml|md))|[a-z_]+(?:/[a-z_]+)+/?")
"""Or one of the package: `registry/table.py`, `replay/network`, `constraint_types.py`."""
NAVIGATED = re.compile(r'= "([\w/-]+\.md)"')
"""A page in the navigation: `{ "Quick start" = "quick-start.md" }`."""
HOST_PATH = re.compile(r"(?<![\w.])/(?:work|tmp|home|root|Users|var|opt|mnt)/|[A-Z]:\\\\Users")

ALL = [*pages(), *(ROOT / path for path in ("SECURITY.md", "CHANGELOG.md", "changelog.d/README.md"))]
"""The documentation, and the pages beside it that people read on a host."""


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("page", ALL, ids=name)
def test_relative_links_are_not_dead(page: Path) -> None:
    """Every relative link names a file that exists, and a heading that exists in it."""
    for target in _links(page):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists() or _is_generated(path), f"{name(page)}: {target} leads nowhere"
        if anchor and path.suffix == ".md":
            assert anchor in _anchors(path), f"{name(page)}: {target}: no such heading; there are {_anchors(path)}"


@in_one_item
@pytest.mark.parametrize("page", pages(), ids=name)
def test_a_place_of_this_repository_that_a_page_names_is_there(page: Path) -> None:
    """A file or folder in a code span, `tests/support/lookalike`; CONTRIBUTING.md also names those of the package."""
    place = PLACE if page == ROOT / "CONTRIBUTING.md" else FOLDERS
    spans = {token.content for token in _inline(page) if token.type == "code_inline"}
    missing = [span for span in sorted(spans) if place.fullmatch(span) and not _is_there(span)]
    assert missing == [], f"{name(page)} names {missing}"


def _is_there(place: str) -> bool:
    """Whether a path, in which `*` and words in capitals stand for any name, is in the repository or in the package."""
    pattern = re.sub(r"\b[A-Z]{4,}\b", "*", place.rstrip("/"))
    if pattern.startswith("tools/") and not (ROOT / "tools").is_dir():  # as in a source distribution
        return True
    within = pattern if "/" in pattern else f"**/{pattern}"
    return any(True for top in (ROOT, ROOT / "pytest_planguard") for _ in top.glob(within))


@in_one_item
@pytest.mark.parametrize("page", ALL, ids=name)
def test_no_page_names_a_path_of_a_machine(page: Path) -> None:
    """Shown output is that of a project, wherever it stands."""
    found = HOST_PATH.search(page.read_text(encoding="utf-8"))
    assert found is None, f"{name(page)} has {found[0] if found else ''}"


def test_the_navigation_has_every_page_once() -> None:
    """Pages that are written, and those that are generated; decisions are found by their list."""
    nav = NAVIGATED.findall((ROOT / "zensical.toml").read_text(encoding="utf-8").partition("nav = [")[2])
    own = {p.relative_to(DOCS).as_posix() for p in pages() if p.is_relative_to(DOCS)}
    wanted = {p for p in own if not p.startswith("decisions/0")} | set(PAGES)
    assert sorted(nav) == sorted(wanted)


def _is_generated(path: Path) -> bool:
    return path.is_relative_to(DOCS) and path.relative_to(DOCS).as_posix() in PAGES


def test_the_list_of_decisions_has_each_with_its_title() -> None:
    """In the order of their numbers."""
    folder = DOCS / "decisions"
    listed = re.findall(r"(?m)^- \[(.+)\]\((\S+)\)$", (folder / "README.md").read_text(encoding="utf-8"))
    decisions = sorted(folder.glob("[0-9]*.md"))
    assert listed == [
        (page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# "), page.name) for page in decisions
    ]


def _links(page: Path) -> list[str]:
    """Return the targets of links and pictures."""
    of = {"link_open": "href", "image": "src"}
    targets = [str(token.attrs[of[token.type]]) for token in _inline(page) if token.type in of]
    return [target for target in targets if not target.startswith("//")]


def _inline(page: Path) -> list[Token]:
    tokens = MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8"))
    return [child for token in tokens if token.children for child in token.children]


def _anchors(page: Path) -> set[str]:
    """Headings as the usual hosts spell them: lower case, spaces to dashes, other signs dropped."""
    generated = (
        PAGES.get(page.relative_to(DOCS).as_posix()) if page.is_relative_to(DOCS) and not page.exists() else None
    )
    heads = re.findall(r"(?m)^#{1,6} (.+)$", generated() if generated else page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}
