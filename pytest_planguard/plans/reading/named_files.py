"""The files that a text names."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
