"""What a heading means and which files a text names: one decider for each file of inputs."""

from __future__ import annotations

from pytest_planguard.plans.reading.named_files import files_in
from pytest_planguard.plans.reading.section_names import SYNONYMS, names_section

from ...support.pins import Decide

MEANINGS = (*sorted(SYNONYMS), "Notes")


def meanings(heading: str) -> str:
    """Return what a heading names; with a mark, what it names alone."""
    named = [meaning for meaning in MEANINGS if names_section(heading, meaning)]
    return ", ".join(f"{one}{'!' * names_section(heading, one, whole=True)}" for one in named)


def files(text: str) -> str:
    """Return the files that a text names."""
    return " ".join(f"{name}@{at}" for name, at in files_in(text))


DECIDERS: dict[str, Decide] = {"headings": meanings, "files": files}
