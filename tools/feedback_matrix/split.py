"""A third of the texts is held out: which one is settled by a hash, before anything was measured.

What is held out is a whole unit: a validator or catalogue with all its languages, a phrase with all its fields, a
wording. So no text that the readers are mended with shares its words with one that is held out.
"""

from __future__ import annotations

import hashlib

from .draw import SEED


def held_out(unit: str) -> bool:
    """Whether the unit belongs to the third that is only counted."""
    digest = hashlib.sha256(f"{SEED}:{unit}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % 3 == 0
