"""Measure prose: `python -m tools.prose` checks the pages, docstrings and messages against the limits below.

The limits for pages come from the documentation of six well-written projects, measured in the same way. The figures of
docstrings and messages may only fall.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORD = re.compile(r"[\w'’`./-]*\w[\w'’`./-]*")
END = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[\"'(`\[]?[A-Z0-9`])")
"""The gap between two sentences: `… is stale. Record it again.`, `… (see below). It`."""
WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
IDIOMS = re.compile(
    r"\b(?:stands|nobody|somebody|whoever|anew|mends?|mended|whatever|of (?:its|his|one's|their) own"
    r"|(?:is|are|was|were|be|been) (?:told|none|meant)|as ever|and no other|in the stead)\b",
    re.IGNORECASE,
)
"""Words that a native engineer does not use here: "a list stands in", "nobody is told", "a folder of its own"."""
OPENING = re.compile(
    r"(?:Whatever|Whether|What)\b[^?]*$"
    r"|(?:Not )?(?:[A-Z][a-z]+ed|Given|Told|Seen|Known|Made) (?:is|are|by|in|as|of)\b"
)
"""A sentence that begins with a question word or a bare participle: "Counted are the calls of …"."""
LONGEST = 25
"""The most words in a sentence at the 90th percentile."""
WHERES = 1.0
"""The most, in 1,000 words."""


@dataclass(frozen=True)
class Rates:
    """The figures of one text."""

    sentences: int
    words: int
    longest: int
    """Words in the sentence at the 90th percentile of length."""
    wheres: float
    """"Where" in 1,000 words."""
    idioms: int
    openings: int

    def __str__(self) -> str:
        """Return the figures on one line."""
        return (
            f"{self.words:,} words, {self.sentences:,} sentences, 90 % have {self.longest} words or fewer, "
            f"{self.wheres:.2f} where per 1,000, {self.idioms} idioms, {self.openings} openings"
        )


ALLOWED = {
    "docstrings": {"wheres": 0.1, "idioms": 0.1, "openings": 0.1},
    "messages": {"wheres": 0.9, "idioms": 0.1, "openings": 0.0},
}
"""The remaining figures of docstrings and messages, in 1,000 words. Lower a figure after it falls; never raise one."""


def rates(sentences: Iterable[str]) -> Rates:
    """Return the figures of these sentences."""
    texts = [text for text in sentences if WORD.search(text)]
    lengths = sorted(len(WORD.findall(text)) for text in texts) or [0]
    words, joined = sum(lengths), "\n".join(texts)
    return Rates(
        len(texts),
        words,
        lengths[int(0.9 * (len(lengths) - 1))],
        1000 * len(WHERE.findall(joined)) / max(words, 1),
        len(IDIOMS.findall(joined)),
        sum(bool(OPENING.match(text)) for text in texts),
    )


def sentences_of(markdown: str) -> Iterator[str]:
    """Yield the sentences of running text, without code blocks, tables, headings and link targets."""
    text = re.sub(r"(?ms)^\s*(```|~~~).*?^\s*\1.*?$|<!--.*?-->|\A---\n.*?^---$", "", markdown)
    text = re.sub(r"!?\[([^]]*)]\([^)]*\)", r"\1", text)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        if not re.match(r"\s*(?:#|\||<|!!!|:::)", paragraph):
            yield from split(re.sub(r"\A\s*(?:[-*]|\d+\.) ", "", paragraph))


def split(paragraph: str) -> Iterator[str]:
    """Yield the sentences of a paragraph; `code` and *quoted words* count as one word each."""
    plain = re.sub(r"``?[^`]+``?", "`code`", " ".join(paragraph.split())).replace("**", "")
    plain = re.sub(r"\*[^* ][^*]*\*", "`word`", plain)  # a word under discussion: Write *if*, not *where*.
    yield from END.split(plain)


def pages() -> list[Path]:
    """Return README.md, CONTRIBUTING.md, SECURITY.md and the pages of the site."""
    docs = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "explain.md"]  # it holds messages
    return [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")), *docs]


def docstrings() -> Iterator[str]:
    """Yield the sentences of every docstring of the package."""
    for path in sorted((ROOT / "pytest_planguard").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for value in _texts(node):
                yield from sentences_of(value)


def _texts(node: ast.AST) -> Iterator[str]:
    """Yield a docstring: a string statement in a module, class or function, or below a field."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        yield node.value.value


def messages() -> Iterator[str]:
    """Yield every message that the suite pins, one on each line."""
    pinned = ROOT / "tests" / "support" / "pinned" / "messages.txt"
    yield from (line for line in pinned.read_text(encoding="utf-8").splitlines() if not line.startswith("=="))


def faults(page: Path) -> Iterator[str]:
    """Yield the faults of a page, one on each line."""
    found = list(sentences_of(page.read_text(encoding="utf-8")))
    place = page.relative_to(ROOT)
    for sentence in found:
        if match := IDIOMS.search(sentence) or OPENING.match(sentence):
            yield f"{place}: {match[0][:30]!r} in: {sentence[:100]}"


def over(name: str, seen: Rates) -> Iterator[str]:
    """Yield the figures of docstrings or messages that have risen."""
    thousands = seen.words / 1000
    now = {"wheres": seen.wheres, "idioms": seen.idioms / thousands, "openings": seen.openings / thousands}
    for figure, most in ALLOWED[name].items():
        if now[figure] > most:
            yield f"{name}: {figure} rose from {most} to {now[figure]:.2f} in 1,000 words"


def check() -> list[str]:
    """Print the figures of pages, docstrings and messages, and return those over a limit."""
    of_pages = rates(text for page in pages() for text in sentences_of(page.read_text(encoding="utf-8")))
    print(f"pages: {of_pages}")
    wrong = [fault for page in pages() for fault in faults(page)]
    if of_pages.longest > LONGEST or of_pages.wheres > WHERES:
        wrong.append(f"pages: at most {LONGEST} words for 90 % of sentences, and {WHERES} where per 1,000 words")
    for name, texts in (("docstrings", docstrings()), ("messages", messages())):
        seen = rates(texts)
        print(f"{name}: {seen}")
        wrong += over(name, seen)
    return wrong


def main() -> int:
    """Check the project."""
    wrong = check()
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
