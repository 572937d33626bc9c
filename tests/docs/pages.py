"""The pages of the documentation, and the code blocks in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ..support.paths import ROOT

DOCS = ROOT / "docs"


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    page: Path
    line: int
    """Of its opening fence, from 1."""
    language: str
    words: tuple[str, ...]
    """What follows the language in the info string: `file=app.py`, `run`, `exit=1`, `failed=1`."""
    text: str

    @property
    def place(self) -> str:
        """'docs/README.md:12'."""
        return f"{name(self.page)}:{self.line}"

    def value(self, key: str) -> str | None:
        """The value of `key=value` in the info string; None where it is not given."""
        return next((w.partition("=")[2] for w in self.words if w.startswith(f"{key}=")), None)


def name(page: Path) -> str:
    """A page's path below the root of the project."""
    return page.relative_to(ROOT).as_posix()


def pages() -> list[Path]:
    """README.md, CONTRIBUTING.md and every page below docs/, sorted."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


@cache  # every worker collects tests for the blocks of all pages, several times
def blocks(page: Path) -> tuple[Block, ...]:
    """The fenced blocks of a page in its order."""
    tokens = MarkdownIt().disable("inline").parse(page.read_text(encoding="utf-8"))
    return tuple(_block(page, token) for token in tokens if token.type == "fence")


def _block(page: Path, fence: Token) -> Block:
    language, *words = fence.info.split() or [""]
    return Block(page, (fence.map or [0])[0] + 1, language, tuple(words), fence.content)
