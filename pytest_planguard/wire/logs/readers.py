"""The table of log formats, in the order in which they are tried, and the records in a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...registry import Registry
from ..untrusted_json import mapping, objects, sequence
from .gen_ai import read_gen_ai
from .langfuse import is_langfuse, read_langfuse, read_langfuse_span
from .langsmith import is_langsmith, read_langsmith
from .logged import JUDGEABLE, Fidelity, Logged, LogReader, best
from .pairs import KNOWN, is_batch, is_litellm, mapped_reader, read_batch, read_litellm
from .sessions import (
    is_deepeval,
    is_inspect,
    is_tensorzero,
    is_trajectory,
    read_deepeval,
    read_inspect,
    read_tensorzero,
    read_trajectory,
)
from .span_conventions import read_ai_sdk, read_openinference
from .spans import Span, is_spans, spans_of

CONVENTIONS: tuple[Callable[[Span], Logged | None], ...] = (
    read_openinference, read_langfuse_span, read_ai_sdk, read_gen_ai,
)  # fmt: skip
"""The conventions for spans. A span may follow several. The one that is closest to the wire is used."""


def read_spans(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield the calls in the spans and log records of one record."""
    for span in spans_of(record):
        found: list[Logged] = []
        for convention in CONVENTIONS:
            if (logged := convention(span)) is not None:
                found.append(logged)
                if logged.fidelity is Fidelity.WIRE:
                    break
        if found:
            nearest = best(logged.fidelity for logged in found)
            yield next(logged for logged in found if logged.fidelity is nearest)


_BUILT_IN = (
    LogReader("spans", is_spans, read_spans),
    LogReader("langsmith", is_langsmith, read_langsmith),
    LogReader("langfuse", is_langfuse, read_langfuse),
    LogReader("litellm", is_litellm, read_litellm),
    LogReader("batch", is_batch, read_batch),
    LogReader("inspect", is_inspect, read_inspect),
    LogReader("swe-agent", is_trajectory, read_trajectory),
    LogReader("deepeval", is_deepeval, read_deepeval),
    LogReader("tensorzero", is_tensorzero, read_tensorzero),
    *(mapped_reader(name, where) for name, where in KNOWN.items()),
)
LOG_READERS: Registry[LogReader] = Registry(
    "log reader", {reader.name: reader for reader in _BUILT_IN}, newest_first=True
)
"""In the order in which they are tried."""


def reader_of(record: object) -> LogReader | None:
    """Return the reader of a record; None if it is not a log. A sniffer that fails does not match."""
    if not isinstance(record, dict):
        return None
    for reader in LOG_READERS:
        try:
            if reader.sniff(record):
                return reader
        except Exception:  # an extension's, on a hostile record
            continue
    return None


ENVELOPES = ("rows", "data", "runs", "items", "results", "result", "traces")
"""Keys under which backends return the requested records."""


def records_of(document: object, depth: int = 0) -> Iterator[Any]:
    """Yield the records of a document: itself, the items of a list, or the content of an envelope."""
    # Hostile nesting ends here: `{"data": [{"data": [{"data": …` has an envelope in each envelope.
    if depth > 3 or reader_of(document) is not None:
        yield document
    elif isinstance(document, list):
        for each in document:
            yield from records_of(each, depth + 1)
    elif inner := next(
        (found[key] for found in [mapping(document)] for key in ENVELOPES if objects(found.get(key))), None
    ):
        for each in sequence(inner):
            yield from records_of(each, depth + 1)
    else:
        yield document


def looks_logged(document: object) -> bool:
    """Return True if a document is a log: one of its first records is of a known format."""
    for at, record in enumerate(records_of(document)):
        if reader_of(record) is not None:
            return True
        if at == LOOKED_AT:
            return False
    return False


LOOKED_AT = 20
"""Number of records to examine before a document is considered something else."""
__all__ = ["CONVENTIONS", "JUDGEABLE", "LOG_READERS", "looks_logged", "reader_of", "records_of"]


# Formats that are recognised so that their files are refused by name, and never judged as bad answers.

INSTEAD = "is not read: log the calls of models with OpenTelemetry, Langfuse, LangSmith or LiteLLM"
RESULTS = "has results of an evaluation: planguard report and planguard diff read them, with --contract too"
REFUSED: tuple[tuple[str, frozenset[str]], ...] = (
    (f"a log of events, such as a session of Codex {INSTEAD}", frozenset(("timestamp", "type", "payload"))),
    (f"a session of Claude Code {INSTEAD}", frozenset(("parentUuid", "sessionId", "uuid"))),
    (f"a session of the Gemini CLI {INSTEAD}", frozenset(("projectHash", "sessionId", "messages"))),
    (f"a trace of Datadog APM {INSTEAD}", frozenset(("meta", "metrics", "trace_id", "span_id"))),
    (f"an HTTP archive (HAR) {INSTEAD}", frozenset(("log.entries",))),
    (f"promptfoo's output {RESULTS}", frozenset(("evalId", "results", "config"))),
    (f"promptfoo's output {RESULTS}", frozenset(("promptIdx", "testIdx", "success"))),
    (f"a report of pydantic-evals {RESULTS}", frozenset(("cases", "failures", "trace_id", "span_id"))),
)
"""Why each format is not read, and the keys that only its records have together."""


def refusal(record: object) -> str | None:
    """Return why a record of a known format is not read; None for any other record."""
    found = mapping(record)
    keys = found.keys() | {f"log.{key}" for key in mapping(found.get("log"))}
    return next((why for why, own in REFUSED if own <= keys), None)
