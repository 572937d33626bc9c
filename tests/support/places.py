"""Paths as tests write them."""

from __future__ import annotations

from collections.abc import Sequence


def dotted(path: Sequence[str | int]) -> str:
    """Return a path as people read it, "steps[0].id"; empty for the whole answer."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
