"""Trials of the later draw: in groups of their own, with a third held out by a seed of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from .. import drawn_trials, phrases, wordings
from ..trial import Trial
from . import SEED

TEXTS = Path(".feedback-texts/later.json")
"""What `collect` wrote; the validators and catalogues are left out where it is missing."""
FOLDER = Path(__file__).parent


def trials() -> Iterator[Trial]:
    """Yield the trials of all groups, always the same ones."""
    texts = json.loads(TEXTS.read_text(encoding="utf-8")) if TEXTS.exists() else {}
    groups = (drawn_trials.trials(texts), phrases.trials(FOLDER), wordings.trials(FOLDER))
    for group in groups:
        for one in group:
            yield replace(one, group=f"later: {one.group}", unit=f"{SEED} {one.unit}")
