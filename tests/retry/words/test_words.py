"""What is decided about many words and texts: pinned, line by line, so that a word that a table loses is noticed.

`python -m tools.readings` decides again; look at what changed before it is committed.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ...support.pins import decided, whole
from .conversations import recordings
from .deciders import DECIDERS
from .fits import fits
from .loops import loops, replies
from .matching import matches
from .parts_of_fates import answers_read_whole, enough_is_carried, what_apps_read
from .parts_of_matching import entries_of_findings, parse_errors, rules_of_findings, sentences
from .parts_of_places import items_of_lists, limits_of_matching, mentions_of_places, messages_alone
from .parts_of_reading import lengths, places_in_texts, same_places, values_in_texts
from .repairs import repairs
from .spoken import spoken
from .trials import tried

PINNED = Path(__file__).parent / "pinned"


@pytest.mark.parametrize("name", DECIDERS)
def test_each_is_decided_as_before(name: str) -> None:
    """An input and what it becomes, on each line."""
    file = PINNED / f"{name}.tsv"
    assert decided(file, DECIDERS[name]) == file.read_text(encoding="utf-8").splitlines()


def test_recorded_conversations_are_judged_as_before() -> None:
    """Steps, links, attempts, fates of findings and checks, with their evidence."""
    text = (PINNED / "recordings.txt").read_text(encoding="utf-8")
    assert whole(recordings).split("\n") == text.split("\n")


def test_findings_are_matched_with_words_as_before() -> None:
    """Grade, evidence and reason of a finding of each kind below words of each kind."""
    text = (PINNED / "matches.txt").read_text(encoding="utf-8")
    assert whole(matches).split("\n") == text.split("\n")


SAID = (
    *(spoken, repairs, tried, loops, replies, fits),
    *(places_in_texts, same_places, values_in_texts, lengths),
    *(rules_of_findings, sentences, entries_of_findings, parse_errors),
    *(mentions_of_places, items_of_lists, messages_alone, limits_of_matching),
    *(enough_is_carried, what_apps_read, answers_read_whole),
)
"""Conversations of every shape; what fixes findings, and how requests differ; what driven loops ask and come to; what
single parts of reading and matching say."""


@pytest.mark.parametrize("said", SAID, ids=lambda said: said.__name__)
def test_it_is_judged_as_before(said: Callable[[], Iterator[str]]) -> None:
    """Links with the new words, attempts, fates, checks and outcomes; edits, swaps and differences; requests."""
    text = (PINNED / f"{said.__name__}.txt").read_text(encoding="utf-8")
    assert whole(said).split("\n") == text.split("\n")
