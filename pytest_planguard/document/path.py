"""Paths into a document: the tuple form that findings use, its spellings, and patterns with wildcards."""

from __future__ import annotations

Path = tuple[str | int, ...]
"""Keys and 0-based list indices from the root; () is the root."""
