"""Short digests of answers and feedback. They name calls in recordings and do not change between versions."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...contract.finding import Finding

LENGTH = 16
"""Hex digits of a digest: 64 bits, so that a million answers share one by chance once in 37 million searches."""


def answer_text(answer: Any) -> str:
    """Return an answer as text: itself, or a parsed value in canonical JSON.

    Raises:
        TypeError: neither a text nor plain JSON data.
    """
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bytes):
        return answer.decode("utf-8", "replace")
    return json.dumps(answer, sort_keys=True, ensure_ascii=False)


def chained(before: str, *parts: str) -> str:
    """Return the digest of a digest and what follows on it."""
    text = "\0".join((before, *parts))
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:LENGTH]


@lru_cache(maxsize=4096)
def chained_feedback(before: str, *parts: str) -> str:
    """Do as `chained` for failures. The same ones follow on each other at many prefixes, so their digests are kept."""
    return chained(before, *parts)


def problem_names(findings: Iterable[Finding]) -> list[str]:
    """Return the codes and paths of a failure: what it counts as in the digest of a channel, `chained` to it."""
    return sorted({f"{finding.code} {finding.path!r}" for finding in findings})
