"""The name that a test gives to the conversation that runs."""

from __future__ import annotations

from contextvars import ContextVar

IDENTIFIED: ContextVar[str | None] = ContextVar("planguard_conversation", default=None)
"""The name of the conversation that requests belong to; tasks started inside inherit it."""
