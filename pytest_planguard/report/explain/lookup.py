"""The whole catalogue, and the meanings of one word of a report."""

from __future__ import annotations

from ...contract import explained as contract_words
from ...contract.schema import explained as validator_codes
from ...errors import UsageError, nearest
from ...pipeline import explained as stream_codes
from ...plans import explained as plan_rules
from ...registry import CATALOGUE, Catalogue, Explanation, Sort
from ...retry import explained as conversation_words
from ...runs import explained as failures
from ...runs.model.broken_rules import CHECK, GAVE_UP, OUTCOME
from ...search import explained as search_codes

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
