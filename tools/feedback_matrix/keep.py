"""Keeps a telling part of the cases for the suite: `python -m tools.feedback_matrix.keep TEXTS.json`.

Of each rendering of each validator one text that tells the fault and one that tells another, as short as they come.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple
from itertools import groupby
from pathlib import Path

from tests.retry.reading.wordings.documents import FOLDER
from tests.retry.reading.wordings.validators import Case

from .cases import cases

_TEXT_LIMIT = 900


def main() -> None:
    """Write fixtures/feedback/validators.json, one case a line."""
    texts = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    kept: list[Case] = []
    for _, group in groupby(cases(texts, sorted(texts)), key=lambda c: (c.validator, c.rendering, c.document)):
        short = [c for c in group if len(c.text) <= _TEXT_LIMIT]
        told = [c for c in short if c.told == c.answer and not _has(kept, c)]
        other = [c for c in short if not c.told and not _has(kept, c)]
        kept += [*told[:1], *other[:1]]
    rows = ",\n".join(json.dumps(astuple(c), ensure_ascii=False) for c in kept)
    (FOLDER / "validators.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    print(len(kept), "cases")


def _has(kept: list[Case], case: Case) -> bool:
    return any(
        k.validator == case.validator and k.rendering == case.rendering and bool(k.told) == bool(case.told)
        for k in kept
    )


if __name__ == "__main__":
    main()
