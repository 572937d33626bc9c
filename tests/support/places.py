"""Paths in the form that tests use."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence


def dotted(path: Sequence[str | int]) -> str:
    """Return a path as people read it, `steps[0]["due date"]`; empty for the whole answer."""
    return "".join(map(_step, path)).removeprefix(".")


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if re.fullmatch(r"[\w-]+", step) else f"[{json.dumps(step, ensure_ascii=False)}]"
