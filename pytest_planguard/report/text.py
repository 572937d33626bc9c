"""Plain text for people, in one place: findings, verdicts, conversations and tables."""

from __future__ import annotations

from ..printable import one_line, visible
from .answer.conversation import failure_reason, render_checks, render_conversation
from .answer.finding_text import named, render_finding, render_findings, render_verdict
from .media.text_table import columns, render_table

__all__ = [
    "columns",
    "failure_reason",
    "named",
    "one_line",
    "render_checks",
    "render_conversation",
    "render_finding",
    "render_findings",
    "render_table",
    "render_verdict",
    "visible",
]
