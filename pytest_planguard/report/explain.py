"""What a word of a report means: looked up, and as text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from textwrap import TextWrapper
from typing import Any

from ..contract import explained as contract_words
from ..contract.schema import explained as validator_codes
from ..errors import UsageError, nearest
from ..pipeline import explained as stream_codes
from ..plans import explained as plan_rules
from ..registry import CATALOGUE, Catalogue, Explanation, Sort
from ..retry import explained as conversation_words
from ..runs import explained as failures
from ..runs.model.broken_rules import CHECK, GAVE_UP, OUTCOME
from ..search import explained as search_codes

REGISTERED = (
    contract_words,
    validator_codes,
    plan_rules,
    conversation_words,
    stream_codes,
    search_codes,
    failures,
)
"""The modules whose import fills the catalogue."""
_PREFIXES = {f"{CHECK}:": Sort.CHECK, f"{OUTCOME}:": Sort.OUTCOME}
"""How rows and comparisons write a check and an outcome: "check:feedback"."""


def catalogue() -> Catalogue:
    """Return the catalogue with everything that the package can give."""
    return CATALOGUE


def meanings(word: str) -> tuple[Explanation, ...]:
    """Return what a word means, most specific first; () where nothing is known about it.

    A word may be a name, a validator's code, or a broken rule as rows write it: "check:feedback",
    "gave_up:myapp.NoTicket". Case does not count.
    """
    for prefix, sort in _PREFIXES.items():
        if word.startswith(prefix):
            return tuple(entry for entry in CATALOGUE.named(word.removeprefix(prefix)) if entry.sort is sort)
    name = GAVE_UP if word.startswith(f"{GAVE_UP}:") else word
    return CATALOGUE.named(name) or CATALOGUE.named(name.casefold())


def explained_word(word: str) -> tuple[Explanation, ...]:
    """Return what a word means.

    Raises:
        UsageError: nothing is known about it; the message has the nearest name.
    """
    known = meanings(word)
    if known:
        return known
    near = nearest(word, {entry.name for entry in CATALOGUE})
    advice = f"did you mean {near!r}?" if near else "`planguard explain` lists every name"
    raise UsageError(f"unknown word: got {word!r}; {advice}")


WIDTH = 100
"""Characters of a line."""
_LABELS = (("What", "what"), ("Why", "why"), ("Example", "example"), ("Do", "fix"))


def render_explanations(entries: Iterable[Explanation]) -> str:
    """Return every meaning of a word, one paragraph each."""
    return "\n".join(f"{entry.name} ({entry.sort})\n{_parts(entry)}" for entry in entries)


def _parts(entry: Explanation) -> str:
    wrapper = TextWrapper(WIDTH, subsequent_indent=" " * 11, break_long_words=False, break_on_hyphens=False)
    paragraphs = (f"  {f'{label}:':<9}{getattr(entry, field)}" for label, field in _LABELS)
    return "".join(f"{wrapper.fill(paragraph)}\n" for paragraph in paragraphs)


def render_list(entries: Iterable[Explanation]) -> str:
    """Return all names, sort by sort, each with the first sentence of what it means."""
    parts = []
    for sort, group in groupby(entries, key=lambda entry: entry.sort):
        listed = list(group)
        width = max(len(entry.name) for entry in listed)
        rows = "".join(f"  {entry.name:<{width}}  {first_sentence(entry.what)}\n" for entry in listed)
        parts.append(f"{sort}\n{rows}")
    return "\n".join(parts)


def first_sentence(text: str) -> str:
    """Return a text up to its first full stop: "A. B." gives "A."."""
    return text.split(". ", 1)[0].rstrip(".") + "."


def explanation_data(entry: Explanation) -> dict[str, Any]:
    """Return an explanation as plain values, for a program."""
    return {
        "name": entry.name,
        "sort": str(entry.sort),
        "what": entry.what,
        "why": entry.why,
        "example": entry.example,
        "do": entry.fix,
    }
