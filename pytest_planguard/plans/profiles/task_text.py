"""What task texts say: files, ids in lists and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

_TOKEN = re.compile(  # whole words alone, so that each is tried once
    r"(?<![\w@~./+{}*\[\]-])[\w@~./+{}*\[\]-]*\.[A-Za-z]\w*(?![\w@~/+{}*\[\]-])"
)
_EXTENSIONS: frozenset[str] = frozenset()
for _line in (
    "py pyi ipynb ts tsx js jsx mjs cjs go rs md mdx swift java kt kts rb c h cc cpp hpp cs fs php scala ex exs lua",
    "dart tf json jsonl yaml yml toml ini cfg env sh bash zsh ps1 bat html css scss sass less sql txt xml proto lock",
    "gradle mod sum csv svg png vue svelte plist xcodeproj graphql prisma sol r jl nix",
):
    _EXTENSIONS |= frozenset(_line.split())
_PRODUCTS = frozenset(
    f"{name}.js"
    for name in ("node", "next", "vue", "nuxt", "express", "react", "three", "d3", "chart", "nest", "ember")
)
_SPAN = 500  # ids that one range "T001-T090" may stand for


def files_in(text: str) -> Iterator[tuple[str, int]]:
    """File names and paths in a text with their offsets: words that end in a known extension."""
    for token in _TOKEN.finditer(text) if "." in text else ():
        word = token[0]
        stem, dot, extension = word.rpartition(".")
        if dot and stem and extension in _EXTENSIONS and _is_file(word, stem):
            yield word.removeprefix("./"), token.start()


def _is_file(word: str, stem: str) -> bool:
    if word.lower() in _PRODUCTS or "//" in word or "*" in word:
        return False
    return any(character.isalpha() for character in stem.rpartition("/")[2]) or stem.endswith("/")


def ids_in(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """Ids in a text with their offsets; "T003-T005" stands for all three.

    `pattern` matches one id. A range joins two ids by a dash or "through", the second with or without its letters.
    """
    end = -1
    for found in pattern.finditer(text):
        if found.start() < end:
            continue
        yield found[0], found.start()
        tail = _tail(pattern.pattern).match(text, found.end())
        if tail is not None and (between := _range(found[0], tail[1])):
            end = tail.end()
            for name in between:
                yield name, tail.start(1)


@cache
def _tail(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\s?(?:-|–|—|\.\.|to|through)\s?({pattern}|\d+(?![\d.]))")


def _range(first: str, last: str) -> list[str]:
    """Return the ids after `first` up to `last`; nothing where the two are no range."""
    start, stop = re.search(r"^(.*?)(\d{1,9})$", first), re.search(r"^(.*?)(\d{1,9})$", last)
    if start is None or stop is None or stop[1] not in ("", start[1]):
        return []
    low, high = int(start[2]), int(stop[2])
    if not low < high <= low + _SPAN:
        return []
    return [f"{start[1]}{number:0{len(start[2])}d}" for number in range(low + 1, high + 1)]
