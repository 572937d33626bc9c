"""Trials of hand-written wordings: after an answer with all that each says, with one more fault, or with others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.retry.reading.wordings.documents import overlap

from .documents import faults
from .phrases import near_faults
from .recordings import ENVELOPES
from .trial import Trial, Unsaid

FOLDER = Path(__file__).parent
Wording = Mapping[str, Any]
"""Id, style, language, document, faults and text; see wordings.yaml."""


@cache
def wordings(folder: Path = FOLDER) -> list[Wording]:
    """Return all wordings of a folder, in the order of the file."""
    read: list[Wording] = yaml.safe_load((folder / "wordings.yaml").read_text(encoding="utf-8"))
    return read


def trials(folder: Path = FOLDER) -> Iterator[Trial]:
    """Yield all trials of all wordings of a folder, always the same ones."""
    for number, wording in enumerate(wordings(folder)):
        for envelope in (list(ENVELOPES)[(number + shift) % len(ENVELOPES)] for shift in (0, 2)):
            yield from _of_wording(wording, envelope)


def _of_wording(wording: Wording, envelope: str) -> Iterator[Trial]:
    ways = faults(wording["document"])
    said = [ways[name] for name in wording["faults"]]

    def trial(answer: Sequence[str], told: Sequence[str], kind: Unsaid | None = None) -> Trial:
        return Trial(
            group="hand wordings",
            unit=f"wording {wording['id']}",
            language=wording["language"],
            envelope=envelope,
            document=wording["document"],
            answer=tuple(answer),
            text=wording["text"],
            said=tuple(told),
            kind=kind,
            row=wording["style"],
        )

    yield trial(wording["faults"], wording["faults"])
    partner = next(f for f in ways.values() if not any(overlap(f["path"], one["path"]) for one in said))
    yield trial([*wording["faults"], partner["name"]], wording["faults"], Unsaid.PARTIAL)
    for fault in said:
        for other, kind in near_faults(wording["document"], fault):
            if other["name"] not in wording["faults"] and not _says(wording["text"], said, other):
                yield trial([other["name"]], [], kind)


def _says(text: str, said: Sequence[Mapping[str, Any]], other: Mapping[str, Any]) -> bool:
    """Whether a text may say the other rule too: a range ("between 4 and 30") says both of its limits."""
    same_field = any(one["path"][-1] == other["path"][-1] for one in said)
    return same_field and re.search(r"\b(?:zwischen|between|va de)\b", text) is not None
