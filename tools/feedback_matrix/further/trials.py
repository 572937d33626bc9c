"""Trials of the further draw: a group of its own, with a third held out by its own seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from .. import drawn_trials
from ..trial import Trial
from . import SEED

TEXTS = Path(".feedback-texts/further.json")
"""What `collect` wrote; the group is left out where it is missing."""


def trials() -> Iterator[Trial]:
    """Yield the trials of the further validators, always the same ones."""
    texts = json.loads(TEXTS.read_text(encoding="utf-8")) if TEXTS.exists() else {}
    for one in drawn_trials.trials(texts):
        yield replace(one, group="further: validators of Python", unit=f"{SEED} {one.unit}")
