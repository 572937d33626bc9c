"""Formats that are recognised so that their files are refused by name, and never judged as bad answers."""

from __future__ import annotations

from ..untrusted_json import mapping

REFUSED: tuple[tuple[str, frozenset[str]], ...] = (
    ("a log of events, such as a session of Codex", frozenset(("timestamp", "type", "payload"))),
    ("a session of Claude Code", frozenset(("parentUuid", "sessionId", "uuid"))),
    ("a session of the Gemini CLI", frozenset(("projectHash", "sessionId", "messages"))),
    ("a trace of Datadog APM", frozenset(("meta", "metrics", "trace_id", "span_id"))),
    ("an HTTP archive (HAR)", frozenset(("log.entries",))),
)
"""Each format with the keys that only its records have together."""
INSTEAD = "is not read: log the calls of models with OpenTelemetry, Langfuse, LangSmith or LiteLLM"


def refusal(record: object) -> str | None:
    """Return why a record of a known format is not read; None for any other record."""
    found = mapping(record)
    keys = found.keys() | {f"log.{key}" for key in mapping(found.get("log"))}
    return next((f"{name} {INSTEAD}" for name, own in REFUSED if own <= keys), None)
