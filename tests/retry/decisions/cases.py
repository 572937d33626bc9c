"""What is decided about conversations: see `tests/support/decisions.py`."""

from __future__ import annotations

from ...support.decisions import Case
from .conversations import cassettes
from .fits import fits
from .gradings import answers_read_whole, enough_is_fed_back, what_apps_read
from .loops import loops, replies
from .lost_words import lost_words
from .matching import matches
from .meanings import meanings
from .messages import codes, lines, messages, places, rules, texts
from .places import items_of_lists, limits_of_matching, mentions_of_places, messages_alone
from .reading import lengths, places_in_texts, same_places, values_in_texts
from .repairs import repairs
from .rules import entries_of_findings, parse_errors, rules_of_findings, sentences
from .spoken import spoken
from .trials import tried

CASES: tuple[Case, ...] = (
    *(spoken, cassettes, loops, replies, enough_is_fed_back, what_apps_read, answers_read_whole),
    *(messages, rules, codes, places, texts, lines, matches, fits),
    *(rules_of_findings, sentences, entries_of_findings, parse_errors),
    *(mentions_of_places, items_of_lists, messages_alone, limits_of_matching),
    *(places_in_texts, same_places, values_in_texts, lengths),
    *(tried, repairs, meanings, lost_words),
)
