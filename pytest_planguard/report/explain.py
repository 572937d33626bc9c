"""Look up what a word in a report means. The texts are in docs/reference/explain.md; plan rules bring theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from textwrap import TextWrapper
from typing import TYPE_CHECKING

from ..contract.schema.json_schema_errors import KEYWORD_KINDS
from ..contract.schema.pydantic_errors import kind_of_code
from ..errors import RunError, UsageError, nearest
from ..plans.rules.judge_plan import RULES
from ..runs.model.broken_rules import CHECK, GAVE_UP, OUTCOME

if TYPE_CHECKING:
    from ..plans.rules.rule import Rule

_ENTRY = re.compile(
    r"^### (?P<sort>[a-z ]+): (?P<name>.+)\n\n(?P<what>.+)\n\n"
    r"Why: (?P<why>.+)\n\nExample: (?P<example>.+)\n\nDo: (?P<do>.+)$",
    re.MULTILINE,
)
"""One word of the page: "### failure kind: empty", and below it the meaning, "Why: …", "Example: …", "Do: …"."""
_WHY = re.compile(r"^\| `([a-z-]+)` \| (.+) \|$", re.MULTILINE)
"""Why plan rules matter. "| `dep` | … |" is for `dep-cycle` and all other codes with that first word."""
_PREFIXES = {f"{CHECK}:": "check", f"{OUTCOME}:": "outcome"}
"""The prefix of a check or an outcome in rows and comparisons, such as "check:feedback", and its sort."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one word."""

    name: str
    """The word that reports use: "truncated", "dep-cycle". A family has its validator's name: "pydantic: type"."""
    sort: str
    """The sort of word: "failure kind", "plan rule". One name may have several meanings."""
    what: str
    """The meaning, in one or two sentences."""
    why: str
    """Why it matters, or why it happens."""
    example: str
    """One example, on one line."""
    do: str
    """The advice on how to handle it."""


def catalogue() -> tuple[Explanation, ...]:
    """Return every word: first the words of the page in order, then all plan rules, including rules from extensions."""
    return (*_entries(), *map(_of_rule, RULES))


@cache
def _entries() -> tuple[Explanation, ...]:
    return tuple(Explanation(**entry.groupdict()) for entry in _ENTRY.finditer(_page()))


@cache
def _reasons() -> dict[str, str]:
    """Return why plan rules matter, by code or by its first word."""
    return dict(_WHY.findall(_page()))


@cache
def _page() -> str:
    """Return the page that explains the words: beside this module in a wheel, in docs/reference in a checkout."""
    here = Path(__file__).with_suffix(".md")
    page = here if here.is_file() else Path(__file__).parents[2] / "docs" / "reference" / here.name
    if not page.is_file():
        raise RunError(f"{here}: the page of `planguard explain` is missing; install pytest-planguard again")
    return page.read_text(encoding="utf-8")


def _of_rule(rule: Rule) -> Explanation:
    """Return the explanation of a plan rule. An extension's rule gives its reason in its own text."""
    reasons = _reasons()
    reason = reasons.get(rule.code) or reasons.get(rule.code.split("-", 1)[0]) or "An extension demands it."
    return Explanation(rule.code, "plan rule", rule.what, reason, rule.example, rule.mend)


def meanings(word: str) -> tuple[Explanation, ...]:
    """Return the meanings of a word; () if it is unknown.

    A word is a name, a validator's code, or a broken rule as in rows: "check:feedback", "gave_up:myapp.NoTicket". Case
    does not matter.
    """
    for prefix, sort in _PREFIXES.items():
        if word.startswith(prefix):
            return tuple(entry for entry in _named(word.removeprefix(prefix)) if entry.sort == sort)
    name = GAVE_UP if word.startswith(f"{GAVE_UP}:") else word
    return _named(name) or _named(name.casefold())


def _named(name: str) -> tuple[Explanation, ...]:
    """Return all meanings of a name. A validator's code means its family; pydantic's comes first."""
    known = catalogue()
    exact = tuple(entry for entry in known if entry.name == name)
    families = (("pydantic", kind_of_code(name)), ("JSON Schema", KEYWORD_KINDS.get(name)))
    family = next((f"{validator}: {kind.value}" for validator, kind in families if kind is not None), None)
    return exact or tuple(entry for entry in known if entry.name == family)


def explained_word(word: str) -> tuple[Explanation, ...]:
    """Return the meanings of a word.

    Raises:
        UsageError: the word is unknown. The message has the nearest name.
    """
    known = meanings(word)
    if known:
        return known
    near = nearest(word, {entry.name for entry in catalogue()})
    advice = f"did you mean {near!r}?" if near else "`planguard explain` lists every name"
    raise UsageError(f"unknown word: got {word!r}; {advice}")


WIDTH = 100
"""Characters of a line."""
_PARTS = ("what", "why", "example", "do")


def render_explanations(entries: Iterable[Explanation]) -> str:
    """Return all meanings of a word, one paragraph each."""
    return "\n".join(f"{entry.name} ({entry.sort})\n{_parts(entry)}" for entry in entries)


def _parts(entry: Explanation) -> str:
    wrapper = TextWrapper(WIDTH, subsequent_indent=" " * 11, break_long_words=False, break_on_hyphens=False)
    paragraphs = (f"  {f'{part.capitalize()}:':<9}{getattr(entry, part)}" for part in _PARTS)
    return "".join(f"{wrapper.fill(paragraph)}\n" for paragraph in paragraphs)


def render_list(entries: Iterable[Explanation]) -> str:
    """Return all names, sort by sort, each with the first sentence of its meaning."""
    parts = []
    for sort, group in groupby(entries, key=lambda entry: entry.sort):
        listed = list(group)
        width = max(len(entry.name) for entry in listed)
        rows = "".join(f"  {entry.name:<{width}}  {first_sentence(entry.what)}\n" for entry in listed)
        parts.append(f"{sort}\n{rows}")
    return "\n".join(parts)


def first_sentence(text: str) -> str:
    """Return the text up to its first full stop: "A. B." gives "A."."""
    return text.split(". ", 1)[0].rstrip(".") + "."
